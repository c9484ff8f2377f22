/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code does not return, it throws.
 * expect: none */
#include <pthread.h>

int X;
static volatile int Y;
__attribute__((noinline)) void m_wait() {
    while (Y != 1)
        ;
    throw 3;
}
static void *first(void *) {
    X = 1;
    Y = 1;
    return nullptr;
}
static void *second(void *) {
    try {
        m_wait();
    } catch (int) {
        return reinterpret_cast<void *>(static_cast<long>(X));
    }
    return nullptr;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
