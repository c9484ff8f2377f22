/* SPDX-License-Identifier: Apache-2.0 */
/* Values that depend on shared reads: their terms, through registers and through memory that is not shared.
 *
 * Beside each slot (program/ir/code.h) stands the id of its term; 0: it depends on no shared read. A term may be
 * narrower than its slot: the rest is zeros. Beside each granule of memory stands a mark: whether it is shared (then
 * its accesses are events, and what a read has is the read's symbol), or else which cell says, byte by byte, what terms
 * its contents have.
 *
 * Pinned. Where a value acts in a way that no event of its own shows (an address that is not shared, what flows into
 * code outside, an operation that terms have no word for), a branch event is told whose condition is 'it is what it
 * was', and from there on the value is a constant. So nothing is ever guessed: who keeps the branches keeps the value.
 *
 * Unknown. Terms have no limit but memory (symbolic-terms). Once there are many (symbolic-plenty), what a load
 * instruction reads beyond its first reads (symbolic-reads) and values above so many operations (symbolic-depth) get no
 * further term: they are unknown, and so is what is computed of them. Nothing is told of that. What they hang on is
 * remembered, and pinned where one of them first decides something: a branch, an address, a call outside. Then all of
 * the thread's are constants again. A shared write of an unknown value depends on all that its thread has read
 * (RCP_TERM_ALL), which is more than it does. Once all of the memory is used every further read is unknown, and a pin
 * is a branch on RCP_TERM_ALL. (Why that is sound: docs/reexecution.md, 'Unknown values'.)
 */
#ifndef RECIPE_PROGRAM_SYMBOLIC_SYMBOLIC_H
#define RECIPE_PROGRAM_SYMBOLIC_SYMBOLIC_H

#include "program/symbolic/marks.h"
#include "program/symbolic/teller.h"

typedef struct rcp_symbolic rcp_symbolic;

/* Copies the teller. */
rcp_symbolic *rcp_symbolic_create(rcp_space *space, const rcp_teller *teller);
void rcp_symbolic_destroy(rcp_symbolic *symbolic);

/* The interpreter that makes them; the machine's shadow is the rcp_symbolic. */
rcp_pause rcp_symbolic_interpret(rcp_machine *machine);

/* Another run: what would have happened, had one read event read something else? Its thread goes on with `value`; the
 * event and memory stay as they are. */
typedef struct rcp_override {
    rcp_eid read;
    uint64_t value;
    bool is_applied; /* set when it is done: only a load of up to 8 bytes whose value has a term can be changed so */
} rcp_override;
/* Borrowed until the end. */
void rcp_symbolic_override(rcp_symbolic *symbolic, rcp_override *override);

/* Accesses of these bytes are events from here on, or no longer. What terms their contents had is forgotten: whoever
 * calls this does so where a life begins. Whole granules. */
void rcp_symbolic_share(rcp_symbolic *symbolic, uint64_t address, uint64_t size);
void rcp_symbolic_unshare(rcp_symbolic *symbolic, uint64_t address, uint64_t size);
/* Code outside wrote these bytes: their contents have no terms. */
void rcp_symbolic_forget(rcp_symbolic *symbolic, uint64_t address, uint64_t size);

/* `ins`: the instruction at which the strand is; NULL where it is at none.
 *
 * Tells the branch event that keeps `term` at `value`, unless that is known already. */
void rcp_symbolic_pin(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, uint32_t term, uint64_t value);
/* The same for slot `slot` of the innermost activation, which is a constant from here on. */
void rcp_symbolic_pin_slot(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, int32_t slot);
/* The same of a slot that is the address of an access which no event has: the branch has the address itself, so that
 * each other one is another way of it. */
void rcp_symbolic_pin_address(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, int32_t slot);
/* Code outside reads these bytes in the strand's name: those that are shared are read (events, which pin what they
 * read), those that have terms are pinned. */
void rcp_symbolic_pin_memory(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                             uint64_t size);
/* The same of what leaves the program: of bytes that nobody has written whoever gets them learns nothing, and nothing
 * comes back that hangs on them, so they are not kept. */
void rcp_symbolic_let_out(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                          uint64_t size);
/* Code outside has moved these bytes (they are at `to` now, too): what is read is pinned, but for bytes that nobody has
 * written, which are as little known there as they were. */
void rcp_symbolic_moved(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, uint64_t to, uint64_t from,
                        uint64_t size);
/* As rcp_symbolic_pin_memory() of bytes that are not shared: of the others nobody says that they are read. */
void rcp_symbolic_pin_private(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                              uint64_t size);
/* The same of what the code is known to look at, as far as there is anything: bytes that nobody has written are not
 * kept where the strand has done no more than move them, as rcp_symbolic_pin_all() has it. */
void rcp_symbolic_pin_reached(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                              uint64_t size);
/* Code outside may look at anything that the strand has computed: all that it has read is kept, as a branch on all of
 * it; or, where some of that nobody had written and it has done no more than move it, read by read without these, which
 * is what true says: what it hands over besides is the caller's to pin. */
bool rcp_symbolic_pin_all(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins);
/* Code outside wrote these bytes (they are in memory now) in the strand's name: those that are shared are written
 * (events), and none has a term. */
void rcp_symbolic_wrote(rcp_symbolic *symbolic, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                        uint64_t size);

#endif
