/* SPDX-License-Identifier: Apache-2.0 */
/* A table of names: which word stands for which id in a text form. One table per namespace (threads, objects …).
 *
 * Invariant: a name stands once in a table. The table owns copies of its names.
 */
#ifndef RECIPE_TRACE_TEXT_NAMES_H
#define RECIPE_TRACE_TEXT_NAMES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RCP_NAMES_NONE UINT32_MAX

typedef struct rcp_name {
    const char *at; /* NUL-terminated */
    size_t len;
    uint32_t id;
} rcp_name;

typedef struct rcp_names {
    rcp_arena memory;
    rcp_map by_hash;
    RCP_VEC(rcp_name) entries;
} rcp_names;

void rcp_names_init(rcp_names *names);
void rcp_names_finish(rcp_names *names);
/* RCP_NAMES_NONE where the name is not there. */
uint32_t rcp_names_get(const rcp_names *names, const char *at, size_t len);
/* False, and nothing changes, where the name is there already. */
bool rcp_names_add(rcp_names *names, const char *at, size_t len, uint32_t id);

#endif
