/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/defs.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One map serves three tables: the hash is salted by the table, and a collision moves on to the next key. */
enum { SALT_STRING = 1, SALT_LOCATION, SALT_STACK };

void rcp_defs_init(rcp_defs *defs) {
    *defs = (rcp_defs){0};
    rcp_arena_init(&defs->memory);
    rcp_map_init(&defs->by_hash);
    rcp_ranges_init(&defs->held);
    rcp_vec_push(&defs->strings, ((rcp_string){.at = "", .len = 0}));
    rcp_vec_push(&defs->locations, (rcp_location){0});
    rcp_vec_push(&defs->stacks, (rcp_frame){0});
    rcp_vec_push(&defs->reaches, (rcp_reach_def){0});
}

void rcp_defs_finish(rcp_defs *defs) {
    rcp_arena_finish(&defs->memory);
    rcp_map_finish(&defs->by_hash);
    rcp_ranges_finish(&defs->held);
    rcp_vec_finish(&defs->strings);
    rcp_vec_finish(&defs->locations);
    rcp_vec_finish(&defs->stacks);
    rcp_vec_finish(&defs->threads);
    rcp_vec_finish(&defs->objects);
    rcp_vec_finish(&defs->variables);
    rcp_vec_finish(&defs->reaches);
    rcp_vec_finish(&defs->images);
    rcp_vec_finish(&defs->facts);
}

rcp_str rcp_defs_string(rcp_defs *defs, const char *at, size_t len) {
    if (!len)
        return (rcp_str){0};
    for (uint64_t key = rcp_hash_join(SALT_STRING, rcp_hash_bytes(at, len));; key++) {
        uint32_t *id = rcp_map_at(&defs->by_hash, key);
        if (*id == RCP_MAP_NONE) {
            char *copy = rcp_arena_alloc(&defs->memory, len + 1);
            memcpy(copy, at, len);
            copy[len] = 0;
            *id = (uint32_t)defs->strings.len;
            rcp_vec_push(&defs->strings, ((rcp_string){.at = copy, .len = len}));
            return (rcp_str){*id};
        }
        const rcp_string *known = *id < defs->strings.len ? &defs->strings.at[*id] : NULL;
        if (known && known->len == len && !memcmp(known->at, at, len))
            return (rcp_str){*id};
    }
}

rcp_loc rcp_defs_location(rcp_defs *defs, rcp_location l) {
    if (!l.file.v && !l.function.v && !l.member.v && !l.line && !l.column)
        return (rcp_loc){0};
    uint64_t hash = rcp_hash_join(rcp_hash_join(l.file.v, l.function.v), (uint64_t)l.line << 32 | l.column);
    hash = l.member.v ? rcp_hash_join(hash, l.member.v) : hash;
    for (uint64_t key = rcp_hash_join(SALT_LOCATION, hash);; key++) {
        uint32_t *id = rcp_map_at(&defs->by_hash, key);
        if (*id == RCP_MAP_NONE) {
            *id = (uint32_t)defs->locations.len;
            rcp_vec_push(&defs->locations, l);
            return (rcp_loc){*id};
        }
        const rcp_location *k = *id < defs->locations.len ? &defs->locations.at[*id] : NULL;
        if (k && k->file.v == l.file.v && k->function.v == l.function.v && k->member.v == l.member.v &&
            k->line == l.line && k->column == l.column)
            return (rcp_loc){*id};
    }
}

rcp_stack rcp_defs_stack(rcp_defs *defs, rcp_frame f) {
    if (!f.loc.v && !f.caller.v)
        return (rcp_stack){0};
    for (uint64_t key = rcp_hash_join(SALT_STACK, rcp_hash_join(f.loc.v, f.caller.v));; key++) {
        uint32_t *id = rcp_map_at(&defs->by_hash, key);
        if (*id == RCP_MAP_NONE) {
            *id = (uint32_t)defs->stacks.len;
            rcp_vec_push(&defs->stacks, f);
            return (rcp_stack){*id};
        }
        const rcp_frame *known = *id < defs->stacks.len ? &defs->stacks.at[*id] : NULL;
        if (known && known->loc.v == f.loc.v && known->caller.v == f.caller.v)
            return (rcp_stack){*id};
    }
}

static rcp_str named(rcp_defs *defs, const char *name) {
    return name ? rcp_defs_string(defs, name, strlen(name)) : (rcp_str){0};
}

rcp_tid rcp_defs_thread(rcp_defs *defs, const char *name) {
    rcp_vec_push(&defs->threads, (rcp_thread_def){.name = named(defs, name)});
    return (rcp_tid){(uint32_t)defs->threads.len - 1};
}

rcp_obj rcp_defs_object(rcp_defs *defs, rcp_object_kind kind, const char *name, uint64_t addr, uint64_t initial) {
    rcp_object object = {.kind = (uint8_t)kind, .name = named(defs, name), .addr = addr, .initial = initial};
    rcp_vec_push(&defs->objects, object);
    return (rcp_obj){(uint32_t)defs->objects.len - 1};
}

void rcp_defs_variable(rcp_defs *defs, const char *name, uint64_t addr, uint64_t size) {
    rcp_defs_add_variable(defs, (rcp_variable){.name = named(defs, name), .addr = addr, .size = size});
}

void rcp_defs_add_variable(rcp_defs *defs, rcp_variable variable) {
    const uint32_t own = (uint32_t)defs->variables.len;
    const uint64_t hi = variable.size < UINT64_MAX - variable.addr ? variable.addr + variable.size : UINT64_MAX;
    rcp_vec_push(&defs->variables, variable);
    for (uint64_t at = variable.addr, upto; at < hi; at = upto) {
        const uint32_t other = rcp_ranges_stretch(&defs->held, at, hi, &upto);
        if (other == RCP_RANGES_NONE || defs->variables.at[other].size > variable.size)
            rcp_ranges_set(&defs->held, at, upto, own);
    }
}

void rcp_defs_image(rcp_defs *defs, uint64_t addr, const uint8_t *bytes, size_t n) {
    const uint8_t *copy = rcp_arena_copy(&defs->memory, bytes, n);
    rcp_vec_push(&defs->images, ((rcp_image){.addr = addr, .bytes = copy, .n = n}));
}

void rcp_defs_fact(rcp_defs *defs, const char *key, const char *value) {
    rcp_vec_push(&defs->facts, ((rcp_fact){.key = named(defs, key), .value = named(defs, value)}));
}

/* What the system keeps, above 2^48 (trace/check/barriers.h). */
static bool can_be_followed(rcp_span span) {
    return span.lo >= RCP_REACH_FOLLOWED + (1 << 8) && span.hi <= RCP_REACH_FOLLOWED + (1 << 16);
}

rcp_code rcp_defs_reach(rcp_defs *defs, const rcp_span *spans, size_t n, rcp_reach *reach) {
    size_t followed = 0;
    for (size_t i = 0; i < n; i++) {
        if (spans[i].lo >= spans[i].hi)
            return rcp_fail(RCP_BAD_INPUT, "reach: span %zu is empty", i);
        if (i && spans[i].lo < spans[i - 1].hi)
            return rcp_fail(RCP_BAD_INPUT, "reach: span %zu begins before the one before it ends", i);
        if (spans[i].hi > RCP_REACH_FOLLOWED && !can_be_followed(spans[i]))
            return rcp_fail(RCP_BAD_INPUT,
                            "reach: span %zu: an address from 2^49 on follows an object that the system keeps: "
                            "2^49 + 2^8 + n, up to 2^49 + 2^16",
                            i);
        followed += spans[i].hi > RCP_REACH_FOLLOWED;
    }
    *reach = (rcp_reach){(uint32_t)defs->reaches.len};
    const rcp_span *copy = rcp_arena_copy(&defs->memory, spans, n * sizeof *spans);
    rcp_vec_push(&defs->reaches, ((rcp_reach_def){.spans = copy, .n = n - followed, .followed = followed}));
    return RCP_OK;
}

const char *rcp_defs_borrow_fact(const rcp_defs *defs, const char *key) {
    for (size_t i = defs->facts.len; i-- > 0;)
        if (!strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), key))
            return rcp_defs_borrow_string(defs, defs->facts.at[i].value);
    return NULL;
}

bool rcp_defs_implicit_branches(const rcp_defs *defs) {
    const char *branches = rcp_defs_borrow_fact(defs, "branches");
    return branches && !strcmp(branches, "implicit");
}

bool rcp_defs_simple_barriers(const rcp_defs *defs) {
    const char *barriers = rcp_defs_borrow_fact(defs, "barriers");
    return barriers && !strcmp(barriers, "simple");
}

bool rcp_defs_next_span(const rcp_defs *defs, const char *fact, const char **at, rcp_span *span) {
    const char *text = *at ? *at : rcp_defs_borrow_fact(defs, fact);
    char *end;
    if (!text)
        return false;
    span->lo = strtoull(text, &end, 0);
    if (end == text || *end != '-')
        return false;
    text = end + 1;
    span->hi = strtoull(text, &end, 0);
    *at = end;
    return end != text && span->lo < span->hi;
}

const rcp_variable *rcp_defs_find_variable(const rcp_defs *defs, uint64_t addr) {
    const uint32_t holder = rcp_ranges_get(&defs->held, addr);
    return holder == RCP_RANGES_NONE ? NULL : &defs->variables.at[holder];
}

bool rcp_defs_is_member_of(const rcp_defs *defs, const char *member, const rcp_variable *variable) {
    const rcp_string *name = &defs->strings.at[variable->name.v];
    return name->len && !strncmp(member, name->at, name->len) && (member[name->len] == '.' || member[name->len] == '[');
}

void rcp_defs_name_access(const rcp_defs *defs, const rcp_variable *variable, uint64_t addr, const char *member,
                          rcp_text *to) {
    if (!variable || rcp_defs_is_member_of(defs, member, variable)) {
        rcp_text_puts(to, member);
        return;
    }
    rcp_text_puts(to, rcp_defs_borrow_string(defs, variable->name));
    if (addr != variable->addr)
        rcp_text_printf(to, "+%" PRIu64, addr - variable->addr);
}

bool rcp_defs_reach_holds(const rcp_defs *defs, rcp_reach reach, uint64_t lo, uint64_t hi) {
    const rcp_reach_def *def = &defs->reaches.at[reach.v];
    size_t low = 0, high = def->n; /* the first span that ends after lo */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (def->spans[middle].hi > lo)
            high = middle;
        else
            low = middle + 1;
    }
    return low < def->n && def->spans[low].lo < hi;
}

bool rcp_defs_fences_all(const rcp_defs *defs, const rcp_event *event) {
    const char *name = rcp_event_is_opaque(event) ? rcp_defs_borrow_string(defs, event->callee) : "";
    return !strcmp(name, RCP_FENCES_ALL);
}

bool rcp_defs_narrow_sequences(const rcp_defs *defs) {
    const char *which = rcp_defs_borrow_fact(defs, RCP_SEQUENCES_FACT);
    return which && !strcmp(which, RCP_SEQUENCES_NARROW);
}
