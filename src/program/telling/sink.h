/* SPDX-License-Identifier: Apache-2.0 */
/* Where the second re-execution puts its events: the trace store.
 *
 * The interpreter knows what an access or a branch is and what its terms are; the sink knows who did it and where (the
 * thread, the source location, the stack, the memory order), and all that the log tells: synchronisation, allocation,
 * calls outside. Both add events here, in the order in which they happened.
 *
 * An error of the store stays: later events are dropped, and rcp_sink_close() returns it.
 */
#ifndef RECIPE_PROGRAM_TELLING_SINK_H
#define RECIPE_PROGRAM_TELLING_SINK_H

#include "program/telling/checkpoints.h"
#include "program/machine/machine.h"
#include "program/symbolic/teller.h"
#include "program/telling/sharing.h"
#include "trace/store/writer.h"

typedef struct rcp_sink rcp_sink;

/* Into a trace that is made at `directory`. `sharing` is what the first re-execution found out; `names` are those of
 * all threads of the run. Both are borrowed. */
rcp_code rcp_sink_create(const char *directory, const rcp_sharing *sharing, const rcp_thread_names *names,
                         rcp_sink **sink) RCP_MUST_USE;
/* One that only counts them: for a re-execution that is to make checkpoints. */
rcp_sink *rcp_sink_create_mute(const rcp_sharing *sharing, const rcp_thread_names *names);
/* It also writes what a replay needs, into new files: when each of its events was (program/telling/moments.h), and what
 * calls outside answered (abi/run.h). */
rcp_code rcp_sink_keep_for_replay(rcp_sink *sink, const char *moments, const char *answers) RCP_MUST_USE;
/* The program is loaded, nothing is executed: what memory holds, and which of it is shared from the beginning. */
struct rcp_telling;
void rcp_sink_begin(rcp_sink *sink, struct rcp_telling *telling);
/* This process goes on from a checkpoint, into a trace of its own. */
rcp_code rcp_sink_again(rcp_sink *sink, const rcp_again *again) RCP_MUST_USE;
/* Closes the trace and destroys the sink, also where it fails. */
rcp_code rcp_sink_close(rcp_sink *sink) RCP_MUST_USE;
/* The same where something else has failed: what is there is nobody's, and the causes stay as they are. */
void rcp_sink_abandon(rcp_sink *sink);

/* Adds an event that `strand` has at `ins`; `event` has everything but tid, loc and stack, and (of accesses and fences)
 * mode. Returns its number, which read symbols are made of. */
rcp_eid rcp_sink_add(rcp_sink *sink, const rcp_strand *strand, const rcp_ins *ins, rcp_event *event);

/* Nothing more is told. `is_whole`: the log is at its end, and every thread where it was then. */
void rcp_sink_deadlock(rcp_sink *sink, bool is_whole);

/* Races in [lo, hi) are wanted, as long as that memory lives: by the program's own words, or by the language's, which
 * lets all threads use the standard streams. */
void rcp_sink_wanted(rcp_sink *sink, uint64_t lo, uint64_t hi, bool by_language);
/* What the thread reads, or writes, is not to be reported (1), is again (-1): such stretches nest. */
void rcp_sink_spare(rcp_sink *sink, const rcp_strand *strand, bool writes, int more);

/* The number that the next event will have. */
rcp_eid rcp_sink_next(const rcp_sink *sink);
/* For program/symbolic/: its events come here. */
rcp_teller rcp_sink_teller(rcp_sink *sink);
rcp_defs *rcp_sink_borrow_defs(rcp_sink *sink);

#endif
