/* SPDX-License-Identifier: Apache-2.0 */
/* std::unordered_map and its kin: when is a table to grow? To how many buckets is said by the library itself, once per
 * growth: its primes are the order in which programs see their elements. */
#include "stdcxx/stdcxx.h"

typedef struct policy {
    float max_load;
    size_t next_resize; /* with more elements than these; 0: there are no buckets yet but the one in the table */
} policy;

typedef struct answer { /* std::pair<bool, size_t> */
    bool rehash;
    size_t buckets;
} answer;

/* At least so many buckets; sets `next_resize`. */
size_t next_buckets(policy *p, size_t n) LIBRARY(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm);
answer need_rehash(policy *p, size_t buckets, size_t elements, size_t more)
    STDCXX(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm);

enum { GROWTH = 2, FIRST = 11 };

answer need_rehash(policy *p, size_t buckets, size_t elements, size_t more) {
    if (elements + more <= p->next_resize)
        return (answer){false, 0};
    size_t wanted = elements + more;
    if (!p->next_resize && wanted < FIRST)
        wanted = FIRST;
    double least = (double)wanted / (double)p->max_load;
    if (least < (double)buckets) { /* the load may have been raised meanwhile */
        p->next_resize = (size_t)((double)buckets * (double)p->max_load);
        return (answer){false, 0};
    }
    size_t enough = (size_t)least + 1, grown = buckets * GROWTH;
    return (answer){true, next_buckets(p, enough > grown ? enough : grown)};
}
