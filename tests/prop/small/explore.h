/* SPDX-License-Identifier: Apache-2.0 */
/* Every schedule of a small program, in the most naive way: every state that some schedule leads to is visited once.
 *
 * Asked about a recorded run, it visits only the states in which each thread has done what it did then: the same
 * branches, places, locks and outcomes (what recipe-s may report), or beyond that the same values (mc). A thread that
 * leaves its recorded way stays where it is from there on, and neither races nor is waited for.
 *
 * The exploration owns all it has found.
 */
#ifndef RECIPE_PROP_SMALL_EXPLORE_H
#define RECIPE_PROP_SMALL_EXPLORE_H

#include "prop/small/small.h"

/* A pair of static locations; the smaller one first. */
typedef struct rcp_small_race {
    uint16_t line[2];
    char does[2];
} rcp_small_race;

typedef RCP_VEC(rcp_small_race) rcp_small_races;

/* Sorted, each once. */
void rcp_small_races_add(rcp_small_races *races, rcp_small_race race);
bool rcp_small_races_have(const rcp_small_races *races, rcp_small_race race);

/* What a thread did in a recorded run, step by step. */
typedef struct rcp_small_stood {
    uint32_t way; /* before the step */
    uint16_t at;
    int16_t location, lock; /* -1: none */
    bool failed;
    int64_t read;
} rcp_small_stood;
typedef struct rcp_small_path {
    RCP_VEC(rcp_small_stood) steps[RCP_SMALL_THREADS];
    uint32_t last_way[RCP_SMALL_THREADS]; /* after all of them */
    bool has_ended[RCP_SMALL_THREADS];
} rcp_small_path;
void rcp_small_path_finish(rcp_small_path *path);

typedef struct rcp_small_exploration {
    rcp_small_races races;
    RCP_VEC(char *) outcomes; /* sorted, each once; as rcp_small_outcome() has them */
    size_t states;
    double interleavings; /* schedules, where all are explored: no two have the same steps in the same order */
    bool is_whole;        /* false: the limit came first */
    bool deadlocks;
} rcp_small_exploration;

typedef enum rcp_small_rule { RCP_SMALL_FREE, RCP_SMALL_SAME_WAY, RCP_SMALL_SAME_VALUES } rcp_small_rule;

/* `path` counts where the rule is not FREE. */
void rcp_small_explore(const rcp_small_program *program, rcp_small_rule rule, const rcp_small_path *path, size_t limit,
                       rcp_small_exploration *found);
void rcp_small_exploration_finish(rcp_small_exploration *found);

#endif
