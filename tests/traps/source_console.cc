// SPDX-License-Identifier: Apache-2.0
// Two threads may read from std::cin at once; from a stream of the program's own only one after the other.
// twin: own
// stdin: one two three four
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

static std::istringstream own("one two three four and_one_that_is_so_long_that_it_has_memory_of_its_own");

static void take() {
#ifdef TWIN
    std::istream &from = own;
#else
    std::istream &from = std::cin;
#endif
    std::string word;
    for (int i = 0; i < 2; i++)
        from >> word;
}

int main() {
    std::thread one(take), other(take);
    one.join();
    other.join();
    return !own;
}
