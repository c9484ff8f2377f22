/* SPDX-License-Identifier: Apache-2.0 */
/* Which life each byte of memory is in, as the log tells it (docs/semantics.md: memory's lives).
 *
 * A life begins where memory is allocated or mapped, and where it is freed (until it is allocated again). What belongs
 * to a thread alone and is used again after it by another one has lives, too: its stacks, its thread-local variables,
 * its errno. Everything else is in life 0, the trace's own, from beginning to end.
 *
 * Lives are numbered in the order of the log, so that both re-executions have the same numbers. Whoever listens is told
 * of a change before it is made: rcp_lives_stretch() still says which lives end there. Whole granules
 * (program/machine/space.h); a change says also which bytes were meant.
 */
#ifndef RECIPE_PROGRAM_REACH_LIVES_H
#define RECIPE_PROGRAM_REACH_LIVES_H

#include "base/map.h"
#include "base/ranges.h"
#include "program/machine/machine.h"

typedef struct rcp_life_change {
    uint32_t number; /* of the life that begins */
    uint32_t thread;
    uint64_t address, size; /* as the program sees it */
    uint64_t lo, hi;        /* the granules */
    bool frees;             /* else it allocates */
    bool is_zeroed;
    bool is_own; /* a thread's stack and the like: no call of the program's */
} rcp_life_change;

typedef void rcp_lives_listener(void *context, const rcp_life_change *change);

typedef struct rcp_lives {
    rcp_ranges at;  /* address → number of its life */
    rcp_map blocks; /* address of what was allocated → index into sizes */
    RCP_VEC(uint64_t) sizes, begins;
    RCP_VEC(bool) zeroed, is_heap; /* likewise */
    RCP_VEC(uint64_t) ended;       /* likewise: of one of the heap that was freed, its size; else 0 */
    rcp_ranges live;               /* address → index into sizes, where a block is there */
    rcp_map private_index;         /* thread → index into privates of its latest */
    RCP_VEC(struct rcp_private) privates;
    uint32_t count;
    rcp_lives_listener *listener;
    void *context;
} rcp_lives;

/* Memory that ends with its thread. */
struct rcp_private {
    uint64_t lo, hi;
    uint32_t next; /* of the same thread; RCP_MAP_NONE: none */
};

void rcp_lives_init(rcp_lives *lives, rcp_lives_listener *listener, void *context);
void rcp_lives_finish(rcp_lives *lives);

/* The life of `address`, and how far it goes on, at most to `hi`. */
uint32_t rcp_lives_stretch(const rcp_lives *lives, uint64_t address, uint64_t hi, uint64_t *upto);

/* ALLOC and FREE records. A block that nobody allocated is not freed; one of the heap that was freed may be freed once
 * more, as long as nobody else has its memory. */
void rcp_lives_allocate(rcp_lives *lives, const rcp_log_record *record);
void rcp_lives_free(rcp_lives *lives, const rcp_log_record *record);
/* Bytes of the block that FREE `record` frees; 0: it is not known. */
uint64_t rcp_lives_block_size(const rcp_lives *lives, uint64_t address);
/* Was the block at `address` zeroed when it was allocated, or is none known there? */
bool rcp_lives_is_zeroed(const rcp_lives *lives, uint64_t address);
/* The block that holds the byte at `address`. False: none does. */
bool rcp_lives_block_at(const rcp_lives *lives, uint64_t address, uint64_t *lo, uint64_t *hi);
/* A slot's life ends, and begins (trace/model/slots.h). */
void rcp_lives_slot(rcp_lives *lives, uint32_t thread, uint64_t slot, bool ends);
/* THREAD and THREAD_END. */
void rcp_lives_thread(rcp_lives *lives, const rcp_machine *machine, const rcp_strand *strand,
                      const rcp_log_record *record);
void rcp_lives_thread_end(rcp_lives *lives, uint32_t thread);
/* Memory of the thread's own that outside code has told it of. */
void rcp_lives_private(rcp_lives *lives, uint32_t thread, uint64_t address, uint64_t size);

#endif
