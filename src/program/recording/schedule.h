/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as text: which thread runs, and up to which of its events.
 *
 *     # what follows is not read
 *     thread 0.1              threads in the order of their creation, the main thread (0) left out
 *     thread 0.1.1
 *     0 1200                  the main thread, until it is about to have its event 1200
 *     0.1 block               thread 0.1, until it blocks or ends
 *     0.1 end                 until it has ended
 *     2 77                    the second thread that was created
 *
 * A thread is named by its place in the creation tree (abi/position.h) or by its number. Names that no `thread` line
 * declares stand for a number only where the main thread creates all: 0.n is n.
 *
 * Invariant: every step's thread is a number. The schedule owns its steps and names.
 */
#ifndef RECIPE_PROGRAM_RECORDING_SCHEDULE_H
#define RECIPE_PROGRAM_RECORDING_SCHEDULE_H

#include "abi/run.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct rcp_schedule {
    RCP_VEC(struct rcp_run_step) steps;
    RCP_VEC(char *) names; /* by number; [0] is "0"; NULL: not known */
    uint64_t signals; /* of one that was recorded: those whose handlers were recorded, a bit each, 1 of the lowest */
} rcp_schedule;

void rcp_schedule_init(rcp_schedule *schedule);
void rcp_schedule_finish(rcp_schedule *schedule);

/* `name` stands for the file in messages. */
rcp_code rcp_schedule_parse(const char *name, const char *text, size_t len, rcp_schedule *schedule) RCP_MUST_USE;
void rcp_schedule_print(rcp_text *to, const rcp_schedule *schedule);

/* Thread `number` is the n-th that `parent` created; a name that it has already gives way. Those before it may be
 * without one: they are printed, and read, as "?". */
void rcp_schedule_name_thread(rcp_schedule *schedule, uint64_t number, uint64_t parent, uint64_t nth);

#endif
