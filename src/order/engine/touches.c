/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/touches.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>

/* The index: 1 + place in `at`, by hash; 0 is free. NULL while there are few. */
static uint32_t *index_of(const rcp_touches *touches) {
    return touches->cap > RCP_TOUCHES_PLAIN ? (uint32_t *)(touches->at + touches->cap) : NULL;
}

static bool same_thread(const rcp_touch *a, const rcp_touch *b) {
    return a->tid == b->tid && a->atomic == b->atomic && a->set == b->set &&
           (a->kind == RCP_RMW) == (b->kind == RCP_RMW);
}

static bool same_key(const rcp_touches *touches, const rcp_touch *a, const rcp_touch *b) {
    return same_thread(a, b) && (!touches->by_place || (a->loc == b->loc && a->kind == b->kind));
}

/* Where the index has the touch's key, or would have it. */
static uint32_t *index_slot(const rcp_touches *touches, const rcp_touch *touch) {
    uint32_t *index = index_of(touches), mask = 2 * touches->cap - 1;
    uint64_t key =
        (uint64_t)touch->tid << 28 | (uint64_t)touch->set << 2 | touch->atomic << 1 | (touch->kind == RCP_RMW);
    if (touches->by_place)
        key = rcp_hash_join(key, touch->loc);
    uint32_t i = (uint32_t)rcp_hash_u64(key) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t place = index[i];
        if (!place || same_key(touches, &touches->at[place - 1], touch))
            return &index[i];
    }
}

static void fill_index(rcp_touches *touches) {
    memset(index_of(touches), 0, 2 * touches->cap * sizeof(uint32_t));
    for (uint32_t i = 0; i < touches->n; i++)
        *index_slot(touches, &touches->at[i]) = i + 1;
}

/* Room for `cap` elements, a power of two. */
static void resize(rcp_touches *touches, uint32_t cap) {
    size_t bytes = cap * sizeof *touches->at;
    size_t index_bytes = cap > RCP_TOUCHES_PLAIN ? 2 * cap * sizeof(uint32_t) : 0;
    rcp_touch *at = rcp_alloc(bytes + index_bytes);
    if (touches->n)
        memcpy(at, touches->at, touches->n * sizeof *at);
    rcp_release(touches->at);
    touches->at = at;
    touches->cap = cap;
    if (!index_bytes)
        return;
    fill_index(touches);
}

static uint32_t find(const rcp_touches *touches, const rcp_touch *touch) {
    if (touches->cap > RCP_TOUCHES_PLAIN)
        return *index_slot(touches, touch) - 1; /* UINT32_MAX where it is not there */
    for (uint32_t i = 0; i < touches->n; i++)
        if (same_key(touches, &touches->at[i], touch))
            return i;
    return UINT32_MAX;
}

/* By place, of a list that is full: where the thread has not been for longest, now the new touch's. UINT32_MAX: the
 * thread is not in the list, or the list is not full. */
static uint32_t replace_oldest(rcp_touches *touches, const rcp_touch *touch) {
    uint32_t oldest = UINT32_MAX;
    if (!touches->by_place || touches->n < rcp_limit(RCP_LIMIT_ORDER_PLACES))
        return UINT32_MAX;
    for (uint32_t i = 0; i < touches->n; i++)
        if (same_thread(&touches->at[i], touch) &&
            (oldest == UINT32_MAX || touches->at[i].count < touches->at[oldest].count))
            oldest = i;
    if (oldest == UINT32_MAX)
        return oldest;
    rcp_limit_reached(RCP_LIMIT_ORDER_PLACES);
    touches->at[oldest] = *touch;
    if (index_of(touches))
        fill_index(touches);
    return oldest;
}

void rcp_touches_put(rcp_touches *touches, rcp_touch touch) {
    uint32_t i = find(touches, &touch);
    if (i == UINT32_MAX)
        i = replace_oldest(touches, &touch);
    if (i < touches->fresh) {
        touches->at[i] = touch;
        return;
    }
    if (i == UINT32_MAX) {
        if (touches->n == touches->cap)
            resize(touches, touches->cap ? 2 * touches->cap : 2);
        i = touches->n++;
        touches->at[i] = touch;
        if (index_of(touches))
            *index_slot(touches, &touch) = i + 1;
    }
    /* change places with the first covered one */
    uint32_t j = touches->fresh++;
    if (index_of(touches) && i != j) {
        uint32_t *one = index_slot(touches, &touches->at[i]);
        uint32_t *other = index_slot(touches, &touches->at[j]);
        *one = j + 1;
        *other = i + 1;
    }
    touches->at[i] = touches->at[j];
    touches->at[j] = touch;
}

void rcp_touches_copy(rcp_touches *to, const rcp_touches *from) {
    rcp_touches_clear(to);
    to->n = 0;
    to->by_place = from->by_place;
    if (from->cap > to->cap)
        resize(to, from->cap);
    for (uint32_t i = 0; i < from->n; i++) {
        to->at[i] = from->at[i];
        to->n++;
        if (index_of(to))
            *index_slot(to, &from->at[i]) = i + 1;
    }
    to->fresh = from->fresh;
}

void rcp_touches_clear(rcp_touches *touches) {
    touches->n = touches->fresh = 0;
    if (index_of(touches))
        rcp_touches_finish(touches); /* to empty the index would cost as much as to make it again */
}

void rcp_touches_finish(rcp_touches *touches) {
    rcp_release(touches->at);
    *touches = (rcp_touches){.by_place = touches->by_place};
}
