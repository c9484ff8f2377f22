/* SPDX-License-Identifier: Apache-2.0 */
#include "report/pattern.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fits(const char *pattern, const char *name) {
    ck_assert_msg(rcp_pattern_matches(pattern, name), "%s does not match %s", pattern, name);
}

static void differs(const char *pattern, const char *name) {
    ck_assert_msg(!rcp_pattern_matches(pattern, name), "%s matches %s", pattern, name);
}

START_TEST(anywhere) {
    fits("push", "push");
    fits("push", "queue::push(int)");
    fits("lib/", "/src/lib/queue.c");
    differs("push", "pus");
    differs("push", "pu*sh");
    differs("Push", "push");
    differs("pop", "push");
    fits("", "push");
    differs("", "");
    differs("*", "");
    differs("push", "");
}
END_TEST

START_TEST(tied_to_an_end) {
    fits("^push", "push(int)");
    differs("^push", "queue::push(int)");
    fits("push$", "queue::push");
    differs("push$", "queue::push(int)");
    fits("^push$", "push");
    differs("^push$", "pushpush");
    fits("push$", "push push"); /* the first one is not at the end, the second is */
    differs("^$", "push");
    fits("^", "push");
    fits("$", "push");
}
END_TEST

START_TEST(stars) {
    fits("a*c", "abc");
    fits("a*c", "ac");
    fits("^a*c$", "abcbc");
    differs("^a*c$", "abcb");
    fits("a*b*c", "xaxbxcx");
    differs("a*b*c", "cba");
    fits("**a**", "a");
    fits("^*a", "ba");
    fits("a*$", "abc");
    differs("^ab*ba$", "aba"); /* no letter serves twice */
    fits("^ab*ba$", "abba");
    fits("operator*", "operator*(vector)");
}
END_TEST

START_TEST(other_letters_are_themselves) {
    fits("main::$_0::operator()", "main::$_0::operator()(int) const");
    fits("a^b", "xa^b");
    fits("[x].c", "dir/[x].c");
    differs("[x].c", "dir/x.c");
    fits("é\"'\n", "\xc3\xa9\"'\n");
    fits("\xff", "a\xff"
                 "b");
}
END_TEST

/* The definition, by trying everything. */
static bool naive(const char *pattern, const char *end, const char *name) {
    if (pattern == end)
        return !*name;
    if (*pattern == '*')
        return naive(pattern + 1, end, name) || (*name && naive(pattern, end, name + 1));
    return *name == *pattern && naive(pattern + 1, end, name + 1);
}

static bool naive_matches(const char *pattern, const char *name) {
    char all[32];
    size_t n = strlen(pattern);
    const bool is_tied = *pattern == '^', ends_there = n > (size_t)is_tied && pattern[n - 1] == '$';
    snprintf(all, sizeof all, "%s%.*s%s", is_tied ? "" : "*", (int)(n - is_tied - ends_there), pattern + is_tied,
             ends_there ? "" : "*");
    return *name && naive(all, all + strlen(all), name);
}

START_TEST(as_defined) {
    srand(1);
    for (int i = 0; i < 200000; i++) {
        char pattern[9] = {0}, name[10] = {0};
        for (int k = rand() % 9; k-- > 0;)
            pattern[k] = "aab*^$"[rand() % 6];
        for (int k = rand() % 10; k-- > 0;)
            name[k] = "aab$"[rand() % 4];
        ck_assert_msg(rcp_pattern_matches(pattern, name) == naive_matches(pattern, name), "%s on %s", pattern, name);
    }
}
END_TEST

int main(void) {
    return rcp_suite_run("pattern", anywhere, tied_to_an_end, stars, other_letters_are_themselves, as_defined, NULL);
}
