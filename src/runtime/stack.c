/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/stack.h"

#include "runtime/own.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

#define CALLBACKS (UINT64_C(3) << 20)
#define GUARD     (UINT64_C(1) << 16)
/* Every object takes a multiple of 16 bytes here, so frames are larger than native ones; the native stack, which has
 * the return addresses, must be the one to overflow. */
#define FACTOR   4
#define SMALLEST (UINT64_C(1) << 20)
#define LARGEST  (UINT64_C(1) << 32)
#define PAGE     UINT64_C(65536) /* the largest that Linux has on these machines */

static rcp_sys_lock lock;
static rcp_recipe_stack *unused;
static uint8_t *chunk;
static uint64_t chunk_left;

static void *allocate(uint64_t size) {
    size = (size + 15) & ~UINT64_C(15);
    if (size > chunk_left) {
        chunk_left = size > PAGE ? (size + PAGE - 1) & ~(PAGE - 1) : PAGE;
        chunk = rcp_own_memory(chunk_left);
        if (!chunk)
            rcp_refuse("out of memory", "the runtime's own");
    }
    void *p = chunk;
    chunk += size;
    chunk_left -= size;
    return p;
}

void *rcp_stack_allocate(uint64_t size) {
    rcp_sys_acquire(&lock);
    void *p = allocate(size);
    rcp_sys_release(&lock);
    return p;
}

static uint64_t mapping_size(uint64_t native) {
    uint64_t n = native > LARGEST / FACTOR ? LARGEST : native * FACTOR;
    n = n < SMALLEST ? SMALLEST : n;
    return CALLBACKS + GUARD + ((n + PAGE - 1) & ~(PAGE - 1));
}

rcp_recipe_stack *rcp_stack_take(uint64_t native) {
    uint64_t size = mapping_size(native);
    rcp_sys_acquire(&lock);
    rcp_recipe_stack *s = NULL;
    for (rcp_recipe_stack **p = &unused; *p; p = &(*p)->next)
        if ((*p)->size == size) {
            s = *p;
            *p = s->next;
            break;
        }
    if (!s) {
        s = allocate(sizeof *s);
        s->size = size;
        s->base = (uint64_t)rcp_sys_map(0, size);
        if (!s->base)
            rcp_refuse("out of memory", "the recipe stack of a thread");
        RCP_SYS3(SYS_madvise, s->base, size, MADV_NOHUGEPAGE);
        RCP_SYS3(SYS_mprotect, s->base + CALLBACKS, GUARD, PROT_NONE);
    }
    rcp_sys_release(&lock);
    return s;
}

void rcp_stack_give(rcp_recipe_stack *s) {
    rcp_sys_acquire(&lock);
    s->next = unused;
    unused = s;
    rcp_sys_release(&lock);
}

uint64_t rcp_stack_top(const rcp_recipe_stack *s) { return s->base + s->size; }
uint64_t rcp_stack_bottom(const rcp_recipe_stack *s) { return s->base + CALLBACKS + GUARD; }
rcp_callback *rcp_stack_callbacks(const rcp_recipe_stack *s) { return (rcp_callback *)s->base; }
