/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/log_reader.h"

#include "abi/hooks.h"
#include "base/map.h"
#include "base/varint.h"
#include "base/vec.h"
#include "program/recording/mapped.h"

#include <string.h>

/* A thread number beyond this is damage: the file `values` has 24 bits for it. */
enum { THREADS_MAX = 1 << 24 };

struct rcp_log {
    char *name;
    const uint8_t *file, *at, *end; /* end of the committed records */
    rcp_mapped mapped;              /* empty: the bytes are the caller's */
    struct rcp_log_header header;
    rcp_map index;               /* thread → its place in `positions` */
    RCP_VEC(uint64_t) positions; /* the last that was logged */
    uint32_t thread;
    bool has_thread, cut_off;
    uint64_t line, block; /* of the last MISS; address of the last ALLOC or FREE */
    uint64_t slot[RCP_LOG_SLOTS];
    uint8_t slot_object[RCP_LOG_SLOTS];
};

const struct rcp_log_header *rcp_log_borrow_header(const rcp_log *log) { return &log->header; }
uint64_t rcp_log_consumed(const rcp_log *log) { return (uint64_t)(log->at - log->file) - RCP_LOG_HEADER_SIZE; }
uint64_t rcp_log_length(const rcp_log *log) { return (uint64_t)(log->end - log->file) - RCP_LOG_HEADER_SIZE; }

rcp_code rcp_log_open_memory(const char *name, const void *bytes, size_t n, rcp_log **log) {
    struct rcp_log_header header;
    if (n < RCP_LOG_HEADER_SIZE)
        return rcp_fail(RCP_BAD_INPUT, "%s: no log of a recorded run: it has %zu bytes, its header alone %d", name, n,
                        RCP_LOG_HEADER_SIZE);
    memcpy(&header, bytes, sizeof header);
    if (header.magic != RCP_LOG_MAGIC)
        return rcp_fail(RCP_BAD_INPUT, "%s: no log of a recorded run: it does not begin with its mark", name);
    if (header.version != RCP_LOG_VERSION || header.abi != RCP_ABI_VERSION)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: written by another version of recipe (log %u, hooks %u; this one reads %d, %d): "
                        "record the program again",
                        name, header.version, header.abi, RCP_LOG_VERSION, RCP_ABI_VERSION);
    rcp_log *l = rcp_alloc_zero(1, sizeof *l);
    l->name = rcp_alloc(strlen(name) + 1);
    strcpy(l->name, name);
    l->header = header;
    l->file = bytes;
    l->at = l->file + RCP_LOG_HEADER_SIZE;
    l->cut_off = header.committed > n - RCP_LOG_HEADER_SIZE;
    l->end = l->at + (l->cut_off ? n - RCP_LOG_HEADER_SIZE : header.committed);
    rcp_map_init(&l->index);
    *log = l;
    return RCP_OK;
}

rcp_code rcp_log_open(const char *path, rcp_log **log) {
    rcp_mapped file;
    RCP_TRY(rcp_mapped_open(path, &file));
    rcp_code code = rcp_log_open_memory(path, file.at, file.size, log);
    if (code == RCP_OK)
        (*log)->mapped = file;
    else
        rcp_mapped_close(&file);
    return code;
}

void rcp_log_close(rcp_log *log) {
    if (!log)
        return;
    rcp_mapped_close(&log->mapped);
    rcp_map_finish(&log->index);
    rcp_vec_finish(&log->positions);
    rcp_release(log->name);
    rcp_release(log);
}

/* The fields of a record, each NULL-safe: after the first that is cut off, `at` is NULL and the rest are 0. */
typedef struct fields {
    const uint8_t *at, *end;
} fields;

static uint64_t number(fields *f) {
    uint64_t x = 0;
    if (f->at)
        f->at = rcp_varint_get(f->at, f->end, &x);
    return f->at ? x : 0;
}

static uint8_t byte(fields *f) {
    if (!f->at || f->at >= f->end) {
        f->at = NULL;
        return 0;
    }
    return *f->at++;
}

static const uint8_t *bytes(fields *f, uint64_t n) {
    if (!f->at || n > (uint64_t)(f->end - f->at)) {
        f->at = NULL;
        return NULL;
    }
    const uint8_t *at = f->at;
    f->at += n;
    return at;
}

/* The last position that was logged for the record's thread. */
static uint64_t *last_position(rcp_log *log, uint32_t thread) {
    uint32_t *place = rcp_map_at(&log->index, thread);
    if (*place == RCP_MAP_NONE) {
        *place = (uint32_t)log->positions.len;
        rcp_vec_push(&log->positions, 0);
    }
    return &log->positions.at[*place];
}

static uint64_t position(rcp_log *log, fields *f) { return *last_position(log, log->thread) += number(f); }

static uint64_t object(rcp_log *log, fields *f, uint8_t *kind) {
    uint8_t slot = byte(f);
    if (slot < RCP_LOG_SLOTS) {
        *kind = log->slot_object[slot];
        return log->slot[slot];
    }
    uint64_t address = number(f);
    *kind = (uint8_t)number(f);
    if (slot != 255 || *kind > RCP_SYNC_THREAD) {
        f->at = NULL;
        return 0;
    }
    slot = (uint8_t)RCP_LOG_SLOT(address);
    log->slot[slot] = address;
    log->slot_object[slot] = *kind;
    return address;
}

const uint8_t *rcp_log_argument_next(const uint8_t *at, const uint8_t *end, rcp_log_argument *argument) {
    fields f = {at, end};
    *argument = (rcp_log_argument){0};
    uint64_t kind = number(&f);
    if (kind == 0)
        argument->value = number(&f);
    else if (kind == 1) {
        argument->n = number(&f);
        argument->bytes = bytes(&f, argument->n);
    } else
        f.at = NULL;
    return f.at;
}

static void read_sync(rcp_log *log, fields *f, rcp_log_record *r) {
    unsigned shape = rcp_sync_shape(r->op);
    r->address = object(log, f, &r->object);
    if (shape & RCP_SYNC_HAS_SECOND)
        r->second = object(log, f, &r->second_object);
    if (shape & RCP_SYNC_HAS_NUMBER)
        r->value = number(f);
    if (shape & RCP_SYNC_HAS_OUTCOME)
        r->outcome = byte(f);
}

static void read_callback(fields *f, rcp_log_record *r) {
    r->address = number(f);
    r->size = number(f);
    r->bytes = f->at;
    for (uint64_t i = 0; f->at && i < r->size; i++) {
        rcp_log_argument ignored;
        f->at = rcp_log_argument_next(f->at, f->end, &ignored);
    }
}

static void read_thread(fields *f, rcp_log_record *r) {
    r->value = number(f);
    r->second = number(f);
    r->address = number(f);
    r->room = number(f);
    r->native_hi = number(f);
    uint64_t native_size = number(f);
    r->native_lo = r->native_hi - (native_size < r->native_hi ? native_size : r->native_hi);
    r->size = number(f);
    r->bytes = f->at;
    for (uint64_t i = 0; f->at && i < r->size; i++)
        number(f);
}

/* The fields of the record with `tag`. False: there is no such record. */
static bool read_fields(rcp_log *log, fields *f, unsigned tag, rcp_log_record *r) {
    switch (tag) {
    case RCP_LOG_SLICE: {
        uint64_t thread = number(f);
        if (f->at && thread >= THREADS_MAX)
            return false;
        uint64_t since = number(f); /* of the thread before */
        if (log->has_thread)
            r->position = *last_position(log, log->thread) += since;
        log->thread = (uint32_t)thread;
        log->has_thread = true;
        break;
    }
    case RCP_LOG_STOP:
    case RCP_LOG_THREAD_END: r->position = position(log, f); break;
    case RCP_LOG_RETURN:
        r->value = number(f);
        r->check = byte(f);
        break;
    case RCP_LOG_RETURN_0: r->check = byte(f); break;
    case RCP_LOG_RETURN_BYTES:
        r->size = number(f);
        r->bytes = bytes(f, r->size);
        r->check = byte(f);
        break;
    case RCP_LOG_MISS:
    case RCP_LOG_MISS_ZERO:
        r->position = position(log, f);
        r->address = log->line += (uint64_t)rcp_unzigzag(number(f)) << 6;
        r->size = 64;
        if (tag == RCP_LOG_MISS)
            r->bytes = bytes(f, 64);
        break;
    case RCP_LOG_EFFECT:
        r->address = number(f);
        r->size = number(f);
        r->bytes = bytes(f, r->size);
        break;
    case RCP_LOG_FILL:
        r->address = number(f);
        r->size = number(f);
        r->value = (uint8_t)number(f);
        break;
    case RCP_LOG_COPY:
        r->address = number(f);
        r->second = number(f);
        r->size = number(f);
        break;
    case RCP_LOG_CALLBACK: read_callback(f, r); break;
    case RCP_LOG_LANDING:
        r->address = number(f);
        r->pad = (uint32_t)number(f);
        r->second = number(f);
        r->value = number(f);
        r->check = byte(f);
        break;
    case RCP_LOG_JUMP:
        r->address = number(f);
        r->value = number(f);
        break;
    case RCP_LOG_THREAD: read_thread(f, r); break;
    case RCP_LOG_ALLOC:
        r->address = log->block += (uint64_t)rcp_unzigzag(number(f));
        r->size = number(f);
        r->kind = byte(f);
        break;
    case RCP_LOG_FREE: r->address = log->block += (uint64_t)rcp_unzigzag(number(f)); break;
    case RCP_LOG_FAULT:
        r->value = number(f);
        r->address = number(f);
        r->position = position(log, f);
        r->size = number(f);
        break;
    case RCP_LOG_ALIAS:
        r->address = number(f);
        r->second = number(f);
        r->size = number(f);
        break;
    case RCP_LOG_NOTE:
        r->size = number(f);
        r->bytes = bytes(f, r->size);
        break;
    case RCP_LOG_VALUE:
    case RCP_LOG_PART:
    case RCP_LOG_FORK:
    case RCP_LOG_EXIT: r->value = number(f); break;
    default:
        if (tag < RCP_LOG_SYNC || tag >= RCP_LOG_SYNC + RCP_SYNC_OPS)
            return false;
        r->tag = RCP_LOG_SYNC;
        r->op = (uint8_t)(tag - RCP_LOG_SYNC);
        read_sync(log, f, r);
    }
    return true;
}

void rcp_log_cut(rcp_log *log, uint64_t at) {
    if (at < (uint64_t)(log->end - log->file)) {
        log->end = log->file + at;
        log->cut_off = false;
    }
}

rcp_code rcp_log_next(rcp_log *log, rcp_log_record *record) {
    *record = (rcp_log_record){.at = (uint64_t)(log->at - log->file), .thread = log->thread};
    if (log->at == log->end) {
        if (log->cut_off)
            return rcp_fail(RCP_BAD_INPUT, "%s: cut off at byte %llu: the recorder had written %llu more", log->name,
                            (unsigned long long)record->at,
                            (unsigned long long)(log->header.committed - rcp_log_length(log)));
        record->tag = RCP_LOG_END;
        return RCP_OK;
    }
    fields f = {log->at + 1, log->end};
    unsigned tag = *log->at;
    record->tag = tag;
    if (!log->has_thread && tag != RCP_LOG_SLICE)
        return rcp_fail(RCP_BAD_INPUT, "%s: damaged at byte %llu: a record (%u) before the first thread", log->name,
                        (unsigned long long)record->at, tag);
    if (!read_fields(log, &f, tag, record))
        return rcp_fail(RCP_BAD_INPUT, "%s: damaged at byte %llu: no record begins with %u there", log->name,
                        (unsigned long long)record->at, tag);
    if (!f.at)
        return rcp_fail(RCP_BAD_INPUT, "%s: damaged at byte %llu: a record (%u) is cut off or makes no sense",
                        log->name, (unsigned long long)record->at, tag);
    record->thread = log->thread;
    record->end = log->at = f.at;
    return RCP_OK;
}
