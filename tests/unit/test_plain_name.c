/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/plain_name.h"

#include "suite.h"

#include <stdlib.h>

static void is(const char *name, const char *wanted) {
    char *plain = rcp_take_plain_name(name);
    ck_assert_str_eq(plain, wanted);
    free(plain);
}

START_TEST(names_of_cxx_are_the_sources) {
    is("main", "main");
    is("_Z3addii", "add(int, int)");
    is("_ZNSaIcED2Ev", "std::allocator<char>::~allocator()");
    is("_Zebra", "_Zebra");
    is("", "");
}
END_TEST

START_TEST(newer_names_are_understood) {
    is("_Z4takeITpTnmJLm0EEEvi", "void take<0ul>(int)");
    is("_Z1fITpTnDaJLi1ELj2EEEvv", "void f<1, 2u>()");
    is("_Z7getTnmsv", "getTnms()");
}
END_TEST

int main(void) { return rcp_suite_run("plain_name", names_of_cxx_are_the_sources, newer_names_are_understood, NULL); }
