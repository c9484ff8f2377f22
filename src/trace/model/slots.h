/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses for what is no memory and can race all the same: keys of threads' own values and descriptors by their
 * numbers, states of the C library.
 * They lie in the lowest pages, where no program has memory, each in a granule of its own.
 *
 * Invariant: a slot's accesses are one byte wide. Owns nothing.
 */
#ifndef RECIPE_TRACE_MODEL_SLOTS_H
#define RECIPE_TRACE_MODEL_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RCP_SLOT_KEYS = 0x6000, /* + 8 times the number */
    RCP_SLOT_STATES = 0x8000,
    RCP_SLOT_DESCRIPTORS = 0x8800, /* + 8 times the number */
    RCP_SLOTS_END = 0x10000,
    RCP_SLOT_APART = 8,
    RCP_MOST_KEYS = (RCP_SLOT_STATES - RCP_SLOT_KEYS) / RCP_SLOT_APART, /* PTHREAD_KEYS_MAX of glibc */
    RCP_MOST_DESCRIPTORS = (RCP_SLOTS_END - RCP_SLOT_DESCRIPTORS) / RCP_SLOT_APART
};

static inline bool rcp_slot_is_key(uint64_t address) { return address >= RCP_SLOT_KEYS && address < RCP_SLOT_STATES; }
static inline bool rcp_slot_is_state(uint64_t address) {
    return address >= RCP_SLOT_STATES && address < RCP_SLOT_DESCRIPTORS;
}
static inline bool rcp_slot_is_descriptor(uint64_t address) {
    return address >= RCP_SLOT_DESCRIPTORS && address < RCP_SLOTS_END;
}

#endif
