/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/store.h"

#include "base/file.h"
#include "base/text.h"
#include "trace/store/defs_codec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/file.h>
#include <unistd.h>

char *rcp_store_take_path(const char *directory) {
    rcp_text path = {0};
    size_t n = strlen(directory);
    rcp_text_printf(&path, "%s%s%s", directory, n && directory[n - 1] == '/' ? "" : "/", RCP_TRACE_FILE);
    return path.at;
}

rcp_code rcp_store_blame(const rcp_store *store, uint64_t offset, rcp_code code) {
    return rcp_because(code, "%s: at byte %llu", store->path, (unsigned long long)offset);
}

rcp_code rcp_store_borrow(const rcp_store *store, uint64_t offset, size_t n, rcp_bytes *buffer, const uint8_t **bytes) {
    if (store->fd < 0) {
        *bytes = store->memory ? store->memory + offset : (const uint8_t *)"";
        return RCP_OK;
    }
    buffer->len = 0;
    rcp_vec_reserve(buffer, n + 1);
    while (buffer->len < n) {
        ssize_t got = pread(store->fd, buffer->at + buffer->len, n - buffer->len, (off_t)(offset + buffer->len));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return rcp_store_blame(store, offset, rcp_fail(RCP_SYSTEM, "can't be read: %s", strerror(errno)));
        if (!got)
            return rcp_store_blame(store, offset, rcp_fail(RCP_BAD_INPUT, "the file became shorter while it was read"));
        buffer->len += (size_t)got;
    }
    *bytes = buffer->at;
    return RCP_OK;
}

static void lose(rcp_store *store, const char *format, ...) RCP_PRINTF(2, 3);
static void lose(rcp_store *store, const char *format, ...) {
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    rcp_text loss = {0};
    rcp_text_printf(&loss, "%s: cut off at byte %llu, %s; the %llu events before it are read", store->path,
                    (unsigned long long)store->size, what, (unsigned long long)store->events);
    store->loss = loss.at;
}

/* Are there only zero bytes from `offset` on? A machine that lost its power leaves that behind. */
static rcp_code only_zeros(rcp_store *store, uint64_t offset, rcp_bytes *buffer, bool *zeros) {
    *zeros = true;
    while (*zeros && offset < store->size) {
        size_t n = store->size - offset < 1 << 16 ? (size_t)(store->size - offset) : 1 << 16;
        const uint8_t *at;
        RCP_TRY(rcp_store_borrow(store, offset, n, buffer, &at));
        *zeros = !at[0] && !memcmp(at, at + 1, n - 1);
        offset += n;
    }
    return RCP_OK;
}

static rcp_code read_defs(rcp_store *store, const rcp_placed_chunk *placed, rcp_bytes *buffer, rcp_unpacker *unpacker) {
    const uint8_t *stored;
    RCP_TRY(
        rcp_store_borrow(store, placed->offset + RCP_CHUNK_HEADER_BYTES, placed->chunk.body.stored, buffer, &stored));
    rcp_code code = rcp_unpacker_run(unpacker, &placed->chunk.body, stored);
    if (code == RCP_OK)
        code = rcp_defs_get(&store->defs, &store->terms, unpacker->out.at, unpacker->out.len);
    return code == RCP_OK ? code : rcp_store_blame(store, placed->offset, code);
}

/* The chunk at store->end, which ends the walk where it is not whole. */
static rcp_code walk_chunk(rcp_store *store, rcp_bytes *buffer, rcp_unpacker *unpacker, bool *whole) {
    rcp_placed_chunk placed = {.offset = store->end};
    uint64_t left = store->size - store->end;
    const uint8_t *header;
    *whole = false;
    if (left < RCP_CHUNK_HEADER_BYTES) {
        lose(store, "within the header of the chunk at byte %llu", (unsigned long long)store->end);
        return RCP_OK;
    }
    RCP_TRY(rcp_store_borrow(store, store->end, RCP_CHUNK_HEADER_BYTES, buffer, &header));
    rcp_code code = rcp_chunk_header_get(header, &placed.chunk);
    if (code == RCP_OK && placed.chunk.first != store->events)
        code = rcp_fail(RCP_BAD_INPUT, "the chunk begins with event %llu, but %llu come before it",
                        (unsigned long long)placed.chunk.first, (unsigned long long)store->events);
    if (code != RCP_OK) {
        bool zeros = false;
        if (!header[0]) /* never so in a chunk */
            RCP_TRY(only_zeros(store, store->end, buffer, &zeros));
        if (!zeros)
            return rcp_store_blame(store, store->end, code);
        rcp_clear_causes();
        lose(store, "with nothing but zeros from byte %llu on", (unsigned long long)store->end);
        return RCP_OK;
    }
    if (rcp_chunk_bytes(&placed.chunk) > left) {
        lose(store, "within the chunk at byte %llu, which has %u events", (unsigned long long)store->end,
             placed.chunk.count);
        return RCP_OK;
    }
    uint64_t identity = rcp_chunk_identity(store->identity, header); /* what is read next takes the buffer */
    if (placed.chunk.type == RCP_CHUNK_DEFS)
        RCP_TRY(read_defs(store, &placed, buffer, unpacker));
    else
        rcp_vec_push(&store->chunks, placed);
    store->events += placed.chunk.count;
    store->identity = identity;
    store->end += rcp_chunk_bytes(&placed.chunk);
    *whole = true;
    return RCP_OK;
}

static rcp_code walk(rcp_store *store, rcp_bytes *buffer, rcp_unpacker *unpacker) {
    uint8_t ours[RCP_FILE_HEADER_BYTES];
    const uint8_t *header;
    size_t n = store->size < sizeof ours ? (size_t)store->size : sizeof ours;
    RCP_TRY(rcp_store_borrow(store, 0, n, buffer, &header));
    if (n < sizeof ours) {
        rcp_file_header_put(ours);
        if (n && memcmp(ours, header, n))
            return rcp_store_blame(store, 0, rcp_fail(RCP_BAD_INPUT, "this is no trace file: it is too short for one"));
        lose(store, "within the file header");
        return RCP_OK;
    }
    rcp_code code = rcp_file_header_get(header);
    if (code != RCP_OK)
        return rcp_store_blame(store, 0, code);
    store->end = sizeof ours;
    for (bool whole = true; whole && store->end < store->size;)
        RCP_TRY(walk_chunk(store, buffer, unpacker, &whole));
    return RCP_OK;
}

static void prepare(rcp_store *store, char *path) {
    *store = (rcp_store){.path = path, .fd = -1};
    rcp_defs_init(&store->defs);
    rcp_terms_init(&store->terms);
}

static rcp_code load(rcp_store *store) {
    rcp_bytes buffer = {0};
    rcp_unpacker unpacker;
    rcp_unpacker_init(&unpacker);
    rcp_code code = walk(store, &buffer, &unpacker);
    rcp_unpacker_finish(&unpacker);
    rcp_vec_finish(&buffer);
    return code;
}

rcp_code rcp_store_lock(int fd, const char *path) {
    if (!flock(fd, LOCK_EX | LOCK_NB))
        return RCP_OK;
    return errno == EWOULDBLOCK ? rcp_fail(RCP_SYSTEM, "%s: another process is writing this trace", path)
                                : rcp_fail(RCP_SYSTEM, "%s: can't be locked: %s", path, strerror(errno));
}

/* Why there is no events.rcp: a recorded run has none until it has been re-executed. */
static rcp_code not_there(const char *directory, const char *path, int error) {
    rcp_text log = {0};
    rcp_text_printf(&log, "%s/log", directory);
    bool recorded = rcp_file_is_there(log.at);
    rcp_text_finish(&log);
    if (recorded)
        return rcp_fail(
            RCP_BAD_INPUT,
            "%s: holds a recorded run whose events nobody has made yet: 'recipe analyze %s' does, and looks for races; "
            "'recipe trace stat' and 'recipe trace schedule' read the recording as it is",
            directory, directory);
    return rcp_fail(RCP_BAD_INPUT, "%s: there is no trace here: %s", path, strerror(error));
}

rcp_code rcp_store_open(rcp_store *store, const char *directory) {
    prepare(store, rcp_store_take_path(directory));
    store->fd = open(store->path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (store->fd < 0 && errno == ENOTDIR && !stat(directory, &about))
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: is a file, not a trace directory; 'recipe trace import' makes one from a text", directory);
    if (store->fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? not_there(directory, store->path, errno)
                   : rcp_fail(rcp_code_of_errno(errno), "%s: can't be opened: %s", store->path, strerror(errno));
    if (fstat(store->fd, &about))
        return rcp_fail(RCP_SYSTEM, "%s: %s", store->path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return rcp_fail(RCP_BAD_INPUT, "%s: is not a regular file", store->path);
    store->size = (uint64_t)about.st_size;
    return load(store);
}

rcp_code rcp_store_open_memory(rcp_store *store, const char *name, const void *bytes, size_t n) {
    rcp_text path = {0};
    rcp_text_puts(&path, name);
    prepare(store, path.at);
    store->memory = bytes;
    store->size = n;
    return load(store);
}

void rcp_store_finish(rcp_store *store) {
    if (store->fd >= 0)
        close(store->fd);
    rcp_release(store->path);
    rcp_release(store->loss);
    rcp_vec_finish(&store->chunks);
    rcp_defs_finish(&store->defs);
    rcp_terms_finish(&store->terms);
    *store = (rcp_store){.fd = -1};
}
