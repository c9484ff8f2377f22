/* SPDX-License-Identifier: Apache-2.0 */
/* A map's node is linked with another thread's, under a lock, within the library.
 * expect: none */
#include <map>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

int X;
static sem_t one;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static std::map<int, int> *numbers;
static void *first(void *) {
    sem_wait(&one);
    X = 1;
    pthread_mutex_lock(&m);
    (*numbers)[5] = 1;
    pthread_mutex_unlock(&m);
    return nullptr;
}
static void *second(void *) {
    pthread_mutex_lock(&m);
    (*numbers)[1] = 1;
    auto it = numbers->begin(), end = numbers->end();
    pthread_mutex_unlock(&m);
    sem_post(&one);
    sched_yield();
    pthread_mutex_lock(&m);
    bool is_last = ++it == end;
    pthread_mutex_unlock(&m);
    return is_last ? nullptr : reinterpret_cast<void *>(static_cast<long>(X));
}

int main() {
    numbers = new std::map<int, int>;
    sem_init(&one, 0, 0);
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
