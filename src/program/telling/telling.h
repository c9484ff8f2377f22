/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorded run says beside what is executed: lives of memory, calls outside and what they touched, effects of
 * outside code, synchronisation. Both re-executions that look for events go through here (lead.h), so that both see
 * the same: the first one notes who touched what, the second one tells events (program/telling/sink.h).
 *
 * A visit is a call outside that has not come back, or a signal's handler that runs. Visits of a strand nest as its
 * activations do.
 *
 * Ownership: borrows the machine, the sharing and the sink.
 */
#ifndef RECIPE_PROGRAM_TELLING_TELLING_H
#define RECIPE_PROGRAM_TELLING_TELLING_H

#include "program/telling/state.h"

/* The machine's program is loaded, nothing is executed yet. `sink`: NULL in the first re-execution. */
void rcp_telling_init(rcp_telling *telling, rcp_machine *machine, rcp_sharing *sharing, struct rcp_sink *sink);
/* The log is at its end. */
void rcp_telling_end(rcp_telling *telling);
void rcp_telling_finish(rcp_telling *telling);

/* The first re-execution's interpreter: notes who touches what. The machine's context is the telling. */
rcp_pause rcp_telling_interpret(rcp_machine *machine);

/* The next record is about to be followed; it is the current strand's. */
void rcp_telling_record(rcp_telling *telling);
/* The units from `first` on have been loaded: all of them before anything is executed, then those of a library. */
void rcp_telling_part(rcp_telling *telling, size_t first);
/* An EFFECT, FILL or COPY is in memory now. */
void rcp_telling_effect(rcp_telling *telling, const rcp_log_record *record);
/* A MISS or MISS_ZERO is not in memory yet. `ins` is the event that wants it. */
void rcp_telling_miss(rcp_telling *telling, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                      const uint8_t bytes[64]);
/* The strand is about to leave by the call at its instruction, has come back with `result` (the instruction is the
 * call still), or has lost its activations past `keep` by a jump or an exception. */
void rcp_telling_leave(rcp_telling *telling, rcp_strand *strand);
void rcp_telling_return(rcp_telling *telling, rcp_strand *strand, uint64_t result);
void rcp_telling_unwind(rcp_telling *telling, rcp_strand *strand, size_t keep);
/* A callback is about to begin (its activation is there, and has what the strand was), and has returned. `record` is
 * the log's: it says of a signal's handler that it is one. */
void rcp_telling_callback(rcp_telling *telling, rcp_strand *strand, const rcp_log_record *record);
void rcp_telling_callback_end(rcp_telling *telling, rcp_strand *strand);

/* Of a call that is given objects of the C++ library: what belongs to them. */
void rcp_telling_objects(rcp_telling *telling, rcp_strand *strand, rcp_visit *visit);
/* What is done with a member of a group: rcp_belongings_visitor. */
bool rcp_telling_member(void *telling, rcp_span member, uint32_t who, bool writes);
/* How far memory says that a call goes is not sure: it may go to the end of the object. */
void rcp_telling_note_farther(rcp_telling *telling, const rcp_strand *strand, const rcp_outside_touch *touch);
/* The first re-execution: the THREAD record says what is the thread's own. */
void rcp_telling_owns(rcp_telling *telling, const rcp_log_record *record);
/* The first re-execution: the word goes into memory, or to code that is not recorded. Where it points to what is a
 * thread's own, others know of that from now on. */
void rcp_telling_expose(rcp_telling *telling, uint64_t word);
/* The same of the words of memory at [address, address + size). */
void rcp_telling_expose_words(rcp_telling *telling, uint64_t address, uint64_t size);

#endif
