/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/log_writer.h"

#include "base/file.h"
#include "base/text.h"
#include "base/varint.h"

#include <string.h>

void rcp_log_writer_init(rcp_log_writer *w, const struct rcp_log_header *header) {
    *w = (rcp_log_writer){.header = *header};
    w->header.ended = RCP_ENDED_NOT;
    memset(&w->header.length, 0, sizeof w->header - offsetof(struct rcp_log_header, length)); /* nobody counts */
    rcp_map_init(&w->index);
    memset(w->slot_object, 0xff, sizeof w->slot_object);
}

void rcp_log_writer_finish(rcp_log_writer *w) {
    rcp_vec_finish(&w->bytes);
    rcp_vec_finish(&w->positions);
    rcp_map_finish(&w->index);
}

static void byte(rcp_log_writer *w, uint8_t value) { rcp_vec_push(&w->bytes, value); }

static void number(rcp_log_writer *w, uint64_t x) {
    rcp_vec_reserve(&w->bytes, RCP_VARINT_MAX);
    w->bytes.len = (size_t)(rcp_varint_put(w->bytes.at + w->bytes.len, x) - w->bytes.at);
}

static void raw(rcp_log_writer *w, const uint8_t *from, size_t n) {
    if (n)
        memcpy(rcp_vec_extend(&w->bytes, n), from, n);
}

static void position(rcp_log_writer *w, uint64_t at) {
    uint32_t *place = rcp_map_at(&w->index, w->thread);
    if (*place == RCP_MAP_NONE) {
        *place = (uint32_t)w->positions.len;
        rcp_vec_push(&w->positions, 0);
    }
    uint64_t *last = &w->positions.at[*place];
    RCP_CHECK(at >= *last);
    number(w, at - *last);
    *last = at;
}

static void object(rcp_log_writer *w, uint64_t address, uint8_t kind) {
    unsigned slot = RCP_LOG_SLOT(address);
    if (w->slot_object[slot] == kind && w->slot[slot] == address) {
        byte(w, (uint8_t)slot);
        return;
    }
    byte(w, 255);
    number(w, address);
    number(w, kind);
    w->slot[slot] = address;
    w->slot_object[slot] = kind;
}

static void sync(rcp_log_writer *w, const rcp_log_record *r) {
    unsigned shape = rcp_sync_shape(r->op);
    object(w, r->address, r->object);
    if (shape & RCP_SYNC_HAS_SECOND)
        object(w, r->second, r->second_object);
    if (shape & RCP_SYNC_HAS_NUMBER)
        number(w, r->value);
    if (shape & RCP_SYNC_HAS_OUTCOME)
        byte(w, r->outcome);
}

static void block(rcp_log_writer *w, uint64_t address) {
    number(w, rcp_zigzag((int64_t)(address - w->block)));
    w->block = address;
}

static void slice(rcp_log_writer *w, const rcp_log_record *r) {
    number(w, r->thread);
    if (w->has_thread)
        position(w, r->position);
    else
        number(w, 0);
    w->thread = r->thread;
    w->has_thread = true;
}

static void line(rcp_log_writer *w, const rcp_log_record *r) {
    position(w, r->position);
    number(w, rcp_zigzag((int64_t)(r->address - w->line) >> 6));
    w->line = r->address;
    if (r->tag == RCP_LOG_MISS)
        raw(w, r->bytes, 64);
}

void rcp_log_writer_put(rcp_log_writer *w, const rcp_log_record *r) {
    byte(w, (uint8_t)(r->tag + (r->tag == RCP_LOG_SYNC ? r->op : 0u)));
    switch (r->tag) {
    case RCP_LOG_SLICE: slice(w, r); break;
    case RCP_LOG_STOP:
    case RCP_LOG_THREAD_END: position(w, r->position); break;
    case RCP_LOG_RETURN: number(w, r->value); break;
    case RCP_LOG_RETURN_BYTES:
    case RCP_LOG_NOTE:
        number(w, r->size);
        raw(w, r->bytes, r->size);
        break;
    case RCP_LOG_MISS:
    case RCP_LOG_MISS_ZERO: line(w, r); break;
    case RCP_LOG_EFFECT:
        number(w, r->address);
        number(w, r->size);
        raw(w, r->bytes, r->size);
        break;
    case RCP_LOG_FILL:
        number(w, r->address);
        number(w, r->size);
        number(w, r->value);
        break;
    case RCP_LOG_COPY:
        number(w, r->address);
        number(w, r->second);
        number(w, r->size);
        break;
    case RCP_LOG_CALLBACK:
        number(w, r->address);
        number(w, r->size << 1 | (r->value != 0));
        if (r->value)
            number(w, r->value);
        raw(w, r->bytes, (size_t)(r->end - r->bytes));
        break;
    case RCP_LOG_LANDING:
        number(w, r->address);
        number(w, r->pad);
        number(w, r->second);
        number(w, r->value);
        break;
    case RCP_LOG_JUMP:
        number(w, r->address);
        number(w, r->value);
        break;
    case RCP_LOG_THREAD:
        number(w, r->value);
        number(w, r->second);
        number(w, r->address);
        number(w, r->room);
        number(w, r->native_hi);
        number(w, r->native_hi - r->native_lo);
        number(w, r->size);
        raw(w, r->bytes, (size_t)(r->end - r->bytes));
        break;
    case RCP_LOG_ALLOC:
        block(w, r->address);
        number(w, r->size);
        byte(w, r->kind);
        break;
    case RCP_LOG_FREE: block(w, r->address); break;
    case RCP_LOG_FAULT:
        number(w, r->value);
        number(w, r->address);
        position(w, r->position);
        number(w, r->size);
        break;
    case RCP_LOG_ALIAS:
        number(w, r->address);
        number(w, r->second);
        number(w, r->size);
        break;
    case RCP_LOG_STRINGS:
        number(w, r->size);
        raw(w, r->bytes, (size_t)(r->end - r->bytes));
        break;
    case RCP_LOG_SIGN:
        number(w, r->value);
        number(w, r->address);
        break;
    case RCP_LOG_SYNC: sync(w, r); break;
    case RCP_LOG_VALUE:
    case RCP_LOG_LEFT:
    case RCP_LOG_PART:
    case RCP_LOG_FORK:
    case RCP_LOG_EXIT: number(w, r->value); break;
    default: break;
    }
    if (r->tag == RCP_LOG_RETURN || r->tag == RCP_LOG_RETURN_0 || r->tag == RCP_LOG_RETURN_BYTES ||
        r->tag == RCP_LOG_LANDING)
        byte(w, r->check);
}

struct rcp_log_header rcp_log_writer_header(const rcp_log_writer *w) {
    struct rcp_log_header header = w->header;
    header.world = RCP_LOG_EIGHT(header.world); /* a reader's, so one byte */
    header.unseen = RCP_LOG_EIGHT(header.unseen);
    header.sum = rcp_log_head_sum(&header);
    header.mark = RCP_LOG_MARK(w->bytes.len, rcp_sum(w->bytes.at, w->bytes.len));
    return header;
}

rcp_code rcp_log_writer_save(const rcp_log_writer *w, const char *path) {
    char head[RCP_LOG_HEADER_SIZE] = {0};
    struct rcp_log_header header = rcp_log_writer_header(w);
    rcp_text all = {0};
    memcpy(head, &header, sizeof header);
    rcp_text_add(&all, head, sizeof head);
    rcp_text_add(&all, (const char *)w->bytes.at, w->bytes.len);
    rcp_code code = rcp_file_make(path, all.at, all.len);
    rcp_text_finish(&all);
    return code;
}
