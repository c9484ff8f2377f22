/* SPDX-License-Identifier: Apache-2.0 */
/* The flags that every property test has: --seed N, --count N, --time SECONDS, --stats; and --sample N, the count where
 * RECIPE_CHECK=sample ('make check'). The seed is printed, so that what failed can be run again: trace i of a run is
 * generated from rcp_args_seed(args, i), and a failure names that seed for a run with --exact.
 */
#ifndef RECIPE_PROP_ARGS_H
#define RECIPE_PROP_ARGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_args {
    uint64_t seed;
    uint64_t count;
    uint64_t seconds;    /* stop after about that long; 0: no limit */
    uint32_t max_events; /* of a generated trace; 0: the generator's default */
    bool exact;          /* --exact: `seed` is one trace's own seed, run that one alone */
    bool stats;
    uint64_t started;
} rcp_args;

/* Prints the seed; a wrong flag ends the process with 2. */
rcp_args rcp_args_parse(int argc, char **argv, uint64_t default_count);
/* Is there an i-th trace to run? */
bool rcp_args_go_on(const rcp_args *args, uint64_t i);
uint64_t rcp_args_seed(const rcp_args *args, uint64_t i);

#endif
