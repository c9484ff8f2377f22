/* SPDX-License-Identifier: Apache-2.0 */
/* A string of one thread's own grows under a lock; another thread looks, under that lock, at the buffer behind it. Only
 * once the string has grown does it go on. expect: none */
#include <pthread.h>
#include <semaphore.h>
#include <string>

int X;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_there;
static const char *buffer;

static void *first(void *) {
    auto *s = new std::string;
    s->reserve(100);
    buffer = s->data();
    sem_post(&is_there);
    X = 1;
    pthread_mutex_lock(&m);
    s->append("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
    pthread_mutex_unlock(&m);
    return nullptr;
}

static void *second(void *) {
    sem_wait(&is_there);
    pthread_mutex_lock(&m);
    bool has_grown = buffer[20] == 'y';
    pthread_mutex_unlock(&m);
    return has_grown ? reinterpret_cast<void *>(static_cast<long>(X)) : nullptr;
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
