/* SPDX-License-Identifier: Apache-2.0 */
/* Recipe stacks: where the stack objects of instrumented code are (abi/hooks.h).
 *
 * One mapping: the thread's callbacks (growing up), a guard, the stack (growing down). Stacks of threads that have
 * ended and were joined or detached are used again, the last one first, so that addresses depend on the schedule alone.
 */
#ifndef RECIPE_RUNTIME_STACK_H
#define RECIPE_RUNTIME_STACK_H

#include <stdint.h>

typedef struct rcp_recipe_stack {
    struct rcp_recipe_stack *next; /* of those that are free */
    uint64_t base, size;           /* of the mapping */
} rcp_recipe_stack;

/* Recorded code that was called from outside. */
typedef struct rcp_callback {
    uint64_t word;  /* what `outside` was when it began, and RCP_CALLBACK_… */
    uint64_t frame; /* how far the system's stack went then */
    uint64_t stack; /* and the recipe stack */
} rcp_callback;

/* For a thread whose own stack has `native` bytes. Refuses where there is no memory. Safe from any thread. */
rcp_recipe_stack *rcp_stack_take(uint64_t native);
void rcp_stack_give(rcp_recipe_stack *stack);
uint64_t rcp_stack_top(const rcp_recipe_stack *stack);
/* Of what stack objects can take. */
uint64_t rcp_stack_bottom(const rcp_recipe_stack *stack);
rcp_callback *rcp_stack_callbacks(const rcp_recipe_stack *stack);

/* Memory that is never given back, zeroed. */
void *rcp_stack_allocate(uint64_t size);

#endif
