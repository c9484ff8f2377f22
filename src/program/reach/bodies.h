/* SPDX-License-Identifier: Apache-2.0 */
/* What a function that is not recorded can touch beside what it is given, where the bitcode has its body: the global
 * variables that it names, and whom it calls. `recipe cc --exclude` makes such functions.
 *
 * Callees are followed: those with a body that is not recorded either, in any module. What is recorded is called back,
 * and has events of its own. What the C library does is in program/reach/rows/.
 *
 * Ownership: bodies live as long as the table. Borrows the program.
 */
#ifndef RECIPE_PROGRAM_REACH_BODIES_H
#define RECIPE_PROGRAM_REACH_BODIES_H

#include "base/map.h"
#include "base/vec.h"
#include "program/reach/outside_call.h"
#include "program/ir/program.h"
#include "trace/model/defs.h"

typedef struct rcp_body {
    RCP_VEC(rcp_span) globals;   /* variables that are not constant */
    bool reaches_system;         /* it may wait for others by files, pipes and the like */
    bool reaches_libraries;      /* it calls what nobody knows, or by a pointer */
    bool sees_ends;              /* it may ask for threads by their numbers: whether they have ended */
    bool calls_pointers;         /* it does so where one that it finds is a library's function */
    bool reaches_everything;     /* assembly */
    bool reaches_specific;       /* it asks for what is kept for its thread (pthread_getspecific) */
    bool asks;                   /* it calls what may tell what others have done who saw what was printed */
    bool changes_settings;       /* it calls what changes the locale, the environment or the time zone */
    bool keeps;                  /* it may leave a pointer somewhere */
    bool follows;                /* it may go where a pointer leads that it finds in memory, or gets from others */
    RCP_VEC(uint64_t) locals;    /* thread-local variables: their numbers among those of all units */
    RCP_VEC(LLVMValueRef) works; /* while it is made: functions that belong to it */
} rcp_body;

typedef struct rcp_bodies {
    const rcp_program *program;
    rcp_map index; /* LLVMValueRef → at */
    RCP_VEC(rcp_body *) at;
    rcp_map by_address;              /* → functions */
    RCP_VEC(LLVMValueRef) functions; /* whose address is taken, or that libraries can call by name */
    rcp_map by_name;                 /* name's hash → named */
    RCP_VEC(LLVMValueRef) named;     /* that other modules can name */
} rcp_bodies;

void rcp_bodies_init(rcp_bodies *bodies, const rcp_program *program);
void rcp_bodies_finish(rcp_bodies *bodies);

/* The body of the function that `name` calls from `unit`; NULL: the bitcode has none that is not recorded. */
const rcp_body *rcp_bodies_find(rcp_bodies *bodies, const rcp_unit *unit, const char *name);
/* The same of the function whose address it is; NULL: it is none that is not recorded. */
const rcp_body *rcp_bodies_at(rcp_bodies *bodies, uint64_t address);
/* What that function is called; NULL: it is none that is not recorded. Borrowed from LLVM. */
const char *rcp_bodies_name_at(const rcp_bodies *bodies, uint64_t address);
/* The body of bodies->functions.at[i]. */
const rcp_body *rcp_bodies_of(rcp_bodies *bodies, size_t i);
/* The units from `first` on have been loaded. */
void rcp_bodies_part(rcp_bodies *bodies, size_t first);
/* Does any body that is not recorded change settings? */
bool rcp_bodies_change_settings(rcp_bodies *bodies);
/* Does any ask for what others may have done who saw what was printed? */
bool rcp_bodies_ask(rcp_bodies *bodies);
/* Does a library define it, and no object of the program itself? */
bool rcp_bodies_is_foreign(const rcp_bodies *bodies, const char *name);

#endif
