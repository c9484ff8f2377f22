/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/limit_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char value_key[] = "limit", reached_key[] = "limit reached";

/* "NAME=N" */
static void put(rcp_defs *defs, const char *key, rcp_limit_name name, uint64_t n) {
    char text[96];
    snprintf(text, sizeof text, "%s=%llu", rcp_limit_borrow(name)->name, (unsigned long long)n);
    rcp_defs_fact(defs, key, text);
}

void rcp_limit_facts_put_values(rcp_defs *defs) {
    for (int i = 0; i < RCP_LIMITS; i++) {
        const rcp_limit_row *row = rcp_limit_borrow((rcp_limit_name)i);
        if (row->scope == RCP_LIMIT_OF_EVENTS && rcp_limit((rcp_limit_name)i) != row->value)
            put(defs, value_key, (rcp_limit_name)i, rcp_limit((rcp_limit_name)i));
    }
}

void rcp_limit_facts_put_reached(rcp_defs *defs, const rcp_limit_counts *reached) {
    for (int i = 0; i < RCP_LIMITS; i++)
        if (reached->at[i])
            put(defs, reached_key, (rcp_limit_name)i, reached->at[i]);
}

/* What fact `i` says under the key; false: nothing. */
static bool get(const rcp_defs *defs, size_t i, const char *key, rcp_limit_name *name, uint64_t *n) {
    const char *text = rcp_defs_borrow_string(defs, defs->facts.at[i].value);
    size_t letters = strcspn(text, "=");
    if (strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), key) || !text[letters] ||
        !rcp_limit_find(text, letters, name))
        return false;
    *n = strtoull(text + letters + 1, NULL, 10);
    return true;
}

bool rcp_limit_facts_are_ours(const rcp_defs *defs) {
    uint64_t value[RCP_LIMITS], n;
    rcp_limit_name name;
    bool are = true;
    for (int i = 0; i < RCP_LIMITS; i++)
        value[i] = rcp_limit_borrow((rcp_limit_name)i)->value;
    for (size_t i = 0; i < defs->facts.len; i++)
        if (get(defs, i, value_key, &name, &n))
            value[name] = n;
    for (int i = 0; i < RCP_LIMITS; i++)
        if (rcp_limit_borrow((rcp_limit_name)i)->scope == RCP_LIMIT_OF_EVENTS)
            are &= value[i] == rcp_limit((rcp_limit_name)i);
    return are;
}

void rcp_limit_facts_add(const rcp_defs *defs, rcp_limit_counts *to) {
    rcp_limit_name name;
    uint64_t n;
    for (size_t i = 0; i < defs->facts.len; i++)
        if (get(defs, i, reached_key, &name, &n))
            to->at[name] += n;
}
