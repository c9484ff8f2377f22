/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

size_t rcp_utf8_sequence(const char *bytes, size_t left) {
    const unsigned char *p = (const unsigned char *)bytes;
    unsigned char low = 0x80, high = 0xbf; /* what the second byte may be */
    size_t n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
    if (*p == 0xe0)
        low = 0xa0;
    else if (*p == 0xed)
        high = 0x9f;
    else if (*p == 0xf0)
        low = 0x90;
    else if (*p == 0xf4)
        high = 0x8f;
    if (n > left)
        return 0;
    for (size_t i = 1; i < n; i++, low = 0x80, high = 0xbf)
        if (p[i] < low || p[i] > high)
            return 0;
    return n;
}
