/* SPDX-License-Identifier: Apache-2.0 */
/* Critical sections that nobody can need any more are let go, and those that are needed and old go to disk. */
#include "order/engine/locks.h"

#include <stdlib.h>
#include <string.h>

enum {
    TIDY = 1u << 20 /* positions that are listed before it is looked whether they are distinct */
};

/* Clocks have most of their entries in common: what was noted lately is left out, so that there is less to sort. */
void rcp_clocks_positions(const rcp_clocks *clocks, rcp_position_list *of, size_t n) {
    enum { LATELY = 256 };
    uint32_t(*lately)[LATELY] = rcp_alloc_zero(n, sizeof *lately);
    for (size_t i = 1; i < clocks->slots.len; i++) {
        const rcp_clock_slot *slot = &clocks->slots.at[i];
        for (uint32_t t = 0; slot->at && t < slot->len && t < n; t++) {
            uint32_t count = slot->at[t], *place = &lately[t][count % LATELY];
            if (*place == count)
                continue;
            *place = count;
            rcp_vec_push(&of[t], count);
        }
    }
    rcp_release(lately);
}

void rcp_channel_positions(const rcp_channel *channel, rcp_position_list *of, size_t n) {
    rcp_stamp_position(channel->last, of, n);
    for (size_t i = 0; i < channel->senders.len; i++)
        rcp_stamp_position(channel->senders.at[i], of, n);
}

static int by_number(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static void sort(rcp_position_list *list) {
    if (!list->len)
        return;
    qsort(list->at, list->len, sizeof *list->at, by_number);
    size_t kept = 1;
    for (size_t i = 1; i < list->len; i++)
        if (list->at[i] != list->at[kept - 1])
            list->at[kept++] = list->at[i];
    list->len = kept;
}

/* Is there a position in [from, to)? */
static bool holds_one(const rcp_position_list *list, uint32_t from, uint32_t to) {
    size_t low = 0, high = list->len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->at[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->len && list->at[low] < to;
}

typedef struct sweeping {
    rcp_locks *locks;
    rcp_position_list *of;
    size_t n;
} sweeping;

/* Not to be left with `break`. */
#define EACH_OWNER(locks, owner)                                                                                       \
    for (size_t l_ = 0; l_ < (locks)->at.len; l_++)                                                                    \
        for (size_t o_ = 0; o_ < (locks)->at.at[l_].owners.len; o_++)                                                  \
            for (rcp_sections *owner = &(locks)->at.at[l_].owners.at[o_], *once_ = owner; once_; once_ = NULL)

static bool is_needed(const sweeping *s, const rcp_sections *owner, uint32_t acquired, uint32_t released) {
    return owner->tid >= s->n || holds_one(&s->of[owner->tid], acquired, released);
}

/* Whoever takes a release that is on disk comes to know what its clock knows; as those in memory, they all count,
 * needed or not. */
static void note_spilled(const sweeping *s) {
    size_t *tidy = rcp_alloc(s->n * sizeof *tidy + 1);
    for (size_t t = 0; t < s->n; t++)
        tidy[t] = TIDY;
    EACH_OWNER(s->locks, owner)
    for (int mode = 0; mode < RCP_MODES; mode++)
        for (size_t b = 0; b < owner->old[mode].len; b++) {
            const rcp_spill_block *block = &owner->old[mode].at[b];
            if (!rcp_spill_load(&s->locks->spill, block))
                continue;
            for (uint32_t i = 0; i < block->n; i++)
                for (uint32_t t = 0; t < block->width && t < s->n; t++) {
                    rcp_position_list *list = &s->of[t];
                    uint32_t count = rcp_spill_at(&s->locks->spill, block, i).clock[t];
                    if (count && (!list->len || list->at[list->len - 1] != count))
                        rcp_vec_push(list, count);
                    if (list->len < tidy[t])
                        continue;
                    sort(list);
                    tidy[t] = 2 * list->len > TIDY ? 2 * list->len : TIDY;
                }
        }
    rcp_release(tidy);
}

static void mark_one(const sweeping *s, const rcp_sections *owner, bool last, uint32_t acquired, uint32_t released) {
    if ((!last && !is_needed(s, owner, acquired, released)) || !released ||
        holds_one(&s->of[owner->tid], released, released + 1))
        return;
    rcp_vec_push(&s->locks->scratch, owner->tid);
    rcp_vec_push(&s->locks->scratch, released);
}

/* Whoever takes a release that is kept comes to know its position, which may stand inside an outer section. */
static bool mark(const sweeping *s) {
    rcp_locks *locks = s->locks;
    locks->scratch.len = 0;
    EACH_OWNER(locks, owner)
    for (int mode = 0; mode < RCP_MODES && owner->tid < s->n; mode++) {
        for (size_t i = 0; i < owner->by[mode].len; i++) {
            const rcp_section *section = &owner->by[mode].at[i];
            mark_one(s, owner, i + 1 == owner->by[mode].len, section->acquired, section->released);
        }
        for (size_t b = 0; b < owner->old[mode].len; b++) {
            const rcp_spill_block *block = &owner->old[mode].at[b];
            uint32_t loaded = rcp_spill_load(&locks->spill, block) ? block->n : 0;
            for (uint32_t i = 0; i < loaded; i++) {
                rcp_spilled section = rcp_spill_at(&locks->spill, block, i);
                mark_one(s, owner, false, section.acquired, section.released);
            }
        }
    }
    for (size_t i = 0; i < locks->scratch.len; i += 2)
        rcp_vec_push(&s->of[locks->scratch.at[i]], locks->scratch.at[i + 1]);
    return locks->scratch.len;
}

/* Writes what is needed of one list into the other file. */
static bool sift_list(const sweeping *s, const rcp_sections *owner, const rcp_spill_list *from, rcp_spill *to,
                      rcp_spill_list *list) {
    for (size_t b = 0; b < from->len; b++) {
        rcp_spilled needed[RCP_SPILL_BLOCK];
        uint32_t n = 0;
        if (!rcp_spill_load(&s->locks->spill, &from->at[b]))
            return false;
        for (uint32_t i = 0; i < from->at[b].n; i++) {
            needed[n] = rcp_spill_at(&s->locks->spill, &from->at[b], i);
            n += is_needed(s, owner, needed[n].acquired, needed[n].released);
        }
        if (!rcp_spill_write(to, list, needed, n))
            return false;
    }
    return true;
}

/* What is on disk and not needed goes, unless the system refuses another file: then all stays. */
static void sift(const sweeping *s) {
    rcp_locks *locks = s->locks;
    rcp_spill fresh;
    RCP_VEC(rcp_spill_list) lists = {0};
    bool ok = true;
    size_t k = 0;
    rcp_spill_init(&fresh);
    EACH_OWNER(locks, owner)
    for (int mode = 0; mode < RCP_MODES && ok; mode++) {
        rcp_vec_push(&lists, (rcp_spill_list){0});
        ok = sift_list(s, owner, &owner->old[mode], &fresh, &lists.at[lists.len - 1]);
    }
    EACH_OWNER(locks, owner)
    for (int mode = 0; mode < RCP_MODES && ok; mode++) {
        rcp_vec_finish(&owner->old[mode]);
        owner->old[mode] = lists.at[k++];
    }
    for (; k < lists.len; k++)
        rcp_vec_finish(&lists.at[k]);
    rcp_vec_finish(&lists);
    rcp_spill *gone = ok ? &locks->spill : &fresh;
    fresh.failed = locks->spill.failed;
    rcp_spill_finish(gone);
    if (ok)
        locks->spill = fresh;
}

void rcp_locks_sweep(rcp_locks *locks, rcp_position_list *of, size_t n) {
    sweeping s = {locks, of, n};
    if (locks->spill.sections)
        note_spilled(&s);
    do {
        for (size_t t = 0; t < n; t++)
            sort(&of[t]);
    } while (mark(&s));
    if (locks->spill.sections)
        sift(&s);
    locks->live = locks->spill.sections;
    EACH_OWNER(locks, owner)
    for (int mode = 0; mode < RCP_MODES; mode++) {
        rcp_section *at = owner->by[mode].at;
        size_t kept = 0, len = owner->by[mode].len;
        for (size_t i = 0; i < len; i++)
            if (i + 1 == len || is_needed(&s, owner, at[i].acquired, at[i].released))
                at[kept++] = at[i];
            else
                rcp_clock_drop(locks->clocks, at[i].clock);
        owner->by[mode].len = kept;
        locks->live += kept;
    }
}

/* All but the newest of one list, block by block, until the system refuses; returns how many. */
static size_t spill_list(rcp_locks *locks, rcp_sections *owner, int mode, size_t newest) {
    const rcp_section *at = owner->by[mode].at;
    size_t done = 0, old = owner->by[mode].len > newest ? owner->by[mode].len - newest : 0;
    while (done < old) {
        rcp_spilled sections[RCP_SPILL_BLOCK];
        uint32_t n = 0;
        for (; n < RCP_SPILL_BLOCK && done + n < old; n++) {
            const rcp_section *section = &at[done + n];
            const rcp_clock_slot *clock = &locks->clocks->slots.at[section->clock.v];
            sections[n] = (rcp_spilled){section->acquired, section->released, clock->at, clock->len};
        }
        if (!rcp_spill_write(&locks->spill, &owner->old[mode], sections, n))
            break;
        for (uint32_t i = 0; i < n; i++)
            rcp_clock_drop(locks->clocks, at[done + i].clock);
        done += n;
    }
    return done;
}

void rcp_locks_spill(rcp_locks *locks, size_t newest) {
    EACH_OWNER(locks, owner)
    for (int mode = 0; mode < RCP_MODES; mode++) {
        size_t n = spill_list(locks, owner, mode, newest);
        owner->by[mode].len -= n;
        if (n)
            memmove(owner->by[mode].at, owner->by[mode].at + n, owner->by[mode].len * sizeof *owner->by[mode].at);
    }
    if (locks->spill.sections > locks->spilled_peak)
        locks->spilled_peak = locks->spill.sections;
}
