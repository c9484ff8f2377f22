/* SPDX-License-Identifier: Apache-2.0 */
/* libc++'s std::pmr::monotonic_buffer_resource, with its table of virtual functions. Memory is given out from a
 * buffer's end to its beginning; the headers know how buffers lie, and give them back. */
#include "stdcxx/stdcxx.h"

#include <stdint.h>

typedef struct footer { /* behind each buffer that was made */
    struct footer *next;
    char *start, *at;
    size_t alignment;
} footer;

typedef struct resource {
    void *const *virtual_functions;
} resource;

typedef struct arena {
    void *const *virtual_functions;
    char *start, *at; /* the buffer that it was given; NULL: none */
    union {
        char *end;
        size_t size; /* that the first one is to have, where none was given */
    };
    footer *buffers;
    resource *upstream;
} arena;

enum { ALLOCATE = 2, DEALLOCATE = 3 }; /* where a resource's functions are in its table */

void *allocate(arena *a, size_t bytes, size_t alignment)
    STDCXX(_ZNSt3__13pmr25monotonic_buffer_resource11do_allocateEmm);
void end_resource(void *a) LIBRARY(_ZNSt3__13pmr15memory_resourceD2Ev);
void delete_sized(void *block, size_t bytes) LIBRARY(_ZdlPvm);
extern char arena_type[] LIBRARY(_ZTINSt3__13pmr25monotonic_buffer_resourceE);

/* From [start, *at); NULL: there is no room. */
static void *take(char *start, char **at, size_t bytes, size_t alignment) {
    size_t left = (size_t)(*at - start);
    if (!*at || bytes > left)
        return NULL;
    size_t skipped = (uintptr_t)(*at - bytes) & (alignment - 1);
    return skipped > left - bytes ? NULL : (*at -= bytes + skipped);
}

static size_t with_footer(size_t bytes) { return ((bytes + sizeof(void *) - 1) & -sizeof(void *)) + sizeof(footer); }

/* How large the last buffer was. */
static size_t last_size(const arena *a) {
    if (a->buffers)
        return (size_t)((char *)a->buffers - a->buffers->start) + sizeof(footer);
    return with_footer(a->start ? (size_t)(a->end - a->start) : a->size);
}

void *allocate(arena *a, size_t bytes, size_t alignment) {
    void *block = take(a->start, &a->at, bytes, alignment);
    if (!block && a->buffers)
        block = take(a->buffers->start, &a->buffers->at, bytes, alignment);
    if (block)
        return block;
    if (alignment < sizeof(void *))
        alignment = sizeof(void *);
    size_t last = last_size(a), size = with_footer(bytes);
    if (size <= last)
        size = with_footer(2 * (last - sizeof(footer)));
    void *(*get)(resource *, size_t, size_t) =
        (void *(*)(resource *, size_t, size_t))a->upstream->virtual_functions[ALLOCATE];
    char *start = get(a->upstream, size, alignment), *end = start + size - sizeof(footer);
    footer *made = (footer *)(void *)end;
    *made = (footer){a->buffers, start, end, alignment};
    a->buffers = made;
    return take(start, &made->at, bytes, alignment);
}

static void deallocate(arena *a, void *block, size_t bytes, size_t alignment) {
    (void)a, (void)block, (void)bytes, (void)alignment;
}

static bool is_equal(const arena *a, const void *other) { return a == other; }

static void end(arena *a) {
    if (a->start)
        a->at = a->end;
    while (a->buffers) {
        footer *last = a->buffers, *next = last->next;
        size_t size = (size_t)((char *)last - last->start) + sizeof(footer);
        ((void (*)(resource *, void *, size_t, size_t))a->upstream->virtual_functions[DEALLOCATE])(
            a->upstream, last->start, size, last->alignment);
        a->buffers = next;
    }
    end_resource(a);
}

static void delete(arena *a) {
    end(a);
    delete_sized(a, sizeof *a);
}

/* An offset, a type, and the functions, which are where an object's pointer leads. */
extern void *const arena_table[] STDCXX(_ZTVNSt3__13pmr25monotonic_buffer_resourceE);
void *const arena_table[] = {
    NULL, arena_type, (void *)end, (void *)delete, (void *)allocate, (void *)deallocate, (void *)is_equal,
};
