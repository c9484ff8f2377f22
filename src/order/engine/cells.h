/* SPDX-License-Identifier: Apache-2.0 */
/* Where the access history (order/engine/history.h) is kept: a cell per set of bytes that have one history.
 *
 * A cell is a set of bytes of one 8-byte granule: those that were always accessed together. While one thread alone has
 * touched it, and only plainly, it is 32 bytes in place; from then on it refers to an rcp_shared. Cells stand in lines
 * of eight granules, found by a hash with a small cache in front of it; further cells of a granule hang on its first
 * one.
 *
 * Opaque events write whole reaches. What they do is done lazily: only cells that somebody else has written since are
 * visited, from a list; a cell that an opaque event wrote last finds out which one when it is picked
 * (order/engine/reached.h).
 *
 * Invariant: the cells of a granule are disjoint and not empty (a first cell with mask 0 is none, and has no
 * successor); all bytes of a cell have one life and one last writer. Pointers to cells hold until rcp_cells_drop(). The
 * store owns its cells, and borrows the clocks that they hold.
 */
#ifndef RECIPE_ORDER_ENGINE_CELLS_H
#define RECIPE_ORDER_ENGINE_CELLS_H

#include "base/map.h"
#include "order/engine/locks.h"
#include "order/engine/mend.h"
#include "order/engine/reached.h"
#include "order/engine/touches.h"

typedef enum rcp_writer_kind { RCP_WRITER_PLAIN, RCP_WRITER_ATOMIC, RCP_WRITER_OPAQUE } rcp_writer_kind;

/* One cache line. */
typedef struct rcp_shared {
    rcp_stamp writer;          /* the last one; count 0: nobody in this life */
    uint32_t writer_kind : 8;  /* rcp_writer_kind */
    uint32_t extra : 24;       /* in rcp_cells.extras; 0: none */
    rcp_touches writes, reads; /* an RMW is among the writes: whatever conflicts with its read does with its write */
} rcp_shared;

#define RCP_CELL_TID_MAX ((1u << 23) - 1) /* threads above it own no cell: theirs are shared at once */

/* Half a cache line. */
typedef struct rcp_access_cell {
    uint32_t mask : 8; /* which bytes of the granule; 0: no cell */
    uint32_t is_shared : 1;
    uint32_t tid : 23; /* not shared: whose it is */
    uint32_t life;     /* in rcp_cells.lives */
    union {
        struct {
            uint32_t r_count, r_loc; /* its last read: count 0 = none */
            uint32_t w_count, w_loc; /* and write, with its clock */
        };
        rcp_shared *shared;
    };
    rcp_clock w_clock;
    uint32_t next; /* another cell of the granule; 0: none */
} rcp_access_cell;

#define RCP_LINE_GRANULES 8
#define RCP_LINE_SHIFT    6 /* 64 bytes */
#define RCP_LINE_CACHE    1024
#define RCP_CELLS_CHUNK   64 /* lines, cells, shared parts made at a time */

typedef struct rcp_line {
    rcp_access_cell at[RCP_LINE_GRANULES];
} rcp_line;

/* A cell that the current event touches. */
typedef struct rcp_picked {
    rcp_access_cell *cell;
    uint64_t base;  /* address of its granule */
    uint8_t mask;   /* the bytes of the cell that are meant */
    bool unordered; /* something in it is not before the event */
} rcp_picked;

typedef RCP_VEC(rcp_picked) rcp_picked_list;

typedef struct rcp_cells {
    rcp_clocks *clocks;
    rcp_map lines; /* address >> RCP_LINE_SHIFT to the line's index */
    RCP_VEC(rcp_line *) chunks;
    RCP_VEC(uint32_t) spare_lines;
    uint32_t lines_made;
    struct {
        uint64_t number;
        rcp_line *line;
    } cache[RCP_LINE_CACHE];
    rcp_arena memory;
    RCP_VEC(rcp_access_cell *) more_chunks; /* cells that are not the first of their granule; number 0 is none */
    RCP_VEC(uint32_t) spare_cells;
    uint32_t cells_made;
    RCP_VEC(rcp_shared *) shared, spare_shared; /* all, and those not in use */
    rcp_origins lives;                          /* who began them: ALLOC, FREE */
    rcp_reached opaque;                         /* which opaque event reached what */
    bool has_opaque;                            /* there may be such events */
    bool by_place;                              /* lists of touches are by place; before there is any */
    uint64_t now;                               /* lives and opaque events so far */
    RCP_VEC(uint64_t) unreached;                /* granules with cells that no opaque event wrote last; some twice */
    RCP_VEC(rcp_span) unreached_lives;          /* that began since an opaque event reached all of them */
    rcp_extras extras;
    RCP_VEC(uint64_t) range;
} rcp_cells;

void rcp_cells_init(rcp_cells *cells, rcp_clocks *clocks);
void rcp_cells_finish(rcp_cells *cells);
size_t rcp_cells_bytes(const rcp_cells *cells);

/* The line of `address`; NULL where there is none. */
rcp_line *rcp_cells_look_up(rcp_cells *cells, uint64_t number);
static inline rcp_line *rcp_cells_line(rcp_cells *cells, uint64_t address) {
    uint64_t number = address >> RCP_LINE_SHIFT;
    return cells->cache[number % RCP_LINE_CACHE].number == number ? cells->cache[number % RCP_LINE_CACHE].line
                                                                  : rcp_cells_look_up(cells, number);
}
/* rcp_cells_line() will be asked for `address`. */
static inline void rcp_cells_expect(const rcp_cells *cells, uint64_t address) {
    uint64_t number = address >> RCP_LINE_SHIFT;
    if (cells->cache[number % RCP_LINE_CACHE].number != number)
        rcp_map_expect(&cells->lines, number);
}
static inline rcp_access_cell *rcp_cells_more(const rcp_cells *cells, uint32_t i) {
    return &cells->more_chunks.at[i / RCP_CELLS_CHUNK][i % RCP_CELLS_CHUNK];
}
static inline rcp_access_cell *rcp_line_cell(rcp_line *line, uint64_t address) {
    return &line->at[address / 8 % RCP_LINE_GRANULES];
}

/* Adds the cells of [lo, hi) to the list. Where a cell reaches beyond, it is split; where there is none, one is made
 * that `tid` owns and nobody has touched, but for the FREE that began its life and the opaque event that wrote it. */
void rcp_cells_pick(rcp_cells *cells, uint64_t lo, uint64_t hi, uint32_t tid, rcp_picked_list *picked);
/* Adds the cells that exist in [lo, hi), however many addresses that is; with `split` as above. */
void rcp_cells_pick_range(rcp_cells *cells, uint64_t lo, uint64_t hi, bool split, rcp_picked_list *picked);
/* An opaque event that reaches the spans comes: adds the cells in them that another event wrote last, or nobody. The
 * caller makes the opaque event their writer. */
void rcp_cells_pick_unreached(rcp_cells *cells, const rcp_span *spans, size_t n, rcp_picked_list *picked);
/* A cell of the granule at `base` that an opaque event wrote last has been written. */
static inline void rcp_cells_note_written(rcp_cells *cells, uint64_t base) { rcp_vec_push(&cells->unreached, base); }
/* A life has begun there: `origin` of `lives`. */
void rcp_cells_note_life(rcp_cells *cells, uint64_t lo, uint64_t hi, uint32_t origin);
/* Calls `each` with the beginning of every life in the spans, but for those that an opaque event is known to have
 * reached. */
typedef void rcp_life_visitor(void *context, const rcp_origin *life);
void rcp_cells_unreached_lives(rcp_cells *cells, const rcp_span *spans, size_t n, rcp_life_visitor *each,
                               void *context);
/* Adds the positions of threads (order/engine/locks.h) that the history stands for and that may lie inside a critical
 * section, with what began lives and with extras. A cell that is not shared was never touched inside one. */
void rcp_cells_positions(const rcp_cells *cells, rcp_position_list *of, size_t n);
/* The bytes of [lo, hi) have no history any more. */
void rcp_cells_drop(rcp_cells *cells, uint64_t lo, uint64_t hi);
/* The cell's list; made from what it holds in place. */
rcp_shared *rcp_cells_share(rcp_cells *cells, rcp_access_cell *cell);

#endif
