/* SPDX-License-Identifier: Apache-2.0 */
/* How `recipe record` tells the runtime what to do, and what a recorded directory holds.
 *
 * `recipe record` makes DIR, writes DIR/config, sets RECIPE_TRACE to DIR's absolute path, switches address-space
 * randomisation off and executes the program. The first process to create DIR/log (O_EXCL) records there. Every other
 * (a child by fork, a program that was executed) takes the first DIR/process.N (N from 1) that it can make, with the
 * same files and a copy of the config, and records there. Without RECIPE_TRACE the program runs unrecorded: hooks keep
 * the shadow and nothing else.
 *
 * DIR/config    struct rcp_run_config, then its schedule
 * DIR/log       abi/log.h
 * DIR/image     abi/image.h
 * DIR/values    abi/log.h, with RCP_RUN_LOG_VALUES
 * DIR/modules/  ID.bc: the bitcode of each module, as in the program (struct rcp_bitcode and what follows); by record.
 *               That of DIR/process.N is a link to it, made by the runtime
 * DIR/run.json  the command, directory, environment, policy, seed, how it ended; by record
 */
#ifndef RECIPE_ABI_RUN_H
#define RECIPE_ABI_RUN_H

#include <stdint.h>

#define RCP_RUN_VARIABLE "RECIPE_TRACE"
#define RCP_RUN_MAGIC    UINT64_C(0x31474643504345)
#define RCP_RUN_VERSION  1

enum rcp_policy_kind {
    RCP_POLICY_RR,     /* each runnable thread in turn, `quantum` events each */
    RCP_POLICY_RANDOM, /* after a random number of events (mean `quantum`) a random runnable thread */
    RCP_POLICY_PCT, /* random priorities, `depth` - 1 random places where the running thread's drops below all others;
                       a thread that spins alone at the top is moved down after `quantum` events without progress */
    RCP_POLICY_FILE /* the schedule; when it is used up or can't be followed, round-robin (and a NOTE) */
};

enum { RCP_RUN_LOG_VALUES = 1, RCP_RUN_VERBOSE = 2 };

struct rcp_run_config {
    uint64_t magic;
    uint32_t version, abi;
    uint32_t policy, flags;
    uint64_t seed, quantum;
    uint32_t depth;    /* of PCT */
    uint32_t watchdog; /* microseconds between two looks at who is outside */
    uint64_t length;   /* estimated events of the run, for PCT's places */
    uint64_t steps;    /* struct rcp_run_step that follow */
};

/* Run `thread` until it is about to have its event `until`, and stops, blocks or has ended there. RCP_RUN_BLOCK: until
 * it blocks, yields or ends, wherever that is. */
#define RCP_RUN_BLOCK UINT64_MAX
struct rcp_run_step {
    uint64_t thread; /* its number: the order in which threads are created is part of a schedule */
    uint64_t until;
};

#endif
