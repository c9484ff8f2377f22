/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that stop early do not read the rest, nor write it. */
#include "trap.h"

#include <unistd.h>

static char s[32] = "abcdefghijklmnopqrstuvwxyz", buffer[16];
static struct {
    char name[8];
    int k;
} pair;

static void T1(void) {
    s[ONLY_RACY(1 ? 1 :) 12] = 'X';
    buffer[9] = 1;
    pair.k = 3;
}

static void T2(void) {
    printed = strchr(s, 'b') == s + 1;
    printed += !!memchr(s, 'c', 20);
    printed += strncmp(s, "ac", 20) < 0;
    printed += strspn(s, "ab") == 2;
    printed += (int)write(-1, buffer, 16);
    strncat(pair.name, "a very long string", 3);
}
