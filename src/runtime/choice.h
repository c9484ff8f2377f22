/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's question and its answer (policy.h): why the baton is free, and who has it next, up to where.
 *
 * Threads are borrowed: they are never freed.
 */
#ifndef RECIPE_RUNTIME_CHOICE_H
#define RECIPE_RUNTIME_CHOICE_H

#include "runtime/thread.h"

typedef enum rcp_policy_why {
    RCP_POLICY_REACHED, /* `until` */
    RCP_POLICY_YIELDED,
    RCP_POLICY_WAITING, /* it waits by going round (rounds.h) */
    RCP_POLICY_PARKED,  /* it is held before an access (steer.h) */
    RCP_POLICY_MET,     /* it has met one that was */
    RCP_POLICY_POKED,   /* it said itself that it wants to choose again */
    RCP_POLICY_BLOCKED, /* waits, is away or has ended */
    RCP_POLICY_IDLE     /* nobody had the baton, and somebody is READY now */
} rcp_policy_why;

typedef struct rcp_choice {
    rcp_thread *thread; /* one that is READY, or one that WAITS with a deadline, which has come then; NULL: the one that
                           must be next is away, wait for it */
    uint64_t until;
    bool naps; /* whoever could run waits by going round: before it goes on, a moment may pass */
} rcp_choice;

#endif
