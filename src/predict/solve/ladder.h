/* SPDX-License-Identifier: Apache-2.0 */
/* The ladder: a pair of accesses under one model, from cheap attempts to the whole trace.
 *
 * Rungs: windows that begin 100, 400 and 1600 events before the earlier access, from the real state there; the small
 * cone (closed under observed last writers and the order of critical sections); the whole trace but what follows the
 * two accesses. Every rung's first look is the recorded order reduced to what the two need; then it searches. Each can
 * say 'race', and then the checker (trace/check/checker.h) has accepted its witness; only the last one can say 'no
 * race'.
 *
 * Invariant: a witness that the checker refuses is never given out; it is counted (`refused`) and would be a mistake of
 * ours. The same pair gets the same answer, whatever was asked before. The ladder borrows the groundwork.
 */
#ifndef RECIPE_PREDICT_SOLVE_LADDER_H
#define RECIPE_PREDICT_SOLVE_LADDER_H

#include "predict/facts/groundwork.h"
#include "predict/solve/search.h"

enum { RCP_RUNG_SMALL = 3, RCP_RUNG_WHOLE, RCP_RUNGS };

typedef struct rcp_ladder_limits {
    uint64_t steps; /* of the solver on the last rung; the others get a share of it */
    size_t nodes;   /* no slice has more; above long-query-events only the whole trace is tried, with a few looks */
} rcp_ladder_limits;

/* The limits solver-steps and query-events. */
rcp_ladder_limits rcp_ladder_limits_set(void);

typedef struct rcp_ladder_stats {
    uint64_t queries, races[RCP_RUNGS], none, unknown, refused;
    uint64_t too_large; /* of the unknown ones: the whole trace was never searched, because of its size */
    rcp_search_stats search;
} rcp_ladder_stats;

typedef struct rcp_ladder rcp_ladder;

rcp_ladder *rcp_ladder_create(const rcp_groundwork *groundwork, rcp_ladder_limits limits);
void rcp_ladder_destroy(rcp_ladder *ladder);

/* RCP_ANSWER_WITNESS: `witness`, initialised and empty, holds an accepted one. RCP_ANSWER_NONE: the two do not race.
 * RCP_ANSWER_LIMIT: unknown. */
rcp_code rcp_ladder_climb(rcp_ladder *ladder, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, rcp_witness *witness,
                          rcp_answer *answer) RCP_MUST_USE;

/* The smallest window alone, before anything is climbed: many pairs show themselves there. RCP_ANSWER_WITNESS as above;
 * else RCP_ANSWER_LIMIT, which says nothing and is counted nowhere. */
rcp_code rcp_ladder_look(rcp_ladder *ladder, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, rcp_witness *witness,
                         rcp_answer *answer) RCP_MUST_USE;

/* The same with rules left out (RCP_LOOSE_… of predict/solve/slice.h): what would it be, were they none? Under less
 * effort than a question that counts, and no limit counts as reached. RCP_ANSWER_WITNESS: `witness` would be one; no
 * checker accepts it. */
rcp_code rcp_ladder_would(rcp_ladder *ladder, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, unsigned loose,
                          rcp_witness *witness, rcp_answer *answer) RCP_MUST_USE;

/* BRANCHes that rcp_ladder_would() leaves out with RCP_LOOSE_OPAQUE, a bit per event: what flows into a call that is
 * known, which may do the same with another value. Borrowed. */
void rcp_ladder_loosen(rcp_ladder *ladder, const rcp_bits *given);
/* What rcp_ladder_would() keeps to from now on, beside the rules that are left; borrowed. No other question does. */
void rcp_ladder_learn(rcp_ladder *ladder, const rcp_learnt *learnt, size_t n);

/* The same for one event: a BRANCH or a compare-and-swap with a condition, an access with an address, that depends on
 * reads; an ACQUIRE or a SEM_WAIT that does not wait. Is there an order, under the value rule of recipe-s, that leads
 * up to it so that it would turn out otherwise? The witness ends right before it, and has no race. A branch or an
 * address is not to be one of the `n` values of `excluded` either; *became: what it is. */
rcp_code rcp_ladder_turn(rcp_ladder *ladder, rcp_eid event, const uint64_t *excluded, size_t n, uint64_t *became,
                         rcp_witness *witness, rcp_answer *answer) RCP_MUST_USE;

/* The same for a deadlock: is there an order at whose end each of these ACQUIREs or SEM_WAITs (ascending, of different
 * threads, at least two, RCP_MOST_STANDING at most) is next in its thread, and waits for another one's? Each must have,
 * by program order, a lock that another one asks for (predict/facts/lock_orders.h). RCP_ANSWER_WITNESS: the checker has
 * accepted it (rcp_checker_stand()). */
rcp_code rcp_ladder_stand(rcp_ladder *ladder, rcp_relaxation relaxation, const uint32_t *events, uint32_t n,
                          rcp_witness *witness, rcp_answer *answer) RCP_MUST_USE;
/* Of BRANCHes that compare a term with a constant, from now on: it is the term that is to have another value than the
 * constant, and than the `n` of `excluded`. */
void rcp_ladder_turn_compared(rcp_ladder *ladder, bool is_so);
/* The same for a standstill: is there an order of each thread's first upto[tid] events, of all of them, in which these
 * `n` WAITs, the last ones of their threads there, are woken by nothing? Under the value rule of recipe-s. The witness
 * ends there, and has no race. */
rcp_code rcp_ladder_still(rcp_ladder *ladder, const rcp_position *upto, const uint32_t *asleep, uint32_t n,
                          rcp_witness *witness, rcp_answer *answer) RCP_MUST_USE;
/* The same for an order that is asked for, under the value rule of recipe-s, with the effort of rcp_ladder_turn(). None
 * of its events is a BRANCH or an EXIT, and its last one is not the last one of its thread in the trace.
 * RCP_ANSWER_WITNESS: the checker has accepted it (rcp_checker_arrange()). */
rcp_code rcp_ladder_arrange(rcp_ladder *ladder, const rcp_arrangement *arranged, rcp_witness *witness,
                            rcp_answer *answer) RCP_MUST_USE;
/* The same for two calls outside (OPAQUE_BEGINs of different threads), the later of which is to be made first: is there
 * an order, under the value rule of recipe-s, that leads up to both? All rules hold of it, and hold of the earlier call
 * where that comes next; of the later one all but P1, which keeps it behind the other. What becomes of the two is the
 * program's to say. The witness has no race. */
rcp_code rcp_ladder_pass(rcp_ladder *ladder, rcp_eid earlier, rcp_eid later, rcp_witness *witness,
                         rcp_answer *answer) RCP_MUST_USE;
/* What the orders of rcp_ladder_turn() and rcp_ladder_pass() have besides, from now on: of each of these one event is
 * executed. Borrowed. */
void rcp_ladder_want(rcp_ladder *ladder, const rcp_slice_wanted *wanted, size_t n);

/* Whoever wants to see the rungs that are tried, and what each answers; after a rung that is no answer the next
 * follows. NULL ends it. */
typedef void rcp_ladder_watcher(void *context, unsigned rung, const rcp_slice *slice, rcp_answer answer);
void rcp_ladder_watch(rcp_ladder *ladder, rcp_ladder_watcher *watcher, void *context);
/* "a window of 400", "the whole trace". */
void rcp_ladder_rung_name(rcp_text *to, unsigned rung);

const rcp_groundwork *rcp_ladder_borrow_groundwork(const rcp_ladder *ladder);
rcp_ladder_stats rcp_ladder_statistics(const rcp_ladder *ladder);
/* The same, and they begin anew. */
rcp_ladder_stats rcp_ladder_take_statistics(rcp_ladder *ladder);
void rcp_ladder_stats_add(rcp_ladder_stats *to, const rcp_ladder_stats *more);
/* The checker's rule for a model's witnesses. */
rcp_value_rule rcp_relaxation_rule(rcp_relaxation relaxation);

#endif
