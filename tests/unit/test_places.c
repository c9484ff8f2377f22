/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/places.h"

#include "suite.h"
#include "trace/text/names.h"

#include <stdio.h>

/* The definition, straight. */
static uint32_t naive(const rcp_defs *defs, uint64_t addr, uint64_t size) {
    uint32_t best = RCP_NO_VARIABLE;
    for (uint32_t i = 0; i < defs->variables.len; i++) {
        const rcp_variable *v = &defs->variables.at[i];
        if (!v->size || v->addr > UINT64_MAX - v->size)
            continue;
        if (v->addr == addr && v->size == size)
            return i;
        if (addr >= v->addr && addr - v->addr < v->size &&
            (best == RCP_NO_VARIABLE || v->size < defs->variables.at[best].size))
            best = i;
    }
    if (best == RCP_NO_VARIABLE)
        return best;
    const rcp_variable *v = &defs->variables.at[best];
    return size <= v->size - (addr - v->addr) ? best : RCP_NO_VARIABLE;
}

START_TEST(finds_what_the_definition_says) {
    rcp_defs defs;
    rcp_places places;
    rcp_defs_init(&defs);
    rcp_places_init(&places);
    uint32_t seed = 1;
    for (int round = 0; round < 60; round++) {
        seed = seed * 1664525u + 1013904223u;
        rcp_defs_variable(&defs, NULL, 100 + (seed >> 8) % 40, (seed >> 16) % 9);
        rcp_places_refresh(&places, &defs);
        for (uint64_t addr = 95; addr < 155; addr++)
            for (uint64_t size = 0; size < 12; size++)
                ck_assert_uint_eq(rcp_places_find(&places, &defs, addr, size), naive(&defs, addr, size));
    }
    rcp_defs_variable(&defs, "past the end", UINT64_MAX - 3, 8);
    rcp_places_refresh(&places, &defs);
    ck_assert_uint_eq(rcp_places_find(&places, &defs, UINT64_MAX - 2, 1), RCP_NO_VARIABLE);
    rcp_places_finish(&places);
    rcp_defs_finish(&defs);
}
END_TEST

/* The definition of rcp_defs_find_variable(), straight. */
static const rcp_variable *smallest(const rcp_defs *defs, uint64_t addr) {
    const rcp_variable *best = NULL;
    for (size_t i = 0; i < defs->variables.len; i++) {
        const rcp_variable *v = &defs->variables.at[i];
        if (addr >= v->addr && addr - v->addr < v->size && (!best || v->size < best->size))
            best = v;
    }
    return best;
}

START_TEST(finds_the_smallest) {
    uint32_t seed = 1;
    for (int round = 0; round < 200; round++) {
        rcp_defs defs;
        rcp_defs_init(&defs);
        for (int i = 0; i < 30; i++) {
            seed = seed * 1664525u + 1013904223u;
            rcp_defs_variable(&defs, NULL, 100 + (seed >> 8) % 40, (seed >> 16) % (round % 2 ? 9 : 30));
            for (uint64_t addr = 95; addr < 175; addr++)
                ck_assert_ptr_eq(rcp_defs_find_variable(&defs, addr), smallest(&defs, addr));
        }
        rcp_defs_variable(&defs, "past the end", UINT64_MAX - 3, 8);
        ck_assert_ptr_eq(rcp_defs_find_variable(&defs, UINT64_MAX - 1), smallest(&defs, UINT64_MAX - 1));
        ck_assert_ptr_null(rcp_defs_find_variable(&defs, 2));
        rcp_defs_finish(&defs);
    }
}
END_TEST

START_TEST(names_stand_once) {
    rcp_names names;
    rcp_names_init(&names);
    char word[8];
    for (uint32_t i = 0; i < 5000; i++) {
        int n = snprintf(word, sizeof word, "%x", i);
        ck_assert(rcp_names_add(&names, word, (size_t)n, i));
        ck_assert(!rcp_names_add(&names, word, (size_t)n, i + 1));
    }
    for (uint32_t i = 0; i < 5000; i++) {
        int n = snprintf(word, sizeof word, "%x", i);
        ck_assert_uint_eq(rcp_names_get(&names, word, (size_t)n), i);
    }
    ck_assert_uint_eq(rcp_names_get(&names, "1388", 4), RCP_NAMES_NONE);
    ck_assert_uint_eq(rcp_names_get(&names, "", 0), RCP_NAMES_NONE);
    rcp_names_finish(&names);
}
END_TEST

int main(void) {
    return rcp_suite_run("places and names", finds_what_the_definition_says, finds_the_smallest, names_stand_once,
                         NULL);
}
