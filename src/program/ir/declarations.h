/* SPDX-License-Identifier: Apache-2.0 */
/* What the source says that a pointer leads to.
 *
 * Pointers of the IR have no types, and a class and the one it is derived from may be of one size. Debug information
 * has the types of variables, of members and of what functions return; from there the type of what a pointer leads to
 * follows, as far as it is got from them by members, by elements, and by following other pointers.
 *
 * For code as the front end leaves it, with all variables in memory, or with those of which nobody has the address in
 * none. The lookup borrows the functions' modules.
 */
#ifndef RECIPE_PROGRAM_IR_DECLARATIONS_H
#define RECIPE_PROGRAM_IR_DECLARATIONS_H

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

typedef struct rcp_declarations {
    LLVMValueRef function;    /* that was entered */
    LLVMContextRef context;   /* its own */
    LLVMTargetDataRef layout; /* likewise */
    rcp_map functions;        /* that were entered before */
    rcp_map variables;        /* of functions: a place in their memory → which of the variables it has */
    rcp_map pointers;         /* what some variable is → which, of those that are pointers */
    RCP_VEC(LLVMMetadataRef) declarations;
    rcp_map aliases; /* a class without a name → the name that it is known by */
} rcp_declarations;

void rcp_declarations_init(rcp_declarations *declared);
void rcp_declarations_finish(rcp_declarations *declared);
/* What comes then is of this function. */
void rcp_declarations_enter(rcp_declarations *declared, LLVMValueRef function);
/* Functions that were entered may change, or end. */
void rcp_declarations_forget(rcp_declarations *declared);

/* Where the data of an object of `size` bytes ends that the pointer leads to; what follows is padding. 0: not known.
 * Where several objects of that size begin there (a class and its base), `whole` takes the outermost one, else the one
 * whose data ends first. */
uint64_t rcp_declarations_data(rcp_declarations *declared, LLVMValueRef pointer, uint64_t size, bool whole);

/* What the source calls the member that the pointer leads to: "pool.completed" by the name of the class, "all.longest"
 * and "table[].count" by that of the global variable, "count of main" by that of the local one. Appends nothing where
 * it is no member, of no local variable, or not known. */
void rcp_declarations_name(rcp_declarations *declared, LLVMValueRef pointer, uint64_t size, rcp_text *to);

/* What the source calls the object that a function of the C++ library is called for: "counts", "Lru.order", "done of
 * main". Appends nothing where the call is none of these, or it is not known. */
void rcp_declarations_name_called(rcp_declarations *declared, LLVMValueRef call, rcp_text *to);

/* A variable that goes with its thread, as it is declared. */
typedef struct rcp_own_variable {
    LLVMMetadataRef variable; /* NULL: none */
    bool is_thread_local;     /* else it is a local variable of the function */
} rcp_own_variable;

/* The one whose address, or that of a part of it, the pointer is by the function's own words. */
rcp_own_variable rcp_declarations_own(rcp_declarations *declared, LLVMValueRef pointer);
void rcp_declarations_put_variable(rcp_declarations *declared, LLVMMetadataRef variable, rcp_text *to);

#endif
