/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/notes.h"

#include "base/hash.h"
#include "program/symbolic/symbolic.h"

#include <string.h>

void rcp_notes_restart(rcp_notes *notes, uint64_t first) {
    notes->first = first;
    notes->at.len = notes->contents.len = notes->calls.len = notes->spans.len = notes->misses.len = notes->lines.len =
        0;
}

static void add(rcp_text *to, const void *bytes, size_t n) {
    if (n)
        rcp_text_add(to, bytes, n);
}

static uint64_t keep(rcp_notes *notes, const uint8_t *bytes, uint32_t size) {
    uint64_t at = notes->contents.len;
    memcpy(rcp_vec_extend(&notes->contents, size), bytes, size);
    return at;
}

uint64_t rcp_notes_function(const rcp_routine *routine) { return routine->key; }

void rcp_notes_event(rcp_notes *notes, const rcp_strand *strand, const rcp_ins *ins, const rcp_event *event) {
    rcp_noted noted = {.record = notes->record,
                       .position = strand->position,
                       .thread = strand->number,
                       .kind = event->kind,
                       .valued = event->valued};
    if (rcp_event_extent(event)) {
        noted.addr = event->addr;
        noted.size = event->size;
    }
    if (rcp_event_is_access(event) && event->valued) {
        noted.bytes = noted.written = keep(notes, rcp_event_bytes(event), event->size);
        if (event->kind == RCP_RMW)
            noted.written = keep(notes, rcp_event_written(event), event->size);
    }
    if (noted.record == RCP_NOTED_INSTRUCTION && ins && strand->frames.len) {
        const rcp_routine *routine = strand->frames.at[strand->frames.len - 1].routine;
        noted.function = rcp_notes_function(routine);
        noted.ins = (uint32_t)(ins - routine->code.at);
        noted.has_position = rcp_left_of[ins->op] != RCP_LEFT_PLAIN;
        if (noted.has_position)
            noted.position -= rcp_ins_left(ins);
    }
    rcp_vec_push(&notes->at, noted);
}

void rcp_notes_call(rcp_notes *notes, uint32_t thread, bool takes_arguments) {
    rcp_noted_call call = {.thread = thread, .takes_arguments = takes_arguments, .first = (uint32_t)notes->spans.len};
    rcp_vec_push(&notes->calls, call);
}

void rcp_notes_call_reads(rcp_notes *notes, uint64_t address, uint64_t size) {
    rcp_span span = {address, address + size};
    rcp_vec_push(&notes->spans, span);
    notes->calls.at[notes->calls.len - 1].n++;
}

void rcp_notes_miss(rcp_notes *notes, rcp_space *space, uint64_t at, uint64_t address, const uint8_t bytes[64],
                    bool is_first) {
    uint8_t now[64];
    rcp_space_read(space, address, now, sizeof now);
    rcp_noted_miss miss = {.at = at};
    for (unsigned i = 0; i < sizeof now; i++) {
        uint8_t *byte = rcp_space_at(space, address + i, 1);
        bool is_shared = byte && *rcp_space_mark(byte, address + i) & RCP_SYMBOLIC_SHARED;
        if (now[i] != bytes[i] && !is_shared)
            miss.mask |= UINT64_C(1) << i;
    }
    rcp_vec_push(&notes->misses, miss);
    if (is_first && miss.mask) {
        rcp_noted_line *line = rcp_vec_extend(&notes->lines, 1);
        *line = (rcp_noted_line){.address = address, .mask = miss.mask};
        memcpy(line->bytes, bytes, sizeof line->bytes);
    }
}

/* --- to another process --- */

#define PARTS(X) X(at) X(contents) X(calls) X(spans) X(misses) X(lines)

void rcp_notes_put(const rcp_notes *notes, rcp_text *to) {
    add(to, &notes->first, sizeof notes->first);
#define X(part)                                                                                                        \
    add(to, &notes->part.len, sizeof notes->part.len);                                                                 \
    add(to, notes->part.at, notes->part.len * sizeof *notes->part.at);
    PARTS(X)
#undef X
}

static bool take(const char **at, const char *end, void *to, size_t n) {
    if ((size_t)(end - *at) < n)
        return false;
    if (n)
        memcpy(to, *at, n);
    *at += n;
    return true;
}

bool rcp_notes_get(rcp_notes *notes, const char **at, const char *end) {
    *notes = (rcp_notes){0};
    size_t n;
    if (!take(at, end, &notes->first, sizeof notes->first))
        return false;
#define X(part)                                                                                                        \
    if (!take(at, end, &n, sizeof n) || n > (size_t)(end - *at) / sizeof *notes->part.at ||                            \
        (n && !take(at, end, rcp_vec_extend(&notes->part, n), n * sizeof *notes->part.at)))                            \
        return false;
    PARTS(X)
#undef X
    return true;
}
