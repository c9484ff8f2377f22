// SPDX-License-Identifier: Apache-2.0
// One thread waits for the other by a virtual function of the program's own. In the twin the same calls lead to the library's
// function, which is called by no name, and of which it is known that it orders nothing.
// twin: data
// exact: the library's function is known, though it is called by a pointer
#include <pthread.h>
#include <semaphore.h>
#include <stdexcept>

static sem_t told;

[[maybe_unused]] static void tell() { sem_post(&told); }
[[maybe_unused]] static void wait() { sem_wait(&told); }

struct own : std::runtime_error {
    void (*does)();
    explicit own(void (*f)()) : runtime_error("own"), does(f) {}
#ifndef TWIN
    const char *what() const noexcept override {
        does();
        return runtime_error::what();
    }
#endif
};

static int data, seen, missing;
static const std::exception *volatile errors[2];

static void *first(void *arg) {
    data = 1;
    missing = !errors[0]->what();
    return arg;
}

static void *second(void *arg) {
    seen = !errors[1]->what();
    seen += data;
    return arg;
}

int main() {
    sem_init(&told, 0, 0);
    errors[0] = new own(tell);
    errors[1] = new own(wait);
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return seen > 1 || missing;
}
