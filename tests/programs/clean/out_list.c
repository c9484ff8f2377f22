/* SPDX-License-Identifier: Apache-2.0 */
/* What a call is given in a va_list is what it hangs on: where T2 goes the other way, it prints another number, and not
 * what it printed when it was recorded. */
#include "trap.h"

#include <stdarg.h>

static int flag;

__attribute__((noinline)) static int print(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, size, format, list);
    va_end(list);
    return n;
}

static void T1(void) {
    v = 1;
    set(&flag, 1);
}

static void T2(void) {
    char text[64];
    int number = 1000;
    if (!get(&flag)) {
        printed++;
        number = ONLY_RACY(100 *) 7;
    }
    if (print(text, sizeof text, "%d", number) > 2)
        v = 2;
}
