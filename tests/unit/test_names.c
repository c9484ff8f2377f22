/* SPDX-License-Identifier: Apache-2.0 */
#include "report/names.h"

#include "suite.h"
#include "trace/model/own_place.h"

static void is(const char *name, const char *wanted) {
    rcp_text text = {0};
    rcp_name_shorten(&text, name);
    ck_assert_str_eq(text.at ? text.at : "", wanted);
    rcp_text_finish(&text);
}

START_TEST(plain_names_stay) {
    is("", "");
    is("main", "main");
    is("a_function(int, char const*)", "a_function(int, char const*)");
    is("main::row::operator()() const", "main::row::operator()() const");
    is("main::$_0::row::operator()() const", "main::$_0::row::operator()() const");
    is("main::$_0::operator()() const::n", "main::$_0::operator()() const::n");
    is("a < b", "a < b");
    is("broken<int", "broken<int");
    is("broken>", "broken>");
    is("shift(int (&) [4], unsigned long)", "shift(int (&) [4], unsigned long)");
}
END_TEST

START_TEST(what_nobody_wrote_goes) {
    is("note(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)",
       "note(std::string const&)");
    is("std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char>>::size[abi:ne190107]() "
       "const",
       "std::string::size() const");
    is("last[abi:cxx11]", "last");
    is("std::chrono::_V2::steady_clock::now()", "std::chrono::steady_clock::now()");
    is("std::vector<int, std::allocator<int> >::push_back(int&&)", "std::vector<int>::push_back(int&&)");
    is("std::basic_ostream<char, std::char_traits<char> >& std::operator<< <std::char_traits<char> >("
       "std::basic_ostream<char, std::char_traits<char> >&, char const*)",
       "std::ostream& std::operator<< <std::char_traits<char>>(std::ostream&, char const*)");
    is("std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int, "
       "std::less<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >, "
       "std::allocator<std::pair<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > "
       "const, "
       "int> > >::operator[](std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >&&)",
       "std::map<std::string, int>::operator[](std::string&&)");
    is("std::allocator<char>::allocator()", "std::allocator<char>::allocator()"); /* it is what the name is about */
    is("__1::mine()", "__1::mine()");
}
END_TEST

START_TEST(lambdas_are_called_so) {
    is("main::$_0::operator()() const", "a lambda of main");
    is("main::$_12::operator()(int (*)(int))", "a lambda of main");
    is("serve(std::vector<int, std::allocator<int>>&)::'lambda'(std::string)::operator()(std::string) const",
       "a lambda of serve(std::vector<int>&)");
    is("main::$_0::operator()() const::'lambda'()::operator()() const", "a lambda of main::$_0::operator()() const");
}
END_TEST

START_TEST(long_arguments_are_left_out) {
    is("std::__shared_ptr_access<a_name_that_is_rather_long, (__gnu_cxx::_Lock_policy)2, false, false>::operator->() "
       "const",
       "std::__shared_ptr_access<…>::operator->() const");
    is("table<another_name_that_is_long, of<things>, and_more>::rows(pair<int, int>)",
       "table<…>::rows(pair<int, int>)");
}
END_TEST

START_TEST(operators_are_no_brackets) {
    is("bool operator< <int>(a<int> const&, a<int> const&)", "bool operator< <int>(a<int> const&, a<int> const&)");
    is("a::operator<<(int)", "a::operator<<(int)");
    is("a<int>::operator->() const", "a<int>::operator->() const");
    is("a::operator<=>(a const&) const", "a::operator<=>(a const&) const");
    is("a::operator>(a const&) const", "a::operator>(a const&) const");
    is("my_operator<int>()", "my_operator<int>()");
    is("std::function<bool (int, int)>::operator()(int, int) const",
       "std::function<bool (int, int)>::operator()(int, int) const");
}
END_TEST

START_TEST(the_librarys_files) {
    ck_assert(rcp_own_place_is_library("/usr/include/c++/12/any"));
    ck_assert(rcp_own_place_is_library("/usr/include/aarch64-linux-gnu/c++/12/bits/gthr-default.h"));
    ck_assert(rcp_own_place_is_library("/usr/lib/llvm-19/include/c++/v1/__thread/thread.h"));
    ck_assert(rcp_own_place_is_library("recipe/stdcxx/tree.c"));
    ck_assert(!rcp_own_place_is_library("recipe/mine.c"));
    ck_assert(!rcp_own_place_is_library("/home/me/c++/12/any.cpp"));
    ck_assert(!rcp_own_place_is_library("/home/me/include/c++/mine.h"));
    ck_assert(!rcp_own_place_is_library("any.cpp"));
    ck_assert(!rcp_own_place_is_library(""));
}
END_TEST

int main(void) {
    return rcp_suite_run("names", plain_names_stay, what_nobody_wrote_goes, lambdas_are_called_so,
                         long_arguments_are_left_out, operators_are_no_brackets, the_librarys_files, NULL);
}
