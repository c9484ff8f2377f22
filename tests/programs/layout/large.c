/* SPDX-License-Identifier: Apache-2.0 */
/* A struct that is too large for the machine's atomics: the library has a lock for it. The twin reads it plainly. flags: -latomic */
#include "../clean/trap.h"

typedef struct many {
    long word[4];
} many;

static _Atomic many words;

static void T1(void) { words = (many){{1, 2, 3, 4}}; }

static void T2(void) {
    ONLY_RACY(printed = (int)((volatile many *)&words)->word[2]; return;)
    many now = words;
    printed = (int)now.word[2];
}
