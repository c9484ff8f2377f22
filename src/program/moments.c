/* SPDX-License-Identifier: Apache-2.0 */
#include "program/moments.h"

#include "base/map.h"
#include "base/text.h"
#include "base/varint.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char magic[8] = "RECPMOM1";
enum { CALL = 3 };

/* What writer and reader know of the events before. */
typedef struct course {
    uint64_t turn;
    uint32_t thread;
    rcp_map index; /* thread → last */
    RCP_VEC(uint64_t) last;
} course;

static uint64_t *last_of(course *c, uint32_t thread) {
    uint32_t *index = rcp_map_at(&c->index, thread);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)c->last.len;
        rcp_vec_push(&c->last, 0);
    }
    return &c->last.at[*index];
}

static void finish_course(course *c) {
    rcp_map_finish(&c->index);
    rcp_vec_finish(&c->last);
}

/* A buffer of its own, so that a copy of the process (program/checkpoints.h) can drop what is not written yet. */
enum { BUFFER = 1 << 16 };
struct rcp_moments_writer {
    int fd, error;
    size_t n;
    uint8_t *buffer;
    char *path;
    course course;
};

char *rcp_moments_take_path(const char *directory) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/moments", directory);
    return path.at;
}

rcp_code rcp_moments_create(const char *path, rcp_moments_writer **made) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", path, strerror(errno));
    rcp_moments_writer *writer = rcp_alloc_zero(1, sizeof *writer);
    rcp_text copy = {0};
    rcp_text_puts(&copy, path);
    writer->fd = fd;
    writer->path = copy.at;
    writer->buffer = rcp_alloc(BUFFER);
    rcp_map_init(&writer->course.index);
    memcpy(writer->buffer, magic, sizeof magic);
    writer->n = sizeof magic;
    *made = writer;
    return RCP_OK;
}

static void flush(rcp_moments_writer *writer) {
    for (size_t done = 0; done < writer->n && !writer->error;) {
        ssize_t n = write(writer->fd, writer->buffer + done, writer->n - done);
        if (n < 0 && errno != EINTR)
            writer->error = errno;
        done += n > 0 ? (size_t)n : 0;
    }
    writer->n = 0;
}

void rcp_moments_add(rcp_moments_writer *writer, const rcp_moment *moment) {
    course *c = &writer->course;
    if (writer->n + 3 * RCP_VARINT_MAX > BUFFER)
        flush(writer);
    uint8_t *at = writer->buffer + writer->n;
    uint64_t *last = last_of(c, moment->thread);
    bool is_new = moment->turn != c->turn || moment->thread != c->thread;
    uint64_t delta = rcp_zigzag((int64_t)(moment->before - *last));
    at = rcp_varint_put(at, delta << 3 | (moment->is_call ? CALL : moment->after - moment->before) << 1 | is_new);
    if (is_new) {
        at = rcp_varint_put(at, moment->turn - c->turn);
        at = rcp_varint_put(at, moment->thread);
    }
    *last = moment->before;
    c->turn = moment->turn;
    c->thread = moment->thread;
    writer->n = (size_t)(at - writer->buffer);
}

static void destroy(rcp_moments_writer *writer) {
    finish_course(&writer->course);
    rcp_release(writer->buffer);
    rcp_release(writer->path);
    rcp_release(writer);
}

rcp_code rcp_moments_close(rcp_moments_writer *writer) {
    flush(writer);
    if (close(writer->fd) && !writer->error)
        writer->error = errno;
    rcp_code code = writer->error
                        ? rcp_fail(RCP_SYSTEM, "%s: can't be written: %s", writer->path, strerror(writer->error))
                        : RCP_OK;
    destroy(writer);
    return code;
}

void rcp_moments_abandon(rcp_moments_writer *writer) {
    close(writer->fd);
    destroy(writer);
}

static bool take(FILE *from, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        int c = getc_unlocked(from);
        if (c == EOF)
            return false;
        *value |= (uint64_t)(c & 127) << shift;
        if (c < 128)
            return true;
    }
    return false;
}

static rcp_code visit(FILE *from, const char *path, rcp_moments_visitor *each, void *context, course *c) {
    char head[sizeof magic];
    if (fread(head, 1, sizeof head, from) != sizeof head || memcmp(head, magic, sizeof magic))
        return rcp_fail(RCP_BAD_INPUT, "%s: is no list of moments", path);
    for (uint64_t event = 0;; event++) {
        int c0 = getc_unlocked(from);
        if (c0 == EOF)
            return RCP_OK;
        ungetc(c0, from);
        uint64_t word, turns = 0, thread = c->thread;
        bool good = take(from, &word);
        if (good && word & 1)
            good = take(from, &turns) && take(from, &thread) && thread <= UINT32_MAX;
        if (!good)
            return rcp_fail(RCP_BAD_INPUT, "%s: is damaged at event %llu", path, (unsigned long long)event);
        c->turn += turns;
        c->thread = (uint32_t)thread;
        uint64_t *last = last_of(c, c->thread);
        *last += (uint64_t)rcp_unzigzag(word >> 3);
        uint64_t span = word >> 1 & 3;
        rcp_moment moment = {c->thread, c->turn, *last, *last + (span == CALL ? 1 : span), span == CALL};
        if (!each(context, event, &moment))
            return RCP_OK;
    }
}

rcp_code rcp_moments_read(const char *directory, rcp_moments_visitor *each, void *context) {
    char *path = rcp_moments_take_path(directory);
    FILE *from = fopen(path, "re");
    rcp_code code;
    if (!from) {
        code = rcp_fail(RCP_BAD_INPUT,
                        "%s: %s: the events were made by an older recipe; remove %s/events.rcp, and they "
                        "are made again",
                        path, strerror(errno), directory);
    } else {
        course c = {0};
        rcp_map_init(&c.index);
        code = visit(from, path, each, context, &c);
        finish_course(&c);
        fclose(from);
    }
    rcp_release(path);
    return code;
}
