/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A side that allocates, copies strings and frees. */
#include "frame.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    char *text = malloc(32);
    strcpy(text, "some");
    char *more = strdup("thing");
    strcat(text, more);
    free(more);
    text = realloc(text, 64);
    int *words = calloc(strlen(text), sizeof *words);
    words[8] = v + words[8];
    if (!strcmp(text, "something"))
        printed = words[8];
    free(words);
    free(text);
}
