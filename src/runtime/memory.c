/* SPDX-License-Identifier: Apache-2.0 */
/* The malloc family: each block's life begins and ends in the log. operator new and delete come through here too.
 *
 * libc's own entry points (__libc_malloc and kin) are called rather than looked up: looking up allocates. A program
 * with an allocator of its own keeps it (RCP_INTERCEPT); then its blocks are what that gets from mmap.
 *
 * What memory holds needs no word where nobody may rely on it: after malloc, reading a block finds by way of the shadow
 * what is there. calloc's zeros and what realloc carries over are told, because programs do read those.
 */
#include "runtime/objects.h"
#include "runtime/retired.h"
#include "runtime/runtime.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void begins(const rcp_thread *self, void *block, size_t size) {
    rcp_retired_note(self, block);
    rcp_log_alloc((uint64_t)block, size, RCP_ALLOC_HEAP);
}

static void ends(void *block, size_t room) {
    rcp_objects_end((uint64_t)block, room);
    rcp_log_free((uint64_t)block);
}

RCP_INTERCEPT void *malloc(size_t size) {
    rcp_thread *self = rcp_inside();
    void *block = __libc_malloc(size);
    if (!self)
        return block;
    if (!block && rcp_retired_release())
        block = __libc_malloc(size);
    if (block)
        begins(self, block, size);
    rcp_outside(self);
    return block;
}

RCP_INTERCEPT void *calloc(size_t n, size_t size) {
    rcp_thread *self = rcp_inside();
    void *block = __libc_calloc(n, size);
    if (!self)
        return block;
    if (!block && rcp_retired_release())
        block = __libc_calloc(n, size);
    if (block) {
        rcp_retired_note(self, block);
        rcp_log_alloc((uint64_t)block, n * size, RCP_ALLOC_ZEROED);
        rcp_effect_fill(block, n * size, 0);
    }
    rcp_outside(self);
    return block;
}

RCP_INTERCEPT void free(void *block) {
    rcp_thread *self = block ? rcp_inside() : NULL;
    if (!self) {
        __libc_free(block);
        return;
    }
    int error = errno;
    size_t room = malloc_usable_size(block);
    ends(block, room);
    rcp_retired_add(self, block, room);
    errno = error;
    rcp_outside(self);
}

/* The old block ends and the new one begins also where it stays in its place: pointers into the old one are invalid.
 * Only when it is done is it known whether the old one ends at all, and nobody else can have got its memory yet. Where
 * it moves, the old one ends after what it held was copied: nobody reads what has ended. The two are apart: the
 * allocator gives out no part of a block that it still copies from. */
RCP_INTERCEPT void *realloc(void *block, size_t size) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return __libc_realloc(block, size);
    size_t room = block ? malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    if (!moved && size && rcp_retired_release())
        moved = __libc_realloc(block, size);
    if (moved != block) {
        if (moved)
            begins(self, moved, size);
        if (moved && block)
            rcp_effect_copy(moved, block, room < size ? room : size);
        if (block && (moved || !size))
            ends(block, room);
    } else if (block) {
        ends(block, room);
        begins(self, block, size);
    }
    rcp_outside(self);
    return moved;
}

RCP_INTERCEPT void *reallocarray(void *block, size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

static void *aligned(size_t alignment, size_t size) {
    rcp_thread *self = rcp_inside();
    void *block = __libc_memalign(alignment, size);
    if (!self)
        return block;
    if (!block && rcp_retired_release())
        block = __libc_memalign(alignment, size);
    if (block)
        begins(self, block, size);
    rcp_outside(self);
    return block;
}

RCP_INTERCEPT void *memalign(size_t alignment, size_t size) { return aligned(alignment, size); }
RCP_INTERCEPT void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size); }
RCP_INTERCEPT void *valloc(size_t size) { return aligned((size_t)getpagesize(), size); }

RCP_INTERCEPT void *pvalloc(size_t size) {
    size_t page = (size_t)getpagesize(), whole;
    if (__builtin_add_overflow(size, page - 1, &whole)) {
        errno = ENOMEM;
        return NULL;
    }
    return aligned(page, whole & ~(page - 1));
}

RCP_INTERCEPT int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
        return EINVAL;
    int error = errno;
    void *at = aligned(alignment, size);
    errno = error;
    if (!at)
        return ENOMEM;
    *block = at;
    rcp_thread *self = rcp_inside();
    if (self) {
        rcp_effect(block, sizeof *block);
        rcp_outside(self);
    }
    return 0;
}
