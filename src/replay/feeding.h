/* SPDX-License-Identifier: Apache-2.0 */
/* A replay is fed or real, never both. Fed: time, random numbers, ids and input are the recorded ones, as far as some
 * run could have had them in this schedule (runtime/clock.h). Real: all of it is the system's. Fed is what can be
 * repeated; but where the recorded run was tied to others that will not play along (it made processes, talked through
 * sockets, armed timers), only a real one is a run of the program at all.
 *
 * Owns nothing: `why_not` is a constant. */
#ifndef RECIPE_REPLAY_FEEDING_H
#define RECIPE_REPLAY_FEEDING_H

#include "abi/log.h"
#include "record/command.h"

#include <stdbool.h>

typedef struct rcp_feeding {
    bool is_fed, own_ids;
    bool made_processes;            /* the recorded run did */
    bool may_be_real;               /* of one that is fed: what it is told by others, others may tell it again */
    bool was_kept;                  /* it read something that can't be read again; DIR/stdin has it */
    bool was_answered;              /* what it printed may have come back, or been answered (RCP_WORLD_PRINTS) */
    bool is_lost;                   /* there is nothing to replay with: the input is gone */
    struct rcp_log_clocks began;    /* the recorded run, */
    int64_t lasted;                 /* in nanoseconds; 0: not known */
    struct rcp_log_place output[2]; /* what it printed to */
    const char *why_not;            /* neither can be done; else NULL */
} rcp_feeding;

rcp_code rcp_feeding_decide(rcp_feeding *feeding, const char *directory,
                            const rcp_recorded_command *command) RCP_MUST_USE;

#endif
