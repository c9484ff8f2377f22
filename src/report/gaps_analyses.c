/* SPDX-License-Identifier: Apache-2.0 */
/* What analyses left out, from the numbers that they kept. */
#include "report/gaps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- limits --- */

static uint64_t statistic(const rcp_summary *summary, rcp_statistic_id id) {
    return (uint64_t)rcp_summary_statistic(summary, id);
}

/* Of a run that only the beginning was told of, as the trace says it (program/telling/recorded_events.h): how much that
 * is, and what would be enough. False: it does not say it. */
static bool find_told(const rcp_defs *defs, double *part, double *budget) {
    const char *fact = rcp_defs_borrow_fact(defs, "told until");
    double seconds;
    if (!fact || sscanf(fact, "%*u %*u %*u %*u %lf %lf", part, &seconds) != 2 || *part <= 0 || seconds <= 0)
        return false;
    *budget = seconds / *part * 110 / (double)rcp_limit(RCP_LIMIT_TELL_AGAIN_SHARE) + 1;
    return true;
}

static void add_told(rcp_gaps *gaps, double part, double budget) {
    rcp_gap *gap = rcp_gaps_add(
        gaps, RCP_GAP_LIMIT, 1,
        "The budget was over before all events of the run were made, at %.1f %% of it: the rest of the run was not "
        "looked at. 'recipe analyze' with --budget %.0f would make all of them, about.",
        part * 100, budget);
    if (gap)
        rcp_gap_name(gap, rcp_limit_borrow(RCP_LIMIT_TELL_SHARE)->name);
}

static void add_limit(rcp_gaps *gaps, const rcp_summary *summary, rcp_limit_name name, uint64_t n, uint64_t events) {
    const rcp_limit_row *row = rcp_limit_borrow(name);
    uint64_t seen = name == RCP_LIMIT_EVENTS ? statistic(summary, RCP_STATISTIC_PREDICTION_EVENTS) : 0;
    rcp_gap *gap = seen ? rcp_gaps_add(gaps, RCP_GAP_LIMIT, events > seen ? events - seen : n,
                                       "Models mc to recipe+ looked at the first %" PRIu64 " of %" PRIu64
                                       " events, and at nothing after them.",
                                       seen, events)
                        : rcp_gaps_add(gaps, RCP_GAP_LIMIT, n, "%s", row->sentence ? row->sentence : row->unit);
    if (gap)
        rcp_gap_name(gap, row->name);
}

/* A hunt has made and analysed every run that there is: what could not be thought out of these does not matter. */
static bool are_all_run(const rcp_summary *summary) {
    const uint32_t hunt = RCP_MODEL_BIT(RCP_MODEL_HUNT);
    bool are = summary->work.models & hunt && !(summary->cut & hunt) &&
               statistic(summary, RCP_STATISTIC_HUNT_CLASSES) && !statistic(summary, RCP_STATISTIC_HUNT_OPEN);
    for (size_t i = 0; i < summary->statistics.len; i++)
        are &= summary->statistics.at[i].id != RCP_STATISTIC_HUNT_REASON;
    return are;
}

static bool is_of_thought(int limit) { return limit >= RCP_LIMIT_EXPLORE_SHARE && limit <= RCP_LIMIT_EXPLORE_BLOCK; }

static void add_limits(rcp_gaps *gaps, const rcp_summary *summary, const rcp_limit_counts *reached, uint64_t events,
                       const rcp_defs *defs) {
    double part = 0, budget = 0;
    bool is_told = reached->at[RCP_LIMIT_TELL_SHARE] && find_told(defs, &part, &budget);
    uint64_t seen = statistic(summary, RCP_STATISTIC_ORDERS_SEEN);
    rcp_gap *gap =
        !seen || seen >= events
            ? NULL
            : rcp_gaps_add(gaps, RCP_GAP_LIMIT, events - seen,
                           "The time of the partial orders was over at event %" PRIu64 " of %" PRIu64
                           ", of the first of them at %" PRIu64 ": what they would flag after it is not known.",
                           seen, events, statistic(summary, RCP_STATISTIC_ORDERS_FIRST_SEEN));
    if (gap)
        rcp_gap_name(gap, rcp_limit_borrow(RCP_LIMIT_BUDGET)->name);
    for (int i = 0; i < RCP_LIMITS; i++)
        if (i == RCP_LIMIT_TELL_SHARE && is_told)
            add_told(gaps, part, budget);
        else if (!is_of_thought(i) || !are_all_run(summary))
            add_limit(gaps, summary, (rcp_limit_name)i, reached->at[i], events);
}

/* --- names --- */

static int by_count(const void *x, const void *y) {
    const rcp_statistic *a = *(const rcp_statistic *const *)x, *b = *(const rcp_statistic *const *)y;
    return a->value > b->value ? -1 : a->value < b->value ? 1 : strcmp(a->key, b->key);
}

/* The names that statistics of this kind are kept by. */
static void name_worst_first(rcp_gap *gap, const rcp_summary *summary, rcp_statistic_id by) {
    RCP_VEC(const rcp_statistic *) calls = {0};
    for (size_t i = 0; gap && i < summary->statistics.len; i++)
        if (summary->statistics.at[i].id == by)
            rcp_vec_push(&calls, &summary->statistics.at[i]);
    if (calls.len)
        qsort(calls.at, calls.len, sizeof *calls.at, by_count);
    for (size_t i = 0; i < calls.len; i++)
        rcp_gap_name(gap, rcp_statistic_label(calls.at[i]->key));
    rcp_vec_finish(&calls);
}

/* --- runs that were not recorded --- */

/* Of each word of analysis.rejected (docs/report.md): what it means for who reads 'no race'. `until`: how far threads
 * were followed, which are counted; else `sentence`. */
static const struct end {
    const char *word;
    rcp_gap_kind kind;
    const char *until, *sentence;
    rcp_limit_name by[6]; /* limits that say the same where they were reached; the rest is 0, which is none of these */
    rcp_statistic_id by_call; /* what has the names of calls; 0: nothing */
} ends[] = {
    {"opaque call",
     RCP_GAP_OUTSIDE,
     "they called functions that 'recipe cc' did not build, and it is not known what these would do there",
     NULL,
     {0},
     RCP_STATISTIC_REJECTED_AT},
    {"other input",
     RCP_GAP_OUTSIDE,
     "they gave a function that 'recipe cc' did not build something else than in the recorded run",
     NULL,
     {0},
     RCP_STATISTIC_REJECTED_INTO},
    {"memory",
     RCP_GAP_OUTSIDE,
     "they came to memory of which it is not known what it would hold there (a function that 'recipe cc' did not build "
     "wrote it, or nobody did, or it was still in use)",
     NULL,
     {0}},
    {"synchronisation",
     RCP_GAP_CUT,
     "they came to synchronisation that recipe has no model of, or that is undefined",
     NULL,
     {0}},
    {"address",
     RCP_GAP_CUT,
     "they were about to access no live object (a null pointer, freed memory, out of bounds)",
     NULL,
     {0}},
    {"undefined", RCP_GAP_CUT, "they were about to do what the language does not define", NULL, {0}},
    {"loop",
     RCP_GAP_CUT,
     "they were in a loop or a recursion that did not end",
     NULL,
     {RCP_LIMIT_EXPLORE_FIRST_EVENTS, RCP_LIMIT_EXPLORE_EVENTS, RCP_LIMIT_EXPLORE_NESTING, RCP_LIMIT_EXPLORE_STACK}},
    {"code", RCP_GAP_CUT, "they came to code that can't be executed there", NULL, {0}},
    {"exit", RCP_GAP_CUT, "they ended the process, without its exit handlers", NULL, {0}},
    {"undecided",
     RCP_GAP_CUT,
     NULL,
     "it is not known of these branches and addresses whether they can turn out otherwise",
     {0}},
    {"not asked",
     RCP_GAP_CUT,
     NULL,
     "it was not asked of these branches and addresses whether they can turn out otherwise",
     {RCP_LIMIT_EXPLORE_RUNS, RCP_LIMIT_EXPLORE_DEPTH, RCP_LIMIT_EXPLORE_SHARE, RCP_LIMIT_EXPLORE_SECONDS,
      RCP_LIMIT_BUDGET, RCP_LIMIT_TURN_WAYS}},
    {"other way", RCP_GAP_CUT, NULL, "the code did not go where it was led", {0}},
    {"no execution", RCP_GAP_CUT, NULL, "what came out was refused (a mistake of recipe's)", {0}},
    {"witness refused", RCP_GAP_CUT, NULL, "a race could not be made sure of", {0}},
    {"cut off", RCP_GAP_CUT, NULL, "threads had not come to their ends when the recorded run was over", {0}},
    {"other outcomes",
     RCP_GAP_CUT,
     NULL,
     "calls turned out as in the recorded run, though they could turn out otherwise (a wait with a deadline, who runs "
     "a "
     "once, a barrier's serial thread)",
     {0}},
};

static const struct end *end_of(const rcp_statistic *s) {
    const char *word = rcp_statistic_label(s->key);
    bool is = s->id >= RCP_STATISTIC_REJECTED_END && s->id <= RCP_STATISTIC_REJECTED_OUTCOMES && s->value > 0;
    for (size_t i = 0; is && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(ends[i].word, word))
            return &ends[i];
    return NULL;
}

static bool is_said(const struct end *end, const rcp_limit_counts *reached) {
    bool is = false;
    for (size_t i = 0; i < sizeof end->by / sizeof *end->by; i++)
        is |= end->by[i] && reached->at[end->by[i]];
    return is;
}

static void add_ends(rcp_gaps *gaps, const rcp_summary *summary, const rcp_limit_counts *reached) {
    for (size_t i = 0; i < summary->statistics.len; i++) {
        const rcp_statistic *s = &summary->statistics.at[i];
        const struct end *end = end_of(s);
        if (!end || is_said(end, reached))
            continue;
        rcp_gap *gap =
            end->until
                ? rcp_gaps_add(gaps, end->kind, (uint64_t)s->value,
                               "In other runs, thought out from the recorded one, threads were followed only until %s: "
                               "what they do after that was not looked at. 'recipe hunt' can look further.",
                               end->until)
                : rcp_gaps_add(gaps, end->kind, (uint64_t)s->value,
                               "In other runs, thought out from the recorded one, %s. 'recipe hunt' can look further.",
                               end->sentence);
        gap->unit = end->until ? "thread" : NULL;
        if (end->by_call)
            name_worst_first(gap, summary, end->by_call);
    }
}

/* --- the recorded order itself --- */

static void add_refused(rcp_gaps *gaps, const rcp_summary *summary, uint64_t events) {
    for (size_t i = 0; i < summary->statistics.len; i++) {
        const rcp_statistic *s = &summary->statistics.at[i];
        const char *place = rcp_statistic_label(s->key), *tab = strchr(place, '\t');
        if (s->id != RCP_STATISTIC_REFUSED || !tab)
            continue;
        uint64_t at = (uint64_t)s->value;
        rcp_gap *gap = rcp_gaps_add(gaps, RCP_GAP_REFUSED, events > at ? events - at : 1,
                                    "The rules refuse the recorded order itself at event %" PRIu64
                                    ": %s. No witness can have that event in it: what comes after it was not shown, "
                                    "nor to be none.",
                                    at, tab + 1);
        char name[512];
        snprintf(name, sizeof name, "%.*s", (int)(tab - place < 500 ? tab - place : 500), place);
        rcp_gap_name(gap, name);
    }
}

/* --- calls outside --- */

static void add_lost(rcp_gaps *gaps, const rcp_summary *summary) {
    rcp_gap *gap = rcp_gaps_add(gaps, RCP_GAP_OUTSIDE, statistic(summary, RCP_STATISTIC_PREDICTION_OPAQUE),
                                "Of %" PRIu64 " candidates these were ruled out only because calls outside are taken "
                                "to be ordered as they were, and to be given what they were given.",
                                summary->work.candidates);
    name_worst_first(gap, summary, RCP_STATISTIC_LOST_TO);
    gap = rcp_gaps_add(gaps, RCP_GAP_OUTSIDE, statistic(summary, RCP_STATISTIC_PREDICTION_REUSE),
                       "Of %" PRIu64 " candidates these were ruled out only because memory that one thread freed was "
                       "given to another one, and is taken to be given to it after that in every run.",
                       summary->work.candidates);
    name_worst_first(gap, summary, RCP_STATISTIC_LOST_TO_REUSE);
    gap = rcp_gaps_add(gaps, RCP_GAP_OUTSIDE, statistic(summary, RCP_STATISTIC_PREDICTION_INSIDE),
                       "What calls outside read and write themselves was not looked at, and these accesses of other "
                       "threads, to memory that the calls can reach, may come at the same time.");
    name_worst_first(gap, summary, RCP_STATISTIC_INSIDE);
}

/* What the program asks not to report (docs/semantics.md, 'Annotations'). */
static void add_annotated(rcp_gaps *gaps, const rcp_summary *summary, const rcp_defs *defs) {
    const char *wanted = rcp_defs_borrow_fact(defs, RCP_WANTED_FACT);
    rcp_gaps_add(gaps, RCP_GAP_ANNOTATED, statistic(summary, RCP_STATISTIC_SPARED),
                 "Races were found that are not reported: annotations ask for that, or no_sanitize(\"thread\").");
    rcp_gaps_add(gaps, RCP_GAP_ANNOTATED, wanted ? strtoull(wanted, NULL, 10) : 0,
                 "Accesses of memory in which the program wants races, by annotations, were taken to be atomic.");
}

void rcp_gaps_of_analyses(rcp_gaps *gaps, const rcp_summary *summary, const rcp_limit_counts *reached, uint64_t events,
                          uint64_t undecided, const rcp_defs *defs) {
    const uint32_t hunt = RCP_MODEL_BIT(RCP_MODEL_HUNT);
    if (summary->unfinished && summary->cut != hunt)
        rcp_gaps_add(gaps, RCP_GAP_CUT, 1, "The analysis was interrupted: 'recipe analyze' goes on with it.");
    if (summary->cut & hunt)
        rcp_gaps_add(gaps, RCP_GAP_CUT, 1,
                     "The hunt was interrupted: 'recipe hunt' with its directory goes on with it.");
    add_limits(gaps, summary, reached, events, defs);
    rcp_gaps_add(gaps, RCP_GAP_CUT, undecided,
                 "Candidates stayed undecided: a limit was reached before a witness, or a proof that there is none.");
    add_refused(gaps, summary, events);
    if (!are_all_run(summary))
        add_ends(gaps, summary, reached);
    add_annotated(gaps, summary, defs);
    rcp_gaps_add(
        gaps, RCP_GAP_DEADLOCKS, statistic(summary, RCP_STATISTIC_DEADLOCK_OTHER_WAITS),
        "Threads wait for something else than a mutex, a lock of readers and writers or a semaphore that serves as a "
        "lock (a condition, a signal by semaphore, a barrier, a thread's end, a spin lock), and have a lock meanwhile "
        "that others take: "
        "deadlocks in which such a wait takes part were not looked for, and no race hangs on that.");
    rcp_gaps_add(gaps, RCP_GAP_DEADLOCKS, statistic(summary, RCP_STATISTIC_DEADLOCK_UNKNOWN_TAKES),
                 "Locks are taken while others are held by calls of which it is not known whether they wait: deadlocks "
                 "in which these take part were not looked for, and no race hangs on that.");
    add_lost(gaps, summary);
}
