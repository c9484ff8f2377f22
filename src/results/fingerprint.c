/* SPDX-License-Identifier: Apache-2.0 */
#include "results/fingerprint.h"

#include "base/hash.h"

#include <string.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static uint64_t hash_string(const char *string) { return rcp_hash_bytes(string, strlen(string)); }

static uint64_t hash_access(const rcp_defs *defs, const rcp_event *event) {
    const rcp_location *at = &defs->locations.at[event->loc.v];
    uint64_t h = rcp_hash_join(event->kind, rcp_event_is_atomic(event));
    h = rcp_hash_join(h, hash_string(base_name(rcp_defs_borrow_string(defs, at->file))));
    h = rcp_hash_join(h, hash_string(rcp_defs_borrow_string(defs, at->function)));
    if (!at->function.v)
        h = rcp_hash_join(rcp_hash_join(h, at->line), at->column);
    return h;
}

uint64_t rcp_overlap(const rcp_event *a, const rcp_event *b, uint64_t *bytes) {
    const rcp_event *low = a->addr <= b->addr ? a : b, *high = low == a ? b : a;
    uint64_t gap = high->addr - low->addr, rest = rcp_event_extent(low);
    rest = rest > gap ? rest - gap : 0;
    *bytes = rest < rcp_event_extent(high) ? rest : rcp_event_extent(high);
    return high->addr;
}

uint64_t rcp_fingerprint(const rcp_defs *defs, const rcp_event *a, const rcp_event *b) {
    const char *program = rcp_defs_borrow_fact(defs, "program");
    uint64_t h = hash_string(program ? base_name(program) : "");
    uint64_t bytes, address = rcp_overlap(a, b, &bytes);
    const rcp_variable *variable = rcp_defs_find_variable(defs, address);
    if (variable)
        h = rcp_hash_join(rcp_hash_join(h, hash_string(rcp_defs_borrow_string(defs, variable->name))),
                          address - variable->addr);
    uint64_t one = hash_access(defs, a), two = hash_access(defs, b);
    h = rcp_hash_join(rcp_hash_join(h, one < two ? one : two), one < two ? two : one);
    return h ? h : 1;
}

uint64_t rcp_fingerprint_number(uint64_t fingerprint, uint64_t n) {
    if (!n)
        return fingerprint;
    uint64_t h = rcp_hash_join(fingerprint, n);
    return h ? h : 1;
}
