/* SPDX-License-Identifier: Apache-2.0 */
#include "results/seal.h"

#include "base/text.h"
#include "base/vec.h"

#include <stdint.h>
#include <string.h>
#include <xxhash.h>

#define OUR_TABLES "type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'seal'"

/* --- the sum of a row --- */

static void add_value(XXH3_state_t *state, sqlite3_value *value) {
    int type = sqlite3_value_type(value);
    int64_t word = type == SQLITE_INTEGER ? sqlite3_value_int64(value) : 0;
    double number = type == SQLITE_FLOAT ? sqlite3_value_double(value) : 0;
    const void *bytes = type == SQLITE_TEXT || type == SQLITE_BLOB ? sqlite3_value_blob(value) : NULL;
    size_t n = bytes ? (size_t)sqlite3_value_bytes(value) : 0;
    const uint64_t head[] = {(uint64_t)type, n};
    XXH3_64bits_update(state, head, sizeof head);
    XXH3_64bits_update(state, &word, sizeof word);
    XXH3_64bits_update(state, &number, sizeof number);
    if (n)
        XXH3_64bits_update(state, bytes, n);
}

/* row_sum(before, sign, values…): before and the sum of the values, or less it. (SQL's own + does not go round.) */
static void row_sum(sqlite3_context *context, int n, sqlite3_value **values) {
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        sqlite3_result_error_nomem(context);
        return;
    }
    XXH3_64bits_reset(state);
    for (int i = 2; i < n; i++)
        add_value(state, values[i]);
    uint64_t before = (uint64_t)sqlite3_value_int64(values[0]), sum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    sqlite3_result_int64(context, (sqlite3_int64)(sqlite3_value_int64(values[1]) > 0 ? before + sum : before - sum));
}

bool rcp_seal_prepare(sqlite3 *db) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    return sqlite3_create_function_v2(db, "row_sum", -1, flags, NULL, row_sum, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(db, "PRAGMA recursive_triggers = ON", NULL, NULL, NULL) == SQLITE_OK;
}

/* --- the sum of all of them --- */

/* Adds what the query gives in its first column, up. */
static bool add_up(sqlite3 *db, const char *query, uint64_t *sum) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, query, -1, &s, NULL) != SQLITE_OK)
        return false;
    int step;
    while ((step = sqlite3_step(s)) == SQLITE_ROW)
        *sum += (uint64_t)sqlite3_column_int64(s, 0);
    return sqlite3_finalize(s) == SQLITE_OK && step == SQLITE_DONE;
}

typedef RCP_VEC(char *) words;

/* What the query gives, as strings. */
static bool list(sqlite3 *db, const char *query, words *to) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, query, -1, &s, NULL) != SQLITE_OK)
        return false;
    int step;
    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        rcp_text word = {0};
        rcp_text_puts(&word, (const char *)sqlite3_column_text(s, 0));
        rcp_vec_push(to, word.at);
    }
    return sqlite3_finalize(s) == SQLITE_OK && step == SQLITE_DONE;
}

static void finish(words *list_of) {
    for (size_t i = 0; i < list_of->len; i++)
        rcp_release(list_of->at[i]);
    rcp_vec_finish(list_of);
}

/* "row_sum(BEFORE, SIGN, 'TABLE', OF.column, …)" */
static bool print_sum(sqlite3 *db, rcp_text *to, const char *before, int sign, const char *table, const char *of) {
    rcp_text query = {0};
    words columns = {0};
    rcp_text_printf(&query, "SELECT name FROM pragma_table_info('%s')", table);
    bool fine = list(db, query.at, &columns);
    rcp_text_printf(to, "row_sum(%s, %d, '%s'", before, sign, table);
    for (size_t i = 0; i < columns.len; i++)
        rcp_text_printf(to, ", %s.\"%s\"", of, columns.at[i]);
    rcp_text_puts(to, ")");
    finish(&columns);
    rcp_text_finish(&query);
    return fine;
}

static bool sum_all(sqlite3 *db, uint64_t *sum) {
    words tables = {0};
    *sum = 0;
    bool fine = add_up(db, "SELECT row_sum(0, 1, type, name, tbl_name, sql) FROM sqlite_master", sum) &&
                list(db, "SELECT name FROM sqlite_master WHERE " OUR_TABLES, &tables);
    for (size_t i = 0; fine && i < tables.len; i++) {
        rcp_text query = {0};
        rcp_text_puts(&query, "SELECT ");
        fine = print_sum(db, &query, "0", 1, tables.at[i], tables.at[i]);
        rcp_text_printf(&query, " FROM %s", tables.at[i]);
        fine = fine && add_up(db, query.at, sum);
        rcp_text_finish(&query);
    }
    finish(&tables);
    return fine;
}

static bool make_triggers(sqlite3 *db, const char *table) {
    static const struct {
        const char *when;
        bool has_old, has_new;
    } triggers[] = {{"INSERT", false, true}, {"DELETE", true, false}, {"UPDATE", true, true}};
    bool fine = true;
    for (size_t i = 0; fine && i < 3; i++) {
        rcp_text less = {0}, more = {0}, script = {0};
        rcp_text_puts(&less, "sum");
        if (triggers[i].has_old) {
            less.len = 0;
            fine = print_sum(db, &less, "sum", -1, table, "OLD");
        }
        if (triggers[i].has_new)
            fine = fine && print_sum(db, &more, less.at, 1, table, "NEW");
        rcp_text_printf(&script, "CREATE TRIGGER seal_%s_%s AFTER %s ON %s BEGIN UPDATE seal SET sum = %s; END;", table,
                        triggers[i].when, triggers[i].when, table, more.len ? more.at : less.at);
        fine = fine && sqlite3_exec(db, script.at, NULL, NULL, NULL) == SQLITE_OK;
        rcp_text_finish(&less);
        rcp_text_finish(&more);
        rcp_text_finish(&script);
    }
    return fine;
}

bool rcp_seal_begin(sqlite3 *db) {
    words tables = {0};
    uint64_t sum = 0;
    bool fine = list(db, "SELECT name FROM sqlite_master WHERE " OUR_TABLES, &tables) &&
                sqlite3_exec(db, "CREATE TABLE seal (sum INTEGER NOT NULL)", NULL, NULL, NULL) == SQLITE_OK;
    for (size_t i = 0; fine && i < tables.len; i++)
        fine = make_triggers(db, tables.at[i]);
    finish(&tables);
    fine = fine && sum_all(db, &sum);
    rcp_text script = {0};
    rcp_text_printf(&script, "INSERT INTO seal VALUES (%lld)", (long long)sum);
    fine = fine && sqlite3_exec(db, script.at, NULL, NULL, NULL) == SQLITE_OK;
    rcp_text_finish(&script);
    return fine;
}

bool rcp_seal_check(sqlite3 *db, bool *broken) {
    uint64_t is = 0, rows = 0, should = 0;
    bool fine = sqlite3_exec(db, "SAVEPOINT seal", NULL, NULL, NULL) == SQLITE_OK; /* nobody writes meanwhile */
    if (!fine)
        return false;
    fine = sum_all(db, &is) && add_up(db, "SELECT count(*) FROM seal", &rows) &&
           add_up(db, "SELECT sum FROM seal", &should);
    if (!fine) /* and SQLite's word for it stands: the connection is of no use any more */
        return false;
    *broken = rows != 1 || is != should;
    return sqlite3_exec(db, "RELEASE seal", NULL, NULL, NULL) == SQLITE_OK;
}
