/* SPDX-License-Identifier: Apache-2.0 */
/* Tours on random traces, against the oracle under each value rule: along a witness of one race, with all other
 * conflicting pairs to be shown on the way. The tour is feasible and ends with the race; and up to each of its stops it
 * is a witness of the pair that is said to meet there. */
#include "args.h"
#include "base/file.h"
#include "gen.h"
#include "oracle.h"
#include "replay/tour.h"
#include "show.h"
#include "trace/store/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct tally {
    uint64_t tours, stops, moved, left_out;
} tally;

typedef struct trial {
    const rcp_trace *trace;
    rcp_oracle *oracle;
    rcp_reader *reader;
    RCP_VEC(rcp_tour_pair) pairs;
    tally *sum;
} trial;

/* As the engines have it: what is in the recorded order in the beginning is not in steps. */
static void begin_as_recorded(const rcp_trace *trace, rcp_witness *w) {
    rcp_witness steps = *w;
    rcp_position executed[64] = {0};
    rcp_witness_init(w);
    w->race[0] = steps.race[0], w->race[1] = steps.race[1];
    bool is_recorded = true;
    for (size_t i = 0; i < steps.steps.len; i++)
        for (uint32_t tid = steps.steps.at[i].tid.v; executed[tid] < steps.steps.at[i].to;) {
            rcp_eid eid = rcp_trace_event_of(trace, (rcp_tid){tid}, executed[tid]++);
            is_recorded = is_recorded && eid.v == w->recorded;
            if (is_recorded)
                w->recorded++;
            else
                rcp_witness_run(w, (rcp_tid){tid}, executed[tid]);
        }
    rcp_witness_finish(&steps);
}

static bool is_good(const trial *t, const rcp_witness *tour, const rcp_witness *from, const char *what) {
    if (rcp_oracle_feasible(t->oracle, tour))
        return true;
    printf("%s is none, of %" PRIu64 " and %" PRIu64 ": the first %" PRIu64 " as recorded, then\n", what,
           tour->race[0].v, tour->race[1].v, tour->recorded);
    rcp_show_witness(stdout, t->trace, tour);
    printf("it was made of one with %" PRIu64 " as recorded, then\n", from->recorded);
    rcp_show_witness(stdout, t->trace, from);
    return false;
}

static bool try_race(trial *t, rcp_eid a, rcp_eid b) {
    rcp_race race;
    rcp_tour tour;
    rcp_race_init(&race);
    race.event[0] = a, race.event[1] = b;
    rcp_oracle_witness(t->oracle, a, b, &race.witness);
    begin_as_recorded(t->trace, &race.witness);
    RCP_CHECK(rcp_tour_make(&tour, t->reader, &race, t->pairs.at, t->pairs.len) == RCP_OK);
    bool ok = !tour.stops.len || is_good(t, &tour.witness, &race.witness, "a tour");
    t->sum->tours += tour.stops.len > 0;
    t->sum->stops += tour.stops.len;
    t->sum->moved += tour.stops.len && tour.witness.recorded != race.witness.recorded;
    for (size_t i = 0; ok && i < tour.stops.len; i++) {
        rcp_witness part = tour.witness;
        part.steps.len = tour.stops.at[i].step;
        part.race[0] = t->pairs.at[tour.stops.at[i].pair].event[0];
        part.race[1] = t->pairs.at[tour.stops.at[i].pair].event[1];
        ok = is_good(t, &part, &race.witness, "a stop");
    }
    rcp_tour_finish(&tour);
    rcp_race_finish(&race);
    return ok;
}

static bool run(const rcp_trace *trace, const char *directory, rcp_value_rule rule, tally *sum) {
    trial t = {.trace = trace, .sum = sum, .oracle = rcp_oracle_create(trace, rule, false)};
    bool ok = true;
    /* whether a compare-and-swap succeeds the program shows (R4) */
    for (size_t j = 0; j < trace->events.len; j++)
        for (size_t i = 0; i < j; i++)
            if (rcp_event_conflict(&trace->events.at[i], &trace->events.at[j]) &&
                !rcp_event_must_succeed(&trace->events.at[i], &trace->events.at[j]) &&
                !rcp_event_must_succeed(&trace->events.at[j], &trace->events.at[i]))
                rcp_vec_push(&t.pairs, ((rcp_tour_pair){{{i}, {j}}}));
    if (!rcp_oracle_explore(t.oracle, 60000)) {
        sum->left_out++;
    } else if (t.pairs.len) {
        RCP_CHECK(rcp_reader_open(directory, &t.reader) == RCP_OK);
        for (size_t i = 0; ok && i < t.pairs.len; i++)
            if (rcp_oracle_races(t.oracle, t.pairs.at[i].event[0], t.pairs.at[i].event[1]))
                ok = try_race(&t, t.pairs.at[i].event[0], t.pairs.at[i].event[1]);
        rcp_reader_close(t.reader);
    }
    rcp_oracle_destroy(t.oracle);
    rcp_vec_finish(&t.pairs);
    return ok;
}

int main(int argc, char **argv) {
    static const rcp_value_rule rules[] = {RCP_VALUES_LAST_WRITER, RCP_VALUES_SAME, RCP_VALUES_RELAXED};
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    const char *base = getenv("TMPDIR");
    char directory[4096], saved[4200];
    snprintf(directory, sizeof directory, "%s/recipe-tour-XXXXXX", base ? base : "/tmp");
    RCP_CHECK(mkdtemp(directory));
    snprintf(saved, sizeof saved, "%s/trace", directory);
    uint64_t traces = 0;
    tally sum = {0};
    bool ok = true;
    for (uint64_t i = 0; ok && rcp_args_go_on(&args, i); i++) {
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_profile(seed, args.max_events ? args.max_events : 12 + seed % 16);
        rcp_trace trace;
        rcp_trace_init(&trace);
        rcp_gen_trace(&trace, &options, seed);
        traces++;
        RCP_CHECK(rcp_trace_save(&trace, saved) == RCP_OK);
        ok = run(&trace, saved, rules[seed % 3], &sum);
        rcp_file_remove_tree(saved);
        if (!ok) {
            rcp_show_trace(stdout, &trace);
            printf("failed: --exact --seed %" PRIu64 "\n", seed);
        }
        rcp_trace_finish(&trace);
    }
    rcp_file_remove_tree(directory);
    printf("%" PRIu64 " traces (%" PRIu64 " with too many states): %" PRIu64 " tours, %" PRIu64 " stops; %" PRIu64
           " of the tours leave the recorded beginning earlier\n",
           traces, sum.left_out, sum.tours, sum.stops, sum.moved);
    return ok && (sum.stops || args.exact) ? 0 : 1;
}
