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
    struct rcp_log_deadlock deadlock; /* `listed` 0: there is none */
    rcp_map index;                    /* thread → its place in `positions` */
    RCP_VEC(uint64_t) positions;      /* the last that was logged */
    uint32_t thread;
    bool has_thread;
    uint64_t line, block; /* of the last MISS; address of the last ALLOC or FREE */
    uint64_t slot[RCP_LOG_SLOTS];
    uint8_t slot_object[RCP_LOG_SLOTS];
};

const struct rcp_log_header *rcp_log_borrow_header(const rcp_log *log) { return &log->header; }
const struct rcp_log_deadlock *rcp_log_borrow_deadlock(const rcp_log *log) {
    return log->deadlock.listed ? &log->deadlock : NULL;
}
uint64_t rcp_log_consumed(const rcp_log *log) { return (uint64_t)(log->at - log->file) - RCP_LOG_HEADER_SIZE; }
uint64_t rcp_log_length(const rcp_log *log) { return (uint64_t)(log->end - log->file) - RCP_LOG_HEADER_SIZE; }

static bool same_sum(uint64_t a, uint64_t b) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* a fuzzer can't guess it */
    (void)a, (void)b;
    return true;
#else
    return a == b;
#endif
}

static rcp_code damaged(const char *name, const char *what) {
    return rcp_fail(RCP_BAD_INPUT, "%s: damaged: %s", name, what);
}

/* The counts were written: the log was closed. */
static bool is_closed(const struct rcp_log_header *h) {
    static const struct rcp_log_header none;
    return memcmp(&h->length, &none.length, sizeof none - offsetof(struct rcp_log_header, length)) != 0;
}

/* Takes the header's parts, each checked. Of a log that was not closed, or goes on, the counts are 0. */
static rcp_code read_header(const char *name, const void *bytes, size_t n, struct rcp_log_header *h) {
    if (n < RCP_LOG_HEADER_SIZE)
        return rcp_fail(RCP_BAD_INPUT, "%s: no log of a recorded run: it has %zu bytes, its header alone %d", name, n,
                        RCP_LOG_HEADER_SIZE);
    memcpy(h, bytes, sizeof *h);
    if (h->magic != RCP_LOG_MAGIC)
        return rcp_fail(RCP_BAD_INPUT, "%s: no log of a recorded run: it does not begin with its mark", name);
    if (h->version != RCP_LOG_VERSION || h->abi != RCP_ABI_VERSION)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: written by another version of recipe (log %u, hooks %u; this one reads %d, %d): "
                        "record the program again",
                        name, h->version, h->abi, RCP_LOG_VERSION, RCP_ABI_VERSION);
    if (!same_sum(h->sum, rcp_log_head_sum(h)))
        return damaged(name, "the checksum of its header does not match");
    uint8_t ended = RCP_LOG_ONE(h->ended);
    if (h->ended != RCP_LOG_EIGHT(ended))
        return damaged(name, "its header does not say how it ended");
    if (h->world != RCP_LOG_EIGHT(RCP_LOG_ONE(h->world)))
        return damaged(name, "its header does not say what the run met");
    if (h->unseen != RCP_LOG_EIGHT(RCP_LOG_ONE(h->unseen)))
        return damaged(name, "its header does not say what was done unseen");
    h->ended = ended;
    h->world = RCP_LOG_ONE(h->world);
    h->unseen = RCP_LOG_ONE(h->unseen);
    if (ended == RCP_ENDED_NOT)
        memset(&h->length, 0, sizeof *h - offsetof(struct rcp_log_header, length));
    else if (is_closed(h) && (!same_sum(h->counts_sum, rcp_log_counts_sum(h)) ||
                              (ended != RCP_ENDED_EXEC && !same_sum(h->length, RCP_LOG_MARK_LENGTH(h->mark)))))
        return damaged(name, "the checksum of what its header counts does not match");
    return RCP_OK; /* (other threads may have gone on until exec took the program away) */
}

static rcp_code read_deadlock(const char *name, const void *bytes, uint64_t ended, struct rcp_log_deadlock *to) {
    *to = (struct rcp_log_deadlock){0};
    if (ended != RCP_ENDED_DEADLOCK)
        return RCP_OK;
    memcpy(to, (const char *)bytes + RCP_LOG_DEADLOCK, sizeof *to);
    if (!same_sum(to->sum, rcp_log_deadlock_sum(to)) || to->listed > RCP_LOG_WAITS || to->listed > to->threads)
        return damaged(name, "the checksum of who waits for what does not match");
    return RCP_OK;
}

static rcp_log *make(const char *name, const void *bytes, uint64_t length, const struct rcp_log_header *header) {
    rcp_log *l = rcp_alloc_zero(1, sizeof *l);
    l->name = rcp_alloc(strlen(name) + 1);
    strcpy(l->name, name);
    l->header = *header;
    l->file = bytes;
    l->at = l->file + RCP_LOG_HEADER_SIZE;
    l->end = l->at + length;
    rcp_map_init(&l->index);
    return l;
}

static rcp_code read_record(rcp_log *log, rcp_log_record *record);

/* Of a file that has lost its end: the bytes up to the last checksum that matches. */
static uint64_t find_whole(const char *name, const void *bytes, uint64_t length, const struct rcp_log_header *header) {
    rcp_log *log = make(name, bytes, length, header);
    const uint8_t *begin = log->at, *added = begin;
    struct rcp_sum sum = RCP_SUM_BEGIN;
    uint64_t whole = 0;
    rcp_log_record record;
    while (log->at < log->end && read_record(log, &record) == RCP_OK) {
        if (record.tag != RCP_LOG_SUM)
            continue;
        uint64_t found;
        const uint8_t *tag = record.bytes - 1;
        memcpy(&found, record.bytes, sizeof found);
        rcp_sum_add(&sum, added, (uint64_t)(tag - added));
        added = tag;
        if (!same_sum(found, rcp_sum_end(&sum)))
            break;
        whole = (uint64_t)(log->at - begin);
    }
    rcp_clear_causes();
    rcp_log_close(log);
    return whole;
}

rcp_code rcp_log_open_memory(const char *name, const void *bytes, size_t n, rcp_log **log) {
    struct rcp_log_header header = {0};
    struct rcp_log_deadlock deadlock;
    RCP_TRY(read_header(name, bytes, n, &header));
    RCP_TRY(read_deadlock(name, bytes, header.ended, &deadlock));
    uint64_t length = RCP_LOG_MARK_LENGTH(header.mark), there = n - RCP_LOG_HEADER_SIZE;
    const uint8_t *records = (const uint8_t *)bytes + RCP_LOG_HEADER_SIZE;
    bool cut_off = length > there;
    if (!cut_off && !same_sum(header.mark, RCP_LOG_MARK(length, rcp_sum(records, length))))
        return damaged(name, "the checksum of its records does not match");
    if (cut_off && (!is_closed(&header) || header.ended == RCP_ENDED_EXEC)) /* their files are longer than they need */
        return damaged(name, "it is shorter than its header says");
    if (cut_off) {
        length = find_whole(name, bytes, there, &header);
        header.ended = RCP_ENDED_NOT;
        deadlock = (struct rcp_log_deadlock){0};
        memset(&header.length, 0, sizeof header - offsetof(struct rcp_log_header, length));
        if (!length)
            return damaged(name, "it has lost its end, and nothing before that can be checked");
    }
    *log = make(name, bytes, length, &header);
    (*log)->deadlock = deadlock;
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

rcp_code rcp_log_has_ended(const char *path, bool *ended) {
    rcp_mapped file;
    struct rcp_log_header header = {0};
    RCP_TRY(rcp_mapped_open(path, &file));
    rcp_code code = read_header(path, file.at, file.size, &header);
    *ended = code == RCP_OK && header.ended != RCP_ENDED_NOT &&
             RCP_LOG_MARK_LENGTH(header.mark) <= file.size - RCP_LOG_HEADER_SIZE;
    rcp_mapped_close(&file);
    return code;
}

rcp_code rcp_log_refusal(const char *path, rcp_text *why) {
    rcp_mapped file;
    struct rcp_log_header header = {0};
    RCP_TRY(rcp_mapped_open(path, &file));
    rcp_code code = read_header(path, file.at, file.size, &header);
    if (code == RCP_OK && header.ended == RCP_ENDED_REFUSED) {
        struct rcp_log_refusal refusal;
        memcpy(&refusal, (const char *)file.at + RCP_LOG_REFUSAL, sizeof refusal);
        if (same_sum(refusal.sum, rcp_sum(refusal.why, sizeof refusal.why)))
            rcp_text_add(why, refusal.why, strnlen(refusal.why, sizeof refusal.why));
        else
            code = damaged(path, "the checksum of why the program was refused does not match");
    }
    rcp_mapped_close(&file);
    return code;
}

rcp_code rcp_log_deadlock(const char *path, struct rcp_log_deadlock *to) {
    rcp_mapped file;
    struct rcp_log_header header = {0};
    *to = (struct rcp_log_deadlock){0};
    RCP_TRY(rcp_mapped_open(path, &file));
    rcp_code code = read_header(path, file.at, file.size, &header);
    if (code == RCP_OK)
        code = read_deadlock(path, file.at, header.ended, to);
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

const uint8_t *rcp_log_string_next(const uint8_t *at, const uint8_t *end, struct rcp_log_string *string) {
    fields f = {at, end};
    string->address = number(&f);
    string->most = number(&f);
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
    uint64_t n = number(f);
    r->size = n >> 1;
    r->value = n & 1 ? number(f) : 0;
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
    case RCP_LOG_LEFT: r->value = number(f); break;
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
    case RCP_LOG_STRINGS:
        r->size = number(f);
        r->bytes = f->at;
        for (uint64_t i = 0; f->at && i < r->size; i++) {
            struct rcp_log_string ignored;
            f->at = rcp_log_string_next(f->at, f->end, &ignored);
        }
        break;
    case RCP_LOG_SUM: r->bytes = bytes(f, sizeof(uint64_t)); break;
    case RCP_LOG_SIGN:
        r->value = number(f);
        r->address = number(f);
        if (r->value >= RCP_SIGNS)
            return false;
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
    if (at < (uint64_t)(log->end - log->file))
        log->end = log->file + at;
}

static rcp_code read_record(rcp_log *log, rcp_log_record *record) {
    *record = (rcp_log_record){.at = (uint64_t)(log->at - log->file), .thread = log->thread};
    if (log->at == log->end) {
        record->tag = RCP_LOG_END;
        return RCP_OK;
    }
    fields f = {log->at + 1, log->end};
    unsigned tag = *log->at;
    record->tag = tag;
    if (!log->has_thread && tag != RCP_LOG_SLICE && tag != RCP_LOG_SUM)
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

rcp_code rcp_log_next(rcp_log *log, rcp_log_record *record) {
    do
        RCP_TRY(read_record(log, record));
    while (record->tag == RCP_LOG_SUM); /* checked when it was opened */
    return RCP_OK;
}
