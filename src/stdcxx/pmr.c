/* SPDX-License-Identifier: Apache-2.0 */
/* libstdc++'s std::pmr::monotonic_buffer_resource: who asks for memory calls it through its table of virtual functions,
 * so that is here, too. Where the buffer is used up the library gets another one, and gives them all back: how it keeps
 * them is its own, and differs between its versions. */
#include "stdcxx/stdcxx.h"

#include <stdint.h>

typedef struct arena {
    void *const *virtual_functions;
    char *at; /* what is left of the buffer in hand */
    size_t left, next_size;
    void *upstream;
    char *first; /* the buffer that it was given; NULL: none */
    size_t first_size;
    void *buffers; /* the library's; NULL: none */
} arena;

void end_arena_base(arena *a) STDCXX(_ZNSt3pmr25monotonic_buffer_resourceD2Ev);
void end_arena(arena *a) STDCXX(_ZNSt3pmr25monotonic_buffer_resourceD1Ev);
void delete_arena(arena *a) STDCXX(_ZNSt3pmr25monotonic_buffer_resourceD0Ev);
void new_buffer(arena *a, size_t bytes, size_t alignment)
    LIBRARY(_ZNSt3pmr25monotonic_buffer_resource13_M_new_bufferEmm);
void release_buffers(arena *a) LIBRARY(_ZNSt3pmr25monotonic_buffer_resource18_M_release_buffersEv);
void delete_sized(void *block, size_t bytes) LIBRARY(_ZdlPvm);
extern char arena_type[] LIBRARY(_ZTINSt3pmr25monotonic_buffer_resourceE);

static void *allocate(arena *a, size_t bytes, size_t alignment) {
    bytes += !bytes; /* no two blocks are at one place */
    size_t skipped = -(uintptr_t)a->at & (alignment - 1);
    if (skipped > a->left || bytes > a->left - skipped) {
        new_buffer(a, bytes, alignment);
        skipped = 0;
    }
    char *block = a->at + skipped;
    a->at = block + bytes;
    a->left -= skipped + bytes;
    return block;
}

static void deallocate(arena *a, void *block, size_t bytes, size_t alignment) {
    (void)a, (void)block, (void)bytes, (void)alignment;
}

static bool is_equal(const arena *a, const void *other) { return a == other; }

/* An offset, a type, and the functions, which are where an object's pointer leads. */
extern void *const arena_table[] STDCXX(_ZTVNSt3pmr25monotonic_buffer_resourceE);
void *const arena_table[] = {
    NULL, arena_type, (void *)end_arena, (void *)delete_arena, (void *)allocate, (void *)deallocate, (void *)is_equal,
};

void end_arena_base(arena *a) {
    if (a->virtual_functions != arena_table + 2) /* of a class that inherits from it; else nothing is written */
        a->virtual_functions = arena_table + 2;
    if (a->buffers)
        release_buffers(a);
}

void end_arena(arena *a) { end_arena_base(a); }

void delete_arena(arena *a) {
    end_arena_base(a);
    delete_sized(a, sizeof *a);
}
