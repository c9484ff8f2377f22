/* SPDX-License-Identifier: Apache-2.0 */
/* Moments of a re-execution to go back to: to tell a part of the run again, with memory that was not shared.
 *
 * The naive model: execute it again from its beginning. A checkpoint is instead a process: a copy of the re-execution
 * as it was then, made by fork(2), which shares with it all that neither has changed since. It waits to be asked; then
 * a copy of it goes on to where it is told, into a trace of its own, and answers.
 *
 * That trace has the events up to the checkpoint as they were told the first time, then those that are told again. Of
 * further memory it knows what it held at the checkpoint (its `anchor`, a fact of the trace): whoever reorders keeps
 * what is before it as it was recorded, and the checker refuses what does not.
 *
 * There are never more than RCP_CHECKPOINTS processes: when there are, every second one ends and they come half as
 * often. They end with whoever made them.
 */
#ifndef RECIPE_PROGRAM_TELLING_CHECKPOINTS_H
#define RECIPE_PROGRAM_TELLING_CHECKPOINTS_H

#include "base/text.h"
#include "trace/model/defs.h"

#define RCP_CHECKPOINTS 16

typedef struct rcp_checkpoints rcp_checkpoints;

/* `every`: events of the program (abi/position.h) between two of them. */
rcp_checkpoints *rcp_checkpoints_create(uint64_t every);
/* Who answers questions, in a process that goes on from a checkpoint: `run` stands there. `reply` takes the answer.
 * Said before the first checkpoint is made. */
struct rcp_run;
typedef rcp_code rcp_checkpoints_answerer(struct rcp_run *run, const char *question, size_t n, rcp_text *reply);
void rcp_checkpoints_set_answerer(rcp_checkpoints *checkpoints, rcp_checkpoints_answerer *answerer);
void rcp_checkpoints_destroy(rcp_checkpoints *checkpoints);

typedef struct rcp_again {
    uint64_t from;           /* the latest checkpoint that is not after this event of the trace */
    uint64_t upto;           /* ends when the trace has this many events */
    const rcp_span *further; /* memory whose accesses are told, too: whole granules, ascending */
    size_t n;
    const char *directory; /* of the new trace */
    const char *question;  /* NULL; or no trace is told: whoever goes on has the answerer answer this */
    size_t question_size;
} rcp_again;

/* The new trace is whole when this returns. *anchor: the event at which it was begun again. */
rcp_code rcp_checkpoints_ask(rcp_checkpoints *checkpoints, const rcp_again *again, uint64_t *anchor) RCP_MUST_USE;

/* The event at which the latest checkpoint is that is not after `from`. */
rcp_code rcp_checkpoints_before(const rcp_checkpoints *checkpoints, uint64_t from, uint64_t *event) RCP_MUST_USE;
/* Of again, `from` and the question count. `reply` takes the answer. */
rcp_code rcp_checkpoints_question(rcp_checkpoints *checkpoints, const rcp_again *again, rcp_text *reply) RCP_MUST_USE;

/* For lead.c, where a record is about to be followed. True: this process is a copy that has been asked: it goes on
 * as `again` says, and ends with rcp_checkpoints_answer(). */
bool rcp_checkpoints_reach(rcp_checkpoints *checkpoints, uint64_t executed, uint64_t told, rcp_again *again);
/* Such a copy that was asked a question: has it answered. Does not return. */
_Noreturn void rcp_checkpoints_reply(rcp_checkpoints *checkpoints, struct rcp_run *run, const rcp_again *again);
/* Is this process such a copy? */
bool rcp_checkpoints_is_asked(const rcp_checkpoints *checkpoints);
/* Does not return. What failed is in the causes. `reply` may be NULL. */
_Noreturn void rcp_checkpoints_answer(rcp_checkpoints *checkpoints, rcp_code code, const rcp_text *reply);

#endif
