/* SPDX-License-Identifier: Apache-2.0 */
#include "results/violations.h"

#include "base/json.h"

#include <string.h>
#include <xxhash.h>

static uint64_t violation_sum(uint64_t trace, uint64_t variant, const char *told) {
    const uint64_t words[] = {trace, variant};
    return XXH3_64bits_withSeed(told, strlen(told), XXH3_64bits(words, sizeof words));
}

rcp_code rcp_violations_put(rcp_database *base, uint64_t trace, uint32_t variant, const char *told) {
    const uint64_t words[] = {trace, variant};
    sqlite3_stmt *s = rcp_database_ready(base, RCP_SQL_NEW_VIOLATION);
    bool fine = s && rcp_database_bind(s, words, 2) &&
                sqlite3_bind_text(s, 3, told, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_int64(s, 4, (sqlite3_int64)violation_sum(trace, variant, told)) == SQLITE_OK &&
                sqlite3_step(s) == SQLITE_DONE;
    return fine ? RCP_OK : rcp_database_failed(base, "storing an atomicity violation");
}

rcp_code rcp_violations_read(rcp_database *base, uint64_t trace, rcp_violations *list) {
    sqlite3_stmt *s = rcp_database_ready(base, RCP_SQL_READ_VIOLATIONS);
    if (!s || !rcp_database_bind(s, &trace, 1))
        return rcp_database_failed(base, "reading atomicity violations");
    int step;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        const uint64_t variant = (uint64_t)sqlite3_column_int64(s, 0);
        const char *told = (const char *)sqlite3_column_text(s, 1);
        if (!told || violation_sum(trace, variant, told) != (uint64_t)sqlite3_column_int64(s, 2)) {
            code = rcp_database_damaged(base, "an atomicity violation");
            break;
        }
        const rcp_violation is = {(uint32_t)variant, strcpy(rcp_alloc(strlen(told) + 1), told)};
        rcp_vec_push(list, is);
    }
    if (code == RCP_OK && step != SQLITE_DONE)
        code = rcp_database_failed(base, "reading atomicity violations");
    sqlite3_reset(s);
    return code;
}

static void add_limits(const char *told, rcp_limit_counts *reached) {
    rcp_arena arena;
    const rcp_json *all = NULL;
    rcp_arena_init(&arena);
    if (rcp_json_parse("atomicity", told, strlen(told), &arena, &all) != RCP_OK)
        rcp_clear_causes();
    const rcp_json *limits = rcp_json_member(all, "limits");
    for (const rcp_json *one = limits ? limits->first : NULL; one; one = one->next) {
        rcp_limit_name name;
        if (rcp_limit_find(one->key, strlen(one->key), &name))
            reached->at[name] += (uint64_t)one->number;
    }
    rcp_arena_finish(&arena);
}

void rcp_violations_add_limits(const rcp_violations *list, rcp_limit_counts *reached) {
    if (list->len && !list->at[0].variant)
        add_limits(list->at[0].told, reached);
}
