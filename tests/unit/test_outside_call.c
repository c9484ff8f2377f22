/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/outside_call.h"

#include "suite.h"

#include <stdio.h>

static const uint64_t here = UINT64_C(0xbbbb00010000 - 4); /* strings lie over the edge of a page */

static rcp_space space;

/* "r 0 5 w 100 6": the touches of a call, addresses relative to `here`. */
static const char *touches(const char *name, const uint64_t *arguments, size_t n, bool has_returned, uint64_t result) {
    static char text[256];
    rcp_outside_call call = {.outside = rcp_outside_find(name),
                             .arguments = arguments,
                             .n = n,
                             .has_returned = has_returned,
                             .result = result};
    ck_assert_ptr_nonnull(call.outside);
    rcp_outside_touch touch = {0};
    int len = 0;
    text[0] = 0;
    for (const char *at = NULL; rcp_outside_next(&call, &space, &at, &touch);)
        len += snprintf(text + len, sizeof text - (size_t)len, "%s%c %d %d%s", len ? " " : "", touch.how,
                        (int)(touch.address - here), (int)touch.size, touch.is_vague ? "?" : "");
    return text;
}

START_TEST(how_far) {
    rcp_space_init(&space);
    rcp_space_write(&space, here, "twelve bytes", 13);
    rcp_space_write(&space, here + 100, "tail", 5);
    const uint64_t two[] = {here, here + 100}, copy[] = {here + 100, here}, three[] = {here, here + 100, 3};
    rcp_space_write(&space, here + 200, "%d%% %s %.*s", 13);
    const uint64_t print[] = {here, 10, here + 200, 7, here + 100, 2, here}, written[] = {1, here, 9};
    const uint64_t behind[] = {here + 100, here, 3};
    const uint64_t items[] = {here, 3, 4}, polls[] = {here, 2, 0};
    ck_assert_str_eq(touches("strlen", two, 1, false, 0), "r 0 13?");
    ck_assert_str_eq(touches("strlen", two, 1, true, 3), "r 0 4"); /* memory may have changed meanwhile */
    ck_assert_str_eq(touches("strnlen", items, 2, true, 3), "r 0 3");
    ck_assert_str_eq(touches("strchr", two, 2, true, here + 1), "r 0 2");
    ck_assert_str_eq(touches("strchr", two, 2, true, 0), "r 0 13");
    ck_assert_str_eq(touches("memchr", three, 3, true, 0), "r 0 3");
    ck_assert_str_eq(touches("memchr", three, 3, true, here), "r 0 1");
    ck_assert_str_eq(touches("write", written, 3, true, 4), "l 0 4");
    ck_assert_str_eq(touches("write", written, 3, true, UINT64_MAX), "");
    ck_assert_str_eq(touches("strcmp", two, 2, false, 0), "c 0 2"); /* twelve, tail */
    ck_assert_str_eq(touches("strncmp", three, 3, false, 0), "c 0 2");
    ck_assert_str_eq(touches("memcmp", three, 3, false, 0), "r 0 3 r 100 3");
    ck_assert_str_eq(touches("strcpy", copy, 2, false, 0), "r 0 13 w 100 13");
    ck_assert_str_eq(touches("strcat", two, 2, false, 0), "r 0 13 r 100 5 w 12 5");
    ck_assert_str_eq(touches("strncat", behind, 3, false, 0), "r 100 5 r 0 3 w 104 4");
    ck_assert_str_eq(touches("strlcpy", behind, 3, false, 0), "r 0 13 w 100 3");
    ck_assert_str_eq(touches("snprintf", print, 7, false, 0), "r 100 5 r 0 2");
    ck_assert_str_eq(touches("snprintf", print, 7, true, 4), "r 100 5 r 0 2 w 0 5");
    ck_assert_str_eq(touches("snprintf", print, 7, true, 40), "r 100 5 r 0 2 w 0 10");
    ck_assert_str_eq(touches("snprintf", print, 7, true, UINT32_MAX), "r 100 5 r 0 2");
    ck_assert_str_eq(touches("fwrite", items, 3, false, 0), "l 0 12");
    ck_assert_str_eq(touches("poll", polls, 3, false, 0), "r 0 6 r 8 6");
    const uint64_t widened[] = {0, here, here + 3, here + 100}, nothing[] = {0, here + 3, here, here + 100};
    ck_assert_str_eq(touches("_ZNKSt5ctypeIcE8do_widenEPKcS2_Pc", widened, 4, false, 0), "r 0 3 w 100 3");
    ck_assert_str_eq(touches("_ZNKSt5ctypeIcE8do_widenEPKcS2_Pc", nothing, 4, false, 0), "");
    ck_assert_str_eq(touches("malloc", two, 1, false, 0), "");
    rcp_space_finish(&space);
}
END_TEST

START_TEST(formats) {
    static const struct {
        const char *text;
        bool is_plain;
        size_t strings;
    } cases[] = {{"", true, 0},         {"%d %5.2f%%", true, 0}, {"%s %s", true, 2}, {"%-*.*s", true, 1},
                 {"%ls", false, 0},     {"%n", false, 0},        {"%2$s", false, 0}, {"%", false, 0},
                 {"%lld %zu", true, 0}, {"%p %c %m", true, 0},   {"%S", false, 0},   {"%Lf", true, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].text) + 1, strings;
        bool is_plain = rcp_outside_is_plain_format(cases[i].text, n, &strings);
        ck_assert_msg(is_plain == cases[i].is_plain && strings == cases[i].strings, "%s", cases[i].text);
    }
}
END_TEST

START_TEST(nothing_to_point_to) {
    rcp_space_init(&space);
    const uint64_t none[] = {0, UINT64_MAX - 5, UINT64_MAX};
    ck_assert_str_eq(touches("strlen", none, 1, false, 0), "");
    ck_assert_str_eq(touches("memcmp", none, 3, false, 0), "");
    ck_assert_str_eq(touches("strcpy", none, 1, false, 0), "");
    rcp_space_finish(&space);
}
END_TEST

int main(void) { return rcp_suite_run("outside_call", how_far, formats, nothing_to_point_to, NULL); }
