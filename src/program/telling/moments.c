/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/moments.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/spool.h"
#include "base/text.h"
#include "base/varint.h"
#include "base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char magic[8] = "RECPMOM4";
enum { CALL = 3, MORE = 8, LEAVES = 256, AHEAD = 512, STATE = 1024, GIVEN = 2048 };

/* What writer and reader know of the events before. */
typedef struct course {
    uint64_t turn;
    uint32_t thread;
    rcp_map named; /* hash of a name → its number */
    RCP_VEC(char *) names;
    rcp_map index; /* thread → last */
    RCP_VEC(uint64_t) last;
    uint32_t known_thread, known; /* the thread that was asked for last, and where it is in `last` */
} course;

static uint64_t *last_of(course *c, uint32_t thread) {
    if (thread == c->known_thread && c->known < c->last.len)
        return &c->last.at[c->known];
    uint32_t *index = rcp_map_at(&c->index, thread);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)c->last.len;
        rcp_vec_push(&c->last, 0);
    }
    c->known_thread = thread;
    c->known = *index;
    return &c->last.at[*index];
}

/* The name's number; one that is new is taken over. */
static uint64_t number_of(course *c, const char *name, bool *is_new) {
    uint32_t *number = rcp_map_at(&c->named, rcp_hash_bytes(name, strlen(name)));
    *is_new = *number == RCP_MAP_NONE;
    if (*is_new) {
        rcp_text copy = {0};
        rcp_text_puts(&copy, name);
        rcp_vec_push(&c->names, copy.at);
        *number = (uint32_t)c->names.len;
    }
    return *number;
}

static void init_course(course *c) {
    rcp_map_init(&c->index);
    rcp_map_init(&c->named);
}

static void finish_course(course *c) {
    rcp_map_finish(&c->named);
    for (size_t i = 0; i < c->names.len; i++)
        rcp_release(c->names.at[i]);
    rcp_vec_finish(&c->names);
    rcp_map_finish(&c->index);
    rcp_vec_finish(&c->last);
}

struct rcp_moments_writer {
    rcp_spool *spool;
    course course;
};

char *rcp_moments_take_path(const char *directory) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/moments", directory);
    return path.at;
}

rcp_code rcp_moments_create(const char *path, rcp_moments_writer **made) {
    rcp_spool *spool;
    RCP_TRY(rcp_spool_create(path, &spool));
    rcp_moments_writer *writer = rcp_alloc_zero(1, sizeof *writer);
    writer->spool = spool;
    init_course(&writer->course);
    rcp_spool_put(spool, magic, sizeof magic);
    *made = writer;
    return RCP_OK;
}

void rcp_moments_add(rcp_moments_writer *writer, const rcp_moment *moment) {
    course *c = &writer->course;
    uint8_t *const room = rcp_spool_room(writer->spool), *at = room;
    uint64_t *last = last_of(c, moment->thread);
    bool is_new = moment->turn != c->turn || moment->thread != c->thread;
    uint64_t delta = rcp_zigzag((int64_t)(moment->before - *last));
    bool is_ahead = moment->is_call && moment->after == moment->before;
    uint64_t more = moment->signal | (moment->leaves ? LEAVES : 0) | (is_ahead ? AHEAD : 0) |
                    (moment->is_state ? STATE : 0) | (moment->is_given ? GIVEN : 0);
    at = rcp_varint_put(at, delta << 4 | (more ? MORE : 0) |
                                (moment->is_call ? CALL : moment->after - moment->before) << 1 | is_new);
    if (is_new) {
        at = rcp_varint_put(at, moment->turn - c->turn);
        at = rcp_varint_put(at, moment->thread);
    }
    if (more)
        at = rcp_varint_put(at, more);
    bool is_first = false;
    if (moment->is_call)
        at = rcp_varint_put(at, moment->callee ? number_of(c, moment->callee, &is_first) : 0);
    *last = moment->before;
    c->turn = moment->turn;
    c->thread = moment->thread;
    if (is_first)
        at = rcp_varint_put(at, strlen(moment->callee));
    rcp_spool_used(writer->spool, (size_t)(at - room));
    if (is_first)
        rcp_spool_put(writer->spool, moment->callee, strlen(moment->callee));
}

static void destroy(rcp_moments_writer *writer) {
    finish_course(&writer->course);
    rcp_release(writer);
}

rcp_code rcp_moments_close(rcp_moments_writer *writer) {
    rcp_code code = rcp_spool_close(writer->spool);
    destroy(writer);
    return code;
}

void rcp_moments_abandon(rcp_moments_writer *writer) {
    rcp_spool_abandon(writer->spool);
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

static bool take_name(FILE *from, course *c, uint64_t number) {
    enum { LONGEST = 1 << 20 };
    uint64_t n;
    if (number != c->names.len + 1 || !take(from, &n) || n > LONGEST)
        return false;
    char *name = rcp_alloc(n + 1);
    name[n] = 0;
    rcp_vec_push(&c->names, name);
    return fread(name, 1, n, from) == n;
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
        uint64_t span = word >> 1 & 3, callee = 0, more = 0;
        if (good && word & MORE)
            good = take(from, &more) && more < 2 * GIVEN;
        if (good && span == CALL)
            good = take(from, &callee) && (callee <= c->names.len || take_name(from, c, callee));
        if (!good)
            return rcp_fail(RCP_BAD_INPUT, "%s: is damaged at event %llu", path, (unsigned long long)event);
        c->turn += turns;
        c->thread = (uint32_t)thread;
        uint64_t *last = last_of(c, c->thread);
        *last += (uint64_t)rcp_unzigzag(word >> 4);
        rcp_moment moment = {.thread = c->thread,
                             .turn = c->turn,
                             .signal = (uint8_t)more,
                             .leaves = more & LEAVES,
                             .before = *last,
                             .after = *last + (span != CALL ? span : !(more & AHEAD)),
                             .is_call = span == CALL,
                             .is_state = more & STATE,
                             .is_given = more & GIVEN};
        moment.callee = callee ? c->names.at[callee - 1] : NULL;
        if (!each(context, event, &moment))
            return RCP_OK;
    }
}

rcp_code rcp_moments_read(const char *directory, rcp_moments_visitor *each, void *context) {
    char *path = rcp_moments_take_path(directory);
    FILE *from = fopen(path, "re");
    rcp_code code;
    if (!from) {
        code = errno != ENOENT
                   ? rcp_fail(rcp_code_of_errno(errno), "%s: can't be opened: %s", path, strerror(errno))
                   : rcp_fail(RCP_BAD_INPUT,
                              "%s: %s: the events were made by an older recipe; remove %s/events.rcp, and they "
                              "are made again",
                              path, strerror(errno), directory);
    } else {
        course c = {0};
        rcp_map_init(&c.index);
        code = visit(from, path, each, context, &c);
        if (ferror(from)) /* that is not its end */
            code = rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", path, strerror(errno));
        finish_course(&c);
        fclose(from);
    }
    rcp_release(path);
    return code;
}
