/* SPDX-License-Identifier: Apache-2.0 */
#include "results/results.h"

#include "base/file.h"
#include "base/map.h"
#include "base/text.h"
#include "base/varint.h"
#include "results/database.h"
#include "results/violations.h"
#include "trace/check/checker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

struct rcp_results {
    rcp_database base;
    sqlite3_int64 analysis; /* the one that was begun; 0: none */
    uint32_t models;
    uint64_t trace; /* its key */
};

static rcp_code hand_over(rcp_results *results, rcp_code code, rcp_results **opened) {
    if (code == RCP_OK)
        *opened = results;
    else
        rcp_results_close(results);
    return code;
}

bool rcp_results_exist(const char *directory) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/results.db", directory);
    bool exists = rcp_file_is_there(path.at);
    rcp_text_finish(&path);
    return exists;
}

rcp_code rcp_results_open(const char *directory, rcp_results **opened) {
    rcp_results *results = rcp_alloc_zero(1, sizeof *results);
    return hand_over(results, rcp_database_open(&results->base, directory), opened);
}

rcp_code rcp_results_open_readonly(const char *directory, rcp_results **opened) {
    rcp_results *results = rcp_alloc_zero(1, sizeof *results);
    return hand_over(results, rcp_database_open_readonly(&results->base, directory), opened);
}

void rcp_results_close(rcp_results *results) {
    if (!results)
        return;
    rcp_database_close(&results->base);
    rcp_release(results);
}

static rcp_code damaged(const rcp_results *results, const char *what) {
    return rcp_database_damaged(&results->base, what);
}

/* --- rows --- */

typedef RCP_VEC(uint8_t) bytes;

static void put_number(bytes *to, uint64_t x) {
    rcp_vec_reserve(to, RCP_VARINT_MAX);
    to->len = (size_t)(rcp_varint_put(to->at + to->len, x) - to->at);
}

/* Per thread, how far it has run: steps are kept as differences, so that most cost two bytes. Schedules can be long. */
static uint32_t *progress(rcp_map *threads, uint32_t tid) {
    uint32_t *to = rcp_map_at(threads, tid);
    if (*to == RCP_MAP_NONE)
        *to = 0;
    return to;
}

static void encode_steps(bytes *to, const rcp_witness *witness) {
    rcp_map threads;
    rcp_map_init(&threads);
    put_number(to, witness->recorded);
    put_number(to, witness->steps.len);
    for (size_t i = 0; i < witness->steps.len; i++) {
        const rcp_witness_step *step = &witness->steps.at[i];
        uint32_t *done = progress(&threads, step->tid.v);
        RCP_CHECK(step->to >= *done && step->to < RCP_MAP_NONE);
        put_number(to, step->tid.v);
        put_number(to, step->to - *done);
        *done = step->to;
    }
    rcp_map_finish(&threads);
}

/* Of what is not known 0. */
static void encode_deciding(bytes *to, const rcp_race *race) {
    for (int i = 0; i < 2; i++)
        put_number(to, race->deciding[i].v + 1);
}

/* What is left of `n` bytes after the steps; NULL: they are none. */
static const uint8_t *decode_steps(const uint8_t *at, size_t n, rcp_witness *witness) {
    const uint8_t *end = at + n;
    uint64_t count = 0, tid, more;
    rcp_map threads;
    rcp_map_init(&threads);
    at = rcp_varint_get(at, end, &witness->recorded);
    at = at ? rcp_varint_get(at, end, &count) : NULL;
    for (; at && count; count--) {
        at = rcp_varint_get(at, end, &tid);
        at = at ? rcp_varint_get(at, end, &more) : NULL;
        if (!at || tid > UINT32_MAX || more >= RCP_MAP_NONE)
            break;
        uint32_t *done = progress(&threads, (uint32_t)tid);
        if (more >= RCP_MAP_NONE - *done)
            break;
        *done += (uint32_t)more;
        rcp_vec_push(&witness->steps, ((rcp_witness_step){.tid = {(uint32_t)tid}, .to = *done}));
    }
    rcp_map_finish(&threads);
    return count ? NULL : at;
}

static bool decode_proof(const uint8_t *at, size_t n, rcp_race *race) {
    const uint8_t *end = at + n;
    uint64_t word = 0;
    at = decode_steps(at, n, &race->witness);
    for (int i = 0; i < 2 && at; i++) {
        at = rcp_varint_get(at, end, &word);
        race->deciding[i].v = word - 1;
    }
    return at == end;
}

/* In a row an event has its variant's number above its own. */
#define VARIANT_SHIFT 44

static uint64_t event_word(const rcp_race *race, int i) {
    return race->event[i].v | (uint64_t)race->variant << VARIANT_SHIFT;
}

static void read_events(rcp_race *race, uint64_t first, uint64_t second) {
    const uint64_t mask = (UINT64_C(1) << VARIANT_SHIFT) - 1;
    race->variant = (uint32_t)(first >> VARIANT_SHIFT);
    race->event[0].v = first & mask;
    race->event[1].v = second & mask;
}

/* Over all that a race's row and its witness say: SQLite notices a damaged page only where its structure breaks. */
static uint64_t checksum(const rcp_race *race, const char *why, const void *steps, size_t n) {
    bytes all = {0};
    const uint64_t words[] = {event_word(race, 0), event_word(race, 1), race->status,
                              race->models,        race->instances,     race->fingerprint,
                              race->points,        strlen(why),         n};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put_number(&all, words[i]);
    memcpy(rcp_vec_extend(&all, strlen(why)), why, strlen(why));
    if (n)
        memcpy(rcp_vec_extend(&all, n), steps, n);
    uint64_t sum = XXH3_64bits(all.at, all.len);
    rcp_vec_finish(&all);
    return sum;
}

uint64_t rcp_results_key(const rcp_reader *reader) {
    const uint64_t words[] = {rcp_reader_identity(reader), RCP_RULES_VERSION};
    return XXH3_64bits(words, sizeof words);
}

/* What the language says of runs of the program that were led or steered comes with these. */
static uint32_t with_language(uint32_t models) {
    const uint32_t of_runs = RCP_MODEL_BIT(RCP_MODEL_BOLD) | RCP_MODEL_BIT(RCP_MODEL_HUNT);
    return models & of_runs ? models | RCP_MODEL_BIT(RCP_MODEL_C11) : models;
}

static bool outdate(rcp_results *results, uint64_t trace) {
    return rcp_database_run(&results->base, RCP_SQL_OUTDATE, &trace, 1) &&
           rcp_database_run(&results->base, RCP_SQL_OUTDATE_REPLAYS, &trace, 1) &&
           rcp_database_run(&results->base, RCP_SQL_OUTDATE_OUTCOMES, &trace, 1) &&
           rcp_database_run(&results->base, RCP_SQL_OUTDATE_STANDINGS, &trace, 1) &&
           rcp_database_run(&results->base, RCP_SQL_OUTDATE_VIOLATIONS, &trace, 1) &&
           rcp_database_run(&results->base, RCP_SQL_OUTDATE_HUNTED, &trace, 1);
}

static bool begin_anew(rcp_results *results) {
    const uint64_t words[] = {results->models, results->trace};
    bool fine = rcp_database_run(&results->base, RCP_SQL_NEW_ANALYSIS, words, 2);
    results->analysis = fine ? sqlite3_last_insert_rowid(results->base.db) : 0;
    return fine;
}

/* The last one under these models is open again. *is_there: there is one. */
static bool reopen(rcp_results *results, bool *is_there) {
    const uint64_t models = results->models;
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_FIND_ANALYSIS);
    int step = s && rcp_database_bind(s, &models, 1) ? sqlite3_step(s) : SQLITE_ERROR;
    *is_there = step == SQLITE_ROW;
    const uint64_t id = *is_there ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
    if (s)
        sqlite3_reset(s);
    results->analysis = (sqlite3_int64)id;
    return step == SQLITE_DONE || (*is_there && rcp_database_run(&results->base, RCP_SQL_REOPEN_ANALYSIS, &id, 1));
}

static rcp_code begin(rcp_results *results, uint64_t trace, uint32_t models, bool is_resumed) {
    RCP_CHECK(models && models < RCP_MODEL_BIT(RCP_MODELS));
    bool is_there = false;
    results->models = models;
    results->trace = trace;
    bool fine = rcp_database_run(&results->base, RCP_SQL_BEGIN_WRITE, NULL, 0) && outdate(results, trace) &&
                (!is_resumed || reopen(results, &is_there)) && (is_there || begin_anew(results));
    rcp_code code = rcp_database_conclude(&results->base, fine, "beginning an analysis");
    results->analysis = code == RCP_OK ? results->analysis : 0;
    return code;
}

rcp_code rcp_results_begin(rcp_results *results, uint64_t trace, uint32_t models) {
    return begin(results, trace, models, false);
}

rcp_code rcp_results_resume(rcp_results *results, uint64_t trace, uint32_t models) {
    return begin(results, trace, models, true);
}

rcp_code rcp_results_put(rcp_results *results, const rcp_race *race) {
    RCP_CHECK(results->analysis && race->status < RCP_RACE_STATUSES && race->models &&
              !(race->models & ~with_language(results->models)));
    const char *why = race->why ? race->why : "";
    bytes steps = {0};
    if (rcp_race_is_proven(race))
        encode_steps(&steps, &race->witness), encode_deciding(&steps, race);
    const uint64_t words[] = {(uint64_t)results->analysis,
                              event_word(race, 0),
                              event_word(race, 1),
                              race->status,
                              race->models,
                              race->instances,
                              race->fingerprint,
                              race->points};
    bool fine = rcp_database_run(&results->base, RCP_SQL_BEGIN_WRITE, NULL, 0);
    sqlite3_stmt *s = fine ? rcp_database_ready(&results->base, RCP_SQL_NEW_RACE) : NULL;
    fine = s && rcp_database_bind(s, words, 8) && sqlite3_bind_text(s, 9, why, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_int64(s, 10, (sqlite3_int64)checksum(race, why, steps.at, steps.len)) == SQLITE_OK &&
           sqlite3_step(s) == SQLITE_DONE;
    if (fine && steps.len && sqlite3_changes(results->base.db)) {
        sqlite3_int64 row = sqlite3_last_insert_rowid(results->base.db);
        s = rcp_database_ready(&results->base, RCP_SQL_NEW_WITNESS);
        fine = s && sqlite3_bind_int64(s, 1, row) == SQLITE_OK &&
               sqlite3_bind_blob64(s, 2, steps.at, steps.len, SQLITE_TRANSIENT) == SQLITE_OK &&
               sqlite3_step(s) == SQLITE_DONE;
    }
    rcp_vec_finish(&steps);
    return rcp_database_conclude(&results->base, fine, "storing a race");
}

static rcp_code put_statistic(rcp_results *results, const char *key, double value) {
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_NEW_STATISTIC);
    bool fine = s && sqlite3_bind_int64(s, 1, results->analysis) == SQLITE_OK &&
                sqlite3_bind_text(s, 2, key, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_double(s, 3, value) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    return fine ? RCP_OK : rcp_database_failed(&results->base, "storing a statistic");
}

rcp_code rcp_results_put_statistics(rcp_results *results, const char *of, const rcp_statistic_value *values, size_t n) {
    RCP_CHECK(results->analysis);
    for (size_t i = 0; i < n; i++) {
        char key[RCP_STATISTIC_KEY];
        rcp_statistic_key(values[i].id, of, key);
        RCP_TRY(put_statistic(results, key, values[i].value));
    }
    return RCP_OK;
}

rcp_code rcp_results_forget_statistics(rcp_results *results, rcp_statistic_id id) {
    const rcp_statistic_row *row = rcp_statistic_borrow_row(id);
    char group[RCP_STATISTIC_KEY];
    RCP_CHECK(results->analysis && row->group && !row->label);
    snprintf(group, sizeof group, "%s: ", row->group);
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_FORGET_STATISTIC);
    bool fine = s && sqlite3_bind_int64(s, 1, results->analysis) == SQLITE_OK &&
                sqlite3_bind_text(s, 2, group, -1, SQLITE_TRANSIENT) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    return fine ? RCP_OK : rcp_database_failed(&results->base, "storing a statistic");
}

rcp_code rcp_results_end(rcp_results *results, const rcp_analysis *work) {
    RCP_CHECK(results->analysis);
    const uint64_t words[] = {
        (uint64_t)results->analysis, work->candidates, work->pruned, work->solved, work->unknown, work->unproven};
    const uint64_t yield[] = {(uint64_t)results->analysis, results->models};
    bool fine = rcp_database_run(&results->base, RCP_SQL_BEGIN_WRITE, NULL, 0);
    sqlite3_stmt *s = fine ? rcp_database_ready(&results->base, RCP_SQL_FINISH) : NULL;
    fine = s && rcp_database_bind(s, words, 6) && sqlite3_bind_double(s, 7, work->seconds) == SQLITE_OK &&
           sqlite3_step(s) == SQLITE_DONE;
    if (fine && sqlite3_changes(results->base.db)) /* else one that began later has ended already: its results stand */
        fine = rcp_database_run(&results->base, RCP_SQL_DROP_OUTCOMES, NULL, 0) &&
               rcp_database_run(&results->base, RCP_SQL_YIELD, yield, 2) &&
               rcp_database_run(&results->base, RCP_SQL_DROP, NULL, 0);
    results->analysis = 0;
    return rcp_database_conclude(&results->base, fine, "ending an analysis");
}

rcp_code rcp_results_keep_outcome(rcp_results *results, uint64_t options, const rcp_eid pair[2], const void *found,
                                  size_t n) {
    RCP_CHECK(results->analysis && n);
    const uint64_t words[] = {results->trace, options, pair[0].v, pair[1].v};
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_NEW_OUTCOME);
    bool fine =
        s && rcp_database_bind(s, words, 4) && sqlite3_bind_blob64(s, 5, found, n, SQLITE_TRANSIENT) == SQLITE_OK &&
        sqlite3_bind_int64(s, 6, (sqlite3_int64)XXH3_64bits(found, n)) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    return fine ? RCP_OK : rcp_database_failed(&results->base, "storing an outcome");
}

/* One that is damaged is as good as none: it is found again. */
bool rcp_results_recall_outcome(rcp_results *results, uint64_t options, const rcp_eid pair[2], rcp_text *found) {
    RCP_CHECK(results->analysis);
    const uint64_t words[] = {results->trace, options, pair[0].v, pair[1].v};
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_OUTCOME);
    if (!s || !rcp_database_bind(s, words, 4) || sqlite3_step(s) != SQLITE_ROW)
        return false;
    const void *kept = sqlite3_column_blob(s, 0);
    size_t n = (size_t)sqlite3_column_bytes(s, 0);
    bool whole = kept && n && XXH3_64bits(kept, n) == (uint64_t)sqlite3_column_int64(s, 1);
    if (whole)
        rcp_text_add(found, kept, n);
    sqlite3_reset(s);
    return whole;
}

/* --- hunts --- */

static uint64_t hunted_sum(const rcp_hunted_part *part) {
    const uint64_t words[] = {part->run, part->part, part->variant};
    return XXH3_64bits_withSeed(part->at, part->n, XXH3_64bits(words, sizeof words));
}

static bool keep_part(rcp_results *results, const rcp_hunted_part *part) {
    const uint64_t words[] = {results->trace, part->run, part->part, part->variant};
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_NEW_HUNTED);
    return s && rcp_database_bind(s, words, 4) &&
           sqlite3_bind_blob64(s, 5, part->at, part->n, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_int64(s, 6, (sqlite3_int64)hunted_sum(part)) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
}

rcp_code rcp_results_keep_hunted(rcp_results *results, const rcp_hunted_part *parts, size_t n) {
    RCP_CHECK(results->analysis);
    bool fine = rcp_database_run(&results->base, RCP_SQL_BEGIN_WRITE, NULL, 0);
    for (size_t i = 0; fine && i < n; i++)
        fine = keep_part(results, &parts[i]);
    return rcp_database_conclude(&results->base, fine, "storing what a hunt has settled");
}

rcp_code rcp_results_recall_hunted(rcp_results *results, rcp_hunted_sink *sink, void *context) {
    RCP_CHECK(results->analysis);
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_HUNTED);
    if (!s || !rcp_database_bind(s, &results->trace, 1))
        return rcp_database_failed(&results->base, "reading what a hunt has settled");
    int step;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        const rcp_hunted_part part = {.run = (uint32_t)sqlite3_column_int64(s, 0),
                                      .part = (uint32_t)sqlite3_column_int64(s, 1),
                                      .variant = (uint32_t)sqlite3_column_int64(s, 2),
                                      .at = sqlite3_column_blob(s, 3),
                                      .n = (size_t)sqlite3_column_bytes(s, 3)};
        code = part.at && hunted_sum(&part) == (uint64_t)sqlite3_column_int64(s, 4) ? sink(context, &part)
                                                                                    : damaged(results, "a hunt");
    }
    if (code == RCP_OK && step != SQLITE_DONE)
        code = rcp_database_failed(&results->base, "reading what a hunt has settled");
    sqlite3_reset(s);
    return code;
}

rcp_code rcp_results_drop_hunted(rcp_results *results) {
    return rcp_database_run(&results->base, RCP_SQL_DROP_HUNTED, NULL, 0)
               ? RCP_OK
               : rcp_database_failed(&results->base, "storing what a hunt has settled");
}

rcp_code rcp_results_hunted_variants(rcp_results *results, uint64_t trace, rcp_hunted_variants *variants) {
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_HUNTED_VARIANTS);
    if (!s || !rcp_database_bind(s, &trace, 1))
        return rcp_database_failed(&results->base, "reading what a hunt has settled");
    int step;
    while ((step = sqlite3_step(s)) == SQLITE_ROW)
        rcp_vec_push(variants, (uint32_t)sqlite3_column_int64(s, 0));
    sqlite3_reset(s);
    return step == SQLITE_DONE ? RCP_OK : rcp_database_failed(&results->base, "reading what a hunt has settled");
}

/* A replay's numbers, in the order of its columns. */
enum { FIRST, SECOND, TRACE, STATUS, POINTS, REPLAY_WORDS };

static uint64_t replay_checksum(const uint64_t words[REPLAY_WORDS], const char *told) {
    return XXH3_64bits_withSeed(told, strlen(told), XXH3_64bits(words, REPLAY_WORDS * sizeof *words));
}

rcp_code rcp_results_put_replay(rcp_results *results, uint64_t trace, const rcp_race *race, rcp_race_status status,
                                const char *told) {
    RCP_CHECK(status >= RCP_RACE_CONFIRMED);
    const uint64_t words[REPLAY_WORDS] = {event_word(race, 0), event_word(race, 1), trace, status, race->points};
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_NEW_REPLAY);
    bool fine = s && rcp_database_bind(s, words, REPLAY_WORDS) &&
                sqlite3_bind_text(s, REPLAY_WORDS + 1, told, -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_bind_int64(s, REPLAY_WORDS + 2, (sqlite3_int64)replay_checksum(words, told)) == SQLITE_OK &&
                sqlite3_step(s) == SQLITE_DONE;
    return fine ? RCP_OK : rcp_database_failed(&results->base, "storing a replay");
}

/* --- deadlocks --- */

static void encode_events(bytes *to, const rcp_standstill *standstill) {
    for (size_t i = 0; i < standstill->events.len; i++)
        put_number(to, standstill->events.at[i].v);
}

static bool decode_events(const uint8_t *at, size_t n, rcp_standstill *standstill) {
    const uint8_t *end = at + n;
    while (at && at < end) {
        uint64_t event;
        at = rcp_varint_get(at, end, &event);
        if (at)
            rcp_vec_push(&standstill->events, (rcp_eid){event});
    }
    return at && standstill->events.len > 1;
}

static uint64_t standstill_sum(const void *events, size_t n_events, const void *steps, size_t n_steps,
                               const char *threads) {
    uint64_t sum = XXH3_64bits(events, n_events);
    sum = XXH3_64bits_withSeed(steps, n_steps, sum);
    return XXH3_64bits_withSeed(threads, strlen(threads), sum);
}

rcp_code rcp_results_put_standstill(rcp_results *results, const rcp_standstill *standstill) {
    RCP_CHECK(results->analysis && standstill->events.len > 1 && standstill->threads);
    bytes events = {0}, steps = {0};
    encode_events(&events, standstill);
    encode_steps(&steps, &standstill->witness);
    const uint64_t sum = standstill_sum(events.at, events.len, steps.at, steps.len, standstill->threads);
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_NEW_STANDSTILL);
    bool fine = s && sqlite3_bind_int64(s, 1, results->analysis) == SQLITE_OK &&
                sqlite3_bind_blob64(s, 2, events.at, events.len, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_blob64(s, 3, steps.at, steps.len, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_text(s, 4, standstill->threads, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_int64(s, 5, (sqlite3_int64)sum) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    rcp_vec_finish(&events);
    rcp_vec_finish(&steps);
    return fine ? RCP_OK : rcp_database_failed(&results->base, "storing a deadlock");
}

static uint64_t standing_sum(const void *events, size_t n, uint64_t trace, uint64_t status, const char *told) {
    const uint64_t words[] = {trace, status, XXH3_64bits(events, n)};
    return XXH3_64bits_withSeed(told, strlen(told), XXH3_64bits(words, sizeof words));
}

rcp_code rcp_results_put_standing(rcp_results *results, uint64_t trace, const rcp_standstill *standstill,
                                  rcp_race_status status, const char *told) {
    RCP_CHECK(status >= RCP_RACE_CONFIRMED);
    bytes events = {0};
    encode_events(&events, standstill);
    const uint64_t sum = standing_sum(events.at, events.len, trace, status, told);
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_NEW_STANDING);
    bool fine = s && sqlite3_bind_blob64(s, 1, events.at, events.len, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_int64(s, 2, (sqlite3_int64)trace) == SQLITE_OK &&
                sqlite3_bind_int64(s, 3, (sqlite3_int64)status) == SQLITE_OK &&
                sqlite3_bind_text(s, 4, told, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_int64(s, 5, (sqlite3_int64)sum) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    rcp_vec_finish(&events);
    return fine ? RCP_OK : rcp_database_failed(&results->base, "storing a replay");
}

static bool are_same_events(const rcp_standstill *a, const rcp_standstill *b) {
    bool same = a->events.len == b->events.len;
    for (size_t i = 0; same && i < a->events.len; i++)
        same = a->events.at[i].v == b->events.at[i].v;
    return same;
}

static bool read_standstill(sqlite3_stmt *s, rcp_standstill *to) {
    const void *events = sqlite3_column_blob(s, 0);
    size_t n_events = (size_t)sqlite3_column_bytes(s, 0);
    const void *steps = sqlite3_column_blob(s, 1);
    size_t n_steps = (size_t)sqlite3_column_bytes(s, 1);
    const char *threads = (const char *)sqlite3_column_text(s, 2);
    if (!events || !steps || !threads ||
        standstill_sum(events, n_events, steps, n_steps, threads) != (uint64_t)sqlite3_column_int64(s, 3))
        return false;
    to->threads = strcpy(rcp_alloc(strlen(threads) + 1), threads);
    return decode_events(events, n_events, to) &&
           decode_steps(steps, n_steps, &to->witness) == (const uint8_t *)steps + n_steps;
}

/* One that a later analysis has found again is one. */
static rcp_code read_standstills(rcp_results *results, uint64_t analysis, rcp_standstills *to) {
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_STANDSTILLS);
    if (!s || !rcp_database_bind(s, &analysis, 1))
        return rcp_database_failed(&results->base, "reading deadlocks");
    int step;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        rcp_standstill one;
        rcp_standstill_init(&one);
        bool is_new = read_standstill(s, &one);
        if (!is_new)
            code = damaged(results, "a deadlock");
        for (size_t i = 0; is_new && i < to->len; i++)
            is_new = !are_same_events(&to->at[i], &one);
        if (is_new)
            rcp_vec_push(to, one);
        else
            rcp_standstill_finish(&one);
    }
    if (code == RCP_OK && step != SQLITE_DONE)
        code = rcp_database_failed(&results->base, "reading deadlocks");
    sqlite3_reset(s);
    return code;
}

static rcp_code read_standings(rcp_results *results, uint64_t trace, rcp_standstills *to) {
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_STANDINGS);
    if (!s)
        return rcp_database_failed(&results->base, "reading replays");
    int step;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        rcp_standstill one;
        const void *events = sqlite3_column_blob(s, 0);
        size_t n = (size_t)sqlite3_column_bytes(s, 0);
        uint64_t of = (uint64_t)sqlite3_column_int64(s, 1), status = (uint64_t)sqlite3_column_int64(s, 2);
        const char *told = (const char *)sqlite3_column_text(s, 3);
        rcp_standstill_init(&one);
        bool is_whole = events && told && status >= RCP_RACE_CONFIRMED && status < RCP_RACE_STATUSES &&
                        standing_sum(events, n, of, status, told) == (uint64_t)sqlite3_column_int64(s, 4) &&
                        decode_events(events, n, &one);
        if (!is_whole)
            code = damaged(results, "a replay");
        for (size_t i = 0; is_whole && of == trace && i < to->len; i++)
            if (are_same_events(&to->at[i], &one)) {
                to->at[i].status = (rcp_race_status)status;
                rcp_standstill_tell(&to->at[i], told);
            }
        rcp_standstill_finish(&one);
    }
    if (code == RCP_OK && step != SQLITE_DONE)
        code = rcp_database_failed(&results->base, "reading replays");
    sqlite3_reset(s);
    return code;
}

rcp_code rcp_results_put_violation(rcp_results *results, uint64_t trace, uint32_t variant, const char *told) {
    return rcp_violations_put(&results->base, trace, variant, told);
}

/* --- reading back --- */

static rcp_code read_race(rcp_results *results, sqlite3_stmt *s, uint32_t visible, rcp_races *races) {
    rcp_race race;
    rcp_race_init(&race);
    read_events(&race, (uint64_t)sqlite3_column_int64(s, 0), (uint64_t)sqlite3_column_int64(s, 1));
    uint64_t status = (uint64_t)sqlite3_column_int64(s, 2), models = (uint64_t)sqlite3_column_int64(s, 3);
    race.instances = (uint64_t)sqlite3_column_int64(s, 4);
    race.fingerprint = (uint64_t)sqlite3_column_int64(s, 5);
    race.points = (uint64_t)sqlite3_column_int64(s, 6);
    const char *why = (const char *)sqlite3_column_text(s, 7);
    const void *steps = sqlite3_column_blob(s, 9);
    size_t n = (size_t)sqlite3_column_bytes(s, 9);
    bool whole = why && status < RCP_RACE_STATUSES && models && models < RCP_MODEL_BIT(RCP_MODELS);
    if (whole) {
        race.status = (rcp_race_status)status;
        race.models = (uint32_t)models;
        whole = checksum(&race, why, steps, n) == (uint64_t)sqlite3_column_int64(s, 8) &&
                (!rcp_race_is_proven(&race) ? !n : steps && decode_proof(steps, n, &race));
    }
    if (!whole) {
        rcp_race_finish(&race);
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: damaged (row %lld of races); move the file away and run 'recipe analyze' again",
                        results->base.path, (long long)sqlite3_column_int64(s, 10));
    }
    race.models &= visible;
    if (!race.models) {
        rcp_race_finish(&race);
        return RCP_OK;
    }
    race.model = rcp_model_name(rcp_model_first(race.models));
    if (rcp_race_is_proven(&race))
        memcpy(race.witness.race, race.event, sizeof race.event);
    rcp_race_explain(&race, "%s", why);
    rcp_vec_push(races, race);
    return RCP_OK;
}

static rcp_code read_races(rcp_results *results, uint64_t analysis, uint32_t visible, rcp_summary *summary) {
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_RACES);
    if (!s || !rcp_database_bind(s, &analysis, 1))
        return rcp_database_failed(&results->base, "reading races");
    int step;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW)
        code = read_race(results, s, visible, &summary->races);
    if (code == RCP_OK && step != SQLITE_DONE)
        code = rcp_database_failed(&results->base, "reading races");
    sqlite3_reset(s);
    RCP_TRY(code);
    s = rcp_database_ready(&results->base, RCP_SQL_READ_STATISTICS);
    if (!s || !rcp_database_bind(s, &analysis, 1))
        return rcp_database_failed(&results->base, "reading statistics");
    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(s, 0);
        rcp_statistic statistic = {.key = rcp_alloc(strlen(key ? key : "") + 1), .value = sqlite3_column_double(s, 1)};
        strcpy(statistic.key, key ? key : "");
        statistic.id = rcp_statistic_find(statistic.key);
        rcp_vec_push(&summary->statistics, statistic);
    }
    code = step == SQLITE_DONE ? RCP_OK : rcp_database_failed(&results->base, "reading statistics");
    sqlite3_reset(s);
    return code;
}

static int by_events(const void *x, const void *y) {
    const rcp_race *a = x, *b = y;
    if (a->variant != b->variant)
        return a->variant < b->variant ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (a->event[i].v != b->event[i].v)
            return a->event[i].v < b->event[i].v ? -1 : 1;
    rcp_model p = rcp_model_first(a->models), q = rcp_model_first(b->models);
    return p == q ? 0 : p < q ? -1 : 1;
}

static rcp_code read_all(rcp_results *results, uint64_t trace, rcp_summary *summary) {
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_ANALYSES);
    if (!s)
        return rcp_database_failed(&results->base, "reading analyses");
    int step;
    rcp_code code = RCP_OK;
    rcp_analysis *sum = &summary->work;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t word[8];
        for (int i = 0; i < 8; i++)
            word[i] = (uint64_t)sqlite3_column_int64(s, i);
        if ((uint64_t)sqlite3_column_int64(s, 9) != trace) {
            code =
                rcp_fail(RCP_BAD_INPUT,
                         "%s: results of another trace, of this one before it grew, or of another version of recipe; "
                         "run 'recipe analyze' again",
                         results->base.path);
            break;
        }
        uint32_t visible = (uint32_t)word[1] & ~sum->models; /* finished ones come first, then the newest */
        if (!visible)
            continue;
        if (visible >= RCP_MODEL_BIT(RCP_MODELS)) {
            code = rcp_fail(RCP_BAD_INPUT,
                            "%s: damaged (row %llu of analyses); move the file away and run 'recipe analyze' again",
                            results->base.path, (unsigned long long)word[0]);
            break;
        }
        sum->models |= visible;
        summary->unfinished |= !word[2];
        summary->cut |= word[2] ? 0 : visible;
        sum->candidates += word[3];
        sum->pruned += word[4];
        sum->solved += word[5];
        sum->unknown += word[6];
        sum->unproven += word[7];
        sum->seconds += sqlite3_column_double(s, 8);
        code = read_races(results, word[0], with_language(visible), summary);
        if (code == RCP_OK)
            code = read_standstills(results, word[0], &summary->standstills);
    }
    if (code == RCP_OK && step != SQLITE_DONE)
        code = rcp_database_failed(&results->base, "reading analyses");
    sqlite3_reset(s);
    return code;
}

/* What was shown of a pair of places is shown, by whatever events and in whatever variant they are found again; that it
 * was not shown says something of these events alone. */
static bool is_of(const uint64_t words[REPLAY_WORDS], const rcp_race *race) {
    bool same_events = event_word(race, 0) == words[FIRST] && event_word(race, 1) == words[SECOND];
    bool same_points = race->points && race->points == words[POINTS];
    return rcp_race_is_proven(race) && race->status != RCP_RACE_CONFIRMED &&
           (same_events || (same_points && words[STATUS] == RCP_RACE_CONFIRMED));
}

/* What the standard allows confirms nothing, and is this very pair's. */
static bool is_shown_by(const uint64_t words[REPLAY_WORDS], const rcp_race *race) {
    return rcp_model_first(race->models) == RCP_MODEL_C11 && event_word(race, 0) == words[FIRST] &&
           event_word(race, 1) == words[SECOND];
}

static rcp_code read_replay(rcp_results *results, sqlite3_stmt *s, uint64_t trace, rcp_races *races, bool *any) {
    uint64_t words[REPLAY_WORDS];
    for (int i = 0; i < REPLAY_WORDS; i++)
        words[i] = (uint64_t)sqlite3_column_int64(s, i);
    const char *told = (const char *)sqlite3_column_text(s, REPLAY_WORDS);
    if (!told || words[STATUS] < RCP_RACE_CONFIRMED || words[STATUS] >= RCP_RACE_STATUSES ||
        replay_checksum(words, told) != (uint64_t)sqlite3_column_int64(s, REPLAY_WORDS + 1))
        return rcp_fail(RCP_BAD_INPUT, "%s: damaged (a replay); move the file away and run 'recipe analyze' again",
                        results->base.path);
    const bool is_allowed = rcp_replay_is_allowed(told);
    *any |= words[TRACE] == trace && !is_allowed;
    for (size_t i = 0; i < races->len && words[TRACE] == trace; i++) {
        rcp_race *race = &races->at[i];
        if (is_allowed && is_shown_by(words, race))
            rcp_race_tell_replay(race, told);
        if (is_allowed || !is_of(words, race))
            continue;
        race->status = (rcp_race_status)words[STATUS];
        rcp_race_tell_replay(race, told);
    }
    return RCP_OK;
}

static rcp_code read_replays(rcp_results *results, uint64_t trace, rcp_races *races) {
    sqlite3_stmt *s = rcp_database_ready(&results->base, RCP_SQL_READ_REPLAYS);
    if (!s)
        return rcp_database_failed(&results->base, "reading replays");
    int step;
    bool any = false;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW)
        code = read_replay(results, s, trace, races, &any);
    if (code == RCP_OK && step != SQLITE_DONE)
        code = rcp_database_failed(&results->base, "reading replays");
    sqlite3_reset(s);
    for (size_t i = 0; i < races->len && any; i++)
        if (races->at[i].status == RCP_RACE_PREDICTED)
            races->at[i].status = RCP_RACE_NOT_TRIED;
    return code;
}

rcp_code rcp_results_load(rcp_results *results, uint64_t trace, rcp_summary *summary) {
    *summary = (rcp_summary){0};
    /* one transaction, so that an analysis that ends meanwhile does not show half */
    if (sqlite3_exec(results->base.db, "BEGIN", NULL, NULL, NULL))
        return rcp_database_failed(&results->base, "reading");
    rcp_code code = read_all(results, trace, summary);
    if (code == RCP_OK)
        code = read_replays(results, trace, &summary->races);
    if (code == RCP_OK)
        code = read_standings(results, trace, &summary->standstills);
    if (code == RCP_OK)
        code = rcp_violations_read(&results->base, trace, &summary->violations);
    sqlite3_exec(results->base.db, "ROLLBACK", NULL, NULL, NULL);
    if (summary->races.len)
        qsort(summary->races.at, summary->races.len, sizeof *summary->races.at, by_events);
    return code;
}

void rcp_summary_finish(rcp_summary *summary) {
    rcp_races_finish(&summary->races);
    rcp_standstills_finish(&summary->standstills);
    for (size_t i = 0; i < summary->violations.len; i++)
        rcp_release(summary->violations.at[i].told);
    rcp_vec_finish(&summary->violations);
    for (size_t i = 0; i < summary->statistics.len; i++)
        rcp_release(summary->statistics.at[i].key);
    rcp_vec_finish(&summary->statistics);
}

double rcp_summary_statistic(const rcp_summary *summary, rcp_statistic_id id) {
    switch (id) {
    case RCP_STATISTIC_CANDIDATES: return (double)summary->work.candidates;
    case RCP_STATISTIC_PRUNED: return (double)summary->work.pruned;
    case RCP_STATISTIC_SOLVED: return (double)summary->work.solved;
    case RCP_STATISTIC_UNKNOWN: return (double)summary->work.unknown;
    case RCP_STATISTIC_SECONDS: return summary->work.seconds;
    default: break;
    }
    for (size_t i = 0; i < summary->statistics.len; i++)
        if (summary->statistics.at[i].id == id)
            return summary->statistics.at[i].value;
    return 0;
}

void rcp_summary_limits(const rcp_summary *summary, rcp_limit_counts *reached) {
    *reached = (rcp_limit_counts){0};
    rcp_violations_add_limits(&summary->violations, reached);
    for (size_t i = 0; i < summary->statistics.len; i++) {
        const rcp_statistic *statistic = &summary->statistics.at[i];
        const char *word = rcp_statistic_label(statistic->key);
        rcp_limit_name name;
        if (statistic->id == RCP_STATISTIC_LIMIT && rcp_limit_find(word, strlen(word), &name))
            reached->at[name] += (uint64_t)statistic->value;
    }
}
