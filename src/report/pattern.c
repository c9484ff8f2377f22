/* SPDX-License-Identifier: Apache-2.0 */
#include "report/pattern.h"

#include <string.h>

/* The pieces between stars, one after the other, each at the first place where it fits: any later one leaves less for
 * those behind it. A piece that is tied to the end has only one place. */
bool rcp_pattern_matches(const char *pattern, const char *name) {
    bool is_tied = *pattern == '^';
    pattern += is_tied;
    const char *end = pattern + strlen(pattern), *rest = name, *name_end = name + strlen(name);
    const bool ends_there = end > pattern && end[-1] == '$';
    end -= ends_there;
    if (!*name)
        return false;
    for (;; is_tied = false) {
        const char *star = memchr(pattern, '*', (size_t)(end - pattern));
        const size_t n = (size_t)((star ? star : end) - pattern), left = (size_t)(name_end - rest);
        const char *at = !star && ends_there ? (left < n ? NULL : name_end - n) : memmem(rest, left, pattern, n);
        if (!at || memcmp(at, pattern, n) != 0 || (is_tied && at != rest))
            return false;
        if (!star)
            return true;
        rest = at + n;
        pattern = star + 1;
    }
}
