/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of functions that are not instrumented: whether they are harmless, and which memory they touch.
 *
 * A function that is in no table may do anything: look at all memory, wait for other threads, let them go on. For what
 * the C library does often, program/reach/rows/ says better. A wrong entry there is a wrong report later:
 * whatever threads can wait for each other by (pipes, sockets, signals, locks of files) is never harmless, and neither
 * is what has a state of its own behind it: time runs forward, and who calls rand() first gets the first number.
 */
#ifndef RECIPE_PROGRAM_REACH_OUTSIDE_H
#define RECIPE_PROGRAM_REACH_OUTSIDE_H

#include "program/machine/space.h"
#include "trace/model/defs.h"

struct rcp_program;

typedef enum rcp_outside_kind {
    RCP_OUTSIDE_UNKNOWN,  /* a barrier pair that reaches everything */
    RCP_OUTSIDE_HARMLESS, /* no other thread's doing has to do with it, but for the memory that it touches */
    RCP_OUTSIDE_PRINTS,   /* harmless on a standard stream, and only its result depends on the values that it is given;
                             on another stream a pair */
    RCP_OUTSIDE_SETTING,  /* harmless as long as nobody changes the locale or the environment; else a pair */
    RCP_OUTSIDE_THROWN,   /* harmless as long as no exception goes from one thread to another (std::exception_ptr): who
                             lets go of one last frees it; else a pair */
    RCP_OUTSIDE_SYNC,     /* the log has what it did; where it has nothing, a barrier pair */
    RCP_OUTSIDE_PAIR,     /* a barrier pair that touches only the memory that is said */
    RCP_OUTSIDE_OBJECT,   /* harmless where nobody shares what it is given; else unknown */
    RCP_OUTSIDE_STREAM    /* the same; but the standard streams are made to be shared */
} rcp_outside_kind;

typedef struct rcp_outside {
    const char *name;
    uint8_t kind;    /* rcp_outside_kind */
    bool calls_back; /* a callback from it is its own, and no signal's handler */
    /* Words, each of them: how (rcp_outside_touch), the argument that points there, and how far:
     *   z        up to a NUL, which is included
     *   Zk       the same, at most argument k bytes
     *   #k       argument k bytes
     *   8k       8 times argument k bytes
     *   *jk      argument j times argument k bytes
     *   =n       n bytes
     *   S        one byte more than its result, an int, says
     *   Nk       the same, at most argument k bytes
     *   L        one byte more than its result, a size, says (strlen)
     *   Tk       the same, at most argument k bytes
     *   P        up to where its result points; up to a NUL where that is null (strchr)
     *   pk       the same, argument k bytes where it is null (memchr)
     *   Rk       as many bytes as its result says; none where that is negative (write); k: what it was asked for
     *   Ck       as far as argument k goes up to its NUL (strcpy)
     *   lkj      the same, at most argument j bytes (strlcpy)
     *   Ak       as Ck, from its own NUL on (strcat)
     *   akj      the same, of argument k at most j bytes and a NUL (strncat)
     *   dk       up to where it differs from what argument k points to, or a NUL (strcmp)
     *   Dkj      the same, at most argument j bytes (strncmp)
     *   B        the block of the heap that argument 0 is (realloc)
     * Beside these: fk, argument k is the stream that it prints on; Fk, argument k is a format of printf, whose
     * strings are read; Vk, the same, with a va_list. Of pairs: ok, it looks at the object of synchronisation that
     * argument k points to; tk, argument k is a thread's handle, and it sees whether that has ended; nk, the same with
     * the number of a process or a thread, of any unless it is 0. Arguments are single digits. What the log tells as an
     * effect is not said here. */
    const char *touches;
} rcp_outside;

/* NULL: unknown. `name` as the linker has it. */
const rcp_outside *rcp_outside_find(const char *name);
/* The same of what a program calls by that name: a function of its own is not the C library's. */
const rcp_outside *rcp_outside_of(const struct rcp_program *program, const char *name);

/* The rows by number, sorted by name; NULL: there are no more. For the tests. */
const rcp_outside *rcp_outside_row(size_t i);

typedef struct rcp_outside_touch {
    /* r: is read when it begins. a: is read as atomics are. c: two strings are read, byte by byte in turns. w: is
     * written when it ends. x: both at any time. m: may be read, or not. M: may be read and written, or not. */
    char how;
    uint64_t address, size;
    uint64_t second;      /* c: the other string */
    bool is_string;       /* byte by byte: what it holds says whether the next one is read */
    bool by_result;       /* the result says how far */
    bool is_vague;        /* and it is not known: this is the farthest */
    rcp_span looked[2];   /* memory that says how far, of which this is what the space has; hi 0: none */
    uint64_t base;        /* w: what it is given, where that is not `address` */
    unsigned conversions; /* of the format in hand, that have been looked at */
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
} rcp_outside_call;
bool rcp_outside_next(const rcp_outside_call *call, rcp_space *space, const char **at, rcp_outside_touch *touch);

/* The argument that is the stream to print on, the one that is a format; -1: there is none. `is_list`: its values are
 * in a va_list. */
int rcp_outside_stream(const rcp_outside *outside);
int rcp_outside_format(const rcp_outside *outside, bool *is_list);
/* The argument that is an object, a thread's handle, a thread's number ('o', 't', 'n'); -1: there is none. */
int rcp_outside_beside(const rcp_outside *outside, char what);
/* Does the format, which has `n` bytes with its NUL, read nothing but strings that are given one by one? `is_list`:
 * nothing at all. */
bool rcp_outside_is_plain_format(const char *format, size_t n, bool is_list);
/* Functions that change the locale, the environment or the time zone, by number; NULL: there are no more. */
const char *rcp_outside_changer(size_t i);

#endif
