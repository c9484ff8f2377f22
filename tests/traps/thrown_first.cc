// SPDX-License-Identifier: Apache-2.0
// As thrown_last.cc, where who has thrown it lets go of it by the end of a handler, and the other one by a pointer.
// twin: data
#include <exception>
#include <pthread.h>
#include <semaphore.h>

static int data, seen;
static std::exception_ptr kept;
static sem_t is_there;

struct token {
    token() {}
    token(const token &) {}
    ~token() { seen += data; }
};

static void *first(void *arg) {
    try {
        throw token();
    } catch (const token &) {
        kept = std::current_exception();
        sem_post(&is_there);
        data = 1;
    }
    return arg;
}

static void *second(void *arg) {
    sem_wait(&is_there);
#ifdef TWIN
    if (data > 1)
        return nullptr;
#endif
    kept = nullptr;
    return arg;
}

int main() {
    sem_init(&is_there, 0, 0);
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return seen < 1;
}
