/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/defs_codec.h"

#include "random_events.h"
#include "same_trace.h"
#include "suite.h"

static rcp_defs defs, read_defs;
static rcp_terms terms, read_terms;

static void setup_tables(void) {
    rcp_defs_init(&defs);
    rcp_terms_init(&terms);
    rcp_defs_init(&read_defs);
    rcp_terms_init(&read_terms);
}

static void drop_tables(void) {
    rcp_defs_finish(&defs);
    rcp_terms_finish(&terms);
    rcp_defs_finish(&read_defs);
    rcp_terms_finish(&read_terms);
}

static bool same_mark(rcp_defs_mark a, rcp_defs_mark b) { return !memcmp(&a, &b, sizeof a); }

START_TEST(what_is_new_is_written_once) {
    setup_tables();
    random_events r = {.seed = 1, .defs = &defs, .terms = &terms};
    rcp_defs_mark mark = rcp_defs_mark_none();
    ck_assert(same_mark(mark, rcp_defs_mark_all(&defs, &terms)));
    rcp_bytes bytes = {0};
    for (int round = 0; round < 50; round++) {
        random_define(&r);
        bytes.len = 0;
        ck_assert_int_eq(rcp_defs_put(&defs, &terms, &mark, &bytes), RCP_OK);
        ck_assert(same_mark(mark, rcp_defs_mark_all(&defs, &terms)));
        ck_assert_int_eq(rcp_defs_get(&read_defs, &read_terms, bytes.at, bytes.len), RCP_OK);
        ck_assert(same_mark(mark, rcp_defs_mark_all(&read_defs, &read_terms)));
        bytes.len = 0;
        ck_assert_int_eq(rcp_defs_put(&defs, &terms, &mark, &bytes), RCP_OK);
        ck_assert_uint_eq(bytes.len, 0);
    }
    ck_assert(same_defs(&defs, &read_defs) && same_terms(&terms, &read_terms));
    rcp_vec_finish(&bytes);
    drop_tables();
}
END_TEST

START_TEST(much_is_divided) {
    setup_tables();
    for (int i = 0; i < 40000; i++) {
        char name[64];
        int n = snprintf(name, sizeof name, "a name that is long enough to fill a chunk before long %d", i);
        rcp_str file = rcp_defs_string(&defs, name, (size_t)n);
        rcp_defs_location(&defs, (rcp_location){.file = file, .line = 1});
    }
    rcp_defs_mark mark = rcp_defs_mark_none();
    int pieces = 0;
    for (;; pieces++) {
        rcp_bytes bytes = {0};
        ck_assert_int_eq(rcp_defs_put(&defs, &terms, &mark, &bytes), RCP_OK);
        ck_assert_uint_le(bytes.len, RCP_CHUNK_SOFT_RAW + 1000);
        if (!bytes.len)
            break;
        ck_assert_int_eq(rcp_defs_get(&read_defs, &read_terms, bytes.at, bytes.len), RCP_OK);
        rcp_vec_finish(&bytes);
    }
    ck_assert_int_ge(pieces, 3);
    ck_assert(same_mark(mark, rcp_defs_mark_all(&read_defs, &read_terms)));
    ck_assert(same_defs(&defs, &read_defs) && same_terms(&terms, &read_terms));
    drop_tables();
}
END_TEST

static void refused(const void *bytes, size_t n, const char *why) {
    setup_tables();
    uint8_t *copy = malloc(n);
    memcpy(copy, bytes, n);
    ck_assert_int_eq(rcp_defs_get(&read_defs, &read_terms, copy, n), RCP_BAD_INPUT);
    ck_assert_msg(strstr(rcp_borrow_cause(0), why) != NULL, "'%s' does not speak of '%s'", rcp_borrow_cause(0), why);
    free(copy);
    drop_tables();
}

START_TEST(bad_definitions_are_refused) {
    refused("\x0a\1\0\0\0", 5, "no such table");
    refused("\0\1\0", 3, "cut off");
    refused("\0\1\0\0\0", 5, "cut off");
    refused("\0\1\0\0\0\4abc", 9, "cut off");
    refused("\0\1\0\0\0\3a\0b", 9, "NUL");
    refused("\0\1\0\0\0\0", 6, "empty");
    refused("\0\2\0\0\0\1a\1a", 9, "twice");
    refused("\1\1\0\0\0\1\0\1\0", 9, "does not exist");       /* a file name that is not there */
    refused("\2\1\0\0\0\0\1", 7, "does not exist");           /* a stack that calls itself */
    refused("\4\1\0\0\0\x08\0\0\0", 9, "does not exist");     /* a ninth kind of object */
    refused("\6\1\0\0\0\1\0\0", 8, "empty");                  /* an empty span */
    refused("\6\1\0\0\0\xff\xff\xff\x7f\0\0", 11, "cut off"); /* more spans than bytes */
    refused("\x09\1\0\0\0\x02\x08\1\1", 9, "term");           /* an argument that is no term */
    refused("\x09\1\0\0\0\0\x08\xff\x7f", 9, "term");         /* a literal wider than its width */
    refused("\x09\1\0\0\0\x7f\x08\1\1", 9, "does not exist"); /* an operator that is none */
}
END_TEST

START_TEST(changed_bytes_never_break_the_tables) {
    random_events r = {.seed = 4};
    for (int round = 0; round < 3000; round++) {
        setup_tables();
        r.defs = &defs;
        r.terms = &terms;
        random_define(&r);
        rcp_defs_mark mark = rcp_defs_mark_none();
        rcp_bytes bytes = {0};
        ck_assert_int_eq(rcp_defs_put(&defs, &terms, &mark, &bytes), RCP_OK);
        bytes.at[random_below(&r, bytes.len)] ^= (uint8_t)(1 << random_below(&r, 8));
        rcp_code code = rcp_defs_get(&read_defs, &read_terms, bytes.at, bytes.len);
        ck_assert(code == RCP_OK || code == RCP_BAD_INPUT);
        for (size_t i = 0; code == RCP_OK && i < read_defs.locations.len; i++)
            ck_assert_uint_lt(read_defs.locations.at[i].file.v, read_defs.strings.len);
        rcp_vec_finish(&bytes);
        drop_tables();
    }
}
END_TEST

int main(void) {
    return rcp_suite_run("defs_codec", what_is_new_is_written_once, much_is_divided, bad_definitions_are_refused,
                         changed_bytes_never_break_the_tables, NULL);
}
