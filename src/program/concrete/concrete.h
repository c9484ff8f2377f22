/* SPDX-License-Identifier: Apache-2.0 */
/* The concrete checker: runs the threads' code along a witness.
 *
 * The trace checker (trace/check/checker.h) evaluates terms; this one executes. From a moment of the re-execution that
 * is not after the witness's first change, every thread goes on by the interpreter, over one memory, in the order that
 * the witness says: a load has what memory holds there and then, and every branch, address and stored value is what the
 * code makes of it. What comes from outside (results of calls, callbacks, effects, the outcome of synchronisation) is
 * taken from the thread's own records of the log, in its own order.
 *
 * It compares with what the same stretch did when it was recorded (program/telling/notes.h), and refuses where
 *   - an event of the witness comes from another instruction, at another position, another address or of another kind;
 *   - the code has touched other memory on its way there, shared or not, or has come there on another way;
 *   - something else flows into a call outside: an argument, or memory that it reads;
 *   - a division would trap;
 *   - a racing compare-and-exchange would fail there, so that it only reads, and the other access reads, too;
 *   - a thread does not get to its next event.
 * That locks, conditions and the like allow the order is the trace checker's to say, and so is what unknown code
 * outside may have looked at beyond its arguments: it is asked first. The two share no code with each other but the
 * interpreter, and neither shares any with what finds witnesses.
 *
 * Threads are coroutines: one waits before each event until it is its turn, within an instruction too, where that has
 * several. Memory that no event tells of is a thread's own (or nobody writes it): what it writes there only it sees. So
 * it does not matter that addresses are used again in another order than they were.
 *
 * First the stretch is run in its recorded order, in a process aside: every value must be what was recorded. Where that
 * fails it is this checker that can't judge, and it says so; a refusal is never our own weakness.
 */
#ifndef RECIPE_PROGRAM_CONCRETE_CONCRETE_H
#define RECIPE_PROGRAM_CONCRETE_CONCRETE_H

#include "program/machine/machine.h"

/* The machine's client, of each thread on its way; the context is its rcp_lane. */
extern const rcp_client rcp_concrete_client;
rcp_pause rcp_concrete_interpret(rcp_machine *machine);

/* For the interpreter; the strand's state is saved. False: failed, the causes say why. */
bool rcp_concrete_load(rcp_machine *machine, const rcp_ins *ins, uint64_t address, void *to, uint64_t size);
bool rcp_concrete_store(rcp_machine *machine, const rcp_ins *ins, uint64_t address, const void *from, uint64_t size);
bool rcp_concrete_copy(rcp_machine *machine, const rcp_ins *ins, uint64_t to, uint64_t from, uint64_t size);
bool rcp_concrete_fill(rcp_machine *machine, const rcp_ins *ins, uint64_t to, uint8_t byte, uint64_t size);
/* What the thread sees there, without an event. */
void rcp_concrete_peek(rcp_machine *machine, uint64_t address, void *to, uint64_t size);
/* `old` takes what was there. */
bool rcp_concrete_atomic(rcp_machine *machine, const rcp_ins *ins, const uint64_t *registers, uint64_t old[2]);
bool rcp_concrete_fence(rcp_machine *machine, const rcp_ins *ins);
/* A value goes where no event shows it: it must be as recorded. */
void rcp_concrete_pin(rcp_machine *machine, uint64_t value);

#endif
