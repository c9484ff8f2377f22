/* SPDX-License-Identifier: Apache-2.0 */
/* Two strings, each shared by two threads under a lock of its own: who works on one has nothing to do with the other, and
 * orders nothing of its threads.
 * expect: X */
#include <pthread.h>
#include <string>

int X, length;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static std::string one, two;

static void grow(int i) {
    pthread_mutex_lock(&locks[i]);
    (i ? two : one).append("twenty characters or more");
    pthread_mutex_unlock(&locks[i]);
}

static void *first(void *) {
    X = 1;
    grow(0);
    return nullptr;
}

static void *second(void *) {
    grow(1);
    X = 2;
    return nullptr;
}

static void *third(void *) {
    grow(0);
    grow(1);
    return nullptr;
}

int main() {
    pthread_t threads[3];
    void *(*const bodies[])(void *) = {first, second, third};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], nullptr, bodies[i], nullptr);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], nullptr);
    length = static_cast<int>(one.size() + two.size());
    return length != 100;
}
