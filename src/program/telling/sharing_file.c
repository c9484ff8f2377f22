/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/sharing_file.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/varint.h"
#include "program/telling/sharing_state.h"
#include "trace/store/chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const char magic[8] = "RECPSHA9";

char *rcp_sharing_file_take_path(const char *directory) { return rcp_file_take_path(directory, "sharing"); }

/* --- the key --- */

/* Its size, and both its ends, which have addresses that no other run has: a log has gigabytes. */
static rcp_code add_log(const char *directory, rcp_text *to) {
    enum { END = 1 << 14 };
    char ends[2][END], *path = rcp_file_take_path(directory, "log");
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && !fstat(fd, &about);
    for (int i = 0; done && i < 2; i++) {
        off_t at = i && about.st_size > END ? about.st_size - END : 0;
        ssize_t n = pread(fd, ends[i], END, at);
        done = n >= 0;
        if (n > 0)
            rcp_text_add(to, ends[i], (size_t)n);
    }
    rcp_code code = done ? RCP_OK : rcp_fail(RCP_SYSTEM, "%s: %s", path, strerror(errno));
    if (done)
        rcp_text_printf(to, "\nlog %lld\n", (long long)about.st_size);
    if (fd >= 0)
        close(fd);
    rcp_release(path);
    return code;
}

rcp_code rcp_sharing_file_key(const char *directory, uint64_t *key) {
    rcp_text all = {0};
    rcp_code code = add_log(directory, &all);
    for (int i = 0; i < RCP_LIMITS; i++)
        if (rcp_limit_borrow((rcp_limit_name)i)->scope == RCP_LIMIT_OF_EVENTS)
            rcp_text_printf(&all, "%s %llu\n", rcp_limit_borrow((rcp_limit_name)i)->name,
                            (unsigned long long)rcp_limit((rcp_limit_name)i));
    if (code == RCP_OK)
        code = rcp_file_read_if_there(directory, "opaque", &all);
    *key = XXH3_64bits(all.at, all.len);
    rcp_text_finish(&all);
    return code;
}

/* --- writing --- */

typedef struct output {
    rcp_bytes bytes;
    uint64_t before; /* the last number that was put as a difference */
} output;

static void put(output *o, uint64_t number) {
    rcp_vec_reserve(&o->bytes, RCP_VARINT_MAX);
    o->bytes.len = (size_t)(rcp_varint_put(o->bytes.at + o->bytes.len, number) - o->bytes.at);
}

static void put_near(output *o, uint64_t number) {
    put(o, rcp_zigzag((int64_t)(number - o->before)));
    o->before = number;
}

static void put_bytes(output *o, const void *bytes, size_t n) {
    if (n)
        memcpy(rcp_vec_extend(&o->bytes, n), bytes, n);
}

static void put_span(output *o, rcp_span span) {
    put_near(o, span.lo);
    put(o, span.hi - span.lo);
    o->before = span.hi;
}

static void put_ranges(output *o, const rcp_ranges *ranges) {
    rcp_range range;
    put(o, ranges->live);
    for (uint64_t at = 0; rcp_ranges_next(ranges, at, &range); at = range.hi)
        put_span(o, (rcp_span){range.lo, range.hi});
}

static void put_runs(output *o, const rcp_sharing *s) {
    uint32_t life = 0;
    put(o, s->runs.len);
    for (size_t i = 0; i < s->runs.len; i++) {
        put(o, s->runs.at[i].life - life);
        put_span(o, s->runs.at[i].span);
        life = s->runs.at[i].life;
    }
}

static void put_bares(output *o, const rcp_sharing *s) {
    uint32_t life = 0;
    put(o, s->bares.len);
    for (size_t i = 0; i < s->bares.len; i++) {
        put(o, s->bares.at[i].life - life);
        put(o, s->bares.at[i].mask);
        put_near(o, s->bares.at[i].address);
        life = s->bares.at[i].life;
    }
}

/* In the order in which they came, in which visits are near each other. */
static void put_results(output *o, const rcp_sharing *s) {
    uint64_t *visits = rcp_alloc_zero(s->results.len + 1, sizeof *visits);
    RCP_MAP_EACH(&s->result_index, slot) {
        visits[slot->value] = slot->key + 1;
    }
    put(o, s->result_index.len);
    for (size_t i = 0; i < s->results.len; i++)
        if (visits[i]) {
            put_near(o, visits[i]);
            put(o, s->results.at[i]);
        }
    rcp_release(visits);
}

static void put_further(output *o, const rcp_sharing *s) {
    uint64_t visit = 0;
    put(o, s->further.len);
    for (size_t i = 0; i < s->further.len; i++) {
        put(o, rcp_zigzag((int64_t)(s->further_of.at[i] - visit)));
        put_span(o, s->further.at[i]);
        visit = s->further_of.at[i];
    }
}

static void put_descriptors(output *o, const rcp_descriptors *d) {
    put(o, d->objects.len);
    put_bytes(o, d->objects.at, d->objects.len);
    put(o, d->members.len);
    for (size_t i = 0; i < d->members.len; i++)
        put(o, d->members.at[i]);
    put(o, d->sets.len);
    for (size_t i = 0; i < d->sets.len; i++) {
        put(o, d->sets.at[i].n);
        put(o, d->sets.at[i].flags);
    }
    put(o, d->used.len);
    for (size_t i = 0; i < d->used.len; i++) {
        put_near(o, d->used.at[i].visit);
        put(o, d->used.at[i].set);
    }
    put(o, d->watched.len);
    for (size_t i = 0; i < d->watched.len; i++) {
        put(o, d->watched.at[i].watcher);
        put(o, d->watched.at[i].watched);
    }
}

static void put_names(output *o, const rcp_thread_names *names) {
    uint32_t thread;
    put(o, rcp_thread_names_count(names));
    for (size_t i = 0; i < rcp_thread_names_count(names); i++) {
        const char *name = rcp_thread_names_borrow_nth(names, i, &thread);
        put(o, thread);
        put(o, strlen(name));
        put_bytes(o, name, strlen(name));
    }
}

static void put_all(output *o, const rcp_sharing *s, const rcp_thread_names *names) {
    put(o, s->facts);
    put_runs(o, s);
    put_bares(o, s);
    put_ranges(o, &s->handled);
    put_ranges(o, &s->aliases);
    put_ranges(o, &s->seen);
    put_ranges(o, &s->divided);
    put_ranges(o, &s->guarded);
    put(o, s->contents.len);
    for (size_t i = 0; i < s->contents.len; i++) {
        put_near(o, s->contents.at[i].address);
        put_bytes(o, s->contents.at[i].bytes, RCP_TABLE_SIZE);
    }
    put_results(o, s);
    put(o, s->oddities.len);
    for (size_t i = 0; i < s->oddities.len; i++)
        put_near(o, s->oddities.at[i]);
    put(o, s->callees.len);
    RCP_MAP_EACH(&s->callees, slot) {
        put(o, slot->key);
        put(o, slot->value);
    }
    put_further(o, s);
    put(o, s->restless.len);
    for (size_t i = 0; i < s->restless.len; i++)
        put_span(o, s->restless.at[i]);
    put(o, s->touched.hi != 0);
    if (s->touched.hi)
        put_span(o, s->touched);
    put_descriptors(o, &s->descriptors);
    put_names(o, names);
}

rcp_code rcp_sharing_file_write(const char *path, uint64_t key, const rcp_sharing *sharing,
                                const rcp_thread_names *names) {
    output o = {0};
    rcp_packer packer;
    put_bytes(&o, &key, sizeof key);
    put_all(&o, sharing, names);
    rcp_packer_init(&packer);
    const rcp_bytes none = {0};
    rcp_code code = rcp_packer_run(&packer, (rcp_chunk){.type = RCP_CHUNK_DEFS}, &none, &o.bytes);
    rcp_vec_finish(&o.bytes);
    if (code == RCP_OK) {
        rcp_text whole = {0};
        rcp_text_add(&whole, magic, sizeof magic);
        rcp_text_add(&whole, (const char *)packer.out.at, packer.out.len);
        code = rcp_file_replace(path, whole.at, whole.len);
        rcp_text_finish(&whole);
    } else if (code == RCP_LIMIT) {
        rcp_clear_causes();
        code = RCP_OK;
    }
    rcp_packer_finish(&packer);
    return code;
}

/* --- reading --- */

typedef struct input {
    const uint8_t *at, *end;
    uint64_t before;
    bool is_bad;
} input;

/* 0 where there is none, or it is above `most`; and no more is taken then. */
static uint64_t take(input *in, uint64_t most) {
    uint64_t number = 0;
    const uint8_t *after = in->is_bad ? NULL : rcp_varint_get(in->at, in->end, &number);
    in->is_bad |= !after || number > most;
    if (in->is_bad)
        return 0;
    in->at = after;
    return number;
}

static uint64_t take_near(input *in) {
    in->before += (uint64_t)rcp_unzigzag(take(in, UINT64_MAX));
    return in->before;
}

static const uint8_t *take_bytes(input *in, size_t n) {
    in->is_bad |= (size_t)(in->end - in->at) < n;
    if (in->is_bad)
        return NULL;
    in->at += n;
    return in->at - n;
}

/* What is counted has at least a byte each. */
static uint64_t take_count(input *in) { return take(in, (uint64_t)(in->end - in->at)); }

static rcp_span take_span(input *in) {
    uint64_t lo = take_near(in), size = take(in, UINT64_MAX - lo);
    in->before = lo + size;
    in->is_bad |= !size;
    return (rcp_span){lo, lo + size};
}

static void take_ranges(input *in, rcp_ranges *ranges) {
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        rcp_span span = take_span(in);
        if (!in->is_bad)
            rcp_ranges_set(ranges, span.lo, span.hi, 0);
    }
}

static void take_runs(input *in, rcp_sharing *s) {
    uint32_t life = 0;
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        life += (uint32_t)take(in, UINT32_MAX - life);
        rcp_span span = take_span(in);
        rcp_vec_push(&s->runs, ((rcp_shared_run){life, span}));
        rcp_vec_push(&s->spans, span);
    }
}

static void take_bares(input *in, rcp_sharing *s) {
    uint32_t life = 0;
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        life += (uint32_t)take(in, UINT32_MAX - life);
        uint8_t mask = (uint8_t)take(in, UINT8_MAX);
        uint64_t address = take_near(in);
        rcp_vec_push(&s->bares, ((rcp_bare_bytes){life, mask, address}));
    }
}

static void take_tables(input *in, rcp_sharing *s) {
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        rcp_character_table table = {.address = take_near(in)};
        const uint8_t *bytes = take_bytes(in, sizeof table.bytes);
        in->is_bad |= !rcp_space_holds(table.address, sizeof table.bytes);
        if (in->is_bad)
            return;
        memcpy(table.bytes, bytes, sizeof table.bytes);
        rcp_vec_push(&s->contents, table);
    }
}

static void take_results(input *in, rcp_sharing *s) {
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        uint64_t visit = take_near(in) - 1, result = take(in, UINT64_MAX);
        rcp_map_set(&s->result_index, visit, (uint32_t)s->results.len);
        rcp_vec_push(&s->results, result);
    }
}

static void take_callees(input *in, rcp_sharing *s) {
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        uint64_t name = take(in, UINT64_MAX);
        rcp_map_set(&s->callees, name, (uint32_t)take(in, 1));
    }
}

static void take_further(input *in, rcp_sharing *s) {
    uint64_t visit = 0;
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        visit += (uint64_t)rcp_unzigzag(take(in, UINT64_MAX));
        rcp_span span = take_span(in);
        rcp_sharing_further(s, visit, span.lo, span.hi);
    }
}

static void take_descriptors(input *in, rcp_descriptors *d) {
    uint64_t n = take_count(in), first = 0;
    const uint8_t *objects = take_bytes(in, n);
    for (uint64_t i = 0; i < n && !in->is_bad; i++)
        in->is_bad |= objects[i] > RCP_DESCRIPTOR_FLAGS, rcp_vec_push(&d->objects, objects[i]);
    for (n = take_count(in); n && !in->is_bad; n--)
        rcp_vec_push(&d->members, (uint32_t)take(in, d->objects.len - 1));
    for (n = take_count(in); n && !in->is_bad; n--) {
        uint64_t of_set = take(in, d->members.len - first);
        rcp_vec_push(&d->sets, ((rcp_used_set){(uint32_t)first, (uint32_t)of_set, (uint32_t)take(in, RCP_USED_FLAGS)}));
        first += of_set;
    }
    for (n = take_count(in); n && !in->is_bad; n--) {
        uint64_t visit = take_near(in);
        in->is_bad |= !d->sets.len;
        rcp_vec_push(&d->used, ((rcp_used){visit, (uint32_t)take(in, d->sets.len - 1)}));
    }
    for (n = take_count(in); n && !in->is_bad; n--) {
        uint32_t watcher = (uint32_t)take(in, d->objects.len - 1), watched = (uint32_t)take(in, UINT32_MAX);
        in->is_bad |= watched >= d->objects.len && watched < RCP_WATCHED_ANY;
        rcp_vec_push(&d->watched, ((rcp_watched){watcher, watched}));
    }
    in->is_bad |= !d->objects.len && (d->members.len || d->watched.len);
}

static void take_names(input *in, rcp_thread_names *names) {
    for (uint64_t n = take_count(in); n && !in->is_bad; n--) {
        uint32_t thread = (uint32_t)take(in, UINT32_MAX - 1);
        size_t len = take_count(in);
        const uint8_t *name = take_bytes(in, len);
        if (name)
            rcp_thread_names_put(names, thread, (const char *)name, len);
    }
}

static bool take_all(input *in, rcp_sharing *s, rcp_thread_names *names) {
    s->facts = (unsigned)take(in, UINT32_MAX);
    take_runs(in, s);
    take_bares(in, s);
    take_ranges(in, &s->handled);
    take_ranges(in, &s->aliases);
    take_ranges(in, &s->seen);
    take_ranges(in, &s->divided);
    take_ranges(in, &s->guarded);
    take_tables(in, s);
    take_results(in, s);
    for (uint64_t n = take_count(in); n && !in->is_bad; n--)
        rcp_vec_push(&s->oddities, take_near(in));
    take_callees(in, s);
    take_further(in, s);
    for (uint64_t n = take_count(in); n && !in->is_bad; n--)
        rcp_vec_push(&s->restless, take_span(in));
    if (take(in, 1))
        s->touched = take_span(in);
    take_descriptors(in, &s->descriptors);
    take_names(in, names);
    return !in->is_bad && in->at == in->end;
}

static rcp_code unpack(const rcp_text *file, rcp_unpacker *unpacker) {
    enum { HEAD = sizeof magic + RCP_CHUNK_HEADER_BYTES };
    rcp_chunk chunk;
    if (file->len < HEAD || memcmp(file->at, magic, sizeof magic))
        return rcp_fail(RCP_BAD_INPUT, "it has not what this recipe keeps of a first re-execution");
    const uint8_t *at = (const uint8_t *)file->at;
    RCP_TRY(rcp_chunk_header_get(at + sizeof magic, &chunk));
    if (chunk.type != RCP_CHUNK_DEFS || file->len - HEAD != chunk.body.stored)
        return rcp_fail(RCP_BAD_INPUT, "it is not as long as it says");
    return rcp_unpacker_run(unpacker, &chunk.body, at + HEAD);
}

static rcp_code decode(const rcp_bytes *bytes, uint64_t key, rcp_sharing *sharing, rcp_thread_names *names) {
    input in = {.at = bytes->at, .end = bytes->at + bytes->len};
    const uint8_t *found = take_bytes(&in, sizeof key);
    if (!found || memcmp(found, &key, sizeof key))
        return rcp_fail(RCP_BAD_INPUT, "it is of another run, or was made under other limits");
    if (!take_all(&in, sharing, names))
        return rcp_fail(RCP_BAD_INPUT, "it does not go on as it should at byte %zu", (size_t)(in.at - bytes->at));
    return RCP_OK;
}

rcp_code rcp_sharing_file_read(const char *path, uint64_t key, rcp_sharing **sharing, rcp_thread_names **names) {
    rcp_text file = {0};
    rcp_unpacker unpacker;
    rcp_unpacker_init(&unpacker);
    rcp_code code = rcp_text_read_file(&file, path);
    if (code == RCP_OK)
        code = unpack(&file, &unpacker);
    rcp_text_finish(&file);
    if (code == RCP_OK) {
        *sharing = rcp_sharing_create();
        *names = rcp_thread_names_create();
        code = decode(&unpacker.out, key, *sharing, *names);
        if (code != RCP_OK) {
            rcp_sharing_destroy(*sharing);
            rcp_thread_names_destroy(*names);
        }
    }
    rcp_unpacker_finish(&unpacker);
    return code == RCP_OK ? code : rcp_because(code, "%s: can't be used", path);
}
