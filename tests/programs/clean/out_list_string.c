/* SPDX-License-Identifier: Apache-2.0 */
/* A string of a va_list holds something else where another thread went the other way before. */
#define OWN_MAIN
#include "trap.h"

#include <stdarg.h>

static int flag;
static char word[8];

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
    int is_set = get(&flag);
    if (!is_set)
        printed++;
    word[0] = 'a';
    word[1] = (char)(is_set ONLY_RACY(| 1));
}

static void *third(void *unused) {
    char text[64];
    if (print(text, sizeof text, "%s", word) > 1)
        v = 2;
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(two, NULL);
    if (pthread_create(&three, NULL, third, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(three, NULL);
    printf("%d\n", printed);
    return 0;
}
