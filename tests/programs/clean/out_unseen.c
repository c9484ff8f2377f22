/* SPDX-License-Identifier: Apache-2.0 */
/* What a call wrote into a thread's own memory, where longer strings were before, says how far the next calls go. */
#include "trap.h"

static char copied[16], joined[16] = "j", compared[16] = "abcdefgh";

static void fill(volatile char *at) {
    for (int i = 0; i < 9; i++)
        at[i] = "abcdefgh"[i];
}

static void T1(void) {
    char own[16], *block = malloc(16);
    fill(own);
    sprintf(own, "%d", v ONLY_RACY(+1234));
    strcpy(copied, own);
    fill(block);
    strcpy(block, "x");
    strcat(joined, block);
    fill(own);
    snprintf(own, sizeof own, "%d", v);
    printed = strcmp(own, compared) > 100;
    free(block);
    ONLY_RACY(copied[3] = 1;)
}

static void T2(void) {
    copied[3] = 1;
    joined[5] = 1;
    compared[3] = 1;
}
