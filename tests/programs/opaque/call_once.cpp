/* SPDX-License-Identifier: Apache-2.0 */
/* std::call_once hands pthread_once a function of the C++ library, which calls what the thread has put there: nothing that
 * anybody has to wait for but the once itself.
 * expect: X */
#include <mutex>
#include <pthread.h>

int X, made[2];

static void *once(int i) {
    std::once_flag flag;
    std::call_once(flag, [i] { made[i] = 1; });
    return nullptr;
}

static void *first(void *) {
    X = 1;
    return once(0);
}

static void *second(void *) {
    void *done = once(1);
    X = 2;
    return done;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return made[0] + made[1] != 2;
}
