// SPDX-License-Identifier: Apache-2.0
// A class of code that is not recorded is made from one of the library's, and threads wait for each other by its virtual
// function; of the library's own function it is known that nobody does.
// twin: data
// plain: virtual_foreign.cc
#include <exception>
#include <pthread.h>

const std::exception *make_teller();
const std::exception *make_waiter();

static int data, seen, missing;
static const std::exception *volatile errors[2];

static void *first(void *arg) {
    data = 1;
    missing = !errors[0]->what();
    return arg;
}

static void *second(void *arg) {
#ifdef TWIN
    seen = data;
#endif
    seen += !errors[1]->what();
    seen += data;
    return arg;
}

int main() {
    errors[0] = make_teller();
    errors[1] = make_waiter();
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return seen < 1 || missing;
}
