/* SPDX-License-Identifier: Apache-2.0 */
#include "report/excerpts.h"

#include "base/file.h"
#include "base/ustar.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/test_excerpts.XXXXXX";

/* What is printed of one file with these bytes, where these lines are wanted; without the file's name. */
static void becomes(const char *bytes, size_t n, const uint32_t *lines, size_t n_lines, const char *parts) {
    char *path = rcp_file_take_path(folder, "a.c");
    rcp_text text = {0}, expected = {0};
    rcp_excerpts excerpts = {0};
    unlink(path);
    ck_assert_int_eq(rcp_file_make(path, bytes, n), RCP_OK);
    for (size_t i = 0; i < n_lines; i++)
        rcp_excerpts_want(&excerpts, path, lines[i]);
    rcp_excerpts_print(&text, &excerpts);
    rcp_text_printf(&expected, "[\n    { \"file\": \"%s\", \"parts\": [%s] }]", path, parts);
    ck_assert_str_eq(text.at, expected.at);
    rcp_vec_finish(&excerpts);
    rcp_text_finish(&text);
    rcp_text_finish(&expected);
    rcp_release(path);
}

#define BECOMES(bytes, parts, ...)                                                                                     \
    becomes(bytes, sizeof(bytes) - 1, (const uint32_t[]){__VA_ARGS__},                                                 \
            sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), parts)

START_TEST(lines_around_are_there) {
    BECOMES("a\nb\n", "{ \"from\": 1, \"lines\": [\"a\", \"b\"] }", 1);
    BECOMES("a\nb", "{ \"from\": 1, \"lines\": [\"a\", \"b\"] }", 2);
    BECOMES("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
            "{ \"from\": 2, \"lines\": [\"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\", \"10\"] }", 6);
}
END_TEST

START_TEST(excerpts_that_meet_are_one) {
    BECOMES(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n",
        "{ \"from\": 1, \"lines\": [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\", \"10\", \"11\"] }",
        10, 1, 10);
    BECOMES("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
            "{ \"from\": 1, \"lines\": [\"1\", \"2\", \"3\", \"4\", \"5\"] }, "
            "{ \"from\": 7, \"lines\": [\"7\", \"8\", \"9\", \"10\", \"11\", \"12\"] }",
            1, 11);
}
END_TEST

START_TEST(what_is_past_the_end_is_nothing) {
    BECOMES("a\n", "", 9);
    BECOMES("a\n", "", UINT32_MAX);
    BECOMES("a\n", "{ \"from\": 1, \"lines\": [\"a\"] }", 1, UINT32_MAX);
}
END_TEST

/* 399 letters and one of three bytes, which would be cut in two. */
START_TEST(a_long_line_ends_between_letters) {
    rcp_text line = {0}, parts = {0};
    rcp_text_puts(&parts, "{ \"from\": 1, \"lines\": [\"");
    for (int i = 0; i < 399; i++) {
        rcp_text_puts(&line, "a");
        rcp_text_puts(&parts, "a");
    }
    rcp_text_puts(&line, "\xe2\x82\xac and more\n");
    rcp_text_puts(&parts, "\xe2\x80\xa6\"] }");
    becomes(line.at, line.len, (const uint32_t[]){1}, 1, parts.at);
    rcp_text_finish(&line);
    rcp_text_finish(&parts);
}
END_TEST

START_TEST(no_place_is_no_excerpt) {
    rcp_excerpts excerpts = {0};
    rcp_text text = {0};
    rcp_excerpts_want(&excerpts, "", 1);
    rcp_excerpts_want(&excerpts, "a.c", 0);
    rcp_excerpts_want(&excerpts, "/nowhere/a.c", 1);
    rcp_excerpts_want(&excerpts, "/etc/passwd", 1);
    rcp_excerpts_print(&text, &excerpts);
    ck_assert_str_eq(text.at, "[]");
    rcp_vec_finish(&excerpts);
    rcp_text_finish(&text);
}
END_TEST

/* What a pack carries shows the same, without the file; and no other line of it. */
START_TEST(kept_lines_are_enough) {
    static const char bytes[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n";
    char *path = rcp_file_take_path(folder, "k.c"), *below = rcp_file_take_path(folder, RCP_EXCERPTS_KEPT);
    rcp_text members = {0}, before = {0}, after = {0}, line = {0};
    rcp_ustar_member member;
    rcp_excerpts excerpts = {0};
    bool ends;
    ck_assert_int_eq(rcp_file_make(path, bytes, strlen(bytes)), RCP_OK);
    rcp_excerpts_want(&excerpts, path, 1);
    rcp_excerpts_want(&excerpts, path, 12);
    rcp_excerpts_print(&before, &excerpts);
    ck_assert_uint_eq(rcp_excerpts_keep(&members, &excerpts, folder), 1);
    ck_assert_int_eq(rcp_file_make_directory(below), RCP_OK);
    ck_assert(rcp_ustar_read((const uint8_t *)members.at + RCP_USTAR_BLOCK, &member, &ends) && !ends);
    const char *kept = members.at + 2 * RCP_USTAR_BLOCK;
    static const char all[] = "1\n2\n3\n4\n5\n\n\n8\n9\n10\n11\n12\n13\n14\n15\n16\n";
    ck_assert_uint_eq(member.size, strlen(all));
    ck_assert_mem_eq(kept, all, member.size);
    ck_assert_int_eq(rcp_file_make(member.name, kept, member.size), RCP_OK);
    unlink(path);
    rcp_excerpts_look_in(folder);
    rcp_excerpts_print(&after, &excerpts);
    ck_assert_str_eq(after.at, before.at);
    ck_assert(rcp_excerpts_line(&line, path, 12, INT64_MAX));
    ck_assert_str_eq(line.at, "12");
    ck_assert(!rcp_excerpts_line(&line, path, 6, INT64_MAX));
    rcp_excerpts_look_in(NULL);
    ck_assert(!rcp_excerpts_line(&line, path, 12, INT64_MAX));
    rcp_vec_finish(&excerpts);
    rcp_text_finish(&members);
    rcp_text_finish(&before);
    rcp_text_finish(&after);
    rcp_text_finish(&line);
    rcp_release(path);
    rcp_release(below);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    if (!mkdtemp(folder))
        return 1;
    tcase_add_test(tests, lines_around_are_there);
    tcase_add_test(tests, excerpts_that_meet_are_one);
    tcase_add_test(tests, what_is_past_the_end_is_nothing);
    tcase_add_test(tests, a_long_line_ends_between_letters);
    tcase_add_test(tests, no_place_is_no_excerpt);
    tcase_add_test(tests, kept_lines_are_enough);
    int failed = rcp_suite_run_case("excerpts", tests);
    rcp_file_remove_tree(folder);
    return failed;
}
