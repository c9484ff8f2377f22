/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/writer.h"

#include "base/file.h"
#include "trace/store/defs_codec.h"
#include "trace/store/encoder.h"
#include "trace/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct rcp_writer {
    rcp_store store; /* its tables are the writer's, its chunks are not kept up */
    const rcp_defs *defs;
    const rcp_terms *terms; /* what is written: the store's, or a trace's that is saved */
    rcp_defs_mark mark;     /* what of them is in the file */
    rcp_encoder encoder;
    rcp_packer packer;
    rcp_bytes index, body;
    bool broken; /* a write failed: the file ends before it, and nothing more can follow */
};

static rcp_code put_at(int fd, const char *path, const uint8_t *at, size_t n, uint64_t offset) {
    return rcp_file_put_at(fd, at, n, offset) ? RCP_OK
                                              : rcp_fail(RCP_SYSTEM, "%s: can't be written: %s", path, strerror(errno));
}

static rcp_code emit(rcp_writer *w, rcp_chunk_type type, uint32_t count) {
    rcp_store *store = &w->store;
    rcp_chunk chunk = {.type = (uint8_t)type, .first = store->events, .count = count};
    RCP_TRY(rcp_packer_run(&w->packer, chunk, &w->index, &w->body));
    rcp_code code = put_at(store->fd, store->path, w->packer.out.at, w->packer.out.len, store->end);
    if (code != RCP_OK) {
        if (ftruncate(store->fd, (off_t)store->end)) /* a reader copes with a cut-off chunk */
            code = rcp_because(code, "what was written of a chunk can't be taken back either (%s)", strerror(errno));
        return code;
    }
    store->end += w->packer.out.len;
    store->events += count;
    return RCP_OK;
}

static rcp_code write_out(rcp_writer *w) {
    for (;;) {
        w->index.len = w->body.len = 0;
        RCP_TRY(rcp_defs_put(w->defs, w->terms, &w->mark, &w->body));
        if (!w->body.len)
            break;
        RCP_TRY(emit(w, RCP_CHUNK_DEFS, 0));
    }
    uint32_t count = w->encoder.count;
    if (!count)
        return RCP_OK;
    rcp_encoder_take(&w->encoder, &w->index, &w->body);
    return emit(w, RCP_CHUNK_EVENTS, count);
}

rcp_code rcp_writer_flush(rcp_writer *w) {
    if (w->broken)
        return rcp_fail(RCP_SYSTEM, "%s: an earlier write failed; the trace ends there", w->store.path);
    rcp_code code = write_out(w);
    w->broken = code != RCP_OK;
    return code;
}

rcp_code rcp_writer_add(rcp_writer *w, const rcp_event *event) {
    if (w->broken) /* the encoder may be full */
        return rcp_writer_flush(w);
    RCP_TRY(rcp_encoder_add(&w->encoder, event));
    return rcp_encoder_is_full(&w->encoder) ? rcp_writer_flush(w) : RCP_OK;
}

static rcp_writer *make(void) {
    rcp_writer *w = rcp_alloc_zero(1, sizeof *w);
    w->store.fd = -1;
    return w;
}

/* The file is there, positioned and locked. */
static void begin(rcp_writer *w, const rcp_defs *defs, const rcp_terms *terms, rcp_defs_mark mark) {
    w->defs = defs;
    w->terms = terms;
    w->mark = mark;
    rcp_encoder_init(&w->encoder, defs, terms);
    rcp_packer_init(&w->packer);
}

static void destroy(rcp_writer *w) {
    if (w->defs) {
        rcp_encoder_finish(&w->encoder);
        rcp_packer_finish(&w->packer);
    }
    rcp_vec_finish(&w->index);
    rcp_vec_finish(&w->body);
    rcp_store_finish(&w->store);
    rcp_release(w);
}

static rcp_code put_file_header(rcp_store *store) {
    uint8_t header[RCP_FILE_HEADER_BYTES];
    rcp_file_header_put(header);
    store->end = sizeof header;
    return put_at(store->fd, store->path, header, sizeof header, 0);
}

static rcp_code make_file(rcp_store *store, const char *directory) {
    rcp_defs_init(&store->defs);
    rcp_terms_init(&store->terms);
    store->path = rcp_store_take_path(directory);
    RCP_TRY(rcp_file_make_directory(directory));
    store->fd = open(store->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (store->fd < 0)
        return errno == EEXIST ? rcp_fail(RCP_BAD_INPUT,
                                          "%s: holds a trace already: choose another directory or remove it", directory)
                               : rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", store->path, strerror(errno));
    RCP_TRY(rcp_store_lock(store->fd, store->path));
    return put_file_header(store);
}

/* With the tables of somebody else, or NULL for its own. */
static rcp_code create(const char *directory, const rcp_defs *defs, const rcp_terms *terms, rcp_writer **writer) {
    rcp_writer *w = make();
    rcp_code code = make_file(&w->store, directory);
    if (code != RCP_OK) {
        destroy(w);
        return code;
    }
    begin(w, defs ? defs : &w->store.defs, terms ? terms : &w->store.terms, rcp_defs_mark_none());
    *writer = w;
    return RCP_OK;
}

rcp_code rcp_writer_create(const char *directory, rcp_writer **writer) { return create(directory, NULL, NULL, writer); }

static rcp_code copy_file(int from, const char *name, uint64_t size, int to, const char *to_name) {
    uint8_t piece[1 << 16];
    for (uint64_t at = 0; at < size;) {
        size_t want = size - at < sizeof piece ? (size_t)(size - at) : sizeof piece;
        ssize_t got = pread(from, piece, want, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", name, got ? strerror(errno) : "it is cut off");
        RCP_TRY(put_at(to, to_name, piece, (size_t)got, at));
        at += (size_t)got;
    }
    return RCP_OK;
}

rcp_code rcp_writer_move(rcp_writer *w, const char *directory) {
    rcp_store fresh = {.fd = -1};
    rcp_code code = make_file(&fresh, directory);
    if (code == RCP_OK)
        code = copy_file(w->store.fd, w->store.path, w->store.end, fresh.fd, fresh.path);
    if (code == RCP_OK) { /* the tables are the same; the file changes places */
        int fd = w->store.fd;
        char *path = w->store.path;
        w->store.fd = fresh.fd, fresh.fd = fd;
        w->store.path = fresh.path, fresh.path = path;
    }
    rcp_store_finish(&fresh);
    return code;
}

rcp_defs *rcp_writer_borrow_defs(rcp_writer *w) { return &w->store.defs; }
rcp_terms *rcp_writer_borrow_terms(rcp_writer *w) { return &w->store.terms; }

rcp_code rcp_writer_close(rcp_writer *w) {
    rcp_code code = rcp_writer_flush(w);
    int fd = w->store.fd;
    w->store.fd = -1;
    if (close(fd) && code == RCP_OK)
        code = rcp_fail(RCP_SYSTEM, "%s: can't be closed: %s", w->store.path, strerror(errno));
    destroy(w);
    return code;
}

void rcp_writer_abandon(rcp_writer *w) { destroy(w); }

rcp_code rcp_trace_save(const rcp_trace *trace, const char *directory) {
    rcp_writer *w;
    RCP_TRY(create(directory, &trace->defs, &trace->terms, &w));
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < trace->events.len && code == RCP_OK; i++)
        code = rcp_writer_add(w, &trace->events.at[i]);
    if (code == RCP_OK)
        return rcp_writer_close(w);
    destroy(w);
    return code;
}
