/* SPDX-License-Identifier: Apache-2.0 */
/* The main() of every unit test: rcp_suite_run("name", test_a, test_b, …, NULL). Check forks per test, so a crash or a
 * hang in one is reported and the others go on. */
#ifndef RECIPE_TESTS_SUITE_H
#define RECIPE_TESTS_SUITE_H

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>

static inline int rcp_suite_run(const char *name, const TTest *first, ...) {
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    va_list rest;
    va_start(rest, first);
    for (const TTest *test = first; test; test = va_arg(rest, const TTest *))
        tcase_add_test(tests, test);
    va_end(rest);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
