/* SPDX-License-Identifier: Apache-2.0 */
/* An exception that two threads have is freed by whoever lets go of it last: a count within the library says who.
 * expect: none */
#include <exception>
#include <pthread.h>
#include <semaphore.h>
#include <utility>

struct error {
    int code, more[10];
};
static std::exception_ptr kept;
static sem_t is_there;

static void *first(void *) {
    try {
        throw error{3, {}};
    } catch (error &e) {
        kept = std::current_exception();
        sem_post(&is_there);
        e.code = 4;
    }
    return nullptr;
}

static void *second(void *) {
    sem_wait(&is_there);
    try {
        std::exception_ptr taken;
        taken.swap(kept);
        std::rethrow_exception(std::move(taken));
    } catch (error &) {
    }
    return nullptr;
}

int main() {
    pthread_t a, b;
    sem_init(&is_there, 0, 0);
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
