/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/names.h"

#include "base/hash.h"

#include <string.h>

void rcp_names_init(rcp_names *names) {
    *names = (rcp_names){0};
    rcp_arena_init(&names->memory);
    rcp_map_init(&names->by_hash);
}

void rcp_names_finish(rcp_names *names) {
    rcp_arena_finish(&names->memory);
    rcp_map_finish(&names->by_hash);
    rcp_vec_finish(&names->entries);
}

static bool same(const rcp_name *name, const char *at, size_t len) {
    return name->len == len && !memcmp(name->at, at, len);
}

uint32_t rcp_names_get(const rcp_names *names, const char *at, size_t len) {
    for (uint64_t key = rcp_hash_bytes(at, len);; key++) {
        uint32_t i = rcp_map_get(&names->by_hash, key);
        if (i == RCP_MAP_NONE)
            return RCP_NAMES_NONE;
        if (same(&names->entries.at[i], at, len))
            return names->entries.at[i].id;
    }
}

bool rcp_names_add(rcp_names *names, const char *at, size_t len, uint32_t id) {
    for (uint64_t key = rcp_hash_bytes(at, len);; key++) {
        uint32_t *i = rcp_map_at(&names->by_hash, key);
        if (*i == RCP_MAP_NONE) {
            char *copy = rcp_arena_alloc(&names->memory, len + 1);
            memcpy(copy, at, len);
            copy[len] = 0;
            *i = (uint32_t)names->entries.len;
            rcp_vec_push(&names->entries, ((rcp_name){.at = copy, .len = len, .id = id}));
            return true;
        }
        if (same(&names->entries.at[*i], at, len))
            return false;
    }
}
