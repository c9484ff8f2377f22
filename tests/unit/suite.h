/* SPDX-License-Identifier: Apache-2.0 */
/* The main() of every unit test: rcp_suite_run("name", test_a, test_b, …, NULL). One that needs a fixture or a loop
 * fills a case itself: rcp_suite_case(), Check's tcase_add_…(), rcp_suite_run_case(). Check forks per test, so a
 * crash or a hang in one is reported and the others go on. */
#ifndef RECIPE_TESTS_SUITE_H
#define RECIPE_TESTS_SUITE_H

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>

static inline TCase *rcp_suite_case(void) {
    TCase *tests = tcase_create("tests");
    tcase_set_timeout(tests, 120);
    return tests;
}

/* Takes the case. */
static inline int rcp_suite_run_case(const char *name, TCase *tests) {
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int rcp_suite_run(const char *name, const TTest *first, ...) {
    TCase *tests = rcp_suite_case();
    va_list rest;
    va_start(rest, first);
    for (const TTest *test = first; test; test = va_arg(rest, const TTest *))
        tcase_add_test(tests, test);
    va_end(rest);
    return rcp_suite_run_case(name, tests);
}

#endif
