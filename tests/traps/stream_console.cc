// SPDX-License-Identifier: Apache-2.0
// Two threads print to std::cout, as the language lets them, with libc++, whose headers write into the stream. The twin's
// share a stream of their own.
// flags: -std=c++17 -stdlib=libc++
// needs: echo | clang++-19 -stdlib=libc++ -x c++ -include iostream -fsyntax-only -
// twin: mine
#include <iostream>
#include <sstream>
#include <thread>

#ifdef TWIN
static std::ostringstream mine;
#else
static std::ostream &mine = std::cout;
#endif

static void print(int number) {
    for (int i = 0; i < 3; i++)
        mine << "thread " << number << '\n';
}

int main() {
    std::thread one(print, 1), two(print, 2);
    one.join();
    two.join();
    return 0;
}
