/* SPDX-License-Identifier: Apache-2.0 */
/* A string is made of characters that another thread alone was seen to touch.
 * expect: none */
#include <pthread.h>
#include <string>

int X;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char told[64] = "no";

static void *first(void *) {
    X = 1;
    pthread_mutex_lock(&m);
    told[0] = 'y';
    pthread_mutex_unlock(&m);
    return nullptr;
}

static void *second(void *) {
    auto *s = new std::string;
    pthread_mutex_lock(&m);
    s->assign(told);
    pthread_mutex_unlock(&m);
    return s->front() == 'y' ? reinterpret_cast<void *>(static_cast<long>(X)) : nullptr;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
