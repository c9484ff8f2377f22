/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 4: the environment, and where strtok() stands, are state behind calls. */
#include "trap.h"

static char words[] = "a b";
static int w;

static void T1(void) {
    v = 1;
    setenv("TRAP", "1", 1);
    w = 1;
    strtok(NULL, " ");
}

static void T2(void) {
    if (getenv("TRAP"))
        printed = v;
    if (!strtok(NULL, " ")) /* the second word is taken */
        printed += w;
}

__attribute__((constructor)) static void begin(void) { strtok(words, " "); }
