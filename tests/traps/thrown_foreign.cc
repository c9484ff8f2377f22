// SPDX-License-Identifier: Apache-2.0
// Code that is not recorded throws; when what it threw goes, in recorded code, one thread waits for the other.
// twin: data
// plain: thrown_foreign.cc
#include <pthread.h>

void throw_teller();
void throw_waiter();

static int data, seen;

static void *first(void *arg) {
    try {
        throw_teller();
    } catch (...) {
        data = 1;
    }
    return arg;
}

static void *second(void *arg) {
#ifdef TWIN
    seen = data;
#endif
    try {
        throw_waiter();
    } catch (...) {
    }
    seen += data;
    return arg;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, second, nullptr); /* so its throw comes first, mostly */
    pthread_create(&b, nullptr, first, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return seen < 1;
}
