/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/words.h"

#include "suite.h"

#include <string.h>

static rcp_arena arena;
static rcp_words words;
static rcp_text text;

static void setup(void) {
    rcp_arena_init(&arena);
    words = (rcp_words){0};
    text = (rcp_text){0};
}

static void teardown(void) {
    rcp_vec_finish(&words);
    rcp_text_finish(&text);
    rcp_arena_finish(&arena);
}

START_TEST(what_is_printed_is_read_back) {
    static const char *const given[] = {"/bin/a b", "-DX=\"y\"", "$HOME\\n", "", "two\nlines", "plain", NULL};
    rcp_words_add_all(&words, given);
    rcp_words_print(&text, &words, true);
    rcp_text_puts(&text, "the rest");
    const char *at = text.at;
    rcp_words read = {0};
    ck_assert(rcp_words_parse(&at, &arena, &read));
    ck_assert_str_eq(at, "the rest");
    ck_assert_uint_eq(read.len, 6);
    for (size_t i = 0; i < read.len; i++)
        ck_assert_str_eq(read.at[i], given[i]);
    rcp_vec_finish(&read);
}
END_TEST

START_TEST(what_is_no_job_is_left_alone) {
    static const char *const others[] = {
        "clang: warning: \"x\"\n", " (in-process)\n", " \"open\n", " \"a\" b\n", "\n", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *at = others[i];
        ck_assert(!rcp_words_parse(&at, &arena, &words));
        ck_assert_ptr_eq(at, others[i]);
        ck_assert_uint_eq(words.len, 0);
    }
}
END_TEST

START_TEST(quotes_only_where_needed) {
    rcp_words_add_all(&words, (const char *const[]){"/bin/ld", "-L/lib", "a b", "c$d", NULL});
    rcp_words_print(&text, &words, false);
    ck_assert_str_eq(text.at, " \"/bin/ld\" -L/lib \"a b\" \"c\\$d\"\n");
}
END_TEST

START_TEST(what_follows_a_word) {
    rcp_words_add_all(&words, (const char *const[]){"-o", "x", "-x", NULL});
    ck_assert_str_eq(rcp_words_after(&words, "-o"), "x");
    ck_assert_ptr_null(rcp_words_after(&words, "-x"));
    ck_assert(rcp_words_have(&words, "-x") && !rcp_words_have(&words, "-y"));
    ck_assert_str_eq(rcp_words_base_name("/a/b"), "b");
    ck_assert_str_eq(rcp_words_base_name("b"), "b");
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, what_is_printed_is_read_back);
    tcase_add_test(tests, what_is_no_job_is_left_alone);
    tcase_add_test(tests, quotes_only_where_needed);
    tcase_add_test(tests, what_follows_a_word);
    return rcp_suite_run_case("words", tests);
}
