/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of functions stand for, as the program's file and its modules say: a library's, or the program's own.
 *
 * A function of the program's own may have the name of one of the C library's (a static index(), a getline() of its
 * own), and then nothing that is known of that one counts. So may one of another library's: symbols say which version
 * of which library they want. And so may one of a library that is loaded before the C library though nobody was linked
 * with it (LD_PRELOAD), unless it has versions of its own, which nobody asked for.
 */
#ifndef RECIPE_PROGRAM_RECORDING_LINKED_H
#define RECIPE_PROGRAM_RECORDING_LINKED_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct rcp_linked {
    rcp_map foreign;           /* name's hash → 1: a library's */
    rcp_map own;               /* → 1: the program's, or another library's than the C library and its kin */
    rcp_map runtimes;          /* → 1: the runtime's, in front of a library's */
    rcp_map shared;            /* → 1: the program, or a library with recorded code, has it for others to use */
    RCP_VEC(char *) functions; /* of those the functions, but for the compiler's and recipe's */
    RCP_VEC(char *) wanted;    /* functions and variables that it wants of libraries, or one with recorded code does */
    RCP_VEC(char *) tables;    /* of virtual functions that these have, but for C++'s own: a name for each of them */
    bool has_buffers;          /* these have to do with classes by which streams of C++ write (RCP_ROLE_BUFFERS) */
    bool has_strange_buffers;  /* a library without recorded code has, or loads others; or the program does */
    bool has_strange_exceptions; /* one hands on exceptions */
    bool has_strange_sources;    /* one gives streams of C++ their buffers, or has to do with std::cin */
    bool has_strange_files;      /* a library without recorded code works on files by streams of C++ */
    bool may_set_locale;         /* one of them all may, or may be led to; or nobody could look */
    bool has_printers; /* it wants to print some conversions by functions of its own (PRINTERS of outside/outside.h) */
    bool is_read;      /* the program's file is known */
    bool is_bare;      /* and names only what it shares: all else may be the program's */
} rcp_linked;

void rcp_linked_init(rcp_linked *linked);
void rcp_linked_finish(rcp_linked *linked);

/* The program's file, or that of a library with recorded code. One that can't be read says nothing: it may be elsewhere
 * by now. */
void rcp_linked_read(rcp_linked *linked, const char *path, bool is_program);
/* A library that is none of the C library's kin. `is_first`: the loader asks it before the C library, and what it
 * defines by a name that is known is not that one's. */
void rcp_linked_read_library(rcp_linked *linked, const char *path, bool is_first);
/* A function that a module has and does not record. */
void rcp_linked_add_own(rcp_linked *linked, const char *name);

/* Does a library define it, and no object of the program itself? */
bool rcp_linked_is_foreign(const rcp_linked *linked, const char *name);
/* Is it a library's, also where the program's file has it, because the runtime stands in front of it there? */
bool rcp_linked_is_librarys(const rcp_linked *linked, const char *name);
/* Can libraries name it, a variable or a function? */
bool rcp_linked_is_shared(const rcp_linked *linked, const char *name);
/* Is it, or may it be, another function than the C library's of that name? */
bool rcp_linked_is_own(const rcp_linked *linked, const char *name);

#endif
