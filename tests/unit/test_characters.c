/* SPDX-License-Identifier: Apache-2.0 */
#include "outside/characters.h"

#include "suite.h"

#include <ctype.h>
#include <stdio.h>

/* As the C library has it: a process begins with the locale "C". */
START_TEST(as_the_library) {
    static const struct {
        const char *name;
        int (*function)(int c);
    } all[] = {{"isalnum", isalnum}, {"isalpha", isalpha}, {"isblank", isblank}, {"iscntrl", iscntrl},
               {"isdigit", isdigit}, {"isgraph", isgraph}, {"islower", islower}, {"isprint", isprint},
               {"ispunct", ispunct}, {"isspace", isspace}, {"isupper", isupper}, {"isxdigit", isxdigit},
               {"tolower", tolower}, {"toupper", toupper}};
    const rcp_outside *row;
    size_t n = 0;
    for (size_t k = 0; (row = rcp_outside_row(k)); k++)
        n += row->model == RCP_MODEL_CLASS || row->model == RCP_MODEL_CASE;
    ck_assert_uint_eq(n, sizeof all / sizeof *all);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int c = EOF; c < 256; c++) {
            int here = rcp_outside_character(rcp_outside_find(all[i].name), c), there = all[i].function(c);
            ck_assert_msg(here == (all[i].name[0] == 'i' ? !!there : there), "%s(%d)", all[i].name, c);
        }
}
END_TEST

START_TEST(who_sets_it) {
    ck_assert(rcp_outside_sets_locale("setlocale"));
    ck_assert(rcp_outside_sets_locale("dlopen"));
    ck_assert(!rcp_outside_sets_locale("newlocale"));
    ck_assert(!rcp_outside_sets_locale("toupper"));
    ck_assert(rcp_outside_looks_up("dlsym") && !rcp_outside_looks_up("dladdr"));
}
END_TEST

int main(void) { return rcp_suite_run("characters", as_the_library, who_sets_it, NULL); }
