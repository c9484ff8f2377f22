/* SPDX-License-Identifier: Apache-2.0 */
/* Critical sections on disk: where more of them are needed than memory should hold (order/engine/locks.h), the older
 * ones are written to a temporary file without a name, which is gone when it is closed.
 *
 * The naive model is a list of closed sections, each with the clock of its release, sorted. They are written in blocks
 * of one list; what stays in memory is where each block lies and which section is its first. Nothing in a file is
 * changed: to drop sections is to write those that stay into another one.
 *
 * Invariant: of one list blocks are in order, as the sections in them are. Where the system refuses to write, nothing
 * is spilled any more, and what there is stays valid; where it refuses to read, `failed` says so, and whoever feeds the
 * order must stop. Lists belong to their users; all else to the spill.
 */
#ifndef RECIPE_ORDER_ENGINE_SPILL_H
#define RECIPE_ORDER_ENGINE_SPILL_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define RCP_SPILL_BLOCK 64 /* sections */

typedef struct rcp_spill_block {
    uint64_t offset;
    uint32_t first; /* `acquired` of its first section */
    uint32_t n, width;
} rcp_spill_block;

typedef RCP_VEC(rcp_spill_block) rcp_spill_list;

/* A section as in order/engine/locks.h. The clock is borrowed until the next call. */
typedef struct rcp_spilled {
    uint32_t acquired, released;
    const uint32_t *clock;
    uint32_t width;
} rcp_spilled;

typedef struct rcp_spill {
    int file;
    bool open, refused, failed;
    uint64_t end;      /* of the file */
    uint64_t sections; /* in it */
    RCP_VEC(uint32_t) in, out;
} rcp_spill;

void rcp_spill_init(rcp_spill *spill);
void rcp_spill_finish(rcp_spill *spill);
/* Adds sections, RCP_SPILL_BLOCK at most, behind those of the list. False: they could not be written. */
bool rcp_spill_write(rcp_spill *spill, rcp_spill_list *list, const rcp_spilled *sections, uint32_t n);
/* Reads a block; its sections are asked for one by one. */
bool rcp_spill_load(rcp_spill *spill, const rcp_spill_block *block);
rcp_spilled rcp_spill_at(const rcp_spill *spill, const rcp_spill_block *block, uint32_t i);
/* The latest section of the list whose acquire is among the first `known` events. False: there is none. */
bool rcp_spill_find(rcp_spill *spill, const rcp_spill_list *list, uint32_t known, rcp_spilled *section);

#endif
