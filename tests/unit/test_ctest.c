/* SPDX-License-Identifier: Apache-2.0 */
#include "record/ctest.h"

#include "suite.h"

#include <check.h>

static void is_called(const char *file, const char *name, char *const *argv) {
    rcp_text found = {0};
    rcp_ctest_name(&found, file, argv);
    ck_assert_str_eq(found.at ? found.at : "", name);
    rcp_text_finish(&found);
}

#define IS_CALLED(file, name, ...) is_called(file, name, (char *[]){__VA_ARGS__, NULL})

START_TEST(names_in_every_spelling) {
    IS_CALLED("add_test([=[my case]=] \"/b/prog\" \"one\")\n", "my case", "/b/prog", "one");
    IS_CALLED("# of CMake\nadd_test(plain \"/b/prog\")\n", "plain", "/b/prog");
    IS_CALLED("add_test([==[a]=]b]==] [[/b/prog]] [=[x y]=])", "a]=]b", "/b/prog", "x y");
    IS_CALLED("add_test(\"a\\\"b\" /b/prog \"\\$x \\\\ \" )", "a\"b", "/b/prog", "$x \\ ");
    IS_CALLED("add_test( e \"/b/prog\" \"\" )", "e", "/b/prog", "");
    IS_CALLED("add_test(first \"/b/prog\" \"1\")\nadd_test(second \"/b/prog\" \"2\")\n", "second", "/b/prog", "2");
    IS_CALLED("if(\"${CTEST_CONFIGURATION_TYPE}\" MATCHES \"^x$\")\n  add_test(in_if \"/b/prog\")\nendif()", "in_if",
              "/b/prog");
}
END_TEST

START_TEST(programs_that_ctest_looked_for) {
    IS_CALLED("add_test(a \"prog\")", "a", "/b/prog");
    IS_CALLED("add_test(a \"sub/prog\")", "a", "/b/sub/prog");
    IS_CALLED("add_test(a \"rog\")", "", "/b/prog");
    IS_CALLED("add_test(a \"/c/prog\")", "", "/b/prog");
}
END_TEST

START_TEST(other_commands_are_no_tests) {
    IS_CALLED("add_test(a \"/b/prog\" \"1\")", "", "/b/prog");
    IS_CALLED("add_test(a \"/b/prog\")", "", "/b/prog", "1");
    IS_CALLED("add_test(a \"/b/prog\" \"1\")", "", "/b/prog", "2");
    IS_CALLED("add_test(a \"/b/prog\")\nadd_test(b \"/b/prog\")\n", "", "/b/prog");
    IS_CALLED("", "", "/b/prog");
}
END_TEST

START_TEST(what_is_cut_off_is_read_to_its_end) {
    static const char *const pieces[] = {"add_test(",     "add_test(a",           "add_test([=[a",  "add_test([=[a]=",
                                         "add_test(a \"", "add_test(a \"/b/prog", "add_test(a b\\", "add_test([="};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        IS_CALLED(pieces[i], i == 5 ? "a" : "", "/b/prog");
}
END_TEST

int main(void) {
    return rcp_suite_run("ctest", names_in_every_spelling, programs_that_ctest_looked_for, other_commands_are_no_tests,
                         what_is_cut_off_is_read_to_its_end, NULL);
}
