// SPDX-License-Identifier: Apache-2.0
// A facet may be used by all threads at once; libstdc++'s headers keep in it what they have found, and write it again.
// twin: found
#include <locale>
#include <thread>

static char found[2];

static void look(int i) {
    const auto &facet = std::use_facet<std::ctype<char>>(std::locale::classic());
#ifdef TWIN
    i = 0;
#endif
    found[i] = facet.narrow(facet.widen('a'), '?');
}

int main() {
    std::thread first(look, 0), second(look, 1);
    first.join();
    second.join();
    return found[0] != 'a';
}
