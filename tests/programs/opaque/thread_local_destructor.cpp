/* SPDX-License-Identifier: Apache-2.0 */
/* A destructor that is left out runs when its thread ends.
 * expect: none */
#include <pthread.h>

int X;
static int Y;
struct m_value {
    int value;
    __attribute__((noinline)) ~m_value() { __atomic_store_n(&Y, 1, __ATOMIC_SEQ_CST); }
};
static thread_local m_value own;
static void *first(void *) {
    own.value = 2;
    X = 1;
    return nullptr;
}
static void *second(void *) {
    return __atomic_load_n(&Y, __ATOMIC_SEQ_CST) ? reinterpret_cast<void *>(static_cast<long>(X)) : nullptr;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, first, nullptr);
    pthread_create(&b, nullptr, second, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
