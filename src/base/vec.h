/* SPDX-License-Identifier: Apache-2.0 */
/* A growing array of any type: RCP_VEC(int) v = {0}; rcp_vec_push(&v, 3); v.at[0]; rcp_vec_finish(&v).
 *
 * Invariant: at[0 .. len) are the elements; at is NULL while cap is 0. The vector owns at; pushing may move it.
 */
#ifndef RECIPE_BASE_VEC_H
#define RECIPE_BASE_VEC_H

#include <stddef.h>

#define RCP_VEC(type)                                                                                                  \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        size_t len, cap;                                                                                               \
    }

/* Room for `more` further elements. Running out of memory ends the process: no analysis can go on without it. */
#define rcp_vec_reserve(v, more)                                                                                       \
    ((v)->cap - (v)->len >= (size_t)(more)                                                                             \
         ? (void)0                                                                                                     \
         : (void)((v)->at = rcp_grow((v)->at, &(v)->cap, (v)->len + (size_t)(more), sizeof *(v)->at)))

#define rcp_vec_push(v, element) (rcp_vec_reserve(v, 1), (void)((v)->at[(v)->len++] = (element)))

/* `n` uninitialised elements at the end; evaluates to a pointer to the first. There is room for one more, so that there
 * is something to point to where `n` is 0. */
#define rcp_vec_extend(v, n)                                                                                           \
    (rcp_vec_reserve(v, (size_t)(n) + 1), (v)->len += (size_t)(n), (v)->at + (v)->len - (size_t)(n))

/* Makes `v` a copy of `from`; what `v` had is not released. */
#define rcp_vec_copy(v, from)                                                                                          \
    ((v)->at = rcp_copy((from)->at, (from)->len * sizeof *(v)->at), (v)->len = (v)->cap = (from)->len, (void)0)

#define rcp_vec_finish(v) (rcp_release((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0, (void)0)

/* realloc to at least `need` elements of `size` bytes, doubling; updates *cap. */
void *rcp_grow(void *at, size_t *cap, size_t need, size_t size);
/* malloc, calloc and free that never return NULL for a request that was made. */
void *rcp_alloc(size_t bytes);
/* Where there is no memory that is said, and the process ends by this; otherwise by abort(3). */
void rcp_no_memory_ends(void (*end)(void));
void *rcp_alloc_zero(size_t n, size_t size);
void rcp_release(void *block);
/* A copy of `bytes` bytes; NULL for none. */
void *rcp_copy(const void *block, size_t bytes);

#endif
