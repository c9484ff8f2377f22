/* SPDX-License-Identifier: Apache-2.0 */
#include "results/results.h"

#include "base/text.h"
#include "base/varint.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define APPLICATION_ID 0x52637052 /* "RcpR" */

/* How long another analysis of the same trace may hold the file before we give up. */
enum { BUSY_MS = 10000 };

static const char schema[] =
    "CREATE TABLE analyses (id INTEGER PRIMARY KEY AUTOINCREMENT, models INTEGER NOT NULL, finished INTEGER NOT NULL,"
    " candidates INTEGER NOT NULL, pruned INTEGER NOT NULL, solved INTEGER NOT NULL, unknown INTEGER NOT NULL,"
    " unproven INTEGER NOT NULL, seconds REAL NOT NULL);"
    "CREATE TABLE races (id INTEGER PRIMARY KEY, analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE,"
    " first INTEGER NOT NULL, second INTEGER NOT NULL, status INTEGER NOT NULL, models INTEGER NOT NULL,"
    " instances INTEGER NOT NULL, fingerprint INTEGER NOT NULL, why TEXT NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE INDEX races_by_analysis ON races (analysis);"
    "CREATE TABLE witnesses (race INTEGER PRIMARY KEY REFERENCES races ON DELETE CASCADE, steps BLOB NOT NULL);"
    "CREATE TABLE statistics (analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE, key TEXT NOT NULL,"
    " value REAL NOT NULL, PRIMARY KEY (analysis, key)) WITHOUT ROWID;";

enum statement {
    BEGIN_WRITE,
    COMMIT,
    ROLLBACK,
    NEW_ANALYSIS,
    NEW_RACE,
    NEW_WITNESS,
    NEW_STATISTIC,
    FINISH,
    YIELD,
    DROP,
    READ_ANALYSES,
    READ_RACES,
    READ_STATISTICS,
    STATEMENTS
};

static const char *const sql[STATEMENTS] = {
    [BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [NEW_ANALYSIS] = "INSERT INTO analyses VALUES (NULL, ?1, 0, 0, 0, 0, 0, 0, 0)",
    [NEW_RACE] = "INSERT INTO races VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [NEW_WITNESS] = "INSERT INTO witnesses VALUES (?1, ?2)",
    [NEW_STATISTIC] = "INSERT OR REPLACE INTO statistics VALUES (?1, ?2, ?3)",
    [FINISH] = "UPDATE analyses SET finished = 1, candidates = ?2, pruned = ?3, solved = ?4, unknown = ?5,"
               " unproven = ?6, seconds = ?7 WHERE id = ?1",
    /* what others said under the models ?2 gives way; an analysis that began later goes on undisturbed */
    [YIELD] = "UPDATE analyses SET models = models & ~?2 WHERE id <> ?1 AND (finished OR id < ?1)",
    [DROP] = "DELETE FROM analyses WHERE models = 0",
    [READ_ANALYSES] = "SELECT id, models, finished, candidates, pruned, solved, unknown, unproven, seconds"
                      " FROM analyses ORDER BY finished DESC, id DESC",
    [READ_RACES] = "SELECT r.first, r.second, r.status, r.models, r.instances, r.fingerprint, r.why, r.checksum,"
                   " w.steps, r.id FROM races r LEFT JOIN witnesses w ON w.race = r.id WHERE r.analysis = ?1"
                   " ORDER BY r.id",
    [READ_STATISTICS] = "SELECT key, value FROM statistics WHERE analysis = ?1 ORDER BY key",
};

struct rcp_results {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *prepared[STATEMENTS];
    sqlite3_int64 analysis; /* the one that was begun; 0: none */
    uint32_t models;
};

/* SQLite's word for what went wrong, sorted into ours: a file that is damaged is the user's to mend, a full disk the
 * system's. */
static rcp_code failed(const rcp_results *results, const char *doing) {
    int reason = results->db ? sqlite3_errcode(results->db) & 0xff : SQLITE_NOMEM;
    const char *words = results->db ? sqlite3_errmsg(results->db) : "out of memory";
    switch (reason) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: /* a table or column that our version has is not there */
    case SQLITE_SCHEMA:
        return rcp_fail(RCP_BAD_INPUT, "%s: damaged (%s, while %s); move the file away and run 'recipe analyze' again",
                        results->path, words, doing);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return rcp_fail(RCP_SYSTEM, "%s: in use by another recipe for more than %d s, while %s", results->path,
                        BUSY_MS / 1000, doing);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH: return rcp_fail(RCP_BAD_INPUT, "%s: can't be opened: %s", results->path, words);
    default: return rcp_fail(RCP_SYSTEM, "%s: %s, while %s", results->path, words, doing);
    }
}

/* Prepared on first use, reset for the next. NULL: said why. */
static sqlite3_stmt *ready(rcp_results *results, enum statement which) {
    sqlite3_stmt **s = &results->prepared[which];
    if (!*s && sqlite3_prepare_v3(results->db, sql[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_reset(*s);
    sqlite3_clear_bindings(*s);
    return *s;
}

static bool bind(sqlite3_stmt *s, const uint64_t *words, int n) {
    for (int i = 0; i < n; i++)
        if (sqlite3_bind_int64(s, i + 1, (sqlite3_int64)words[i]) != SQLITE_OK)
            return false;
    return true;
}

/* Runs a statement that gives no rows. */
static bool run(rcp_results *results, enum statement which, const uint64_t *words, int n) {
    sqlite3_stmt *s = ready(results, which);
    bool done = s && bind(s, words, n) && sqlite3_step(s) == SQLITE_DONE;
    if (s)
        sqlite3_reset(s);
    return done;
}

/* Ends a transaction: what could not be done whole is not done at all, and the first failure is the one that is told.
 */
static rcp_code conclude(rcp_results *results, bool fine, const char *doing) {
    if (fine && run(results, COMMIT, NULL, 0))
        return RCP_OK;
    rcp_code code = failed(results, doing);
    if (!sqlite3_get_autocommit(results->db))
        run(results, ROLLBACK, NULL, 0);
    return code;
}

/* --- opening --- */

static rcp_code number(rcp_results *results, const char *query, sqlite3_int64 *value) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(results->db, query, -1, &s, NULL) != SQLITE_OK)
        return failed(results, "opening it");
    rcp_code code = RCP_OK;
    if (sqlite3_step(s) == SQLITE_ROW)
        *value = sqlite3_column_int64(s, 0);
    else
        code = failed(results, "opening it");
    sqlite3_finalize(s);
    return code;
}

/* Is it ours, of our version and whole? `*empty`: a database without anything in it yet. */
static rcp_code recognise(rcp_results *results, bool *empty) {
    sqlite3_int64 tables, application, version;
    RCP_TRY(number(results, "SELECT count(*) FROM sqlite_master", &tables));
    RCP_TRY(number(results, "PRAGMA application_id", &application));
    RCP_TRY(number(results, "PRAGMA user_version", &version));
    *empty = !tables && !application && !version;
    if (*empty)
        return RCP_OK;
    if (application != APPLICATION_ID)
        return rcp_fail(RCP_BAD_INPUT, "%s: a database, but not one of recipe's; it is left alone", results->path);
    if (version != RCP_RESULTS_VERSION)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: format version %lld, this recipe knows version %d; move the file away and run 'recipe "
                        "analyze' again, or use the recipe that wrote it",
                        results->path, (long long)version, RCP_RESULTS_VERSION);
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(results->db, "PRAGMA quick_check(1)", -1, &s, NULL) != SQLITE_OK)
        return failed(results, "checking it");
    rcp_code code = RCP_OK;
    int step = sqlite3_step(s);
    const char *said = step == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (!said)
        code = failed(results, "checking it");
    else if (strcmp(said, "ok"))
        code = rcp_fail(RCP_BAD_INPUT, "%s: damaged (%.200s); move the file away and run 'recipe analyze' again",
                        results->path, said);
    sqlite3_finalize(s);
    return code;
}

static rcp_results *make(const char *directory) {
    rcp_results *results = rcp_alloc_zero(1, sizeof *results);
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/results.db", directory);
    results->path = path.at;
    return results;
}

static rcp_code tune(rcp_results *results) {
    sqlite3_extended_result_codes(results->db, 0);
    sqlite3_busy_timeout(results->db, BUSY_MS);
    if (sqlite3_exec(results->db, "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF", NULL, NULL, NULL))
        return failed(results, "opening it");
    return RCP_OK;
}

static rcp_code open_to_write(rcp_results *results) {
    if (sqlite3_open_v2(results->path, &results->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return failed(results, "opening it");
    RCP_TRY(tune(results));
    bool empty;
    RCP_TRY(recognise(results, &empty));
    /* NORMAL: in WAL mode a commit survives the death of the process; only a power cut can lose the newest ones. */
    if (sqlite3_exec(results->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL))
        return failed(results, "opening it");
    if (!empty)
        return RCP_OK;
    bool fine = run(results, BEGIN_WRITE, NULL, 0);
    if (fine)
        RCP_TRY(recognise(results, &empty)); /* somebody may have been faster; closing rolls back */
    if (fine && empty) {
        rcp_text script = {0};
        rcp_text_printf(&script, "%s PRAGMA application_id = %d; PRAGMA user_version = %d;", schema, APPLICATION_ID,
                        RCP_RESULTS_VERSION);
        fine = sqlite3_exec(results->db, script.at, NULL, NULL, NULL) == SQLITE_OK;
        rcp_text_finish(&script);
    }
    return conclude(results, fine, "making its tables");
}

rcp_code rcp_results_open(const char *directory, rcp_results **opened) {
    rcp_results *results = make(directory);
    rcp_code code = open_to_write(results);
    if (code != RCP_OK)
        rcp_results_close(results);
    else
        *opened = results;
    return code;
}

/* A database in WAL mode wants to write its index beside itself even to be read. On a medium where that is not possible
 * nobody else writes either, so that it may be read as it stands; unless a log is there that would have to be replayed.
 */
static rcp_code open_immutable(rcp_results *results) {
    rcp_text log = {0};
    rcp_text_printf(&log, "%s-wal", results->path);
    bool unreplayed = access(log.at, F_OK) == 0;
    rcp_text_finish(&log);
    if (unreplayed)
        return failed(results, "opening it");
    sqlite3_close_v2(results->db);
    results->db = NULL;
    rcp_text uri = {0};
    rcp_text_puts(&uri, "file:");
    for (const char *p = results->path; *p; p++)
        rcp_text_printf(&uri, strchr("?#%", *p) ? "%%%02x" : "%c", (unsigned char)*p);
    rcp_text_puts(&uri, "?immutable=1");
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    rcp_code code =
        sqlite3_open_v2(uri.at, &results->db, flags, NULL) == SQLITE_OK ? tune(results) : failed(results, "opening it");
    rcp_text_finish(&uri);
    return code;
}

static rcp_code open_to_read(const char *directory, rcp_results *results) {
    if (access(results->path, F_OK) && errno == ENOENT)
        return rcp_fail(RCP_BAD_INPUT, "%s: has not been analysed yet; run 'recipe analyze %s' first", directory,
                        directory);
    if (sqlite3_open_v2(results->path, &results->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        return failed(results, "opening it");
    RCP_TRY(tune(results));
    sqlite3_int64 any;
    bool empty;
    if (number(results, "SELECT count(*) FROM sqlite_master", &any) != RCP_OK) {
        int reason = sqlite3_errcode(results->db) & 0xff;
        if (reason != SQLITE_CANTOPEN && reason != SQLITE_READONLY)
            return failed(results, "opening it");
        rcp_clear_causes();
        RCP_TRY(open_immutable(results));
    }
    RCP_TRY(recognise(results, &empty));
    if (empty)
        return rcp_fail(RCP_BAD_INPUT, "%s: has not been analysed yet; run 'recipe analyze %s' first", directory,
                        directory);
    return RCP_OK;
}

rcp_code rcp_results_open_readonly(const char *directory, rcp_results **opened) {
    rcp_results *results = make(directory);
    rcp_code code = open_to_read(directory, results);
    if (code != RCP_OK)
        rcp_results_close(results);
    else
        *opened = results;
    return code;
}

void rcp_results_close(rcp_results *results) {
    if (!results)
        return;
    for (unsigned i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(results->prepared[i]);
    sqlite3_close_v2(results->db);
    rcp_release(results->path);
    rcp_release(results);
}

/* --- rows --- */

typedef RCP_VEC(uint8_t) bytes;

static void put_number(bytes *to, uint64_t x) {
    rcp_vec_reserve(to, RCP_VARINT_MAX);
    to->len = (size_t)(rcp_varint_put(to->at + to->len, x) - to->at);
}

static void encode_steps(bytes *to, const rcp_witness *witness) {
    put_number(to, witness->steps.len);
    for (size_t i = 0; i < witness->steps.len; i++) {
        put_number(to, witness->steps.at[i].tid.v);
        put_number(to, witness->steps.at[i].to);
    }
}

static bool decode_steps(const uint8_t *at, size_t n, rcp_witness *witness) {
    const uint8_t *end = at + n;
    uint64_t count, tid, to;
    if (!(at = rcp_varint_get(at, end, &count)))
        return false;
    for (; count; count--) {
        if (!(at = rcp_varint_get(at, end, &tid)) || !(at = rcp_varint_get(at, end, &to)) || tid > UINT32_MAX ||
            to > UINT32_MAX)
            return false;
        rcp_vec_push(&witness->steps, ((rcp_step){.tid = {(uint32_t)tid}, .to = (rcp_position)to}));
    }
    return at == end;
}

/* Over all that a race's row and its witness say: SQLite itself notices a damaged page only where its structure breaks.
 */
static uint64_t checksum(const rcp_race *race, const char *why, const void *steps, size_t n) {
    bytes all = {0};
    const uint64_t words[] = {race->event[0].v, race->event[1].v,  race->status, race->models,
                              race->instances,  race->fingerprint, strlen(why),  n};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put_number(&all, words[i]);
    memcpy(rcp_vec_extend(&all, strlen(why)), why, strlen(why));
    if (n)
        memcpy(rcp_vec_extend(&all, n), steps, n);
    uint64_t sum = XXH3_64bits(all.at, all.len);
    rcp_vec_finish(&all);
    return sum;
}

rcp_code rcp_results_begin(rcp_results *results, uint32_t models) {
    RCP_CHECK(models && models < RCP_MODEL_BIT(RCP_MODELS));
    uint64_t words[] = {models};
    if (!run(results, NEW_ANALYSIS, words, 1))
        return failed(results, "beginning an analysis");
    results->analysis = sqlite3_last_insert_rowid(results->db);
    results->models = models;
    return RCP_OK;
}

rcp_code rcp_results_put(rcp_results *results, const rcp_race *race) {
    RCP_CHECK(results->analysis && race->status < RCP_RACE_STATUSES && race->models &&
              !(race->models & ~results->models));
    const char *why = race->why ? race->why : "";
    bytes steps = {0};
    if (race->status != RCP_RACE_UNPROVEN)
        encode_steps(&steps, &race->witness);
    const uint64_t words[] = {(uint64_t)results->analysis,
                              race->event[0].v,
                              race->event[1].v,
                              race->status,
                              race->models,
                              race->instances,
                              race->fingerprint};
    bool fine = run(results, BEGIN_WRITE, NULL, 0);
    sqlite3_stmt *s = fine ? ready(results, NEW_RACE) : NULL;
    fine = s && bind(s, words, 7) && sqlite3_bind_text(s, 8, why, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_int64(s, 9, (sqlite3_int64)checksum(race, why, steps.at, steps.len)) == SQLITE_OK &&
           sqlite3_step(s) == SQLITE_DONE;
    if (fine && steps.len) {
        sqlite3_int64 row = sqlite3_last_insert_rowid(results->db);
        s = ready(results, NEW_WITNESS);
        fine = s && sqlite3_bind_int64(s, 1, row) == SQLITE_OK &&
               sqlite3_bind_blob64(s, 2, steps.at, steps.len, SQLITE_TRANSIENT) == SQLITE_OK &&
               sqlite3_step(s) == SQLITE_DONE;
    }
    rcp_vec_finish(&steps);
    return conclude(results, fine, "storing a race");
}

rcp_code rcp_results_put_statistic(rcp_results *results, const char *key, double value) {
    RCP_CHECK(results->analysis);
    sqlite3_stmt *s = ready(results, NEW_STATISTIC);
    bool fine = s && sqlite3_bind_int64(s, 1, results->analysis) == SQLITE_OK &&
                sqlite3_bind_text(s, 2, key, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_double(s, 3, value) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    return fine ? RCP_OK : failed(results, "storing a statistic");
}

rcp_code rcp_results_end(rcp_results *results, const rcp_analysis *work) {
    RCP_CHECK(results->analysis);
    const uint64_t words[] = {
        (uint64_t)results->analysis, work->candidates, work->pruned, work->solved, work->unknown, work->unproven};
    const uint64_t yield[] = {(uint64_t)results->analysis, results->models};
    bool fine = run(results, BEGIN_WRITE, NULL, 0);
    sqlite3_stmt *s = fine ? ready(results, FINISH) : NULL;
    fine = s && bind(s, words, 6) && sqlite3_bind_double(s, 7, work->seconds) == SQLITE_OK &&
           sqlite3_step(s) == SQLITE_DONE;
    bool superseded = fine && !sqlite3_changes(results->db);
    fine = fine && run(results, YIELD, yield, 2) && run(results, DROP, NULL, 0);
    RCP_TRY(conclude(results, fine, "ending an analysis"));
    results->analysis = 0;
    if (superseded)
        return rcp_fail(RCP_SYSTEM,
                        "%s: another analysis of the same models began later and ended first; its results stand",
                        results->path);
    return RCP_OK;
}

/* --- reading back --- */

static rcp_code read_race(rcp_results *results, sqlite3_stmt *s, uint32_t visible, rcp_races *races) {
    rcp_race race;
    rcp_race_init(&race);
    race.event[0].v = (uint64_t)sqlite3_column_int64(s, 0);
    race.event[1].v = (uint64_t)sqlite3_column_int64(s, 1);
    uint64_t status = (uint64_t)sqlite3_column_int64(s, 2), models = (uint64_t)sqlite3_column_int64(s, 3);
    race.instances = (uint64_t)sqlite3_column_int64(s, 4);
    race.fingerprint = (uint64_t)sqlite3_column_int64(s, 5);
    const char *why = (const char *)sqlite3_column_text(s, 6);
    const void *steps = sqlite3_column_blob(s, 8);
    size_t n = (size_t)sqlite3_column_bytes(s, 8);
    bool whole = why && status < RCP_RACE_STATUSES && models && models < RCP_MODEL_BIT(RCP_MODELS);
    if (whole) {
        race.status = (rcp_race_status)status;
        race.models = (uint32_t)models;
        whole = checksum(&race, why, steps, n) == (uint64_t)sqlite3_column_int64(s, 7) &&
                (status == RCP_RACE_UNPROVEN ? !n : steps && decode_steps(steps, n, &race.witness));
    }
    if (!whole) {
        rcp_race_finish(&race);
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: damaged (row %lld of races); move the file away and run 'recipe analyze' again",
                        results->path, (long long)sqlite3_column_int64(s, 9));
    }
    race.models &= visible;
    if (!race.models) {
        rcp_race_finish(&race);
        return RCP_OK;
    }
    race.model = rcp_model_name(rcp_model_first(race.models));
    if (race.status != RCP_RACE_UNPROVEN)
        memcpy(race.witness.race, race.event, sizeof race.event);
    rcp_race_explain(&race, "%s", why);
    rcp_vec_push(races, race);
    return RCP_OK;
}

static rcp_code read_races(rcp_results *results, uint64_t analysis, uint32_t visible, rcp_summary *summary) {
    sqlite3_stmt *s = ready(results, READ_RACES);
    if (!s || !bind(s, &analysis, 1))
        return failed(results, "reading races");
    int step;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW)
        code = read_race(results, s, visible, &summary->races);
    if (code == RCP_OK && step != SQLITE_DONE)
        code = failed(results, "reading races");
    sqlite3_reset(s);
    RCP_TRY(code);
    s = ready(results, READ_STATISTICS);
    if (!s || !bind(s, &analysis, 1))
        return failed(results, "reading statistics");
    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(s, 0);
        rcp_statistic statistic = {.key = rcp_alloc(strlen(key ? key : "") + 1), .value = sqlite3_column_double(s, 1)};
        strcpy(statistic.key, key ? key : "");
        rcp_vec_push(&summary->statistics, statistic);
    }
    code = step == SQLITE_DONE ? RCP_OK : failed(results, "reading statistics");
    sqlite3_reset(s);
    return code;
}

static int by_events(const void *x, const void *y) {
    const rcp_race *a = x, *b = y;
    for (int i = 0; i < 2; i++)
        if (a->event[i].v != b->event[i].v)
            return a->event[i].v < b->event[i].v ? -1 : 1;
    rcp_model p = rcp_model_first(a->models), q = rcp_model_first(b->models);
    return p == q ? 0 : p < q ? -1 : 1;
}

static rcp_code read_all(rcp_results *results, rcp_summary *summary) {
    sqlite3_stmt *s = ready(results, READ_ANALYSES);
    if (!s)
        return failed(results, "reading analyses");
    int step;
    rcp_code code = RCP_OK;
    rcp_analysis *sum = &summary->work;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t word[8];
        for (int i = 0; i < 8; i++)
            word[i] = (uint64_t)sqlite3_column_int64(s, i);
        uint32_t visible = (uint32_t)word[1] & ~sum->models; /* finished ones come first, then the newest */
        if (!visible)
            continue;
        if (visible >= RCP_MODEL_BIT(RCP_MODELS)) {
            code = rcp_fail(RCP_BAD_INPUT,
                            "%s: damaged (row %llu of analyses); move the file away and run 'recipe analyze' again",
                            results->path, (unsigned long long)word[0]);
            break;
        }
        sum->models |= visible;
        summary->unfinished |= !word[2];
        sum->candidates += word[3];
        sum->pruned += word[4];
        sum->solved += word[5];
        sum->unknown += word[6];
        sum->unproven += word[7];
        sum->seconds += sqlite3_column_double(s, 8);
        code = read_races(results, word[0], visible, summary);
    }
    if (code == RCP_OK && step != SQLITE_DONE)
        code = failed(results, "reading analyses");
    sqlite3_reset(s);
    return code;
}

rcp_code rcp_results_load(rcp_results *results, rcp_summary *summary) {
    *summary = (rcp_summary){0};
    /* one transaction, so that an analysis that ends meanwhile does not show half */
    if (sqlite3_exec(results->db, "BEGIN", NULL, NULL, NULL))
        return failed(results, "reading");
    rcp_code code = read_all(results, summary);
    sqlite3_exec(results->db, "ROLLBACK", NULL, NULL, NULL);
    if (summary->races.len)
        qsort(summary->races.at, summary->races.len, sizeof *summary->races.at, by_events);
    return code;
}

void rcp_summary_finish(rcp_summary *summary) {
    rcp_races_finish(&summary->races);
    for (size_t i = 0; i < summary->statistics.len; i++)
        rcp_release(summary->statistics.at[i].key);
    rcp_vec_finish(&summary->statistics);
}
