/* SPDX-License-Identifier: Apache-2.0 */
/* Where a witness ends: two threads stand, each right before its access (abi/run.h). Is that a race, as the machine
 * does the two now?
 *
 * Each must be about to do what was predicted, plainly or atomically as predicted; they must share a byte, and one must
 * write: a compare-and-exchange that would fail reads. Then one goes on alone, and its access counts as made once it
 * stands before what comes after: so it needs nothing that the other one has. That holds of calls outside, too, whose
 * memory is not known here: whoever started the run looks at its log.
 *
 * All functions are called under the baton's lock. DIR/outcome is borrowed from follow.c.
 */
#ifndef RECIPE_RUNTIME_MEETING_H
#define RECIPE_RUNTIME_MEETING_H

#include "runtime/choice.h"

/* The thread of that role that is there; NULL: none. */
rcp_thread *rcp_meeting_find(uint64_t role);
/* Says why, and what every thread does, and ends the process. */
_Noreturn void rcp_meeting_lose(struct rcp_run_outcome *outcome, enum rcp_run_verdict verdict, const char *why);

/* Does its thread stand before this one access of instrumented code, about to do what was predicted? What was met is
 * written down. */
bool rcp_meeting_stands(const struct rcp_run_access *access, struct rcp_run_met *met);
/* So many bytes of memory, 16 at most, which may not be there. Returns how many could be read. */
uint32_t rcp_meeting_peek(uint64_t address, uint64_t size, uint8_t bytes[16]);

/* The same look at two accesses of instrumented code on the way, of which nothing hangs: do both stand, each about to
 * do what was predicted, and do they conflict? What was met is written down. */
bool rcp_meeting_look(const struct rcp_run_access access[2], struct rcp_run_met met[2]);
/* Which of the two threads have come elsewhere: bit 0 the first, bit 1 the second. */
unsigned rcp_meeting_astray(const struct rcp_run_access access[2]);

/* Of a steered run: `held` stands before its event, `comes` is about to make its own. Do the two conflict, as they are
 * now? What was met is written down. */
bool rcp_meeting_conflict(const rcp_thread *held, const rcp_thread *comes, struct rcp_run_met met[2]);

/* Both must stand now: the verdict is REACHED, or this does not return. */
void rcp_meeting_begin(const struct rcp_run_config *config, struct rcp_run_outcome *outcome);
/* The first access was made (RCP_RUN_LATE), the second one's thread must stand: the verdict is FIRST. */
void rcp_meeting_begin_second(const struct rcp_run_config *config, struct rcp_run_outcome *outcome);
/* Who goes on, for one access to be made and then the other. False: both are, or the second one waits, and nobody is
 * led any more. */
bool rcp_meeting_choose(rcp_choice *choice);
/* An instruction of this thread, in instrumented code, faults at that address. A load is made before anybody can stop
 * before it: so it may be the one after the access. */
void rcp_meeting_fault(const rcp_thread *thread, uint64_t address);
/* The process ends in this thread: its access may have been the last thing that it did. */
void rcp_meeting_exit(const rcp_thread *thread);
/* In the child of a fork: it is none of its. */
void rcp_meeting_forget(void);
/* The one that makes its access does not come back. As above: false where it was the second. */
bool rcp_meeting_give_up(void);

#endif
