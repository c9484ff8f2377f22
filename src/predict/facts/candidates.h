/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates: conflicting pairs that could race as far as cheap rules say, by static pair, a few dynamic instances
 * each.
 *
 * One pass over the trace. Each word of memory remembers, per thread, source location, kind and situation of locks
 * (predict/facts/holding.h), the last access: of the accesses of one thread at one place in the program, under the same
 * locks, the last one is ordered before least. An access is compared with those of other threads at its words; a
 * repetition by the thread that was there last is not. So the cost is events × distinct accesses of a word, which the
 * program's text bounds, not the trace's length. What it does not bound is situations: of a word with many, one takes
 * the place of another of the same thread, place and bytes (limit word-accesses).
 *
 * Ruled out: pairs that hold a common lock, that must happen before one another (predict/facts/must.h), whose
 * acquisition histories cross. Each rule holds in every execution under every model, so a static pair that has no
 * instance left does not race.
 *
 * Invariant: pairs in the order of their first conflict; instances of a pair by rising cost: the
 * distance in steps of powers of two, then how late they come. Owns its memory.
 */
#ifndef RECIPE_PREDICT_FACTS_CANDIDATES_H
#define RECIPE_PREDICT_FACTS_CANDIDATES_H

#include "order/engine/pairs.h"
#include "predict/facts/forced.h"
#include "predict/facts/inside.h"
#include "trace/text/text.h"

typedef struct rcp_candidate {
    uint32_t a, b; /* a first in the recorded order */
} rcp_candidate;

typedef struct rcp_candidate_pair {
    rcp_pair_side side[2];
    uint64_t conflicts, left; /* dynamic pairs; those that nothing ruled out */
    uint64_t by_lock, by_order, by_history;
    bool by_opaque;  /* an instance was ruled out by the order of opaque code, and by nothing else */
    rcp_str opaque;  /* which function that was, of the first one; 0: it is not known */
    bool is_doubted; /* an instance was ruled out by must-happen-before, perhaps by what values force through opaque */
    rcp_candidate doubted; /* code: the first one */
    uint64_t skipped;      /* instances beside these that were not even compared: the limit candidate-scans; about */
    uint32_t n;
    rcp_candidate *kept; /* as many as the limit candidate-instances; NULL: n is 0 */
    uint64_t *after;     /* boldly, while they are looked for: after which calls outside each of them comes */
} rcp_candidate_pair;

typedef struct rcp_candidates {
    RCP_VEC(rcp_candidate_pair) pairs;
    rcp_map by_hash;
    /* dynamic pairs: all, and those that each rule removed */
    uint64_t conflicts, by_lock, by_order, by_history;
    uint64_t forgotten;       /* accesses whose place another one took, of words that too many distinct ones touch */
    uint64_t events;          /* looked at: all, or those before the deadline (base/deadline.h) */
    rcp_inside_counts inside; /* calls outside whose accesses are none of these */
} rcp_candidates;

/* `forced` NULL: boldly. What opaque code orders, and what values force, rules out nothing then: some of what is left
 * is ruled out by an assumption alone. An access that comes after another call outside is another one then: a lock that
 * nobody sees is taken by such a call. */
void rcp_candidates_find(rcp_candidates *candidates, const rcp_run_facts *facts, const rcp_forced *forced,
                         bool spurious_wakeups);
void rcp_candidates_finish(rcp_candidates *candidates);
/* The static pair of two events; NULL: no instance of it conflicts. */
const rcp_candidate_pair *rcp_candidates_of(const rcp_candidates *candidates, const rcp_run_facts *facts, uint32_t a,
                                            uint32_t b);
/* For people (candidates_dump.c): every pair, what ruled out how many of its instances, those that are kept. */
void rcp_candidates_dump(rcp_text *to, const rcp_candidates *candidates, const rcp_run_facts *facts,
                         rcp_printer *printer);
void rcp_candidate_pair_dump(rcp_text *to, const rcp_candidates *candidates, const rcp_candidate_pair *pair,
                             const rcp_run_facts *facts, rcp_printer *printer);

#endif
