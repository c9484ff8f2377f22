/* SPDX-License-Identifier: Apache-2.0 */
#include "report/testcase.h"

#include <stdbool.h>
#include <string.h>

static const char body[] = "::TestBody(", catch_3[] = "CATCH2_INTERNAL_TEST_",
                  catch_2[] = "____C_A_T_C_H____T_E_S_T____";

/* Of gtest "Suite_Case_Test" in "(anonymous namespace)::Suite_Case_Test<int>::TestBody()": its length and beginning,
 * without "_Test"; 0: it is none. */
static size_t gtest_class(const char *function, const char **begin) {
    static const char last[] = "_Test";
    const char *end = strstr(function, body);
    int depth = 0;
    if (!end)
        return 0;
    if (end > function && end[-1] == '>')
        do {
            end--;
            depth += *end == '>' ? 1 : *end == '<' ? -1 : 0;
        } while (depth && end > function);
    for (*begin = end; *begin > function && (*begin)[-1] != ':';)
        --*begin;
    const size_t n = (size_t)(end - *begin), tail = strlen(last);
    return n > tail && !memcmp(end - tail, last, tail) ? n - tail : 0;
}

/* Catch2 numbers its functions, and keeps the names of cases elsewhere. */
static const char *catch_function(const char *function) {
    const char *at = strstr(function, catch_3);
    return at ? at : strstr(function, catch_2);
}

static const char *function_of(const rcp_defs *defs, rcp_loc loc) {
    return rcp_defs_borrow_string(defs, defs->locations.at[loc.v].function);
}

static bool is_case(const rcp_defs *defs, rcp_loc loc) {
    const char *begin, *function = function_of(defs, loc);
    return gtest_class(function, &begin) || catch_function(function);
}

rcp_loc rcp_testcase_find(const rcp_defs *defs, const rcp_event *event) {
    if (is_case(defs, event->loc))
        return event->loc;
    for (rcp_stack stack = event->stack; stack.v; stack = defs->stacks.at[stack.v].caller)
        if (is_case(defs, defs->stacks.at[stack.v].loc))
            return defs->stacks.at[stack.v].loc;
    return (rcp_loc){0};
}

/* Word `n` of the command, from 0; NULL: it has no such. */
static const char *word(const rcp_defs *defs, size_t n) {
    for (size_t i = 0; i < defs->facts.len; i++) /* one fact per word */
        if (!strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), "command") && !n--)
            return rcp_defs_borrow_string(defs, defs->facts.at[i].value);
    return NULL;
}

/* The one case that --gtest_filter lets run; NULL: it may be several. */
static const char *only_case(const rcp_defs *defs) {
    static const char filter[] = "--gtest_filter=";
    const char *only = NULL;
    for (size_t n = 1; word(defs, n); n++)
        if (!strncmp(word(defs, n), filter, strlen(filter)))
            only = word(defs, n) + strlen(filter);
    return only && *only && !strpbrk(only, "*?:-") ? only : NULL;
}

/* "Suite.Case"; where either has an underscore in it nobody knows where the one ends. */
static void print_gtest(rcp_text *to, const char *name, size_t n) {
    const char *first = memchr(name, '_', n);
    const bool is_clear = first && !memchr(first + 1, '_', n - (size_t)(first + 1 - name));
    rcp_text_add(to, name, is_clear ? (size_t)(first - name) : n);
    if (is_clear) {
        rcp_text_puts(to, ".");
        rcp_text_add(to, first + 1, n - (size_t)(first + 1 - name));
    }
}

/* As catch_discover_tests() of CMake has it: the name is the first word. */
static void print_catch(rcp_text *to, const rcp_defs *defs, rcp_loc frame) {
    const char *only = word(defs, 1), *function = catch_function(function_of(defs, frame));
    const char *file = rcp_defs_borrow_string(defs, defs->locations.at[frame.v].file), *slash = strrchr(file, '/');
    if (only && *only && *only != '-' && !strpbrk(only, "*[]~,"))
        rcp_text_puts(to, only);
    else
        rcp_text_printf(to, "%.*s of %s", (int)strcspn(function, "(:"), function, slash ? slash + 1 : file);
}

void rcp_testcase_print(rcp_text *to, const rcp_defs *defs, rcp_loc frame) {
    const char *only = only_case(defs), *begin;
    const size_t n = frame.v ? gtest_class(function_of(defs, frame), &begin) : 0;
    if (only)
        rcp_text_puts(to, only);
    else if (n)
        print_gtest(to, begin, n);
    else if (frame.v)
        print_catch(to, defs, frame);
}
