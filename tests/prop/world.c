/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the observed order alone; the rules themselves are in world_sync.c and world_step.c. */
#include "prop/world.h"

#include "prop/line.h"

#include <string.h>

static bool begins_life(const rcp_event *e, uint64_t addr) {
    return (e->kind == RCP_ALLOC || e->kind == RCP_FREE) && addr >= e->addr && addr - e->addr < e->value;
}

static bool covers(const rcp_event *e, uint64_t addr) {
    uint64_t extent = rcp_event_extent(e);
    return extent && addr >= e->addr && addr - e->addr < extent;
}

typedef RCP_VEC(uint64_t) addresses;

/* Every byte that an access, ALLOC or FREE covers, once. */
static void list_addresses(const rcp_trace *trace, addresses *all) {
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        for (uint64_t k = 0; k < rcp_event_extent(e); k++) {
            bool seen = false;
            for (size_t j = 0; j < all->len && !seen; j++)
                seen = all->at[j] == e->addr + k;
            if (!seen)
                rcp_vec_push(all, e->addr + k);
        }
    }
}

static bool touches(const rcp_trace *trace, const rcp_event *e, uint64_t addr) {
    return rcp_event_is_opaque(e) ? rcp_defs_reach_holds(&trace->defs, e->reach, addr, addr + 1) : covers(e, addr);
}

static void find_bytes(rcp_world *world) {
    const rcp_trace *trace = world->trace;
    addresses all = {0};
    list_addresses(trace, &all);
    RCP_VEC(rcp_world_byte) cells = {0}; /* one per address and life */
    for (size_t i = 0; i < world->n; i++) {
        const rcp_event *e = &trace->events.at[i];
        rcp_world_event *event = &world->events[i];
        event->bytes = rcp_alloc_zero(all.len + 1, sizeof *event->bytes);
        /* an access's bytes must come in the order of addresses; an opaque event's may come in any */
        for (size_t k = 0; k < (rcp_event_is_opaque(e) ? all.len : rcp_event_extent(e)); k++) {
            uint64_t addr = rcp_event_is_opaque(e) ? all.at[k] : e->addr + k;
            if (!touches(trace, e, addr))
                continue;
            rcp_world_byte byte = {
                .addr = addr, .begin = RCP_WORLD_NOBODY, .end = RCP_WORLD_NOBODY, .writer = RCP_WORLD_NOBODY};
            for (size_t j = 0; j < i; j++)
                if (begins_life(&trace->events.at[j], addr))
                    byte.begin = (uint8_t)j;
            for (size_t j = world->n; j-- > i;)
                if (begins_life(&trace->events.at[j], addr))
                    byte.end = (uint8_t)j;
            size_t cell = 0;
            while (cell < cells.len && (cells.at[cell].addr != addr || cells.at[cell].begin != byte.begin))
                cell++;
            byte.cell = (uint16_t)cell;
            if (cell == cells.len)
                rcp_vec_push(&cells, byte);
            event->bytes[event->n_bytes++] = byte;
        }
    }
    world->n_cells = cells.len;
    world->initial = rcp_alloc_zero(cells.len + 1, sizeof *world->initial);
    for (size_t c = 0; c < cells.len; c++) { /* I1 (in part), I2 */
        rcp_world_content *content = &world->initial[c];
        *content = (rcp_world_content){.knowledge = RCP_WORLD_AS_RECORDED, .writer = RCP_WORLD_NOBODY};
        if (cells.at[c].begin != RCP_WORLD_NOBODY) {
            bool zeroed = trace->events.at[cells.at[c].begin].outcome == RCP_ZEROED;
            content->knowledge = zeroed ? RCP_WORLD_KNOWN : RCP_WORLD_UNKNOWN;
            continue;
        }
        for (size_t i = 0; i < trace->defs.images.len; i++) {
            const rcp_image *image = &trace->defs.images.at[i];
            if (cells.at[c].addr >= image->addr && cells.at[c].addr - image->addr < image->n) {
                content->knowledge = RCP_WORLD_KNOWN;
                content->value = image->bytes[cells.at[c].addr - image->addr];
            }
        }
    }
    rcp_vec_finish(&cells);
    rcp_vec_finish(&all);
}

/* Plays the trace as observed: who wrote what each event reads, and (I1) what the first read of a byte shows. */
static void find_writers(rcp_world *world) {
    uint8_t *writer = rcp_alloc_zero(world->n_cells + 1, 1);
    bool *shown = rcp_alloc_zero(world->n_cells + 1, sizeof *shown); /* read or written before */
    memset(writer, RCP_WORLD_NOBODY, world->n_cells);
    for (size_t i = 0; i < world->n; i++) {
        const rcp_event *e = &world->trace->events.at[i];
        for (size_t k = 0; k < world->events[i].n_bytes; k++) {
            rcp_world_byte *byte = &world->events[i].bytes[k];
            rcp_world_content *initial = &world->initial[byte->cell];
            if (rcp_event_reads(e) || rcp_event_is_opaque(e))
                byte->writer = writer[byte->cell];
            if (rcp_event_reads(e) && e->valued && !shown[byte->cell] && byte->begin == RCP_WORLD_NOBODY &&
                initial->knowledge == RCP_WORLD_AS_RECORDED) {
                initial->knowledge = RCP_WORLD_KNOWN;
                initial->value = rcp_event_bytes(e)[k];
            }
            if (rcp_event_writes(e) || rcp_event_is_opaque(e))
                writer[byte->cell] = (uint8_t)i;
            if (rcp_event_is_access(e) || rcp_event_is_opaque(e))
                shown[byte->cell] = true;
        }
    }
    rcp_release(writer);
    rcp_release(shown);
}

/* The reads that a term of event `e` depends on; `own`: an ALL counts e's own read. */
static rcp_event_set depends(const rcp_world *world, unsigned e, rcp_term term, bool own) {
    rcp_event_set set = 0;
    if (rcp_term_is_real(term)) {
        rcp_eids reads = {0};
        rcp_term_reads(&world->trace->terms, term, &reads);
        for (size_t i = 0; i < reads.len; i++)
            set |= UINT64_C(1) << reads.at[i].v;
        rcp_vec_finish(&reads);
    } else if (term.v == RCP_TERM_ALL.v) {
        for (unsigned i = 0; i < world->n; i++)
            if (rcp_event_reads(&world->trace->events.at[i]) && (world->events[e].before >> i & 1 || (own && i == e)))
                set |= UINT64_C(1) << i;
    }
    return set;
}

/* The reads on which it depends whether a written value exists: those below a division, a remainder or a shift. */
static rcp_event_set partial_reads(const rcp_world *world, unsigned e, rcp_term term) {
    if (!rcp_term_is_real(term))
        return 0;
    const rcp_term_node *node = rcp_term_borrow(&world->trace->terms, term);
    switch (node->op) {
    case RCP_OP_CONST:
    case RCP_OP_READ: return 0;
    case RCP_OP_UDIV:
    case RCP_OP_SDIV:
    case RCP_OP_UREM:
    case RCP_OP_SREM:
    case RCP_OP_SHL:
    case RCP_OP_LSHR:
    case RCP_OP_ASHR: return depends(world, e, term, false);
    default: break;
    }
    const uint32_t arguments[3] = {node->a, node->b, node->c};
    rcp_event_set set = 0;
    for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity; i++)
        set |= partial_reads(world, e, (rcp_term){arguments[i]});
    return set;
}

static void find_dependences(rcp_world *world) {
    for (unsigned i = 0; i < world->n; i++) {
        const rcp_event *e = &world->trace->events.at[i];
        rcp_world_event *event = &world->events[i];
        event->addr_reads = depends(world, i, e->addr_term, false);
        event->cond_reads = depends(world, i, e->cond, true);
        event->value_reads = depends(world, i, e->value_term, e->kind == RCP_RMW);
        if (world->implicit && rcp_event_reads(e))
            event->cond_reads |= depends(world, i, RCP_TERM_ALL, true);
    }
}

/* V1: the least set of causal reads that holds `reads`. */
static rcp_event_set causal_closure(const rcp_world *world, rcp_event_set reads) {
    for (rcp_event_set old = ~reads; old != reads;) {
        old = reads;
        for (size_t r = 0; r < world->n; r++) {
            if (!(old >> r & 1))
                continue;
            for (size_t k = 0; k < world->events[r].n_bytes; k++) {
                uint8_t writer = world->events[r].bytes[k].writer;
                if (writer != RCP_WORLD_NOBODY)
                    reads |= world->events[writer].value_reads;
            }
        }
    }
    return reads;
}

static void find_causal(rcp_world *world) {
    for (size_t i = 0; i < world->n; i++) {
        rcp_world_event *event = &world->events[i];
        rcp_event_set reads = event->cond_reads | event->addr_reads |
                              partial_reads(world, (unsigned)i, world->trace->events.at[i].value_term);
        if (rcp_event_is_opaque(&world->trace->events.at[i])) /* P2 compares these writers */
            for (size_t k = 0; k < event->n_bytes; k++)
                if (event->bytes[k].writer != RCP_WORLD_NOBODY)
                    reads |= world->events[event->bytes[k].writer].value_reads;
        event->causal = causal_closure(world, reads);
        event->causal_addr = causal_closure(world, event->addr_reads);
    }
}

/* What a read took in the state that is being looked at. */
static rcp_eval lookup(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    const rcp_world *world = context;
    *value = 0;
    if (read.v >= world->n || !(world->evaluated->executed >> read.v & 1))
        return RCP_EVAL_UNKNOWN;
    const rcp_world_event *event = &world->events[read.v];
    if (!rcp_event_reads(&world->trace->events.at[read.v]) || offset + bytes > event->n_bytes)
        return RCP_EVAL_UNKNOWN;
    const rcp_world_taken *taken = rcp_world_takens(world, (rcp_world_state *)world->evaluated) + event->taken + offset;
    for (unsigned i = 0; i < bytes; i++) {
        if (!taken[i].known)
            return RCP_EVAL_UNKNOWN;
        *value |= (uint64_t)taken[i].value << (8 * i);
    }
    return RCP_EVAL_OK;
}

static void find_line(rcp_world *world) {
    bool edges[RCP_WORLD_EVENTS * RCP_WORLD_EVENTS];
    rcp_line_edges(world->trace, edges);
    for (size_t e = 0; e < world->n; e++) {
        world->events[e].needs = 0;
        for (size_t i = 0; i < e; i++)
            if (edges[i * world->n + e])
                world->events[e].needs |= UINT64_C(1) << i;
    }
}

static void find_times(rcp_world *world) {
    rcp_line_time times[RCP_WORLD_EVENTS];
    rcp_line_times(world->trace, times);
    for (size_t e = 0; e < world->n; e++) {
        rcp_world_event *event = &world->events[e];
        event->is_early = times[e].is_early;
        event->begins = times[e].begins;
        event->later = event->ends = 0;
        for (size_t i = e + 1; i < world->n; i++)
            event->later |= (rcp_event_set)times[i].is_late << i;
        for (size_t i = 0; i < e; i++)
            event->ends |= (rcp_event_set)(times[i].begins && times[i].end == e) << i;
    }
}

void rcp_world_init(rcp_world *world, const rcp_trace *trace, rcp_check_options options) {
    RCP_CHECK(trace->events.len <= RCP_WORLD_EVENTS);
    *world = (rcp_world){.trace = trace,
                         .options = options,
                         .n = trace->events.len,
                         .n_threads = trace->defs.threads.len,
                         .implicit = rcp_defs_implicit_branches(&trace->defs)};
    world->of_thread = rcp_alloc_zero(world->n_threads + 1, sizeof *world->of_thread);
    for (size_t i = 0; i < world->n; i++) {
        const rcp_event *e = &trace->events.at[i];
        world->events[i].before = world->of_thread[e->tid.v];
        world->of_thread[e->tid.v] |= UINT64_C(1) << i;
        if (e->kind == RCP_BARRIER_ENTER)
            world->events[i].entry = (uint8_t)world->n_entries++;
        if (rcp_event_reads(e) && options.values == RCP_VALUES_RELAXED) {
            world->events[i].taken = (uint16_t)world->n_taken;
            world->n_taken += e->size;
        }
    }
    find_bytes(world);
    find_line(world);
    find_times(world);
    find_writers(world);
    find_dependences(world);
    find_causal(world);
    size_t size = sizeof(rcp_world_state) + world->n_cells * sizeof(rcp_world_content) +
                  world->n_taken * sizeof(rcp_world_taken) + world->n_entries;
    world->state_size = (size + 7) / 8 * 8;
    rcp_evaluator_init(&world->evaluator, &trace->terms, lookup, world);
}

void rcp_world_finish(rcp_world *world) {
    for (size_t i = 0; i < world->n; i++)
        rcp_release(world->events[i].bytes);
    rcp_release(world->of_thread);
    rcp_release(world->initial);
    rcp_evaluator_finish(&world->evaluator);
}
