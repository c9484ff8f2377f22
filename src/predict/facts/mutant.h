/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants: the encoder with one of its rules left out, to see whether the tests notice. They exist in the tests' own
 * build of this folder alone (RCP_MUTANTS, tests/CMakeLists.txt); elsewhere RCP_MUTANT() is false and nothing is left
 * of it.
 *
 * tests/prop/prop_predict.c goes through the list: each must make it find a witness that is refused, or miss a race.
 */
#ifndef RECIPE_PREDICT_FACTS_MUTANT_H
#define RECIPE_PREDICT_FACTS_MUTANT_H

#define RCP_EACH_MUTANT(M)                                                                                             \
    M(NO_LOCK_EXCLUSION)                                                                                               \
    M(NO_LOCKS_HELD_BEFORE)                                                                                            \
    M(SHARED_LOCKS_EXCLUDE_NOTHING)                                                                                    \
    M(NO_HOLDER_FOR_FAILED_ACQUIRE)                                                                                    \
    M(NO_SIGNAL_ORDER)                                                                                                 \
    M(ONE_SIGNAL_WAKES_ALL)                                                                                            \
    M(NO_SEMAPHORE_COUNT)                                                                                              \
    M(NO_EMPTY_SEMAPHORE)                                                                                              \
    M(NO_BARRIER_GENERATIONS)                                                                                          \
    M(NO_SERIAL_THREAD)                                                                                                \
    M(NO_DESTROY)                                                                                                      \
    M(NO_FORK)                                                                                                         \
    M(NO_JOIN)                                                                                                         \
    M(NO_FAILED_JOIN)                                                                                                  \
    M(NO_INIT)                                                                                                         \
    M(NO_ONCE)                                                                                                         \
    M(NO_LINE)                                                                                                         \
    M(NO_TIME)                                                                                                         \
    M(NO_STRETCH)                                                                                                      \
    M(NO_OPAQUE_WRITERS)                                                                                               \
    M(NO_OPAQUE_VALUES)                                                                                                \
    M(NO_LIVES)                                                                                                        \
    M(NO_INITIAL_VALUES)                                                                                               \
    M(NO_BLOCKERS)                                                                                                     \
    M(NO_BYTE_OVERLAP)                                                                                                 \
    M(NO_BRANCHES)                                                                                                     \
    M(NO_ADDRESSES)                                                                                                    \
    M(NO_COMPARE_AND_SWAP)                                                                                             \
    M(NO_SWAP_AT_THE_RACE)                                                                                             \
    M(NO_UNDEFINED_VALUES)                                                                                             \
    M(NO_DEVIATION)                                                                                                    \
    M(NO_VALUES_OF_WRITERS)                                                                                            \
    M(NO_CLOSED_EXPLANATION)                                                                                           \
    M(NO_FOREIGN_READS)                                                                                                \
    M(NO_MODES_IN_LOCKSETS)                                                                                            \
    M(EVERY_SIGNAL_MUST_SERVE)                                                                                         \
    M(FORCED_WITHOUT_INITIAL)                                                                                          \
    M(FORCED_BY_ONE_OF_SEVERAL)                                                                                        \
    M(FORCED_BY_UNSETTLED)

#ifdef RCP_MUTANTS
#define RCP_MUTANT_ID(name) RCP_MUTANT_##name,
enum { RCP_NO_MUTANT, RCP_EACH_MUTANT(RCP_MUTANT_ID) RCP_MUTANT_COUNT };
extern int rcp_mutant; /* the one that is on; the test's */
#define RCP_MUTANT(name) (rcp_mutant == RCP_MUTANT_##name)
#else
#define RCP_MUTANT(name) 0
#endif

#endif
