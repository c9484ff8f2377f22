/* SPDX-License-Identifier: Apache-2.0 */
/* A call of a function that is not recorded: whether its name is that of a row of the table (outside/outside.h), and
 * which memory it touches, as the words of that row say. How far it goes may be up to what memory holds: that is looked
 * at as the space has it.
 */
#ifndef RECIPE_PROGRAM_REACH_OUTSIDE_CALL_H
#define RECIPE_PROGRAM_REACH_OUTSIDE_CALL_H

#include "outside/outside.h"
#include "program/machine/space.h"
#include "trace/model/defs.h"

struct rcp_program;

/* The row of what a program calls by that name, which `row` is: a function of its own is not the C library's. NULL:
 * nothing is known of it. */
const rcp_outside *rcp_outside_of(const struct rcp_program *program, const char *name, const rcp_outside *row);

/* Is the function of the row given one to call that is not recorded, and that nobody knows? `words`, `n`: what it is
 * given. `stranger`: where that one is. */
bool rcp_outside_calls_stranger(const struct rcp_program *program, const rcp_outside *row, const uint64_t *words,
                                size_t n, uint64_t *stranger);

typedef struct rcp_outside_touch {
    /* r: is read when it begins. a: is read as atomics are. l: is read, and leaves the program or is only moved:
     * nothing comes back that hangs on bytes that nobody has written. c: two strings are read, byte by byte in turns.
     * w: is written when it ends. x: both at any time. m: may be read, or not. M: may be read and written, or not. */
    char how;
    uint64_t address, size;
    uint64_t second;      /* c: the other string */
    bool is_string;       /* byte by byte: what it holds says whether the next one is read */
    bool by_result;       /* the result says how far */
    bool is_vague;        /* and it is not known: this is the farthest */
    rcp_span looked[2];   /* memory that says how far, of which this is what the space has; hi 0: none */
    uint64_t base;        /* w: what it is given, where that is not `address` */
    unsigned conversions; /* of the format in hand, that have been looked at */
    uint64_t elements;    /* of the array in hand, that have been looked at; 0: it is through */
} rcp_outside_touch;

/* The memory that a call touches. `arguments` has `n` words; `result` counts where `has_returned`. Takes its place in
 * `at`, which starts as NULL, and in `touch`, which starts as {0}; false: there is no more. */
typedef struct rcp_outside_call {
    const rcp_outside *outside;
    const uint64_t *arguments;
    size_t n;
    uint64_t block; /* bytes of the heap's block at argument 0; 0: there is none */
    bool has_returned;
    uint64_t result;
    const uint8_t *strings, *strings_end; /* that it reads by a va_list (RCP_LOG_STRINGS); NULL: none */
} rcp_outside_call;
bool rcp_outside_next(const rcp_outside_call *call, rcp_space *space, const char **at, rcp_outside_touch *touch);

/* Is it given the name of a file that may show which threads there are, or what such a name is made of? `row` may be
 * NULL. */
bool rcp_outside_names_threads(const rcp_outside *row, rcp_space *space, const uint64_t *words, size_t n);

/* Does the format, which has `n` bytes with its NUL, read nothing but strings? `strings`: so many. */
bool rcp_outside_is_plain_format(const char *format, size_t n, size_t *strings);

#endif
