/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed into a file, and how it is kept until then, can be found there. T2 goes the other way, and prints
 * another letter, or does not let it out. */
#include "trap.h"

#include <sys/stat.h>

static int flag, w, u;

static void T1(void) {
    v = 1;
    w = 1;
    u = 1;
    set(&flag, 1);
}

static off_t size_of(FILE *file) {
    struct stat status = {0};
    return fstat(fileno(file), &status) ? 0 : status.st_size;
}

static void T2(void) {
    FILE *letters = tmpfile(), *kept = tmpfile(), *whole = tmpfile();
    int is_set = get(&flag), letter = 'a';
    if (!is_set) {
        printed++;
        ONLY_RACY(if (0))
        letter = 'b';
    }
    fputc(letter, letters);
    rewind(letters);
    if (fgetc(letters) == 'a')
        v = 2;
    fputs("hello", kept);
    if (is_set)
        fflush(kept);
    if (size_of(kept))
        w = 2;
    setvbuf(whole, NULL, is_set ? _IONBF : _IOFBF, 4096);
    fputs("hello", whole);
    if (size_of(whole))
        u = 2;
}
