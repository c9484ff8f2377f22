/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spool.h"

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

struct rcp_spool {
    int fd, error;
    size_t n;
    char *path;
    uint8_t buffer[BUFFER];
};

rcp_code rcp_spool_create(const char *path, rcp_spool **made) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", path, strerror(errno));
    rcp_spool *spool = rcp_alloc(sizeof *spool);
    rcp_text copy = {0};
    rcp_text_puts(&copy, path);
    spool->fd = fd;
    spool->error = 0;
    spool->n = 0;
    spool->path = copy.at;
    *made = spool;
    return RCP_OK;
}

static void put(rcp_spool *spool, const uint8_t *bytes, size_t size) {
    if (!spool->error && !rcp_file_put(spool->fd, bytes, size))
        spool->error = errno;
}

static void flush(rcp_spool *spool) {
    put(spool, spool->buffer, spool->n);
    spool->n = 0;
}

void rcp_spool_put(rcp_spool *spool, const void *bytes, size_t n) {
    if (spool->n + n > BUFFER)
        flush(spool);
    if (n > BUFFER) {
        put(spool, bytes, n);
        return;
    }
    memcpy(spool->buffer + spool->n, bytes, n);
    spool->n += n;
}

uint8_t *rcp_spool_room(rcp_spool *spool) {
    if (spool->n + RCP_SPOOL_ROOM > BUFFER)
        flush(spool);
    return spool->buffer + spool->n;
}

void rcp_spool_used(rcp_spool *spool, size_t n) { spool->n += n; }

static void destroy(rcp_spool *spool) {
    rcp_release(spool->path);
    rcp_release(spool);
}

rcp_code rcp_spool_close(rcp_spool *spool) {
    flush(spool);
    if (close(spool->fd) && !spool->error)
        spool->error = errno;
    rcp_code code =
        spool->error ? rcp_fail(RCP_SYSTEM, "%s: can't be written: %s", spool->path, strerror(spool->error)) : RCP_OK;
    destroy(spool);
    return code;
}

void rcp_spool_abandon(rcp_spool *spool) {
    close(spool->fd);
    destroy(spool);
}
