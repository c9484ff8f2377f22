/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/told.h"

#include <stdint.h>

enum { IDS = 4096 };

/* An entry that is counted does not change. */
static struct {
    pid_t told, real;
} ids[IDS];
static uint32_t known;
static bool fed;

void rcp_told_feed(void) { fed = true; }
void rcp_told_end(void) { fed = false; }
bool rcp_told_is_fed(void) { return fed; }

static uint32_t count(void) { return __atomic_load_n(&known, __ATOMIC_ACQUIRE); }
bool rcp_told_any(void) { return count(); }

static bool is_told(uint64_t number) {
    for (uint32_t i = 0, n = count(); i < n; i++)
        if (number == (uint64_t)ids[i].told)
            return true;
    return false;
}

pid_t rcp_told_real(pid_t told) {
    for (uint32_t i = 0, n = count(); i < n; i++)
        if (ids[i].told == told)
            return ids[i].real;
    return 0;
}

bool rcp_told_add(pid_t told, pid_t real) {
    uint32_t n = known;
    if (is_told((uint64_t)told))
        return true;
    if (n == IDS)
        return false;
    ids[n].told = told;
    ids[n].real = real;
    __atomic_store_n(&known, n + 1, __ATOMIC_RELEASE);
    return true;
}

static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 32;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

static bool is_in(const char *text, unsigned base) {
    while (*text) {
        const char *from = text;
        uint64_t number = 0;
        for (; digit_of(*text) < base; text++)
            number = number * base + digit_of(*text);
        if (text == from)
            text++;
        else if (is_told(number))
            return true;
    }
    return false;
}

bool rcp_told_is_in(const char *text) {
    return rcp_told_any() && (is_in(text, 10) || is_in(text, 16) || is_in(text, 8));
}
