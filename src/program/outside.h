/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of functions that are not instrumented: whether they are harmless, and which memory they touch.
 *
 * A function that is in no table may do anything: look at all memory, wait for other threads, let them go on. For what
 * the C library does often, program/outside_table.c says better. A wrong entry there is a wrong report later: whatever
 * threads can wait for each other by (pipes, sockets, signals, locks of files) is never harmless, and neither is what
 * has a state of its own behind it: time runs forward, and who calls rand() first gets the first number.
 */
#ifndef RECIPE_PROGRAM_OUTSIDE_H
#define RECIPE_PROGRAM_OUTSIDE_H

#include "program/space.h"

typedef enum rcp_outside_kind {
    RCP_OUTSIDE_UNKNOWN,  /* a barrier pair that reaches everything */
    RCP_OUTSIDE_HARMLESS, /* no other thread's doing has to do with it, but for the memory that it touches */
    RCP_OUTSIDE_PRINTS,   /* harmless, and only its result depends on the values that it is given */
    RCP_OUTSIDE_SYNC,     /* the log has what it did; where it has nothing, a barrier pair */
    RCP_OUTSIDE_PAIR,     /* a barrier pair that touches only the memory that is said */
    RCP_OUTSIDE_OBJECT,   /* harmless where nobody shares what it is given; else unknown */
    RCP_OUTSIDE_STREAM    /* the same; but the standard streams are made to be shared */
} rcp_outside_kind;

typedef struct rcp_outside {
    const char *name;
    uint8_t kind;    /* rcp_outside_kind */
    bool calls_back; /* a callback from it is its own, and no signal's handler */
    /* Words, each of them: r, w or x (is read when it begins, is written when it ends, is both at any time; a: is read
     * as atomics are), the argument that points there, and how far:
     *   z        up to a NUL, which is included
     *   Zk       the same, at most argument k bytes
     *   #k       argument k bytes
     *   8k       8 times argument k bytes
     *   *jk      argument j times argument k bytes
     *   =n       n bytes
     *   S        one byte more than its result, an int, says
     *   Nk       the same, at most argument k bytes
     *   Ck       as far as argument k goes up to its NUL (strcpy)
     *   Ak       the same, from its own NUL on (strcat)
     *   B        the block of the heap that argument 0 is (realloc)
     * Arguments are single digits. What the log tells as an effect is not said here. */
    const char *touches;
} rcp_outside;

/* NULL: unknown. `name` as the linker has it. */
const rcp_outside *rcp_outside_find(const char *name);

/* Are the rows where a look-up finds them? For the tests. */
bool rcp_outside_is_sorted(void);

typedef struct rcp_outside_touch {
    char how; /* r, a, w, x */
    uint64_t address, size;
} rcp_outside_touch;

/* The memory that a call touches. `arguments` has `n` words; `result` counts where `has_returned`. Touches that need
 * the result are left out before. Takes its place in `at`, which starts as NULL; false: there is no more. */
typedef struct rcp_outside_call {
    const rcp_outside *outside;
    const uint64_t *arguments;
    size_t n;
    uint64_t block; /* bytes of the heap's block at argument 0; 0: there is none */
    bool has_returned;
    uint64_t result;
} rcp_outside_call;
bool rcp_outside_next(const rcp_outside_call *call, rcp_space *space, const char **at, rcp_outside_touch *touch);

#endif
