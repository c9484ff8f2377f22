/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C and C++ libraries whose doings are known. rows/ has them, by what they are about; here they become
 * one table, which is looked up by name. */
#include "program/reach/outside.h"

#include "program/ir/program.h"

#include <stdlib.h>

/* A name, what it is (rcp_outside_kind without its prefix), the memory that it touches. BACK: it calls back. */
#define ROW(name, kind, ...)    {#name, RCP_OUTSIDE_##kind, false, "" __VA_ARGS__},
#define BACK(name, kind, ...)   {#name, RCP_OUTSIDE_##kind, true, "" __VA_ARGS__},
#define FAMILY(name, kind, ...) {#name, RCP_OUTSIDE_##kind, false, "" __VA_ARGS__},
#define MATH(name)              #name,

static const rcp_outside rows[] = {
#include "program/reach/rows/cxx.def"
#include "program/reach/rows/files.def"
#include "program/reach/rows/heap.def"
#include "program/reach/rows/numbers.def"
#include "program/reach/rows/process.def"
#include "program/reach/rows/signals.def"
#include "program/reach/rows/streams.def"
#include "program/reach/rows/strings.def"
#include "program/reach/rows/threads.def"
#include "program/reach/rows/time.def"
#include "program/reach/rows/waiting.def"
};
static const rcp_outside families[] = {
#include "program/reach/rows/cxx_families.def"
};
static const char *const math[] = {
#include "program/reach/rows/math.def"
};
enum { ROWS = sizeof rows / sizeof *rows, FAMILIES = sizeof families / sizeof *families };

static int by_name(const void *a, const void *b) {
    return strcmp((*(const rcp_outside *const *)a)->name, (*(const rcp_outside *const *)b)->name);
}

/* All rows by their names: nobody has to keep the files in that order. (The analysis has processes, no threads.) */
static const rcp_outside *const *sorted(void) {
    static const rcp_outside *table[ROWS];
    if (!table[0]) {
        for (size_t i = 0; i < ROWS; i++)
            table[i] = &rows[i];
        qsort(table, ROWS, sizeof *table, by_name);
    }
    return table;
}

static bool is_math(const char *name) {
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof math / sizeof *math; i++) {
        size_t k = strlen(math[i]);
        if (n - k <= 1 && !memcmp(name, math[i], k) && (n == k || name[k] == 'f' || name[k] == 'l'))
            return true;
    }
    return false;
}

const rcp_outside *rcp_outside_find(const char *name) {
    static const rcp_outside computes = {"math", RCP_OUTSIDE_HARMLESS, false, NULL};
    const rcp_outside asked = {.name = name}, *key = &asked;
    const rcp_outside *const *row = bsearch(&key, sorted(), ROWS, sizeof *row, by_name);
    if (row)
        return *row;
    for (size_t i = 0; i < FAMILIES; i++)
        if (!strncmp(name, families[i].name, strlen(families[i].name)))
            return &families[i];
    return is_math(name) ? &computes : NULL;
}

const rcp_outside *rcp_outside_of(const struct rcp_program *program, const char *name) {
    return rcp_linked_is_own(&program->linked, name) ? NULL : rcp_outside_find(name);
}

const rcp_outside *rcp_outside_row(size_t i) { return i < ROWS ? sorted()[i] : NULL; }
