/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/reader.h"

#include "base/tally.h"
#include "trace/store/chunk_index.h"
#include "trace/store/decoder.h"
#include "trace/store/store.h"

#include <string.h>

/* Events of a batch: few enough to stay in a core's own cache until they are used. */
enum { BATCH = 4096 };

/* A place in the stream of events. The chunk that is being decoded is chunks[next - 1]. */
typedef struct cursor {
    rcp_decoder decoder;
    rcp_unpacker unpacker;
    rcp_bytes stored;
    rcp_event *events;
    size_t next;   /* the chunk to come */
    uint64_t skip; /* events before this number are passed over */
} cursor;

struct rcp_reader {
    rcp_store store;
    cursor stream;
    uint64_t decoded;
};

static void cursor_init(cursor *c, const rcp_reader *reader) {
    *c = (cursor){.events = rcp_alloc(BATCH * sizeof *c->events)};
    rcp_decoder_init(&c->decoder, &reader->store.defs, &reader->store.terms);
    rcp_unpacker_init(&c->unpacker);
}

static void cursor_finish(cursor *c) {
    rcp_decoder_finish(&c->decoder);
    rcp_unpacker_finish(&c->unpacker);
    rcp_vec_finish(&c->stored);
    rcp_release(c->events);
}

static rcp_code opened(rcp_reader *reader, rcp_code code, rcp_reader **out) {
    if (code == RCP_OK && !reader->store.end) /* not even a file header: there is nothing to read */
        code = rcp_fail(RCP_BAD_INPUT, "%s", reader->store.loss);
    if (code != RCP_OK) {
        rcp_store_finish(&reader->store);
        rcp_release(reader);
        return code;
    }
    cursor_init(&reader->stream, reader);
    *out = reader;
    return RCP_OK;
}

rcp_code rcp_reader_open(const char *directory, rcp_reader **out) {
    rcp_reader *reader = rcp_alloc_zero(1, sizeof *reader);
    return opened(reader, rcp_store_open(&reader->store, directory), out);
}

rcp_code rcp_reader_open_memory(const char *name, const void *bytes, size_t n, rcp_reader **out) {
    rcp_reader *reader = rcp_alloc_zero(1, sizeof *reader);
    return opened(reader, rcp_store_open_memory(&reader->store, name, bytes, n), out);
}

void rcp_reader_close(rcp_reader *reader) {
    cursor_finish(&reader->stream);
    rcp_store_finish(&reader->store);
    rcp_release(reader);
}

const rcp_defs *rcp_reader_borrow_defs(const rcp_reader *reader) { return &reader->store.defs; }
const rcp_terms *rcp_reader_borrow_terms(const rcp_reader *reader) { return &reader->store.terms; }
uint64_t rcp_reader_count(const rcp_reader *reader) { return reader->store.events; }
uint64_t rcp_reader_identity(const rcp_reader *reader) { return reader->store.identity; }
const char *rcp_reader_borrow_loss(const rcp_reader *reader) { return reader->store.loss; }
uint64_t rcp_reader_decoded(const rcp_reader *reader) { return reader->decoded; }

/* The chunk that holds event `from`, or the number of chunks. */
static size_t chunk_of(const rcp_store *store, uint64_t from) {
    size_t low = 0, high = store->chunks.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const rcp_chunk *chunk = &store->chunks.at[middle].chunk;
        if (chunk->first + chunk->count > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static rcp_code begin_chunk(rcp_reader *reader, cursor *c, size_t number) {
    const rcp_store *store = &reader->store;
    const rcp_placed_chunk *placed = &store->chunks.at[number];
    const uint8_t *stored;
    c->decoder.left = 0;
    const rcp_part *index = &placed->chunk.index, *body = &placed->chunk.body;
    RCP_TRY(rcp_store_borrow(store, placed->offset + RCP_CHUNK_HEADER_BYTES, (size_t)index->stored + body->stored,
                             &c->stored, &stored));
    rcp_code code = rcp_part_verify(index, stored); /* not needed here, but a changed byte is to be noticed */
    if (code == RCP_OK)
        code = rcp_unpacker_run(&c->unpacker, body, stored + index->stored);
    if (code == RCP_OK)
        code = rcp_decoder_begin(&c->decoder, &placed->chunk, &c->unpacker.out);
    if (code != RCP_OK)
        return rcp_store_blame(store, placed->offset, code);
    c->next = number + 1;
    reader->decoded++;
    return RCP_OK;
}

/* The next events of the chunk that was begun; an empty batch at its end. */
static rcp_code decode(rcp_reader *reader, cursor *c, rcp_batch *batch) {
    rcp_batch out = {.at = c->events, .first = {c->decoder.event}};
    rcp_code code = c->decoder.left ? rcp_decoder_next(&c->decoder, c->events, BATCH, &out.n) : RCP_OK;
    if (code != RCP_OK) { /* who asks again gets the same answer, not the next chunk */
        c->decoder.left = 0;
        c->next--;
        c->skip = c->skip > c->decoder.event ? c->skip : c->decoder.event;
        return rcp_store_blame(&reader->store, reader->store.chunks.at[c->next].offset, code);
    }
    if (out.n && out.first.v < c->skip) {
        uint64_t over = c->skip - out.first.v < out.n ? c->skip - out.first.v : out.n;
        out.at += over;
        out.n -= over;
        out.first.v += over;
    }
    *batch = out;
    return RCP_OK;
}

rcp_code rcp_reader_seek(rcp_reader *reader, rcp_eid from) {
    cursor *c = &reader->stream;
    c->next = chunk_of(&reader->store, from.v);
    c->skip = from.v;
    c->decoder.left = 0;
    return RCP_OK;
}

rcp_code rcp_reader_next(rcp_reader *reader, rcp_batch *batch) {
    cursor *c = &reader->stream;
    *batch = (rcp_batch){.at = c->events, .first = {reader->store.events}};
    for (;;) {
        if (!c->decoder.left) {
            if (c->next == reader->store.chunks.len)
                return RCP_OK;
            RCP_TRY(begin_chunk(reader, c, c->next));
        }
        rcp_batch found;
        RCP_TRY(decode(reader, c, &found));
        if (found.n) {
            *batch = found;
            return RCP_OK;
        }
    }
}

static rcp_code scan_chunk(rcp_reader *reader, cursor *c, size_t number, const rcp_filter *filter,
                           rcp_reader_visitor *each, void *context) {
    RCP_TRY(begin_chunk(reader, c, number));
    for (;;) {
        rcp_batch batch;
        RCP_TRY(decode(reader, c, &batch));
        if (!batch.n)
            return RCP_OK;
        for (size_t i = 0; i < batch.n; i++) {
            rcp_eid eid = {batch.first.v + i};
            if (rcp_filter_passes(filter, eid, &batch.at[i]))
                RCP_TRY(each(context, eid, &batch.at[i]));
        }
    }
}

static rcp_code chunk_matches(const rcp_store *store, cursor *c, size_t number, const rcp_filter *filter,
                              bool *matches) {
    *matches = true;
    if (!filter->by_thread && !filter->by_address && !filter->by_object)
        return RCP_OK;
    const rcp_placed_chunk *placed = &store->chunks.at[number];
    const uint8_t *stored;
    RCP_TRY(rcp_store_borrow(store, placed->offset + RCP_CHUNK_HEADER_BYTES, placed->chunk.index.stored, &c->stored,
                             &stored));
    rcp_code code = rcp_unpacker_run(&c->unpacker, &placed->chunk.index, stored);
    if (code == RCP_OK)
        code = rcp_index_matches(&c->unpacker.out, filter, matches);
    return code == RCP_OK ? code : rcp_store_blame(store, placed->offset, code);
}

static rcp_code scan(rcp_reader *reader, cursor *c, const rcp_filter *filter, rcp_reader_visitor *each, void *context) {
    const rcp_store *store = &reader->store;
    for (size_t i = chunk_of(store, filter->from); i < store->chunks.len; i++) {
        if (filter->to && store->chunks.at[i].chunk.first >= filter->to)
            break;
        bool matches;
        RCP_TRY(chunk_matches(store, c, i, filter, &matches));
        if (matches)
            RCP_TRY(scan_chunk(reader, c, i, filter, each, context));
    }
    return RCP_OK;
}

rcp_code rcp_reader_fetch(rcp_reader *reader, rcp_eid eid, rcp_event *event) {
    rcp_batch batch;
    RCP_TRY(rcp_reader_seek(reader, eid));
    RCP_TRY(rcp_reader_next(reader, &batch));
    RCP_CHECK(batch.n && batch.first.v == eid.v);
    *event = batch.at[0];
    return RCP_OK;
}

rcp_code rcp_reader_scan(rcp_reader *reader, const rcp_filter *filter, rcp_reader_visitor *each, void *context) {
    cursor c;
    cursor_init(&c, reader);
    rcp_code code = scan(reader, &c, filter, each, context);
    cursor_finish(&c);
    return code;
}

static rcp_code read_all(rcp_reader *reader, rcp_trace *trace, uint64_t most) {
    /* The count stands in headers whose checksums held, but it is reserved batch by batch: a claim is no allocation. */
    for (;;) {
        rcp_batch batch;
        RCP_TRY(rcp_reader_next(reader, &batch));
        if (batch.n > most - trace->events.len)
            batch.n = most - trace->events.len;
        if (!batch.n)
            return RCP_OK;
        rcp_event *to = rcp_vec_extend(&trace->events, batch.n);
        memcpy(to, batch.at, batch.n * sizeof *to);
        for (size_t i = 0; i < batch.n; i++) {
            if (!rcp_event_is_access(&to[i]) || !to[i].valued || to[i].size <= 8)
                continue;
            to[i].bytes = rcp_arena_copy(&trace->bytes, to[i].bytes, to[i].size);
            if (to[i].kind == RCP_RMW)
                to[i].written_bytes = rcp_arena_copy(&trace->bytes, to[i].written_bytes, to[i].size);
        }
    }
}

rcp_code rcp_trace_load(rcp_trace *trace, const char *directory) {
    uint64_t all;
    return rcp_trace_load_beginning(trace, directory, UINT64_MAX, &all);
}

rcp_code rcp_trace_load_beginning(rcp_trace *trace, const char *directory, uint64_t most, uint64_t *all) {
    rcp_reader *reader;
    RCP_TRY(rcp_reader_open(directory, &reader));
    rcp_tally_count(RCP_TALLY_LOADS);
    *all = rcp_reader_count(reader);
    rcp_code code = read_all(reader, trace, most);
    /* the tables change hands */
    rcp_defs defs = trace->defs;
    rcp_terms terms = trace->terms;
    trace->defs = reader->store.defs;
    trace->terms = reader->store.terms;
    reader->store.defs = defs;
    reader->store.terms = terms;
    const char *loss = rcp_reader_borrow_loss(reader);
    if (loss)
        trace->loss = rcp_arena_copy(&trace->bytes, loss, strlen(loss) + 1);
    if (code == RCP_OK)
        rcp_trace_index(trace);
    rcp_reader_close(reader);
    return code;
}

rcp_code rcp_trace_resize(rcp_trace *trace, rcp_reader *reader, uint64_t most) {
    rcp_code code = RCP_OK;
    rcp_tally_count(RCP_TALLY_READ_ON);
    if (most < trace->events.len)
        trace->events.len = most;
    else if ((code = rcp_reader_seek(reader, (rcp_eid){trace->events.len})) == RCP_OK)
        code = read_all(reader, trace, most);
    rcp_trace_index(trace);
    return code;
}
