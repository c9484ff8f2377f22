/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/belongings.h"

#include "base/hash.h"
#include "base/limits.h"

#include <string.h>

void rcp_belongings_init(rcp_belongings *b, const rcp_reachable *reachable, rcp_belongings_visitor *visitor,
                         void *context) {
    *b = (rcp_belongings){.reachable = reachable, .visitor = visitor, .context = context};
    rcp_map_init(&b->index);
}

void rcp_belongings_finish(rcp_belongings *b) {
    rcp_map_finish(&b->index);
    for (size_t i = 0; i < b->groups.len; i++)
        rcp_vec_finish(&b->groups.at[i].members);
    rcp_vec_finish(&b->groups);
}

static uint32_t root_of(rcp_belongings *b, uint32_t group) {
    while (b->groups.at[group].parent != group)
        group = b->groups.at[group].parent = b->groups.at[b->groups.at[group].parent].parent;
    return group;
}

/* An object is known by the block, variable or activation that it lies in, and by where in it: so another one at the
 * same address later is another one. */
static uint64_t key_of(const rcp_belongings *b, uint64_t address) {
    rcp_reached_object object;
    uint64_t words[2] = {address, 0};
    if (rcp_reachable_object_at(b->reachable, address, &object))
        words[1] = object.key;
    return rcp_hash_bytes(words, sizeof words);
}

static uint32_t added(uint32_t workers, uint32_t worker) {
    return !worker || workers == worker ? workers : !workers ? worker : RCP_BELONGINGS_MANY;
}

static bool is_there(const rcp_belongings *b, const rcp_reached_object *member) {
    rcp_reached_object now;
    return !member->key || (rcp_reachable_object_at(b->reachable, member->lo, &now) && now.key == member->key);
}

/* Blocks that were freed since: a string that grows has many. */
static void prune(rcp_belongings *b, rcp_belongings_group *group) {
    size_t kept = 0;
    for (size_t i = 0; i < group->members.len; i++)
        if (is_there(b, &group->members.at[i]))
            group->members.at[kept++] = group->members.at[i];
    group->members.len = group->pruned = kept;
}

static void visit(rcp_belongings *b, rcp_belongings_group *group, const rcp_reached_object *object) {
    rcp_span member = {object->lo, object->hi};
    if (group->writers)
        group->is_shared |= b->visitor(b->context, member, group->writers, true);
    if (group->readers)
        group->is_shared |= b->visitor(b->context, member, group->readers, false);
}

/* Whoever works on one of the group works on all of it. */
static void employ(rcp_belongings *b, uint32_t root, uint32_t writers, uint32_t readers) {
    rcp_belongings_group *group = &b->groups.at[root];
    uint32_t w = added(group->writers, writers), r = added(group->readers, readers);
    if (w == group->writers && r == group->readers)
        return;
    group->writers = w;
    group->readers = r;
    prune(b, group);
    for (size_t i = 0; i < group->members.len; i++)
        visit(b, group, &group->members.at[i]);
}

static uint32_t join(rcp_belongings *b, uint32_t one, uint32_t other) {
    one = root_of(b, one), other = root_of(b, other);
    if (one == other)
        return one;
    if (b->groups.at[one].members.len < b->groups.at[other].members.len) {
        uint32_t swapped = one;
        one = other, other = swapped;
    }
    rcp_belongings_group *into = &b->groups.at[one], *from = &b->groups.at[other];
    uint32_t writers = from->writers, readers = from->readers;
    from->parent = one;
    into->is_shared |= from->is_shared;
    employ(b, one, writers, readers);
    for (size_t i = 0; i < from->members.len; i++) {
        if (!is_there(b, &from->members.at[i]))
            continue;
        visit(b, into, &from->members.at[i]);
        rcp_vec_push(&into->members, from->members.at[i]);
    }
    rcp_vec_finish(&from->members);
    if (into->members.len > 2 * into->pruned + 16)
        prune(b, into);
    return one;
}

/* The group of the object at [lo, hi), where it begins one if it is new. */
static uint32_t group_of(rcp_belongings *b, uint64_t lo, uint64_t hi, bool *is_new) {
    uint32_t *at = rcp_map_at(&b->index, key_of(b, lo));
    *is_new = *at == RCP_MAP_NONE;
    if (!*is_new)
        return root_of(b, *at);
    uint32_t group = *at = (uint32_t)b->groups.len;
    rcp_vec_push(&b->groups, ((rcp_belongings_group){.parent = group}));
    rcp_reached_object object = {0};
    (void)rcp_reachable_object_at(b->reachable, lo, &object);
    rcp_vec_push(&b->groups.at[group].members, ((rcp_reached_object){lo, hi, object.key}));
    return group;
}

/* What the word leads to: a block is one object; else as much as a node of a list or a stream's buffer has. */
static bool leads(const rcp_belongings *b, uint64_t word, uint64_t lo, uint64_t hi, rcp_span *to) {
    const uint64_t node = rcp_limit(RCP_LIMIT_NODE_BYTES);
    rcp_reached_object object;
    if (word < RCP_SPACE_PAGE || !rcp_space_holds(word, 1) || (word >= lo && word < hi) ||
        !rcp_reachable_object_at(b->reachable, word, &object) || rcp_reachable_is_constant(b->reachable, word))
        return false;
    uint64_t block_lo, block_hi;
    bool is_block = rcp_lives_block_at(b->reachable->lives, word, &block_lo, &block_hi);
    bool is_around = object.lo <= lo && hi <= object.hi;
    *to = is_block && !is_around ? (rcp_span){object.lo, object.hi}
                                 : (rcp_span){word, word + node < object.hi ? word + node : object.hi};
    return true;
}

uint32_t rcp_belongings_use(rcp_belongings *b, uint32_t thread, rcp_span object, bool writes, uint32_t with, int steps,
                            uint64_t leading) {
    bool is_new;
    uint32_t group = group_of(b, object.lo, object.hi, &is_new);
    if (with != RCP_BELONGINGS_NONE)
        group = join(b, group, with);
    employ(b, group, writes ? thread + 1 : 0, writes ? 0 : thread + 1);
    for (uint64_t at = (object.lo + 7) & ~UINT64_C(7); steps && at + 8 <= object.hi && at - object.lo + 8 <= leading;
         at += 8) {
        uint64_t word = 0;
        rcp_span to;
        rcp_space_read(b->reachable->machine->space, at, &word, sizeof word);
        if (word && leads(b, word, object.lo, object.hi, &to))
            group = rcp_belongings_use(b, thread, to, writes, group, steps - 1, UINT64_MAX);
    }
    return root_of(b, group);
}

void rcp_belongings_made(rcp_belongings *b, uint32_t group, uint64_t address) {
    rcp_reached_object block;
    bool is_new;
    if (group == RCP_BELONGINGS_NONE || !rcp_reachable_object_at(b->reachable, address, &block))
        return;
    (void)join(b, group, group_of(b, block.lo, block.hi, &is_new));
}

bool rcp_belongings_is_shared(rcp_belongings *b, uint32_t group) {
    return group != RCP_BELONGINGS_NONE && b->groups.at[root_of(b, group)].is_shared;
}

bool rcp_belongings_hand(rcp_belongings *b, uint32_t group, rcp_reachable *to) {
    rcp_belongings_group *all = &b->groups.at[root_of(b, group)];
    if (all->members.len > rcp_limit(RCP_LIMIT_REACH_OBJECTS))
        prune(b, all);
    if (all->members.len > rcp_limit(RCP_LIMIT_REACH_OBJECTS)) {
        rcp_limit_reached(RCP_LIMIT_REACH_OBJECTS);
        return false;
    }
    for (size_t i = 0; i < all->members.len; i++)
        if (is_there(b, &all->members.at[i]))
            rcp_reachable_belongs(to, (rcp_span){all->members.at[i].lo, all->members.at[i].hi});
    return true;
}
