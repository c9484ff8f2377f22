// SPDX-License-Identifier: Apache-2.0
// Streams of one thread's own each, whose buffers, from which they read, are code that is not recorded: one thread waits for the other by them.
// twin: data
// plain: source_foreign.cc
#include <istream>
#include <pthread.h>
#include <streambuf>

std::streambuf *make_teller();
std::streambuf *make_waiter();

static int data, seen;
static std::streambuf *buffers[2];

static void *first(void *arg) {
    std::istream in(buffers[0]);
    data = 1;
    in.get();
    return arg;
}

static void *second(void *arg) {
    std::istream in(buffers[1]);
#ifdef TWIN
    seen = data;
#endif
    in.get();
    seen += data;
    return arg;
}

int main() {
    buffers[0] = make_teller();
    buffers[1] = make_waiter();
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return seen < 1;
}
