/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code that waits where a pointer leads that it finds in what it is given: as a pointer, as a number, byte by
 * byte, by a copy, by an exchange, in a vector.
 * expect: none */
#include "threads.h"

#include <stdint.h>
#include <string.h>

enum { WAYS = 6 };

struct state {
    int data[4];
    _Atomic int *volatile to;
};

int X[WAYS], seen;
static _Atomic int flags[WAYS];
static struct state states[WAYS];

OUTSIDE static void m_wait(const _Atomic int *flag) {
    while (!*flag)
        ;
}

OUTSIDE void m_pointer(int *data) { m_wait(((struct state *)data)->to); }

OUTSIDE void m_number(int *data) { m_wait((_Atomic int *)(*(uintptr_t volatile *)(data + 4) + (uintptr_t)data[0])); }

OUTSIDE void m_bytes(int *data) {
    uintptr_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uintptr_t)((unsigned char volatile *)(data + 4))[i] << 8 * i;
    m_wait((_Atomic int *)word);
}

OUTSIDE void m_copy(int *data) {
    struct state copy;
    memcpy(&copy, data, sizeof copy);
    m_wait(copy.to);
}

OUTSIDE void m_exchange(int *data) {
    _Atomic int *to = __atomic_exchange_n((_Atomic int **)(void *)(data + 4), NULL, __ATOMIC_RELAXED);
    m_wait(to);
}

OUTSIDE void m_vector(int *data) {
    typedef uint64_t two __attribute__((vector_size(16), aligned(8)));
    two words = *(two volatile *)(data + 2);
    m_wait((_Atomic int *)words[1]);
}

static void (*const ways[WAYS])(int *) = {m_pointer, m_number, m_bytes, m_copy, m_exchange, m_vector};

static void *first(void *unused) {
    for (int i = 0; i < WAYS; i++) {
        X[i] = 1;
        flags[i] = 1;
    }
    return unused;
}

static void *second(void *unused) {
    for (int i = 0; i < WAYS; i++) {
        ways[i](states[i].data);
        seen += X[i];
    }
    return unused;
}

int main(void) {
    for (int i = 0; i < WAYS; i++)
        states[i].to = &flags[i];
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != WAYS;
}
