/* SPDX-License-Identifier: Apache-2.0 */
#include "order/touches.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>

#define INDEXED 16 /* up to so many a walk over the list is quicker than a hash */

/* Where the index has (tid, atomic), or would have it. */
static uint32_t *index_slot(const rcp_touches *touches, uint32_t tid, uint8_t atomic) {
    uint32_t i = (uint32_t)rcp_hash_u64((uint64_t)tid << 1 | atomic) & touches->index_mask;
    for (;; i = (i + 1) & touches->index_mask) {
        uint32_t place = touches->index[i];
        if (!place || (touches->at[place - 1].tid == tid && touches->at[place - 1].atomic == atomic))
            return &touches->index[i];
    }
}

static void build_index(rcp_touches *touches) {
    uint32_t slots = 4 * INDEXED;
    while (slots < 2 * touches->cap)
        slots *= 2;
    rcp_release(touches->index);
    touches->index = rcp_alloc_zero(slots, sizeof *touches->index);
    touches->index_mask = slots - 1;
    for (uint32_t i = 0; i < touches->n; i++)
        *index_slot(touches, touches->at[i].tid, touches->at[i].atomic) = i + 1;
}

/* Exactly so many: most lists stay at two elements, and there is one list per shared place. */
static void resize(rcp_touches *touches, uint32_t cap) {
    rcp_touch *at = rcp_alloc(cap * sizeof *at);
    if (touches->n)
        memcpy(at, touches->at, touches->n * sizeof *at);
    rcp_release(touches->at);
    touches->at = at;
    touches->cap = cap;
}

static uint32_t find(const rcp_touches *touches, uint32_t tid, uint8_t atomic) {
    if (touches->index)
        return *index_slot(touches, tid, atomic) - 1; /* UINT32_MAX where it is not there */
    for (uint32_t i = 0; i < touches->n; i++)
        if (touches->at[i].tid == tid && touches->at[i].atomic == atomic)
            return i;
    return UINT32_MAX;
}

void rcp_touches_put(rcp_touches *touches, rcp_touch touch) {
    uint32_t i = find(touches, touch.tid, touch.atomic);
    if (i < touches->fresh) {
        touches->at[i] = touch;
        return;
    }
    if (i == UINT32_MAX) {
        bool grown = touches->n == touches->cap;
        if (grown)
            resize(touches, touches->cap ? 2 * touches->cap : 2);
        if (touches->n >= INDEXED && (grown || !touches->index))
            build_index(touches);
        i = touches->n++;
        touches->at[i] = touch;
        if (touches->index)
            *index_slot(touches, touch.tid, touch.atomic) = i + 1;
    }
    /* change places with the first covered one */
    uint32_t j = touches->fresh++;
    if (touches->index && i != j) {
        uint32_t *one = index_slot(touches, touches->at[i].tid, touches->at[i].atomic);
        uint32_t *other = index_slot(touches, touches->at[j].tid, touches->at[j].atomic);
        *one = j + 1;
        *other = i + 1;
    }
    touches->at[i] = touches->at[j];
    touches->at[j] = touch;
}

void rcp_touches_copy(rcp_touches *to, const rcp_touches *from) {
    rcp_touches_clear(to);
    if (from->n > to->cap)
        resize(to, from->n);
    if (from->n)
        memcpy(to->at, from->at, from->n * sizeof *to->at);
    to->n = from->n;
    to->fresh = from->fresh;
    if (to->n > INDEXED)
        build_index(to);
}

void rcp_touches_clear(rcp_touches *touches) {
    rcp_release(touches->index);
    touches->index = NULL;
    touches->n = touches->fresh = 0;
}

void rcp_touches_finish(rcp_touches *touches) {
    rcp_touches_clear(touches);
    rcp_release(touches->at);
    *touches = (rcp_touches){0};
}
