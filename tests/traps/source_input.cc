// SPDX-License-Identifier: Apache-2.0
// What is read from std::cin, by whatever way the program comes to it, may be an answer; what is read from a string of a
// thread's own is none.
// twin: data
#include <iostream>
#include <pthread.h>
#include <sstream>
#include <string>
#include <unistd.h>

static int data, seen, to;
static std::istream *volatile input;

static void *first(void *arg) {
    data = 1;
    if (write(to, "word\n", 5) != 5)
        return nullptr;
    return arg;
}

static void *second(void *arg) {
    std::istringstream own("go on");
    std::string word;
    own >> word;
#ifdef TWIN
    seen = data;
#endif
    *input >> word;
    seen += data;
    return arg;
}

int main() {
    int ends[2];
    if (pipe(ends) || dup2(ends[0], 0))
        return 1;
    to = ends[1];
    input = &std::cin;
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return seen < 1;
}
