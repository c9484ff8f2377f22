/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of libc++'s shared_ptr and weak_ptr that are not in its headers. All owners together are one weak one. */
#include "stdcxx/libcxx.h"

void release_weak(shared_count *c) STDCXX(_ZNSt3__119__shared_weak_count14__release_weakEv);
shared_count *lock(shared_count *c) STDCXX(_ZNSt3__119__shared_weak_count4lockEv);

void release_weak(shared_count *c) {
    /* 0: nobody else has it, nor can get it from anybody. */
    if (!__atomic_load_n(&c->weak_owners, __ATOMIC_ACQUIRE) ||
        __atomic_fetch_sub(&c->weak_owners, 1, __ATOMIC_ACQ_REL) == 0)
        call_virtual(c, ON_ZERO_SHARED_WEAK);
}

shared_count *lock(shared_count *c) {
    long n = __atomic_load_n(&c->owners, __ATOMIC_SEQ_CST);
    while (n != -1)
        if (__atomic_compare_exchange_n(&c->owners, &n, n + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return c;
    return NULL;
}
