/* SPDX-License-Identifier: Apache-2.0 */
/* What it reads decides what it does: a replay reads the same. */
#include "threads.h"

static int words, letters;

static void *counter(void *unused) {
    int c, inside = 0;
    while ((c = getchar()) != EOF) {
        letters += c != ' ' && c != '\n';
        if (c != ' ' && c != '\n' && !inside)
            words++;
        inside = c != ' ' && c != '\n';
    }
    return unused;
}

static void *printer(void *unused) {
    printf("%d words\n", words);
    return unused;
}

int main(void) {
    run_both(counter, printer);
    return letters == 0;
}
