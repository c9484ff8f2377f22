/* SPDX-License-Identifier: Apache-2.0 */
/* A message that is read by a copy of more than a word, or by a call of the C library: a load of older bytes shows nothing there,
 * a store that comes late does. */
// clean: -DW=release -DR=acquire
// late: 1 -DW=relaxed -DR=relaxed
// late: 1 -DW=relaxed -DR=acquire
// clean: -DCALL -DW=release -DR=acquire
// late: 1 -DCALL -DW=relaxed -DR=relaxed
// hidden: 1 -DW=release -DR=relaxed
// hidden: 1 -DCALL -DW=release -DR=relaxed
#include "litmus.h"

#include <string.h>

static struct letter {
    char text[64];
} letter = {"what was there before"}, mine;
static atomic_int ready;

static void T1(void) {
    letter.text[0] = 'W';
    STORE(ready, 1, W);
}

static void T2(void) {
    if (!LOAD(ready, R))
        return;
#ifdef CALL
    puts(letter.text);
#else
    mine = letter;
#endif
}

static void T3(void) {}

__attribute__((destructor)) static void show(void) { puts(mine.text); }
