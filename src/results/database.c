/* SPDX-License-Identifier: Apache-2.0 */
#include "results/database.h"

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "results/seal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 0x52637052 /* "RcpR" */

/* How long another analysis of the same trace may hold the file before we give up. */
enum { BUSY_MS = 10000 };

static const char schema[] =
    "CREATE TABLE analyses (id INTEGER PRIMARY KEY AUTOINCREMENT, models INTEGER NOT NULL, finished INTEGER NOT NULL,"
    " trace INTEGER NOT NULL, candidates INTEGER NOT NULL, pruned INTEGER NOT NULL, solved INTEGER NOT NULL, unknown "
    "INTEGER NOT NULL,"
    " unproven INTEGER NOT NULL, seconds REAL NOT NULL);"
    "CREATE TABLE races (id INTEGER PRIMARY KEY, analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE,"
    " first INTEGER NOT NULL, second INTEGER NOT NULL, status INTEGER NOT NULL, models INTEGER NOT NULL,"
    " instances INTEGER NOT NULL, fingerprint INTEGER NOT NULL, points INTEGER NOT NULL, why TEXT NOT NULL, checksum "
    "INTEGER NOT NULL);"
    "CREATE TABLE witnesses (race INTEGER PRIMARY KEY REFERENCES races ON DELETE CASCADE, steps BLOB NOT NULL);"
    "CREATE TABLE statistics (analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE, key TEXT NOT NULL,"
    " value REAL NOT NULL, PRIMARY KEY (analysis, key)) WITHOUT ROWID;"
    "CREATE TABLE replays (first INTEGER NOT NULL, second INTEGER NOT NULL, trace INTEGER NOT NULL, status INTEGER NOT "
    "NULL, points INTEGER NOT NULL,"
    " told TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (first, second)) WITHOUT ROWID;"
    "CREATE TABLE outcomes (trace INTEGER NOT NULL, options INTEGER NOT NULL,"
    " first INTEGER NOT NULL, second INTEGER NOT NULL, found BLOB NOT NULL, checksum INTEGER "
    "NOT NULL, PRIMARY KEY (trace, options, first, second)) WITHOUT ROWID;"
    "CREATE TABLE standstills (id INTEGER PRIMARY KEY, analysis INTEGER NOT NULL REFERENCES analyses ON DELETE CASCADE,"
    " events BLOB NOT NULL, steps BLOB NOT NULL, threads TEXT NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE TABLE standings (events BLOB PRIMARY KEY, trace INTEGER NOT NULL, status INTEGER NOT NULL,"
    " told TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE hunted (trace INTEGER NOT NULL, run INTEGER NOT NULL, part INTEGER NOT NULL, variant INTEGER NOT "
    "NULL,"
    " found BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (trace, run, part)) WITHOUT ROWID;"
    "CREATE TABLE violations (trace INTEGER NOT NULL, variant INTEGER NOT NULL, told TEXT NOT NULL,"
    " checksum INTEGER NOT NULL, PRIMARY KEY (trace, variant)) WITHOUT ROWID;";

static const char *const sql[RCP_SQL_STATEMENTS] = {
    [RCP_SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [RCP_SQL_COMMIT] = "COMMIT",
    [RCP_SQL_ROLLBACK] = "ROLLBACK",
    [RCP_SQL_NEW_ANALYSIS] = "INSERT INTO analyses VALUES (NULL, ?1, 0, ?2, 0, 0, 0, 0, 0, 0)",
    /* of an analysis that gave way to a later one nothing is kept */
    [RCP_SQL_NEW_RACE] = "INSERT INTO races SELECT NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10"
                         " WHERE EXISTS (SELECT 1 FROM analyses WHERE id = ?1)",
    [RCP_SQL_NEW_WITNESS] = "INSERT INTO witnesses VALUES (?1, ?2)",
    [RCP_SQL_NEW_STATISTIC] = "INSERT OR REPLACE INTO statistics SELECT ?1, ?2, ?3"
                              " WHERE EXISTS (SELECT 1 FROM analyses WHERE id = ?1)",
    [RCP_SQL_FINISH] = "UPDATE analyses SET finished = 1, candidates = ?2, pruned = ?3, solved = ?4, unknown = ?5,"
                       " unproven = ?6, seconds = ?7 WHERE id = ?1",
    /* what others said under the models ?2 gives way; an analysis that began later goes on undisturbed */
    [RCP_SQL_YIELD] = "UPDATE analyses SET models = models & ~?2 WHERE id <> ?1 AND (finished OR id < ?1)",
    [RCP_SQL_DROP] = "DELETE FROM analyses WHERE models = 0",
    [RCP_SQL_OUTDATE] = "DELETE FROM analyses WHERE trace <> ?1",
    [RCP_SQL_READ_ANALYSES] =
        "SELECT id, models, finished, candidates, pruned, solved, unknown, unproven, seconds, trace"
        " FROM analyses ORDER BY finished DESC, id DESC",
    [RCP_SQL_READ_RACES] =
        "SELECT r.first, r.second, r.status, r.models, r.instances, r.fingerprint, r.points, r.why, r.checksum,"
        " w.steps, r.id FROM races r LEFT JOIN witnesses w ON w.race = r.id WHERE r.analysis = ?1"
        " ORDER BY r.id",
    [RCP_SQL_READ_STATISTICS] = "SELECT key, value FROM statistics WHERE analysis = ?1 ORDER BY key",
    /* by status: CONFIRMED, NOT_REPLAYED, NOT_TRIED; what says less does not take the place of what says more */
    [RCP_SQL_NEW_REPLAY] = "INSERT OR REPLACE INTO replays SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS"
                           " (SELECT 1 FROM replays WHERE first = ?1 AND second = ?2 AND trace = ?3 AND status < ?4)",
    [RCP_SQL_READ_REPLAYS] = "SELECT first, second, trace, status, points, told, checksum FROM replays",
    [RCP_SQL_OUTDATE_REPLAYS] = "DELETE FROM replays WHERE trace <> ?1",
    [RCP_SQL_NEW_OUTCOME] = "INSERT OR REPLACE INTO outcomes VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [RCP_SQL_READ_OUTCOME] = "SELECT found, checksum FROM outcomes WHERE trace = ?1 AND options = ?2 AND first = ?3"
                             " AND second = ?4",
    [RCP_SQL_DROP_OUTCOMES] = "DELETE FROM outcomes",
    [RCP_SQL_NEW_STANDSTILL] = "INSERT INTO standstills SELECT NULL, ?1, ?2, ?3, ?4, ?5"
                               " WHERE EXISTS (SELECT 1 FROM analyses WHERE id = ?1)",
    [RCP_SQL_READ_STANDSTILLS] =
        "SELECT events, steps, threads, checksum FROM standstills WHERE analysis = ?1 ORDER BY id",
    /* what came of carrying one out; as of replays */
    [RCP_SQL_NEW_STANDING] = "INSERT OR REPLACE INTO standings SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS"
                             " (SELECT 1 FROM standings WHERE events = ?1 AND trace = ?2 AND status < ?3)",
    [RCP_SQL_READ_STANDINGS] = "SELECT events, trace, status, told, checksum FROM standings",
    [RCP_SQL_OUTDATE_STANDINGS] = "DELETE FROM standings WHERE trace <> ?1",
    [RCP_SQL_NEW_VIOLATION] = "INSERT OR REPLACE INTO violations VALUES (?1, ?2, ?3, ?4)",
    [RCP_SQL_READ_VIOLATIONS] = "SELECT variant, told, checksum FROM violations WHERE trace = ?1 ORDER BY variant",
    [RCP_SQL_OUTDATE_VIOLATIONS] = "DELETE FROM violations WHERE trace <> ?1",
    [RCP_SQL_OUTDATE_OUTCOMES] = "DELETE FROM outcomes WHERE trace <> ?1",
    [RCP_SQL_FIND_ANALYSIS] = "SELECT id FROM analyses WHERE models & ?1 = ?1 ORDER BY id DESC LIMIT 1",
    [RCP_SQL_REOPEN_ANALYSIS] = "UPDATE analyses SET finished = 0 WHERE id = ?1",
    [RCP_SQL_FORGET_STATISTIC] = "DELETE FROM statistics WHERE analysis = ?1 AND substr(key, 1, length(?2)) = ?2",
    [RCP_SQL_NEW_HUNTED] = "INSERT OR REPLACE INTO hunted VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [RCP_SQL_READ_HUNTED] =
        "SELECT run, part, variant, found, checksum FROM hunted WHERE trace = ?1 ORDER BY run, part",
    [RCP_SQL_READ_HUNTED_VARIANTS] = "SELECT DISTINCT variant FROM hunted WHERE trace = ?1 AND variant <> 0",
    [RCP_SQL_DROP_HUNTED] = "DELETE FROM hunted",
    [RCP_SQL_OUTDATE_HUNTED] = "DELETE FROM hunted WHERE trace <> ?1",
};

rcp_code rcp_database_damaged(const rcp_database *base, const char *what) {
    return rcp_fail(RCP_BAD_INPUT, "%s: damaged (%s); move the file away and run 'recipe analyze' again", base->path,
                    what);
}

/* SQLite's word for what went wrong, sorted into ours: a file that is damaged is the user's to mend, a full disk the
 * system's. */
rcp_code rcp_database_failed(const rcp_database *base, const char *doing) {
    int reason = base->db ? sqlite3_errcode(base->db) & 0xff : SQLITE_NOMEM;
    const char *words = base->db ? sqlite3_errmsg(base->db) : "out of memory";
    switch (reason) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: /* a table or column that our version has is not there */
    case SQLITE_SCHEMA:
        return rcp_fail(RCP_BAD_INPUT, "%s: damaged (%s, while %s); move the file away and run 'recipe analyze' again",
                        base->path, words, doing);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return rcp_fail(RCP_SYSTEM, "%s: in use by another recipe for more than %d s, while %s", base->path,
                        BUSY_MS / 1000, doing);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH: return rcp_fail(RCP_BAD_INPUT, "%s: can't be opened: %s", base->path, words);
    default: return rcp_fail(RCP_SYSTEM, "%s: %s, while %s", base->path, words, doing);
    }
}

sqlite3_stmt *rcp_database_ready(rcp_database *base, enum rcp_statement which) {
    sqlite3_stmt **s = &base->prepared[which];
    if (!*s && sqlite3_prepare_v3(base->db, sql[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_reset(*s);
    sqlite3_clear_bindings(*s);
    return *s;
}

bool rcp_database_bind(sqlite3_stmt *s, const uint64_t *words, int n) {
    for (int i = 0; i < n; i++)
        if (sqlite3_bind_int64(s, i + 1, (sqlite3_int64)words[i]) != SQLITE_OK)
            return false;
    return true;
}

bool rcp_database_run(rcp_database *base, enum rcp_statement which, const uint64_t *words, int n) {
    sqlite3_stmt *s = rcp_database_ready(base, which);
    bool done = s && rcp_database_bind(s, words, n) && sqlite3_step(s) == SQLITE_DONE;
    if (s)
        sqlite3_reset(s);
    return done;
}

rcp_code rcp_database_conclude(rcp_database *base, bool fine, const char *doing) {
    if (fine && rcp_database_run(base, RCP_SQL_COMMIT, NULL, 0))
        return RCP_OK;
    rcp_code code = rcp_database_failed(base, doing);
    if (!sqlite3_get_autocommit(base->db))
        rcp_database_run(base, RCP_SQL_ROLLBACK, NULL, 0);
    return code;
}

/* --- opening --- */

static rcp_code number(rcp_database *base, const char *query, sqlite3_int64 *value) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(base->db, query, -1, &s, NULL) != SQLITE_OK)
        return rcp_database_failed(base, "opening it");
    rcp_code code = RCP_OK;
    if (sqlite3_step(s) == SQLITE_ROW)
        *value = sqlite3_column_int64(s, 0);
    else
        code = rcp_database_failed(base, "opening it");
    sqlite3_finalize(s);
    return code;
}

/* Is it ours, of our version and whole? `*empty`: a database without anything in it yet. */
static rcp_code recognise(rcp_database *base, bool *empty) {
    sqlite3_int64 tables, application, version;
    RCP_TRY(number(base, "SELECT count(*) FROM sqlite_master", &tables));
    RCP_TRY(number(base, "PRAGMA application_id", &application));
    RCP_TRY(number(base, "PRAGMA user_version", &version));
    *empty = !tables && !application && !version;
    if (*empty)
        return RCP_OK;
    if (application != APPLICATION_ID)
        return rcp_fail(RCP_BAD_INPUT, "%s: a database, but not one of recipe's; it is left alone", base->path);
    if (version != RCP_RESULTS_VERSION)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: format version %lld, this recipe knows version %d; move the file away and run 'recipe "
                        "analyze' again, or use the recipe that wrote it",
                        base->path, (long long)version, RCP_RESULTS_VERSION);
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(base->db, "PRAGMA quick_check(1)", -1, &s, NULL) != SQLITE_OK)
        return rcp_database_failed(base, "checking it");
    rcp_code code = RCP_OK;
    int step = sqlite3_step(s);
    const char *said = step == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (!said)
        code = rcp_database_failed(base, "checking it");
    else if (strcmp(said, "ok"))
        code = rcp_fail(RCP_BAD_INPUT, "%s: damaged (%.200s); move the file away and run 'recipe analyze' again",
                        base->path, said);
    sqlite3_finalize(s);
    bool broken = false;
    if (code == RCP_OK && !rcp_seal_check(base->db, &broken))
        code = rcp_database_failed(base, "checking it");
    if (broken)
        code = rcp_fail(RCP_BAD_INPUT,
                        "%s: damaged: its checksum does not match; move the file away and run 'recipe analyze' again",
                        base->path);
    return code;
}

static void name_file(rcp_database *base, const char *directory) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/results.db", directory);
    *base = (rcp_database){.path = path.at};
}

static rcp_code tune(rcp_database *base) {
    sqlite3_extended_result_codes(base->db, 0);
    sqlite3_busy_timeout(base->db, BUSY_MS);
    if (sqlite3_exec(base->db, "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF", NULL, NULL, NULL) ||
        !rcp_seal_prepare(base->db))
        return rcp_database_failed(base, "opening it");
    return RCP_OK;
}

/* SQLite says 'disk I/O error' of a directory, and of what it may not write only when the work is done. */
static rcp_code refuse_unwritable(const rcp_database *base, const char *directory) {
    bool exists = access(base->path, F_OK) == 0;
    if (access(directory, W_OK) || (exists && access(base->path, W_OK)))
        return rcp_fail(RCP_SYSTEM, "%s: can't be written: %s", base->path, strerror(errno));
    return RCP_OK;
}

/* It is written in place: what it is a link to, or what is one with it, would be, too. */
static rcp_code refuse_irregular(const rcp_database *base) {
    struct stat is;
    if (!lstat(base->path, &is) && (!S_ISREG(is.st_mode) || is.st_nlink > 1))
        return rcp_fail(RCP_BAD_INPUT, "%s: is %s", base->path,
                        S_ISREG(is.st_mode) ? "a file that has other names, too; copy it" : "not a regular file");
    return RCP_OK;
}

static rcp_code open_to_write(rcp_database *base, const char *directory) {
    RCP_TRY(refuse_irregular(base));
    RCP_TRY(refuse_unwritable(base, directory));
    if (sqlite3_open_v2(base->path, &base->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return rcp_database_failed(base, "opening it");
    RCP_TRY(tune(base));
    bool empty;
    RCP_TRY(recognise(base, &empty));
    /* A commit survives the death of the process. After a power cut the file may be damaged, which its checksum shows.
     * (A write-ahead log would lose a commit silently where one of its bytes is changed.) */
    if (sqlite3_exec(base->db, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF", NULL, NULL, NULL))
        return rcp_database_failed(base, "opening it");
    if (!empty)
        return RCP_OK;
    bool fine = rcp_database_run(base, RCP_SQL_BEGIN_WRITE, NULL, 0);
    if (fine)
        RCP_TRY(recognise(base, &empty)); /* somebody may have been faster; closing rolls back */
    if (fine && empty) {
        rcp_text script = {0};
        rcp_text_printf(&script, "%s PRAGMA application_id = %d; PRAGMA user_version = %d;", schema, APPLICATION_ID,
                        RCP_RESULTS_VERSION);
        fine = sqlite3_exec(base->db, script.at, NULL, NULL, NULL) == SQLITE_OK && rcp_seal_begin(base->db);
        rcp_text_finish(&script);
    }
    return rcp_database_conclude(base, fine, "making its tables");
}

rcp_code rcp_database_open(rcp_database *base, const char *directory) {
    name_file(base, directory);
    return open_to_write(base, directory);
}

static rcp_code open_to_read(const char *directory, rcp_database *base) {
    if (!rcp_file_is_there(base->path))
        return rcp_fail(RCP_BAD_INPUT, "%s: has not been analysed yet; run 'recipe analyze %s' first", directory,
                        directory);
    RCP_TRY(refuse_irregular(base));
    /* To write, where that is allowed, though nothing is: whoever only reads can't undo what a killed one began. */
    if (sqlite3_open_v2(base->path, &base->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return rcp_database_failed(base, "opening it");
    RCP_TRY(tune(base));
    if (sqlite3_exec(base->db, "PRAGMA query_only = ON", NULL, NULL, NULL))
        return rcp_database_failed(base, "opening it");
    bool empty;
    RCP_TRY(recognise(base, &empty));
    if (empty)
        return rcp_fail(RCP_BAD_INPUT, "%s: has not been analysed yet; run 'recipe analyze %s' first", directory,
                        directory);
    return RCP_OK;
}

rcp_code rcp_database_open_readonly(rcp_database *base, const char *directory) {
    name_file(base, directory);
    return open_to_read(directory, base);
}

void rcp_database_close(rcp_database *base) {
    for (unsigned i = 0; i < RCP_SQL_STATEMENTS; i++)
        sqlite3_finalize(base->prepared[i]);
    sqlite3_close_v2(base->db);
    rcp_release(base->path);
}
