/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "suite.h"

#include <string.h>

static rcp_arena arena;

static const rcp_json *parse(const char *text) {
    const rcp_json *value = NULL;
    return rcp_json_parse("x.json", text, strlen(text), &arena, &value) == RCP_OK ? value : NULL;
}

START_TEST(values_are_read) {
    rcp_arena_init(&arena);
    const rcp_json *all =
        parse(" { \"a\": [1, -2.5e1, true, false, null, \"x\"],\n\t\"b\": {\"c\": {}}, \"d\": [ ] } ");
    ck_assert_ptr_nonnull(all);
    const rcp_json *one = rcp_json_member(all, "a")->first;
    ck_assert_double_eq(rcp_json_number(one), 1);
    one = one->next;
    ck_assert_double_eq(rcp_json_number(one), -25);
    ck_assert_int_eq(one->raw_len, 6);
    ck_assert_int_eq(strncmp(one->raw, "-2.5e1", 6), 0);
    one = one->next;
    ck_assert_int_eq(one->kind, RCP_JSON_TRUE);
    one = one->next;
    ck_assert_int_eq(one->kind, RCP_JSON_FALSE);
    one = one->next;
    ck_assert_int_eq(one->kind, RCP_JSON_NULL);
    one = one->next;
    ck_assert_str_eq(rcp_json_string(one), "x");
    ck_assert_ptr_null(one->next);
    ck_assert_int_eq(rcp_json_member(rcp_json_member(all, "b"), "c")->kind, RCP_JSON_OBJECT);
    ck_assert_ptr_null(rcp_json_member(all, "d")->first);
    rcp_arena_finish(&arena);
}
END_TEST

START_TEST(what_is_not_there_can_be_asked_for) {
    rcp_arena_init(&arena);
    const rcp_json *all = parse("{\"a\": [{\"b\": 1}]}");
    ck_assert_ptr_null(rcp_json_member(all, "b"));
    ck_assert_ptr_null(rcp_json_member(rcp_json_member(all, "a"), "b")); /* of a list */
    ck_assert_ptr_null(rcp_json_string(rcp_json_member(rcp_json_member(all, "x"), "y")));
    ck_assert_double_eq(rcp_json_number(NULL), 0);
    ck_assert_ptr_null(rcp_json_string(all));
    rcp_arena_finish(&arena);
}
END_TEST

START_TEST(escapes_are_undone) {
    static const char *const pairs[][2] = {
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20ac\"", "A\xc3\xa9\xe2\x82\xac"},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
        {"\"h\xc3\xa9\"", "h\xc3\xa9"},
        {"\"\"", ""},
    };
    rcp_arena_init(&arena);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const rcp_json *value = parse(pairs[i][0]);
        ck_assert_ptr_nonnull(value);
        ck_assert_str_eq(value->string, pairs[i][1]);
    }
    rcp_arena_finish(&arena);
}
END_TEST

START_TEST(what_is_no_json_is_refused) {
    static const char *const wrong[] = {
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\": 1,}",
        "{\"a\" 1}",
        "{a: 1}",
        "{\"a\": }",
        "[1 2]",
        "1 2",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "1e999",
        "nul",
        "True",
        "'a'",
        "\"a",
        "\"a\nb\"", /* a line's end within a string */
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u0000\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83d\\u0041\"",
        "\"\xff\"",
        "\"\xed\xa0\x80\"",
        "\"\xc3",
        "// a\n1",
    };
    rcp_arena_init(&arena);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const rcp_json *value;
        ck_assert_msg(rcp_json_parse("x.json", wrong[i], strlen(wrong[i]), &arena, &value) == RCP_BAD_INPUT,
                      "%s is read", wrong[i]);
        ck_assert_int_eq(strncmp(rcp_borrow_cause(0), "x.json:", 7), 0);
    }
    ck_assert_ptr_null(parse("{\n  \"a\": 1\n  \"b\": 2\n}"));
    ck_assert_str_eq(rcp_borrow_cause(0), "x.json:3:3: ',' or '}' is wanted");
    rcp_arena_finish(&arena);
}
END_TEST

START_TEST(depth_has_a_limit) {
    char deep[2 * (RCP_JSON_DEPTH + 1)];
    rcp_arena_init(&arena);
    for (int n = RCP_JSON_DEPTH; n <= RCP_JSON_DEPTH + 1; n++) {
        const rcp_json *value;
        memset(deep, '[', (size_t)n);
        memset(deep + n, ']', (size_t)n);
        ck_assert_int_eq(rcp_json_parse("deep", deep, 2 * (size_t)n, &arena, &value),
                         n == RCP_JSON_DEPTH ? RCP_OK : RCP_BAD_INPUT);
    }
    rcp_arena_finish(&arena);
}
END_TEST

START_TEST(json_strings_are_json) {
    static const char *const pairs[][2] = {
        {"plain", "\"plain\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"tab\there\nline", "\"tab\\there\\nline\""},
        {"\x01\x7f", "\"\\u0001\\u007f\""},
        {"h\xc3\xa9", "\"h\xc3\xa9\""},
        {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
        {"\xff", "\"\\ufffd\""},
        {"\xc3", "\"\\ufffd\""},                       /* cut off */
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},            /* overlong */
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        rcp_text text = {0};
        rcp_json_quote(&text, pairs[i][0]);
        ck_assert_str_eq(text.at, pairs[i][1]);
        rcp_text_finish(&text);
    }
}
END_TEST

int main(void) {
    return rcp_suite_run("json", values_are_read, what_is_not_there_can_be_asked_for, escapes_are_undone,
                         what_is_no_json_is_refused, depth_has_a_limit, json_strings_are_json, NULL);
}
