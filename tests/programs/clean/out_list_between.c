/* SPDX-License-Identifier: Apache-2.0 */
/* A call between va_start() and the one that is given the list is answered as it was; the list is another all the same.
 */
#include "trap.h"

#include <stdarg.h>
#include <unistd.h>

static int flag;
static volatile int process;

__attribute__((noinline)) static int print(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    process = getpid();
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
