/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

#include "suite.h"

#include <errno.h>
#include <string.h>

static rcp_code outer(void) {
    rcp_code code = rcp_fail(RCP_BAD_INPUT, "line %d is wrong", 7);
    return rcp_because(code, "while reading '%s'", "a.txt");
}

START_TEST(causes_form_a_chain) {
    ck_assert_int_eq(outer(), RCP_BAD_INPUT);
    ck_assert_str_eq(rcp_borrow_cause(0), "line 7 is wrong");
    ck_assert_str_eq(rcp_borrow_cause(1), "while reading 'a.txt'");
    ck_assert_ptr_null(rcp_borrow_cause(2));
    char printed[200];
    FILE *to = fmemopen(printed, sizeof printed, "w");
    rcp_print_causes(to);
    fclose(to);
    ck_assert_str_eq(printed, "while reading 'a.txt': line 7 is wrong\n");
    rcp_code code = rcp_fail(RCP_LIMIT, "another"); /* a new failure starts anew */
    ck_assert_int_eq(code, RCP_LIMIT);
    ck_assert_str_eq(rcp_borrow_cause(0), "another");
    ck_assert_ptr_null(rcp_borrow_cause(1));
    rcp_clear_causes();
    ck_assert_ptr_null(rcp_borrow_cause(0));
}
END_TEST

START_TEST(a_chain_knows_what_it_began_with) {
    rcp_clear_causes();
    ck_assert_int_eq(rcp_failure(), RCP_OK);
    ck_assert_int_eq(rcp_fail(RCP_SYSTEM, "full"), RCP_SYSTEM);
    ck_assert_int_eq(rcp_because(RCP_BAD_INPUT, "while writing"), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_failure(), RCP_SYSTEM);
    ck_assert_int_eq(rcp_code_of_errno(ENOENT), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_code_of_errno(EMFILE), RCP_SYSTEM);
    rcp_clear_causes();
}
END_TEST

START_TEST(a_long_chain_keeps_its_beginning) {
    rcp_code code = rcp_fail(RCP_INTERNAL, "first");
    for (int i = 0; i < 100; i++)
        code = rcp_because(code, "%0600d", i); /* longer than a slot, more than there are */
    ck_assert_int_eq(code, RCP_INTERNAL);
    ck_assert_str_eq(rcp_borrow_cause(0), "first");
    ck_assert_uint_lt(strlen(rcp_borrow_cause(1)), 600);
}
END_TEST

START_TEST(text_grows) {
    rcp_text text = {0};
    for (int i = 0; i < 1000; i++)
        rcp_text_printf(&text, "%d,", i);
    rcp_text_puts(&text, "end");
    ck_assert_uint_eq(text.len, strlen(text.at));
    ck_assert_str_eq(text.at + text.len - 7, "999,end");
    rcp_text_clear(&text);
    ck_assert_str_eq(text.at, "");
    ck_assert_int_eq(rcp_text_read_file(&text, "/does/not/exist"), RCP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "/does/not/exist"));
    rcp_text_finish(&text);
}
END_TEST

START_TEST(arena_blocks_are_apart_and_aligned) {
    rcp_arena arena;
    rcp_arena_init(&arena);
    unsigned char *blocks[500];
    for (size_t i = 0; i < 500; i++) {
        blocks[i] = rcp_arena_alloc(&arena, i * 7);
        ck_assert_uint_eq((uintptr_t)blocks[i] % 16, 0);
        memset(blocks[i], (int)(i & 0xff), i * 7);
    }
    unsigned char *large = rcp_arena_alloc(&arena, 10 << 20);
    memset(large, 1, 10 << 20);
    size_t wrong = 0;
    for (size_t i = 0; i < 500; i++)
        for (size_t j = 0; j < i * 7; j++)
            wrong += blocks[i][j] != (i & 0xff);
    ck_assert_uint_eq(wrong, 0);
    rcp_arena_finish(&arena);
}
END_TEST

int main(void) {
    return rcp_suite_run("status", causes_form_a_chain, a_chain_knows_what_it_began_with,
                         a_long_chain_keeps_its_beginning, text_grows, arena_blocks_are_apart_and_aligned, NULL);
}
