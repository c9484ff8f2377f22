/* SPDX-License-Identifier: Apache-2.0 */
/* Prediction against the oracle on random traces: for every conflicting pair and every model, a search over the whole
 * trace must find a witness, which the checker accepts, exactly where the oracle knows one; and whatever a smaller
 * slice (a window, the small cone) finds must be true.
 *
 * The oracle has no rule for rv: rv is what the relaxed rule says of a trace in which every branch and every address
 * that is not constant may depend on all earlier reads, so it is asked about such a copy. */
#include "predict/facts/candidates.h"
#include "predict/solve/ladder.h"
#include "predict/facts/must.h"
#include "predict/facts/mutant.h"
#include "predict/facts/varies.h"
#include "prop/args.h"
#include "prop/gen.h"
#include "prop/oracle.h"
#include "prop/random.h"
#include "prop/sample.h"
#include "prop/show.h"
#include "prop/shrink.h"
#include "trace/check/checker.h"
#include "trace/text/text.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const models[] = {"mc", "rv", "recipe-s"}; /* in the order of rcp_relaxation */
enum { MODELS = 3 };

typedef struct tally {
    uint64_t pairs[MODELS], races[MODELS], undecided[MODELS], in_part[MODELS], given_up, pruned, blamed, ordered,
        turned, steady, fixed;
} tally;

/* One model and one trace. */
typedef struct comparison {
    const rcp_trace *trace;
    rcp_ladder *ladder;
    const rcp_run_facts *facts;
    const rcp_checker *checker;
    rcp_candidates candidates;
    rcp_evaluator evaluator;
    rcp_oracle *oracle;
    rcp_search_options options;
    uint32_t latest; /* windows start no later */
    bool explain;
    tally *tally;
} comparison;

static rcp_value_rule rule_of(const comparison *c) {
    return c->options.relaxation == RCP_RELAX_NOTHING ? RCP_VALUES_SAME : RCP_VALUES_RELAXED;
}

/* The copy for rv's oracle. */
static void pin(const rcp_trace *trace, rcp_trace *copy) {
    rcp_trace_finish(copy);
    *copy = *trace; /* borrows everything but the events */
    copy->events.at = rcp_alloc(trace->events.len * sizeof *trace->events.at + 1);
    for (size_t i = 0; i < trace->events.len; i++) {
        rcp_event *e = &copy->events.at[i];
        *e = trace->events.at[i];
        if (e->kind == RCP_BRANCH || rcp_term_is_real(e->cond))
            e->cond = RCP_TERM_ALL;
        if (e->addr_term.v != RCP_TERM_CONST.v || (rcp_event_is_access(e) && trace->life[i]))
            e->addr_term = RCP_TERM_ALL;
    }
}

static bool accepted(const comparison *c, const rcp_witness *witness, rcp_check_verdict *verdict) {
    rcp_check_options options = {.values = rule_of(c), .spurious_wakeups = c->options.spurious_wakeups};
    return rcp_checker_run(c->checker, witness, options, verdict) == RCP_OK && verdict->accepted;
}

static void complain(const comparison *c, rcp_eid a, rcp_eid b, const char *what, const rcp_witness *witness,
                     const rcp_check_verdict *verdict) {
    if (!c->explain)
        return;
    printf("%s%s, events %" PRIu64 " and %" PRIu64 ": %s\n", models[c->options.relaxation],
           c->options.spurious_wakeups ? " with spurious wake-ups" : "", a.v, b.v, what);
    if (verdict && !verdict->accepted)
        printf("the checker: %s\n", verdict->reason);
    if (witness)
        rcp_show_witness(stdout, c->trace, witness);
}

/* rv keeps what the checker asks for, too; the oracle's copy does not know of it where a read below a term has no value
 * or is another thread's. */
static bool is_exact(const comparison *c) {
    return c->options.relaxation != RCP_RELAX_DATA || (c->facts->all_valued && !c->facts->foreign.len);
}

/* A slice: what it finds must be true, and what it does not find, where it is whole, must not be there. */
static bool agrees(comparison *c, const rcp_slice *slice, rcp_eid a, rcp_eid b, bool truth) {
    uint64_t steps = 2000000;
    rcp_search_stats stats = {0};
    rcp_check_verdict verdict = {0};
    rcp_witness witness;
    rcp_witness_init(&witness);
    bool fine = true, whole = rcp_slice_is_whole(slice);
    switch (rcp_search(slice, c->options, &c->evaluator, &steps, &witness, &stats)) {
    case RCP_ANSWER_WITNESS:
        fine = accepted(c, &witness, &verdict) && truth;
        if (!fine)
            complain(c, a, b, truth ? "a witness that is refused" : "a witness where the oracle has none", &witness,
                     &verdict);
        c->tally->in_part[c->options.relaxation] += !whole;
        break;
    case RCP_ANSWER_NONE:
        fine = !whole || !truth || !is_exact(c);
        if (!fine) {
            rcp_oracle_witness(c->oracle, a, b, &witness);
            complain(c, a, b, "'no race', but there is one:", &witness, NULL);
        }
        break;
    default: break;
    }
    rcp_witness_finish(&witness);
    return fine;
}

/* The ladder: exact, and never refused. */
static bool ladder_agrees(comparison *c, rcp_eid a, rcp_eid b, bool truth) {
    rcp_witness witness;
    rcp_answer answer;
    rcp_witness_init(&witness);
    RCP_CHECK(rcp_ladder_climb(c->ladder, c->options.relaxation, a, b, &witness, &answer) == RCP_OK);
    bool fine = true;
    if (answer == RCP_ANSWER_WITNESS && !truth) {
        complain(c, a, b, "the ladder has a witness where the oracle has none", &witness, NULL);
        fine = false;
    } else if (answer == RCP_ANSWER_NONE && truth && is_exact(c)) {
        complain(c, a, b, "the ladder says 'no race', but there is one", NULL, NULL);
        fine = false;
    } else if (rcp_ladder_statistics(c->ladder).refused) {
        complain(c, a, b, "a witness of the ladder was refused", NULL, NULL);
        fine = false;
    }
    c->tally->undecided[c->options.relaxation] += answer == RCP_ANSWER_LIMIT;
    rcp_witness_finish(&witness);
    return fine;
}

/* Whoever races must not have been pruned. */
static bool is_candidate(comparison *c, rcp_eid a, rcp_eid b, bool truth) {
    const rcp_candidate_pair *pair = rcp_candidates_of(&c->candidates, c->facts, (uint32_t)a.v, (uint32_t)b.v);
    bool left = pair && pair->n;
    c->tally->pruned += !left;
    if (truth && !left)
        complain(c, a, b, "the two race, and the pair was pruned", NULL, NULL);
    return !truth || left;
}

/* Nor must one of them come first, in whatever execution. */
static bool is_free(comparison *c, rcp_eid a, rcp_eid b, bool truth) {
    bool ordered = rcp_must_order(rcp_ladder_borrow_groundwork(c->ladder)->forced.must, (uint32_t)a.v, (uint32_t)b.v);
    c->tally->ordered += ordered;
    if (truth && ordered && is_exact(c))
        complain(c, a, b, "the two race, and one must come first", NULL, NULL);
    return !truth || !ordered || !is_exact(c);
}

/* What is a race is one with a rule less (RCP_LOOSE_…): else the blame for its absence would be wrong. */
static bool stays_with_less(comparison *c, rcp_random *random, rcp_eid a, rcp_eid b, bool truth) {
    bool fine = true;
    for (unsigned loose = 1; loose < 4 && fine; loose++)
        for (int whole = 0; whole < 2 && fine; whole++) {
            rcp_slice slice;
            if (whole)
                rcp_slice_whole(&slice, c->facts, a, b);
            else
                rcp_slice_window(&slice, c->facts, a, b, rcp_random_below(random, 12), c->latest);
            slice.loose = (uint8_t)loose;
            uint64_t steps = 2000000;
            rcp_search_stats stats = {0};
            rcp_witness witness;
            rcp_witness_init(&witness);
            rcp_answer answer = rcp_search(&slice, c->options, &c->evaluator, &steps, &witness, &stats);
            fine = !whole || !truth || answer != RCP_ANSWER_NONE || !is_exact(c);
            if (!fine)
                complain(c, a, b, "the two race, and would not with a rule less", NULL, NULL);
            c->tally->blamed += whole && !truth && answer == RCP_ANSWER_WITNESS;
            rcp_witness_finish(&witness);
            rcp_slice_finish(&slice);
        }
    return fine;
}

static bool agrees_on_pair(comparison *c, rcp_random *random, rcp_eid a, rcp_eid b) {
    bool truth = rcp_oracle_races(c->oracle, a, b);
    c->tally->pairs[c->options.relaxation]++;
    c->tally->races[c->options.relaxation] += truth;
    bool fine = is_candidate(c, a, b, truth) && is_free(c, a, b, truth) && ladder_agrees(c, a, b, truth) &&
                stays_with_less(c, random, a, b, truth);
    for (int shape = 0; shape < 3 && fine; shape++) {
        rcp_slice slice;
        if (shape == 0)
            rcp_slice_whole(&slice, c->facts, a, b);
        else if (shape == 1)
            rcp_slice_window(&slice, c->facts, a, b, rcp_random_below(random, 12), c->latest);
        else
            rcp_slice_small(&slice, c->facts, a, b);
        fine = agrees(c, &slice, a, b, truth);
        rcp_slice_finish(&slice);
    }
    return fine;
}

static bool has_waits(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++)
        if (trace->events.at[i].kind == RCP_WAIT)
            return true;
    return false;
}

/* How far the recorded order is an execution by the rule. */
static uint32_t recorded_holds(const comparison *c) {
    rcp_check_verdict verdict;
    rcp_witness recorded;
    rcp_witness_init(&recorded);
    recorded.recorded = c->trace->events.len;
    bool all = accepted(c, &recorded, &verdict);
    rcp_witness_finish(&recorded);
    if (c->options.relaxation != RCP_RELAX_NOTHING && !c->facts->all_valued && rcp_terms_count(&c->trace->terms))
        return 0; /* what a term gives there is not what was recorded: nothing was */
    uint32_t holds = all ? UINT32_MAX : (uint32_t)verdict.at.v;
    /* of uninitialised reads in the recorded beginning rv thinks less strictly than its oracle */
    for (size_t i = 0; c->options.relaxation == RCP_RELAX_DATA && i < c->trace->defs.threads.len; i++)
        holds = c->facts->first_deviation[i] < holds ? c->facts->first_deviation[i] : holds;
    return holds;
}

static bool compare_model(comparison *c, uint64_t seed) {
    rcp_random random = {seed};
    rcp_trace pinned;
    rcp_trace_init(&pinned);
    bool by_copy = c->options.relaxation == RCP_RELAX_DATA, fine = true;
    if (by_copy)
        pin(c->trace, &pinned);
    c->oracle = rcp_oracle_create(by_copy ? &pinned : c->trace, rule_of(c), c->options.spurious_wakeups);
    if (!rcp_oracle_explore(c->oracle, 100000)) {
        c->tally->given_up++;
    } else {
        for (uint64_t a = 0; a < c->trace->events.len && fine; a++)
            for (uint64_t b = a + 1; b < c->trace->events.len && fine; b++)
                if (rcp_event_conflict(&c->trace->events.at[a], &c->trace->events.at[b]))
                    fine = agrees_on_pair(c, &random, (rcp_eid){a}, (rcp_eid){b});
    }
    rcp_oracle_destroy(c->oracle);
    if (by_copy)
        rcp_release(pinned.events.at);
    else
        rcp_trace_finish(&pinned);
    return fine;
}

/* Nor does what is said to be steady (predict/facts/forced.h), or not to vary (predict/facts/varies.h), turn: the
 * ladder takes the former for granted, a search does not. */
static bool turns_only_what_varies(comparison *c) {
    const rcp_forced *forced = &rcp_ladder_borrow_groundwork(c->ladder)->forced;
    rcp_bits *varies = rcp_varies_find(c->facts, forced);
    bool fine = true;
    for (uint32_t i = 0; i < c->trace->events.len && fine && c->facts->all_valued; i++) {
        if (!rcp_term_is_real(rcp_varies_term(&c->trace->events.at[i])))
            continue;
        uint64_t steps = 2000000, became;
        rcp_search_stats stats = {0};
        rcp_witness witness;
        rcp_slice slice;
        rcp_witness_init(&witness);
        rcp_slice_whole(&slice, c->facts, (rcp_eid){i}, (rcp_eid){i});
        slice.became = &became;
        rcp_search_options options = {RCP_RELAX_VALUES, c->options.spurious_wakeups};
        bool turns = rcp_search(&slice, options, &c->evaluator, &steps, &witness, &stats) == RCP_ANSWER_WITNESS;
        c->tally->turned += turns;
        c->tally->steady += rcp_bit(forced->steady, i);
        c->tally->fixed += !rcp_bit(varies, i);
        fine = !turns || rcp_bit(varies, i);
        if (!fine && c->explain)
            printf("event %" PRIu32 " turns, and it can't vary\n", i);
        rcp_slice_finish(&slice);
        rcp_witness_finish(&witness);
    }
    rcp_release(varies);
    return fine;
}

static bool compare(const rcp_trace *trace, uint64_t seed, bool explain, tally *t) {
    rcp_term_facts_deep = seed % 2 ? 0 : UINT16_MAX; /* with what is known of terms, and without */
    comparison c = {.trace = trace, .explain = explain, .tally = t};
    rcp_evaluator_init(&c.evaluator, &trace->terms, NULL, NULL);
    bool fine = true;
    for (int spurious = 0; spurious < (has_waits(trace) ? 2 : 1) && fine; spurious++) {
        rcp_ladder_limits limits = {5000000, 1000};
        rcp_groundwork *groundwork;
        RCP_CHECK(rcp_groundwork_create(trace, NULL, spurious, &groundwork) == RCP_OK);
        c.ladder = rcp_ladder_create(groundwork, limits);
        c.facts = &groundwork->facts;
        c.checker = groundwork->checker;
        rcp_candidates_find(&c.candidates, c.facts, &groundwork->forced, spurious);
        for (int m = 0; m < MODELS && fine; m++) {
            c.options = (rcp_search_options){(rcp_relaxation)m, spurious};
            c.latest = recorded_holds(&c);
            fine = compare_model(&c, seed);
        }
        rcp_candidates_finish(&c.candidates);
        fine = fine && turns_only_what_varies(&c);
        rcp_ladder_destroy(c.ladder);
        rcp_groundwork_destroy(groundwork);
    }
    rcp_evaluator_finish(&c.evaluator);
    return fine;
}

/* For shrinking: still an execution, and still a disagreement. */
static bool still_disagree(void *context, const rcp_trace *trace) {
    tally ignored = {0};
    return rcp_shrink_is_execution(trace) && !compare(trace, *(uint64_t *)context, false, &ignored);
}

static void report(const rcp_trace *trace, uint64_t seed, uint64_t i) {
    printf("trace %" PRIu64 ": prediction and oracle disagree. To see it again: --seed %" PRIu64 " --exact\n", i, seed);
    tally ignored = {0};
    rcp_trace small;
    rcp_trace_init(&small);
    bool shrunk = still_disagree(&seed, trace);
    if (shrunk)
        rcp_shrink(trace, still_disagree, &seed, &small);
    rcp_show_trace(stdout, shrunk ? &small : trace);
    compare(shrunk ? &small : trace, seed, true, &ignored);
    rcp_trace_finish(&small);
}

/* tests/golden/predict/: traces by hand, for meetings that chance seldom arranges. */
typedef RCP_VEC(rcp_trace) traces;

static traces by_hand(void) {
    traces all = {0};
    const char *source = getenv("RECIPE_SOURCE_DIR");
    char pattern[4096];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/tests/golden/predict/*.txt", source ? source : ".");
    RCP_CHECK(!glob(pattern, 0, NULL, &files)); /* RECIPE_SOURCE_DIR is the root of the source tree */
    for (size_t i = 0; i < files.gl_pathc; i++) {
        rcp_text text = {0};
        rcp_trace *trace = rcp_vec_extend(&all, 1);
        rcp_trace_init(trace);
        RCP_CHECK(rcp_text_read_file(&text, files.gl_pathv[i]) == RCP_OK);
        RCP_CHECK(rcp_text_parse(files.gl_pathv[i], text.at, text.len, trace) == RCP_OK);
        rcp_trace_index(trace);
        rcp_text_finish(&text);
    }
    globfree(&files);
    return all;
}

static bool run_trace(const rcp_args *args, uint64_t i, tally *t, bool say) {
    static traces known;
    if (!known.len)
        known = by_hand();
    if (!args->exact && i < known.len) {
        bool same = compare(&known.at[i], 0, false, t);
        if (!same && say)
            report(&known.at[i], 0, i);
        return same;
    }
    uint64_t seed = rcp_args_seed(args, i);
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_gen_options options = rcp_gen_profile(seed, args->max_events);
    rcp_gen_trace(&trace, &options, seed);
    bool same = compare(&trace, seed, false, t);
    if (!same && say)
        report(&trace, seed, i);
    rcp_trace_finish(&trace);
    return same;
}

#ifdef RCP_MUTANTS
int rcp_mutant;

#define NAME(name) #name,
static const char *const names[] = {"", RCP_EACH_MUTANT(NAME)};

/* Each mutant must be noticed. */
int main(int argc, char **argv) {
    enum { EVERY = 3 }; /* of a sample */
    rcp_args args = rcp_args_parse(argc, argv, 20000);
    bool all = true;
    if (rcp_is_sample())
        printf("sampled: every %drd of %d mutants\n", EVERY, RCP_MUTANT_COUNT - 1);
    for (rcp_mutant = 1; rcp_mutant < RCP_MUTANT_COUNT; rcp_mutant += rcp_is_sample() ? EVERY : 1) {
        uint64_t i = 0;
        tally ignored = {0};
        while (i < args.count && run_trace(&args, i, &ignored, false))
            i++;
        bool caught = i < args.count;
        if (caught)
            printf("%-32s caught by trace %" PRIu64 "\n", names[rcp_mutant], i);
        else
            printf("%-32s NOT caught by %" PRIu64 " traces\n", names[rcp_mutant], i);
        all = all && caught;
        fflush(stdout);
    }
    return !all;
}
#else
int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    tally t = {0};
    bool same = true;
    uint64_t i = 0;
    for (; rcp_args_go_on(&args, i) && same; i++)
        same = run_trace(&args, i, &t, true);
    printf("%" PRIu64 " traces compared, %" PRIu64 " explorations given up, %" PRIu64 " pairs pruned, %" PRIu64
           " ordered, %" PRIu64 " would race with a rule less\n",
           i, t.given_up, t.pruned, t.ordered, t.blamed);
    for (int m = 0; m < MODELS; m++) {
        printf("%-9s %" PRIu64 " conflicting pairs, %" PRIu64 " race, %" PRIu64 " undecided; %" PRIu64
               " witnesses in smaller slices\n",
               models[m], t.pairs[m], t.races[m], t.undecided[m], t.in_part[m]);
        same = same && t.undecided[m] * 1000 <= t.pairs[m];
    }
    printf("%" PRIu64 " branches and addresses turn; %" PRIu64 " are steady, %" PRIu64 " can't vary\n", t.turned,
           t.steady, t.fixed);
    printf(same ? "ok\n" : "failed\n");
    return !same;
}
#endif
