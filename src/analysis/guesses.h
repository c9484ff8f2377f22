/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses: schedules of the recorded events for pairs that only an assumption rules out. The ladder is asked again
 * without it: calls outside order nothing but what they were seen to share, what they left in memory is there once they
 * have run, they do the same with other values that flow into them, memory may be given out in another order; and,
 * where that gives none, what is unknown may be anything. No checker accepts a guess, and nothing is reported because
 * of one: the program is run along it (analysis/leading.h).
 *
 * Where it does not go along, that is learnt: a thread did not come out of a call, in a state in which others had made
 * some calls and not the next ones (rcp_learnt of predict/solve/slice.h); or a call that it made in such a state
 * answered otherwise than when it was recorded, and sent it elsewhere. Later guesses keep to it, and nothing else does.
 * It is taken that only calls outside have to do with it.
 *
 * A pair without a guess for any of its instances is none even without assumptions: no run is made for it.
 *
 * Owns its pairs and what was learnt; borrows the subject, which stays loaded.
 */
#ifndef RECIPE_ANALYSIS_GUESSES_H
#define RECIPE_ANALYSIS_GUESSES_H

#include "analysis/subject.h"
#include "base/map.h"
#include "predict/facts/candidates.h"
#include "predict/solve/ladder.h"

typedef enum rcp_guessed {
    RCP_GUESSED_NOT,  /* nobody knows: a limit came first, or no time was left */
    RCP_GUESSED_NONE, /* even without assumptions the two do not race */
    RCP_GUESSED_SO,   /* by `witness` */
    RCP_GUESSED_ALL,  /* the program went along none of its guesses, or the instances that were kept have none */
} rcp_guessed;

typedef struct rcp_guessed_pair {
    uint64_t points;         /* rcp_point_pair() */
    rcp_candidate *instance; /* n of them */
    uint32_t n, at;          /* the one that `witness` is of */
    uint32_t tries, here;    /* runs that were led along it; by this instance */
    bool is_close;           /* in the recorded run nothing but calls outside put an instance of it in order */
    bool is_partial;         /* there are further instances, which nobody kept */
    bool is_wild;            /* unknown values are others */
    uint8_t state;           /* rcp_guessed */
    rcp_witness witness;
} rcp_guessed_pair;

/* When an event happened, in terms of the run. */
typedef struct rcp_guess_moment {
    uint64_t before, after;
    uint32_t thread; /* its number in the log */
    bool is_given;   /* it says what flows into a call */
} rcp_guess_moment;

typedef struct rcp_guesses {
    rcp_subject *run;
    RCP_VEC(rcp_guessed_pair) pairs;
    RCP_VEC(rcp_learnt) learnt;
    RCP_VEC(rcp_guess_moment) moments; /* by event; none where the file can't be read */
    rcp_groundwork ground;             /* as much of it as a question without the checker needs */
    rcp_ladder *ladder;
    rcp_bits *given; /* of these, what only says that what flows into a call is what it was */
    uint64_t asked;
} rcp_guesses;

/* Pairs that nobody has shown: `known` are those that were (rcp_point_pair()). The trace is loaded. */
rcp_code rcp_guesses_init(rcp_guesses *guesses, rcp_subject *run, const rcp_map *known) RCP_MUST_USE;
void rcp_guesses_finish(rcp_guesses *guesses);
/* Lets go of all but the pairs: the trace may go. */
void rcp_guesses_rest(rcp_guesses *guesses);

/* One schedule for each pair that is close, or for each of the others, until `end` (of rcp_seconds_now(); 0: none). */
rcp_code rcp_guesses_make(rcp_guesses *guesses, bool is_close, double end) RCP_MUST_USE;
/* The program did not go along: another one, by what was learnt, by a further instance, or none. */
rcp_code rcp_guesses_again(rcp_guesses *guesses, rcp_guessed_pair *guess, bool is_learnt) RCP_MUST_USE;

/* Thread `number` did not go on from its position `at`, where the first `recorded` events had come, and of others what
 * `upto` says, by number: all before that position. False: nothing follows from that. */
bool rcp_guesses_learn(rcp_guesses *guesses, uint64_t number, uint64_t at, uint64_t recorded, const uint64_t *upto,
                       size_t threads);
/* The last call outside that the thread makes before its position *at, which becomes the call's; RCP_NO_EVENT: it makes
 * none after the first `recorded` events. */
uint32_t rcp_guesses_last_call(rcp_guesses *guesses, uint64_t number, uint64_t recorded, uint64_t *at);
/* That call came back with another answer than when it was recorded, where of others so much had come. */
bool rcp_guesses_learn_answer(rcp_guesses *guesses, uint32_t call, uint64_t recorded, const uint64_t *upto,
                              size_t threads);

#endif
