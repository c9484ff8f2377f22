/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets of libc++'s hash tables: the least prime that is not less; 0 for none. */
#include "stdcxx/stdcxx.h"

size_t next_prime(size_t n) STDCXX(_ZNSt3__112__next_primeEm);

static bool is_prime(size_t n) {
    for (size_t d = 3; d <= n / d; d += 2)
        if (n % d == 0)
            return false;
    return n % 2 || n == 2;
}

size_t next_prime(size_t n) {
    if (n <= 2)
        return n ? 2 : 0;
    for (n |= 1; !is_prime(n); n += 2)
        ;
    return n;
}
