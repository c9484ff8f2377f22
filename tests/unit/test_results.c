/* SPDX-License-Identifier: Apache-2.0 */
#include "results/results.h"

#include "base/text.h"
#include "suite.h"
#include "temporary.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HB = RCP_MODEL_BIT(RCP_MODEL_HB), SHB = RCP_MODEL_BIT(RCP_MODEL_SHB) };
#define TRACE UINT64_C(0xfedcba9876543210) /* the key of the trace that the results are of */

static char directory[256];

static void setup(void) { make_temporary(directory, sizeof directory); }

static const char *file(const char *name) {
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void teardown(void) { drop_temporary(directory); }

static rcp_results *open_it(void) {
    rcp_results *results = NULL;
    ck_assert_int_eq(rcp_results_open(directory, &results), RCP_OK);
    return results;
}

static rcp_race race_of(uint64_t first, uint64_t second, uint32_t models, rcp_race_status status) {
    rcp_race race;
    rcp_race_init(&race);
    race.event[0].v = first;
    race.event[1].v = second;
    race.models = models;
    race.status = status;
    race.instances = first + 1;
    race.fingerprint = UINT64_MAX - first; /* more than a signed 64-bit number holds */
    rcp_race_explain(&race, "pair %d", (int)first);
    if (status != RCP_RACE_UNPROVEN) {
        race.witness.recorded = UINT64_C(1) << 40;
        race.deciding[0].v = first + 2, race.deciding[1].v = first < 9 ? RCP_NO_EID.v : 0;
        rcp_vec_push(&race.witness.steps, ((rcp_witness_step){.tid = {0}, .to = (rcp_position)first}));
        rcp_vec_push(&race.witness.steps, ((rcp_witness_step){.tid = {70000}, .to = UINT32_MAX - 1}));
        rcp_vec_push(&race.witness.steps, ((rcp_witness_step){.tid = {0}, .to = (rcp_position)first + 300}));
    }
    return race;
}

static void put(rcp_results *results, uint64_t first, uint64_t second, uint32_t models, rcp_race_status status) {
    rcp_race race = race_of(first, second, models, status);
    ck_assert_int_eq(rcp_results_put(results, &race), RCP_OK);
    rcp_race_finish(&race);
}

static void end(rcp_results *results, uint64_t candidates) {
    rcp_analysis work = {.candidates = candidates, .solved = 2, .seconds = 0.5};
    ck_assert_int_eq(rcp_results_end(results, &work), RCP_OK);
}

static rcp_summary load(void) {
    rcp_results *results = NULL;
    rcp_summary summary;
    ck_assert_int_eq(rcp_results_open_readonly(directory, &results), RCP_OK);
    ck_assert_int_eq(rcp_results_load(results, TRACE, &summary), RCP_OK);
    rcp_results_close(results);
    return summary;
}

START_TEST(what_is_put_comes_back_in_order) {
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB | SHB), RCP_OK);
    put(results, 9, 10, HB | SHB, RCP_RACE_PREDICTED);
    put(results, 3, 8, HB, RCP_RACE_UNPROVEN);
    put(results, 3, 5, SHB, RCP_RACE_CONFIRMED);
    ck_assert_int_eq(
        rcp_results_put_statistics(results, "hb", &(rcp_statistic_value){RCP_STATISTIC_ORDER_CLOCK_JOINS, 12}, 1),
        RCP_OK);
    end(results, 7);
    rcp_results_close(results);

    rcp_summary all = load();
    ck_assert_uint_eq(all.races.len, 3);
    ck_assert(!all.unfinished);
    ck_assert_uint_eq(all.work.models, HB | SHB);
    ck_assert_uint_eq(all.work.candidates, 7);
    ck_assert_uint_eq(all.work.solved, 2);
    ck_assert_double_eq(all.work.seconds, 0.5);
    const rcp_race *race = all.races.at;
    ck_assert_uint_eq(race[0].event[1].v, 5);
    ck_assert_int_eq(race[0].status, RCP_RACE_CONFIRMED);
    ck_assert_str_eq(race[0].model, "shb");
    ck_assert_uint_eq(race[1].event[1].v, 8);
    ck_assert_int_eq(race[1].status, RCP_RACE_UNPROVEN);
    ck_assert_uint_eq(race[1].witness.steps.len, 0);
    ck_assert_uint_eq(race[2].event[0].v, 9);
    ck_assert_str_eq(race[2].model, "hb");
    ck_assert_str_eq(race[2].why, "pair 9");
    ck_assert_uint_eq(race[2].instances, 10);
    ck_assert_uint_eq(race[2].fingerprint, UINT64_MAX - 9);
    ck_assert_uint_eq(race[2].witness.recorded, UINT64_C(1) << 40);
    ck_assert_uint_eq(race[2].witness.steps.len, 3);
    ck_assert_uint_eq(race[2].witness.steps.at[0].to, 9);
    ck_assert_uint_eq(race[2].witness.steps.at[2].to, 309);
    ck_assert_uint_eq(race[2].witness.steps.at[1].tid.v, 70000);
    ck_assert_uint_eq(race[2].witness.steps.at[1].to, UINT32_MAX - 1);
    ck_assert_uint_eq(race[2].witness.race[1].v, 10);
    ck_assert(rcp_race_is_decided(&race[2]) && !rcp_race_is_decided(&race[1]) && !rcp_race_is_decided(&race[0]));
    ck_assert_uint_eq(race[2].deciding[0].v, 11);
    ck_assert_uint_eq(race[2].deciding[1].v, 0);
    ck_assert_uint_eq(all.statistics.len, 1);
    ck_assert_str_eq(all.statistics.at[0].key, "hb: clock joins");
    ck_assert_double_eq(rcp_summary_statistic(&all, RCP_STATISTIC_ORDER_CLOCK_JOINS), 12);
    ck_assert_double_eq(rcp_summary_statistic(&all, RCP_STATISTIC_ORDER_CLOCK_COPIES), 0);
    ck_assert_double_eq(rcp_summary_statistic(&all, RCP_STATISTIC_CANDIDATES), 7);
    rcp_summary_finish(&all);
}
END_TEST

/* As order/proof/cure.c writes them. */
START_TEST(places_of_cures_are_found) {
    const char *words =
        "the store to `flag` (a/b.c:31:5, now relaxed) release and the load of `of (x)` (c.c:9:12) acquire";
    const char *at = words, *end = words + strlen(words);
    rcp_cure_word place;
    ck_assert(rcp_cure_next(&at, end, &place));
    ck_assert(place.n == 5 && !memcmp(place.file, "a/b.c", 5) && place.line == 31 && place.column == 5);
    ck_assert(rcp_cure_next(&at, end, &place));
    ck_assert(place.n == 3 && !memcmp(place.file, "c.c", 3) && place.line == 9 && place.column == 12);
    ck_assert(!rcp_cure_next(&at, end, &place));
    at = words;
    ck_assert(!rcp_cure_next(&at, words + 10, &place));
}
END_TEST

START_TEST(results_of_another_trace_are_no_results) {
    rcp_results *results = open_it();
    rcp_summary summary;
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB | SHB), RCP_OK);
    put(results, 3, 4, HB, RCP_RACE_PREDICTED);
    ck_assert_int_eq(rcp_results_end(results, &(rcp_analysis){0}), RCP_OK);
    ck_assert_int_eq(rcp_results_load(results, TRACE + 1, &summary), RCP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "another trace"));
    ck_assert_uint_eq(summary.races.len, 0);
    rcp_summary_finish(&summary);
    ck_assert_int_eq(rcp_results_begin(results, TRACE + 1, HB), RCP_OK); /* the old ones are dropped, shb's too */
    ck_assert_int_eq(rcp_results_end(results, &(rcp_analysis){0}), RCP_OK);
    ck_assert_int_eq(rcp_results_load(results, TRACE + 1, &summary), RCP_OK);
    ck_assert_uint_eq(summary.races.len, 0);
    ck_assert_uint_eq(summary.work.models, HB);
    rcp_summary_finish(&summary);
    rcp_results_close(results);
}
END_TEST

START_TEST(a_model_run_again_replaces_its_own_results_alone) {
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB | SHB), RCP_OK);
    put(results, 1, 2, HB | SHB, RCP_RACE_PREDICTED);
    put(results, 3, 4, HB, RCP_RACE_UNPROVEN);
    end(results, 2);
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB), RCP_OK);
    put(results, 5, 6, HB, RCP_RACE_PREDICTED);
    end(results, 1);
    rcp_results_close(results);
    rcp_summary all = load();
    ck_assert_uint_eq(all.races.len, 2);
    ck_assert_uint_eq(all.races.at[0].models, SHB);
    ck_assert_str_eq(all.races.at[0].model, "shb");
    ck_assert_uint_eq(all.races.at[1].models, HB);
    ck_assert_uint_eq(all.work.models, HB | SHB);
    rcp_summary_finish(&all);
}
END_TEST

/* Runs of the program that show what the language says of them say nothing of the recorded run. */
START_TEST(bold_has_races_of_the_language_and_leaves_those_of_the_recorded_run) {
    const uint32_t bold = RCP_MODEL_BIT(RCP_MODEL_BOLD), c11 = RCP_MODEL_BIT(RCP_MODEL_C11);
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB | c11), RCP_OK);
    put(results, 1, 2, c11, RCP_RACE_CONFIRMED);
    end(results, 1);
    ck_assert_int_eq(rcp_results_begin(results, TRACE, bold), RCP_OK);
    put(results, 3, 4, c11, RCP_RACE_CONFIRMED);
    put(results, 5, 6, bold, RCP_RACE_CONFIRMED);
    end(results, 2);
    rcp_results_close(results);
    rcp_summary all = load();
    ck_assert_uint_eq(all.races.len, 3);
    ck_assert_uint_eq(all.races.at[0].models, c11);
    ck_assert_uint_eq(all.races.at[1].models, c11);
    ck_assert_uint_eq(all.work.models, HB | c11 | bold);
    rcp_summary_finish(&all);
}
END_TEST

START_TEST(a_killed_analysis_loses_nothing_and_hides_nothing_finished) {
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB), RCP_OK);
    put(results, 1, 2, HB, RCP_RACE_PREDICTED);
    end(results, 1);
    rcp_results_close(results);
    pid_t child = fork();
    if (!child) {
        results = open_it();
        if (rcp_results_begin(results, TRACE, HB | SHB) != RCP_OK)
            _exit(1);
        put(results, 7, 8, SHB, RCP_RACE_PREDICTED);
        put(results, 8, 9, HB, RCP_RACE_PREDICTED);
        _exit(42); /* nothing is closed */
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(WEXITSTATUS(status), 42);
    rcp_summary all = load();
    ck_assert(all.unfinished);
    ck_assert_uint_eq(all.races.len, 2); /* hb's finished one, shb's unfinished one */
    ck_assert_uint_eq(all.races.at[0].event[0].v, 1);
    ck_assert_uint_eq(all.races.at[1].event[0].v, 7);
    rcp_summary_finish(&all);
    results = open_it(); /* and the next analysis sweeps up */
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB | SHB), RCP_OK);
    end(results, 0);
    rcp_results_close(results);
    all = load();
    ck_assert(!all.unfinished);
    ck_assert_uint_eq(all.races.len, 0);
    rcp_summary_finish(&all);
}
END_TEST

START_TEST(of_two_at_one_time_the_later_one_stands) {
    rcp_results *one = open_it(), *two = open_it();
    ck_assert_int_eq(rcp_results_begin(one, TRACE, HB), RCP_OK);
    put(one, 1, 2, HB, RCP_RACE_PREDICTED);
    ck_assert_int_eq(rcp_results_begin(two, TRACE, HB), RCP_OK);
    put(two, 3, 4, HB, RCP_RACE_PREDICTED);
    end(two, 1);
    put(one, 5, 6, HB, RCP_RACE_PREDICTED); /* accepted, but of no consequence */
    ck_assert_int_eq(
        rcp_results_put_statistics(one, "hb", &(rcp_statistic_value){RCP_STATISTIC_ORDER_CLOCK_JOINS, 1}, 1), RCP_OK);
    end(one, 9);
    rcp_results_close(one);
    rcp_results_close(two);
    rcp_summary all = load();
    ck_assert_uint_eq(all.races.len, 1);
    ck_assert_uint_eq(all.races.at[0].event[0].v, 3);
    ck_assert_uint_eq(all.work.candidates, 1);
    rcp_summary_finish(&all);
}
END_TEST

START_TEST(one_that_is_resumed_has_what_it_had) {
    const rcp_statistic_value limit = {RCP_STATISTIC_LIMIT, 3};
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_resume(results, TRACE, HB), RCP_OK); /* there is none: it is begun */
    put(results, 1, 2, HB, RCP_RACE_PREDICTED);
    ck_assert_int_eq(rcp_results_put_statistics(results, "solver-steps", &limit, 1), RCP_OK);
    end(results, 1);
    ck_assert_int_eq(rcp_results_begin(results, TRACE, SHB), RCP_OK);
    put(results, 3, 4, SHB, RCP_RACE_PREDICTED);
    end(results, 1);
    ck_assert_int_eq(rcp_results_resume(results, TRACE, HB), RCP_OK);
    rcp_summary all = load();
    ck_assert_uint_eq(all.races.len, 2);
    ck_assert(all.unfinished);
    ck_assert_uint_eq(all.cut, HB);
    rcp_summary_finish(&all);
    put(results, 5, 6, HB, RCP_RACE_PREDICTED);
    ck_assert_int_eq(rcp_results_forget_statistics(results, RCP_STATISTIC_LIMIT), RCP_OK);
    end(results, 2);
    rcp_results_close(results);
    all = load();
    ck_assert_uint_eq(all.races.len, 3);
    ck_assert_uint_eq(all.statistics.len, 0);
    ck_assert(!all.unfinished && !all.cut);
    rcp_summary_finish(&all);
}
END_TEST

typedef struct recalled {
    rcp_text text;
    size_t n;
} recalled;

static rcp_code recall(void *context, const rcp_hunted_part *part) {
    recalled *to = context;
    rcp_text_printf(&to->text, "%u.%u %u %.*s; ", part->run, part->part, part->variant, (int)part->n,
                    (const char *)part->at);
    return ++to->n < 3 ? RCP_OK : rcp_fail(RCP_BAD_INPUT, "enough");
}

static size_t count_variants(rcp_results *results, uint64_t trace) {
    rcp_hunted_variants variants = {0};
    ck_assert_int_eq(rcp_results_hunted_variants(results, trace, &variants), RCP_OK);
    const size_t n = variants.len;
    rcp_vec_finish(&variants);
    return n;
}

START_TEST(what_a_hunt_has_settled_stays_until_it_is_of_another_trace) {
    const rcp_hunted_part first[] = {{0, 0, 0, "zero", 4}, {1, 1, 7, "one", 3}}, later[] = {{1, 1, 8, "two", 3}};
    recalled all = {.n = 0};
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB), RCP_OK);
    ck_assert_int_eq(rcp_results_keep_hunted(results, first, 2), RCP_OK);
    end(results, 1);
    rcp_results_close(results);
    results = open_it();
    ck_assert_uint_eq(count_variants(results, TRACE), 1);
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB), RCP_OK);
    ck_assert_int_eq(rcp_results_keep_hunted(results, later, 1), RCP_OK);
    ck_assert_int_eq(rcp_results_recall_hunted(results, recall, &all), RCP_OK);
    ck_assert_str_eq(all.text.at, "0.0 0 zero; 1.1 8 two; ");
    ck_assert_int_eq(rcp_results_recall_hunted(results, recall, &all), RCP_BAD_INPUT); /* as the callback says */
    rcp_text_finish(&all.text);
    end(results, 1);
    ck_assert_int_eq(rcp_results_begin(results, TRACE + 1, HB), RCP_OK);
    ck_assert_uint_eq(count_variants(results, TRACE), 0);
    rcp_results_close(results);
}
END_TEST

START_TEST(never_analysed_is_said_with_a_hint) {
    rcp_results *results = NULL;
    ck_assert_int_eq(rcp_results_open_readonly(directory, &results), RCP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "recipe analyze"));
    ck_assert_int_ne(access(file("results.db"), F_OK), 0);
}
END_TEST

static void one_race(void) {
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB), RCP_OK);
    put(results, 1, 2, HB, RCP_RACE_PREDICTED);
    put(results, 3, 4, HB, RCP_RACE_UNPROVEN);
    end(results, 1);
    rcp_results_close(results);
}

static rcp_text bytes_of(const char *path) {
    rcp_text text = {0};
    ck_assert_int_eq(rcp_text_read_file(&text, path), RCP_OK);
    return text;
}

static void write_bytes(const char *path, const char *bytes, size_t n) {
    FILE *to = fopen(path, "wb");
    ck_assert_ptr_nonnull(to);
    ck_assert_uint_eq(fwrite(bytes, 1, n, to), n);
    ck_assert_int_eq(fclose(to), 0);
}

START_TEST(another_version_is_refused_and_left_alone) {
    one_race();
    rcp_text before = bytes_of(file("results.db"));
    before.at[63]++; /* the last byte of user_version, big-endian, in SQLite's header */
    write_bytes(file("results.db"), before.at, before.len);
    rcp_results *results = NULL;
    ck_assert_int_eq(rcp_results_open(directory, &results), RCP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "knows version"));
    ck_assert_int_eq(rcp_results_open_readonly(directory, &results), RCP_BAD_INPUT);
    rcp_text after = bytes_of(file("results.db"));
    ck_assert_uint_eq(after.len, before.len);
    ck_assert_mem_eq(after.at, before.at, before.len);
    rcp_text_finish(&before);
    rcp_text_finish(&after);
}
END_TEST

START_TEST(a_stranger_is_refused_and_left_alone) {
    static const char stranger[] = "not a database, but somebody's precious file, long enough to be looked at twice. "
                                   "not a database, but somebody's precious file, long enough to be looked at twice.";
    write_bytes(file("results.db"), stranger, sizeof stranger);
    rcp_results *results = NULL;
    ck_assert_int_eq(rcp_results_open(directory, &results), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_results_open_readonly(directory, &results), RCP_BAD_INPUT);
    rcp_text after = bytes_of(file("results.db"));
    ck_assert_uint_eq(after.len, sizeof stranger);
    ck_assert_mem_eq(after.at, stranger, sizeof stranger);
    rcp_text_finish(&after);
}
END_TEST

/* Every 29th byte of a small file, changed: what is read back is refused or right, never something else or less. */
START_TEST(a_changed_byte_never_becomes_another_result) {
    one_race();
    rcp_text good = bytes_of(file("results.db"));
    unsigned refused = 0;
    rcp_summary right = load();
    for (size_t i = 0; i < good.len; i += 29) {
        good.at[i] ^= 0x55;
        write_bytes(file("results.db"), good.at, good.len);
        good.at[i] ^= 0x55;
        rcp_results *results = NULL;
        rcp_summary all = {0};
        rcp_code code = rcp_results_open_readonly(directory, &results);
        if (code == RCP_OK) {
            code = rcp_results_load(results, TRACE, &all);
            if (code == RCP_OK) {
                ck_assert_mem_eq(&all.work, &right.work, sizeof all.work);
                ck_assert_uint_eq(all.races.len, right.races.len);
                ck_assert_uint_eq(all.statistics.len, right.statistics.len);
            }
            for (size_t k = 0; code == RCP_OK && k < all.races.len; k++) {
                ck_assert_uint_eq(all.races.at[k].event[0].v, right.races.at[k].event[0].v);
                ck_assert_uint_eq(all.races.at[k].event[1].v, right.races.at[k].event[1].v);
                ck_assert_uint_eq(all.races.at[k].instances, right.races.at[k].instances);
            }
            rcp_summary_finish(&all);
            rcp_results_close(results);
        }
        refused += code != RCP_OK;
        ck_assert_msg(code == RCP_OK || code == RCP_BAD_INPUT, "byte %zu: %s", i, rcp_borrow_cause(0));
        rcp_clear_causes();
    }
    ck_assert_uint_gt(refused, 0);
    rcp_summary_finish(&right);
    rcp_text_finish(&good);
}
END_TEST

static void put_replay(uint64_t trace, uint64_t first, uint64_t second, rcp_race_status status) {
    rcp_results *results = open_it();
    const rcp_race race = {.event = {{first}, {second}}};
    ck_assert_int_eq(rcp_results_put_replay(results, trace, &race, status, "told"), RCP_OK);
    rcp_results_close(results);
}

static void expect_statuses(rcp_race_status one, rcp_race_status other) {
    rcp_summary summary = load();
    ck_assert_uint_eq(summary.races.len, 3);
    ck_assert_int_eq(summary.races.at[0].status, one);
    ck_assert_int_eq(summary.races.at[1].status, other);
    ck_assert_int_eq(summary.races.at[2].status, RCP_RACE_UNPROVEN);
    rcp_summary_finish(&summary);
}

START_TEST(from_the_first_replay_on_the_program_is_the_judge) {
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB), RCP_OK);
    put(results, 1, 2, HB, RCP_RACE_PREDICTED);
    put(results, 3, 4, HB, RCP_RACE_PREDICTED);
    put(results, 5, 6, HB, RCP_RACE_UNPROVEN);
    end(results, 3);
    rcp_results_close(results);
    expect_statuses(RCP_RACE_PREDICTED, RCP_RACE_PREDICTED);
    put_replay(TRACE + 1, 1, 2, RCP_RACE_CONFIRMED); /* of another trace: nobody's */
    expect_statuses(RCP_RACE_PREDICTED, RCP_RACE_PREDICTED);
    put_replay(TRACE, 1, 2, RCP_RACE_NOT_TRIED);
    expect_statuses(RCP_RACE_NOT_TRIED, RCP_RACE_NOT_TRIED);
    put_replay(TRACE, 1, 2, RCP_RACE_NOT_REPLAYED);
    put_replay(TRACE, 1, 2, RCP_RACE_NOT_TRIED); /* it was, before */
    expect_statuses(RCP_RACE_NOT_REPLAYED, RCP_RACE_NOT_TRIED);
    put_replay(TRACE, 1, 2, RCP_RACE_CONFIRMED);
    put_replay(TRACE, 1, 2, RCP_RACE_NOT_REPLAYED); /* what was shown once was shown */
    put_replay(TRACE, 5, 6, RCP_RACE_CONFIRMED);    /* nobody proved it */
    expect_statuses(RCP_RACE_CONFIRMED, RCP_RACE_NOT_TRIED);
}
END_TEST

START_TEST(what_was_shown_of_two_places_is_shown_of_other_events_there) {
    rcp_results *results = open_it();
    ck_assert_int_eq(rcp_results_begin(results, TRACE, HB), RCP_OK);
    for (uint64_t first = 1; first <= 5; first += 2) {
        rcp_race race = race_of(first, first + 1, HB, RCP_RACE_PREDICTED);
        race.points = first < 5 ? 77 : 78;
        ck_assert_int_eq(rcp_results_put(results, &race), RCP_OK);
        rcp_race_finish(&race);
    }
    end(results, 3);
    const rcp_race lost = {.event = {{1}, {2}}, .points = 77},
                   shown = {.event = {{8}, {9}}, .variant = 1, .points = 77};
    ck_assert_int_eq(rcp_results_put_replay(results, TRACE, &lost, RCP_RACE_NOT_REPLAYED, "told"), RCP_OK);
    rcp_summary summary = load();
    ck_assert_int_eq(summary.races.at[0].status, RCP_RACE_NOT_REPLAYED);
    ck_assert_int_eq(summary.races.at[1].status, RCP_RACE_NOT_TRIED); /* other events may do it */
    rcp_summary_finish(&summary);
    ck_assert_int_eq(rcp_results_put_replay(results, TRACE, &shown, RCP_RACE_CONFIRMED, "told"), RCP_OK);
    rcp_results_close(results);
    summary = load();
    ck_assert_int_eq(summary.races.at[0].status, RCP_RACE_CONFIRMED);
    ck_assert_int_eq(summary.races.at[1].status, RCP_RACE_CONFIRMED);
    ck_assert_int_eq(summary.races.at[2].status, RCP_RACE_NOT_TRIED);
    rcp_summary_finish(&summary);
}
END_TEST

START_TEST(models_have_names) {
    rcp_model model;
    for (unsigned i = 0; i < RCP_MODELS; i++) {
        ck_assert(rcp_model_find(rcp_model_name((rcp_model)i), &model));
        ck_assert_uint_eq(model, i);
    }
    ck_assert(!rcp_model_find("", &model));
    ck_assert(!rcp_model_find("HB", &model));
    ck_assert_int_eq(rcp_model_first(SHB | RCP_MODEL_BIT(RCP_MODEL_MC)), RCP_MODEL_SHB);
    ck_assert_int_eq(rcp_model_first(0), RCP_MODELS);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, what_is_put_comes_back_in_order);
    tcase_add_test(tests, places_of_cures_are_found);
    tcase_add_test(tests, results_of_another_trace_are_no_results);
    tcase_add_test(tests, a_model_run_again_replaces_its_own_results_alone);
    tcase_add_test(tests, bold_has_races_of_the_language_and_leaves_those_of_the_recorded_run);
    tcase_add_test(tests, a_killed_analysis_loses_nothing_and_hides_nothing_finished);
    tcase_add_test(tests, of_two_at_one_time_the_later_one_stands);
    tcase_add_test(tests, never_analysed_is_said_with_a_hint);
    tcase_add_test(tests, another_version_is_refused_and_left_alone);
    tcase_add_test(tests, one_that_is_resumed_has_what_it_had);
    tcase_add_test(tests, what_a_hunt_has_settled_stays_until_it_is_of_another_trace);
    tcase_add_test(tests, a_stranger_is_refused_and_left_alone);
    tcase_add_test(tests, a_changed_byte_never_becomes_another_result);
    tcase_add_test(tests, from_the_first_replay_on_the_program_is_the_judge);
    tcase_add_test(tests, what_was_shown_of_two_places_is_shown_of_other_events_there);
    tcase_add_test(tests, models_have_names);
    return rcp_suite_run_case("results", tests);
}
