/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A side that allocates at a multiple of something, looks for characters and copies parts of strings. */
#include "frame.h"
#include <strings.h>

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    void *block = NULL;
    char *some = strndup("something", 4);
    if (!some || posix_memalign(&block, 64, 32))
        return;
    char *text = block;
    strcpy(text, some);
    strncat(text, "thing else", 5);
    const char *colon = memchr(text, ':', strlen(text) + 1), *last = rindex(text, 'g');
    if (!((unsigned long)text % 64) && !colon && index(text, 'm') == text + 2 && last == text + 8)
        printed = v;
    free(text);
    free(some);
}
