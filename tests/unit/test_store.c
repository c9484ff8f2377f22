/* SPDX-License-Identifier: Apache-2.0 */
/* The trace directory as its users see it: what is written comes back, whatever happens to the file in between. */
#include "trace/store/reader.h"
#include "trace/store/writer.h"

#include "base/text.h"
#include "random_events.h"
#include "same_trace.h"
#include "suite.h"
#include "temporary.h"
#include "trace/store/chunk.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[256];
static char path[300];

static void new_directory(void) {
    make_temporary(directory, sizeof directory);
    snprintf(path, sizeof path, "%s/%s", directory, RCP_TRACE_FILE);
}

static void drop_directory(void) {
    unlink(path);
    ck_assert_int_eq(rmdir(directory), 0); /* nothing else was left in it */
}

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if ((call) != RCP_OK) {                                                                                        \
            rcp_print_causes(stderr);                                                                                  \
            ck_abort_msg("%s failed", #call);                                                                          \
        }                                                                                                              \
    } while (0)

static void put_file(const void *bytes, size_t n) {
    FILE *to = fopen(path, "wb");
    ck_assert_ptr_nonnull(to);
    ck_assert_uint_eq(fwrite(bytes, 1, n, to), n);
    ck_assert_int_eq(fclose(to), 0);
}

/* Adds `n` random events to both, with definitions and flushes in between. */
static void grow(rcp_writer *writer, rcp_trace *trace, uint64_t seed, size_t n, size_t flush_every) {
    rcp_defs *defs = rcp_writer_borrow_defs(writer);
    rcp_terms *terms = rcp_writer_borrow_terms(writer);
    random_events r = {.seed = seed, .defs = defs, .terms = terms};
    /* the trace takes the same definitions in the same order, so that the tables are equal */
    random_events mirror = {.defs = &trace->defs, .terms = &trace->terms};
    for (size_t i = 0; i < n; i++) {
        if (!defs->threads.len || random_once_in(&r, n / 5 + 1)) {
            mirror.seed = r.seed;
            random_define(&r);
            random_define(&mirror);
        }
        rcp_event e = random_event(&r);
        OK(rcp_writer_add(writer, &e));
        OK(rcp_trace_add(trace, &e));
        if (random_once_in(&r, flush_every))
            OK(rcp_writer_flush(writer));
    }
}

/* The reader gives out the first `count` events of the trace, and all of them unless `prefix`. */
static void expect(rcp_reader *reader, const rcp_trace *trace, bool prefix) {
    uint64_t seen = 0;
    for (;;) {
        rcp_batch batch;
        OK(rcp_reader_next(reader, &batch));
        ck_assert_uint_eq(batch.first.v, seen);
        if (!batch.n)
            break;
        ck_assert_uint_le(seen + batch.n, trace->events.len);
        for (size_t i = 0; i < batch.n; i++)
            ck_assert_msg(same_event(&trace->events.at[seen + i], &batch.at[i]), "event %zu differs", (size_t)seen + i);
        seen += batch.n;
    }
    ck_assert_uint_eq(seen, rcp_reader_count(reader));
    if (!prefix)
        ck_assert_uint_eq(seen, trace->events.len);
}

START_TEST(everything_comes_back) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        static const size_t sizes[] = {1, 300, 150000}, flushes[] = {1, 7, 100000};
        new_directory();
        rcp_trace trace;
        rcp_trace_init(&trace);
        rcp_writer *writer;
        OK(rcp_writer_create(directory, &writer));
        grow(writer, &trace, seed, sizes[seed - 1], flushes[seed - 1]);
        grow(writer, &trace, seed + 100, sizes[seed - 1], flushes[seed - 1]);
        OK(rcp_writer_close(writer));

        rcp_reader *reader;
        OK(rcp_reader_open(directory, &reader));
        ck_assert_ptr_null(rcp_reader_borrow_loss(reader));
        ck_assert_uint_eq(rcp_reader_count(reader), trace.events.len);
        ck_assert_uint_eq(rcp_reader_decoded(reader), 0);
        ck_assert(same_defs(&trace.defs, rcp_reader_borrow_defs(reader)));
        ck_assert(same_terms(&trace.terms, rcp_reader_borrow_terms(reader)));
        expect(reader, &trace, false);
        rcp_reader_close(reader);
        rcp_trace_finish(&trace);
        drop_directory();
    }
}
END_TEST

START_TEST(a_trace_is_saved_and_loaded) {
    new_directory();
    rcp_trace trace, loaded;
    rcp_trace_init(&trace);
    rcp_trace_init(&loaded);
    random_events r = {.seed = 5, .defs = &trace.defs, .terms = &trace.terms};
    random_define(&r);
    for (int i = 0; i < 1000; i++) {
        rcp_event e = random_event(&r);
        OK(rcp_trace_add(&trace, &e));
    }
    OK(rcp_trace_save(&trace, directory));
    OK(rcp_trace_load(&loaded, directory));
    ck_assert_ptr_null(loaded.loss);
    ck_assert_ptr_nonnull(loaded.first);
    ck_assert(same_trace(&trace, &loaded));
    rcp_trace_finish(&loaded);

    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(truncate(path, about.st_size - 1), 0);
    rcp_trace_init(&loaded);
    OK(rcp_trace_load(&loaded, directory));
    ck_assert_ptr_nonnull(loaded.loss);
    ck_assert_uint_eq(loaded.events.len, 0);
    rcp_trace_finish(&loaded);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

START_TEST(a_beginning_is_read_on_and_cut) {
    new_directory();
    rcp_trace trace, part, other;
    rcp_reader *reader;
    uint64_t all;
    rcp_trace_init(&trace);
    random_events r = {.seed = 7, .defs = &trace.defs, .terms = &trace.terms};
    random_define(&r);
    for (int i = 0; i < 1000; i++) {
        rcp_event e = random_event(&r);
        OK(rcp_trace_add(&trace, &e));
    }
    OK(rcp_trace_save(&trace, directory));
    OK(rcp_reader_open(directory, &reader));
    rcp_trace_init(&part);
    OK(rcp_trace_load_beginning(&part, directory, 300, &all));
    ck_assert_uint_eq(all, 1000);
    static const uint64_t lengths[] = {300, 301, 1000, 5000, 17, 0, 640};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        OK(rcp_trace_resize(&part, reader, lengths[i]));
        rcp_trace_init(&other);
        OK(rcp_trace_load_beginning(&other, directory, lengths[i], &all));
        ck_assert(same_trace(&other, &part));
        for (size_t e = 0; e < other.events.len; e++) {
            ck_assert_uint_eq(other.position[e], part.position[e]);
            ck_assert_uint_eq(other.by_thread[e], part.by_thread[e]);
            ck_assert_uint_eq(other.life[e], part.life[e]);
        }
        rcp_trace_finish(&other);
    }
    rcp_trace_finish(&part);
    rcp_reader_close(reader);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

/* A small file of several chunks, its bytes and its events. */
static void small_file(rcp_trace *trace, rcp_text *bytes) {
    new_directory();
    rcp_trace_init(trace);
    rcp_writer *writer;
    OK(rcp_writer_create(directory, &writer));
    grow(writer, trace, 11, 60, 15);
    OK(rcp_writer_close(writer));
    OK(rcp_text_read_file(bytes, path));
}

START_TEST(a_cut_file_gives_a_prefix) {
    rcp_trace trace;
    rcp_text bytes = {0};
    small_file(&trace, &bytes);
    uint64_t before = 0, borders = 0;
    for (size_t n = 0; n <= bytes.len; n++) {
        uint8_t *copy = malloc(n + 1); /* of exactly this size, so that a sanitizer sees a read past the end */
        memcpy(copy, bytes.at, n);
        copy = realloc(copy, n ? n : 1);
        rcp_reader *reader;
        if (n < RCP_FILE_HEADER_BYTES) { /* nothing to read */
            ck_assert_int_eq(rcp_reader_open_memory("cut", copy, n, &reader), RCP_BAD_INPUT);
            ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "cut: cut off at byte"));
            free(copy);
            continue;
        }
        OK(rcp_reader_open_memory("cut", copy, n, &reader));
        const char *loss = rcp_reader_borrow_loss(reader);
        borders += !loss;
        if (loss) {
            char offset[32];
            snprintf(offset, sizeof offset, "at byte %zu", n);
            ck_assert_ptr_nonnull(strstr(loss, "cut: "));
            ck_assert_ptr_nonnull(strstr(loss, offset));
        }
        ck_assert_uint_ge(rcp_reader_count(reader), before);
        before = rcp_reader_count(reader);
        expect(reader, &trace, true);
        rcp_reader_close(reader);
        free(copy);
    }
    ck_assert_uint_eq(before, trace.events.len);
    ck_assert_uint_ge(borders, 5);
    rcp_text_finish(&bytes);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

START_TEST(a_changed_byte_is_noticed) {
    rcp_trace trace;
    rcp_text bytes = {0};
    small_file(&trace, &bytes);
    for (size_t at = 0; at < bytes.len; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes.at[at] ^= (char)(1 << bit);
            rcp_reader *reader;
            rcp_code code = rcp_reader_open_memory("changed", bytes.at, bytes.len, &reader);
            if (code == RCP_OK) {
                rcp_batch batch = {.n = 1};
                for (uint64_t seen = 0; code == RCP_OK && batch.n; seen += batch.n) {
                    code = rcp_reader_next(reader, &batch);
                    for (size_t i = 0; code == RCP_OK && i < batch.n; i++)
                        ck_assert(same_event(&trace.events.at[seen + i], &batch.at[i]));
                }
                /* the index is not looked at by a stream: a search does */
                if (code == RCP_OK) {
                    rcp_filter none = {.by_thread = true, .tid = {UINT32_MAX}};
                    code = rcp_reader_scan(reader, &none, NULL, NULL);
                }
                rcp_reader_close(reader);
            }
            ck_assert_msg(code == RCP_BAD_INPUT, "bit %d of byte %zu went unnoticed", bit, at);
            char *causes = NULL;
            size_t n;
            FILE *to = open_memstream(&causes, &n);
            rcp_print_causes(to);
            fclose(to);
            ck_assert_msg(strstr(causes, "changed: at byte ") != NULL, "no place in '%s'", causes);
            free(causes);
            bytes.at[at] ^= (char)(1 << bit);
        }
    }
    rcp_text_finish(&bytes);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

static void refused(const char *why) {
    rcp_reader *reader;
    ck_assert_int_eq(rcp_reader_open(directory, &reader), RCP_BAD_INPUT);
    char all[2048] = "";
    for (size_t i = 0; rcp_borrow_cause(i); i++)
        strncat(all, rcp_borrow_cause(i), sizeof all - strlen(all) - 1);
    ck_assert_msg(strstr(all, why) != NULL, "'%s' does not speak of '%s'", all, why);
}

START_TEST(what_is_no_trace_is_refused) {
    new_directory();
    refused("no trace here");
    put_file("hello", 5);
    refused("too short");
    put_file("hello, this is no trace", 23);
    refused("RCPTRACE");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    rcp_reader *reader;
    ck_assert_int_eq(rcp_reader_open(directory, &reader), RCP_BAD_INPUT);
    ck_assert_int_eq(rmdir(path), 0);
    drop_directory();
}
END_TEST

START_TEST(nothing_is_overwritten) {
    rcp_trace trace;
    rcp_text bytes = {0}, after = {0};
    small_file(&trace, &bytes);
    rcp_writer *writer, *second;
    ck_assert_int_eq(rcp_writer_create(directory, &writer), RCP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "holds a trace"));
    ck_assert_int_eq(rcp_trace_save(&trace, directory), RCP_BAD_INPUT);
    OK(rcp_text_read_file(&after, path));
    ck_assert(after.len == bytes.len && !memcmp(after.at, bytes.at, bytes.len));
    /* one writer at a time */
    ck_assert_int_eq(unlink(path), 0);
    OK(rcp_writer_create(directory, &writer));
    ck_assert_int_eq(rcp_writer_create(directory, &second), RCP_BAD_INPUT);
    OK(rcp_writer_close(writer));
    rcp_text_finish(&bytes);
    rcp_text_finish(&after);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

START_TEST(zeros_at_the_end_are_a_loss) {
    rcp_trace trace;
    rcp_text bytes = {0};
    small_file(&trace, &bytes);
    char zeros[200000] = {0};
    rcp_text_add(&bytes, zeros, sizeof zeros);
    put_file(bytes.at, bytes.len);
    rcp_reader *reader;
    OK(rcp_reader_open(directory, &reader));
    ck_assert_ptr_nonnull(strstr(rcp_reader_borrow_loss(reader), "zeros"));
    expect(reader, &trace, false);
    rcp_reader_close(reader);
    bytes.at[bytes.len - 1] = 1;
    put_file(bytes.at, bytes.len);
    refused("no chunk begins here");
    rcp_text_finish(&bytes);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

START_TEST(refused_events_leave_no_trace) {
    new_directory();
    rcp_writer *writer;
    OK(rcp_writer_create(directory, &writer));
    rcp_defs *defs = rcp_writer_borrow_defs(writer);
    rcp_defs_thread(defs, "main");
    rcp_event good = {.kind = RCP_WRITE, .addr = 64, .size = 4, .value = 1, .valued = 1};
    rcp_event far = good, wide = good, stranger = good, huge = good, pair = good;
    far.addr = UINT64_MAX - 1;
    wide.value = UINT64_C(1) << 32;
    stranger.tid.v = 1;
    huge.size = UINT32_MAX;
    huge.bytes = (const uint8_t *)"";
    pair.valued = 3;
    OK(rcp_writer_add(writer, &good));
    ck_assert_int_eq(rcp_writer_add(writer, &far), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_writer_add(writer, &wide), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_writer_add(writer, &stranger), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_writer_add(writer, &huge), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_writer_add(writer, &pair), RCP_BAD_INPUT);
    rcp_defs_thread(defs, "second");
    OK(rcp_writer_add(writer, &stranger));
    OK(rcp_writer_close(writer));
    rcp_reader *reader;
    rcp_batch batch;
    OK(rcp_reader_open(directory, &reader));
    OK(rcp_reader_next(reader, &batch));
    ck_assert(batch.n == 2 && same_event(&good, &batch.at[0]) && same_event(&stranger, &batch.at[1]));
    rcp_reader_close(reader);
    drop_directory();
}
END_TEST

typedef struct found {
    const rcp_trace *trace;
    const rcp_filter *filter;
    uint64_t next; /* events before it have been looked at */
    uint64_t count;
} found;

static rcp_code each(void *context, rcp_eid eid, const rcp_event *event) {
    found *f = context;
    for (; f->next < eid.v; f->next++)
        ck_assert(!rcp_filter_passes(f->filter, (rcp_eid){f->next}, &f->trace->events.at[f->next]));
    ck_assert(same_event(&f->trace->events.at[eid.v], event));
    f->next = eid.v + 1;
    f->count++;
    return RCP_OK;
}

static rcp_code stop(void *context, rcp_eid eid, const rcp_event *event) {
    (void)eid, (void)event;
    ++*(int *)context;
    return RCP_LIMIT;
}

START_TEST(a_scan_finds_what_passes) {
    new_directory();
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_writer *writer;
    OK(rcp_writer_create(directory, &writer));
    grow(writer, &trace, 21, 3000, 100);
    OK(rcp_writer_close(writer));
    rcp_reader *reader;
    OK(rcp_reader_open(directory, &reader));
    random_events r = {.seed = 77};
    uint64_t total = 0;
    for (int round = 0; round < 300; round++) {
        rcp_filter filter = {
            .by_thread = random_once_in(&r, 2),
            .by_address = random_once_in(&r, 2),
            .by_object = random_once_in(&r, 3),
            .tid = {(uint32_t)random_below(&r, trace.defs.threads.len + 1)},
            .object = {(uint32_t)random_below(&r, trace.defs.objects.len + 1)},
        };
        const rcp_event *some = &trace.events.at[random_below(&r, trace.events.len)];
        filter.lo = some->addr - random_below(&r, 3);
        filter.hi = filter.lo + random_below(&r, 1000);
        if (random_once_in(&r, 3))
            filter.from = random_below(&r, 3100);
        if (random_once_in(&r, 3))
            filter.to = random_below(&r, 3100);
        found f = {.trace = &trace, .filter = &filter};
        OK(rcp_reader_scan(reader, &filter, each, &f));
        for (; f.next < trace.events.len; f.next++)
            ck_assert(!rcp_filter_passes(&filter, (rcp_eid){f.next}, &trace.events.at[f.next]));
        total += f.count;
    }
    ck_assert_uint_gt(total, 1000);
    int calls = 0;
    ck_assert_int_eq(rcp_reader_scan(reader, &(rcp_filter){0}, stop, &calls), RCP_LIMIT);
    ck_assert_int_eq(calls, 1);
    rcp_reader_close(reader);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

START_TEST(a_scan_decodes_only_what_can_match) {
    new_directory();
    rcp_writer *writer;
    OK(rcp_writer_create(directory, &writer));
    rcp_defs *defs = rcp_writer_borrow_defs(writer);
    for (uint32_t i = 0; i < 50; i++) { /* a thread, an object and a page for each chunk */
        rcp_tid tid = rcp_defs_thread(defs, NULL);
        rcp_obj lock = rcp_defs_object(defs, RCP_MUTEX, NULL, 0, 0);
        rcp_event access = {.kind = RCP_READ, .tid = tid, .addr = 0x1000 * (uint64_t)i, .size = 8};
        rcp_event acquire = {.kind = RCP_ACQUIRE, .tid = tid, .object = lock};
        OK(rcp_writer_add(writer, &access));
        OK(rcp_writer_add(writer, &acquire));
        OK(rcp_writer_flush(writer));
    }
    OK(rcp_writer_close(writer));
    rcp_reader *reader;
    OK(rcp_reader_open(directory, &reader));
    const rcp_filter filters[] = {
        {.by_thread = true, .tid = {7}},
        {.by_object = true, .object = {13}},
        {.by_address = true, .lo = 0x20003, .hi = 0x20004},
        {.from = 30, .to = 32},
    };
    for (size_t i = 0; i < 4; i++) {
        uint64_t before = rcp_reader_decoded(reader);
        int calls = 0;
        rcp_code code = rcp_reader_scan(reader, &filters[i], stop, &calls);
        ck_assert_int_eq(code, RCP_LIMIT);
        ck_assert_int_eq(calls, 1);
        ck_assert_uint_eq(rcp_reader_decoded(reader), before + 1);
    }
    rcp_reader_close(reader);
    drop_directory();
}
END_TEST

START_TEST(an_empty_allocation_hides_none) {
    new_directory();
    rcp_writer *writer;
    OK(rcp_writer_create(directory, &writer));
    rcp_defs_thread(rcp_writer_borrow_defs(writer), NULL);
    rcp_event empty = {.kind = RCP_ALLOC, .addr = 640}, full = {.kind = RCP_ALLOC, .addr = 640, .value = 8};
    OK(rcp_writer_add(writer, &empty));
    OK(rcp_writer_add(writer, &full));
    OK(rcp_writer_close(writer));
    rcp_reader *reader;
    OK(rcp_reader_open(directory, &reader));
    int calls = 0;
    rcp_filter filter = {.by_address = true, .lo = 640, .hi = 641};
    ck_assert_int_eq(rcp_reader_scan(reader, &filter, stop, &calls), RCP_LIMIT);
    ck_assert_int_eq(calls, 1);
    rcp_reader_close(reader);
    drop_directory();
}
END_TEST

START_TEST(a_full_disk_leaves_whole_chunks) {
    new_directory();
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_writer *writer;
    OK(rcp_writer_create(directory, &writer));
    grow(writer, &trace, 41, 200, 50);
    OK(rcp_writer_flush(writer));
    /* No file may grow by more than a little: pwrite() gives less than was asked for, then fails. Check has files of
     * its own, so nothing is asserted meanwhile. */
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    struct rlimit before, limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)about.st_size + 70;
    random_events r = {.seed = 42, .defs = rcp_writer_borrow_defs(writer), .terms = rcp_writer_borrow_terms(writer)};
    rcp_code code = RCP_OK;
    int recovered = 0;
    setrlimit(RLIMIT_FSIZE, &limit);
    for (size_t i = 0; i < 2 * RCP_CHUNK_MAX_EVENTS + 10; i++) { /* also past the end of a chunk */
        rcp_event e = random_event(&r);
        rcp_code was = code;
        code = rcp_writer_add(writer, &e);
        recovered += was != RCP_OK && code != was;
    }
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_int_eq(recovered, 0);
    ck_assert_int_eq(code, RCP_SYSTEM);
    ck_assert_int_eq(rcp_writer_close(writer), RCP_SYSTEM);
    rcp_reader *reader;
    OK(rcp_reader_open(directory, &reader));
    ck_assert_ptr_null(rcp_reader_borrow_loss(reader));
    expect(reader, &trace, false);
    rcp_reader_close(reader);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

START_TEST(an_error_stays) {
    rcp_trace trace;
    rcp_text bytes = {0};
    small_file(&trace, &bytes);
    bytes.at[bytes.len - 1] ^= 1; /* the last chunk's last byte */
    rcp_reader *reader;
    OK(rcp_reader_open_memory("damaged", bytes.at, bytes.len, &reader));
    rcp_batch batch;
    uint64_t seen = 0;
    rcp_code code;
    while ((code = rcp_reader_next(reader, &batch)) == RCP_OK) {
        ck_assert_uint_gt(batch.n, 0);
        seen += batch.n;
    }
    ck_assert_uint_lt(seen, trace.events.len);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(code, RCP_BAD_INPUT);
        code = rcp_reader_next(reader, &batch);
    }
    rcp_reader_close(reader);
    rcp_text_finish(&bytes);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

START_TEST(a_stream_can_begin_anywhere) {
    new_directory();
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_writer *writer;
    OK(rcp_writer_create(directory, &writer));
    grow(writer, &trace, 31, 20000, 3000);
    OK(rcp_writer_close(writer));
    rcp_reader *reader;
    OK(rcp_reader_open(directory, &reader));
    random_events r = {.seed = 3};
    for (int round = 0; round < 100; round++) {
        uint64_t from = random_below(&r, 20100);
        rcp_batch batch;
        OK(rcp_reader_seek(reader, (rcp_eid){from}));
        OK(rcp_reader_next(reader, &batch));
        if (from >= 20000) {
            ck_assert_uint_eq(batch.n, 0);
        } else {
            ck_assert_uint_gt(batch.n, 0);
            ck_assert_uint_eq(batch.first.v, from);
            ck_assert(same_event(&trace.events.at[from], batch.at));
        }
    }
    OK(rcp_reader_seek(reader, (rcp_eid){0}));
    expect(reader, &trace, false);
    rcp_reader_close(reader);
    rcp_trace_finish(&trace);
    drop_directory();
}
END_TEST

int main(void) {
    return rcp_suite_run("store", everything_comes_back, a_trace_is_saved_and_loaded, a_beginning_is_read_on_and_cut,
                         a_cut_file_gives_a_prefix, a_changed_byte_is_noticed, what_is_no_trace_is_refused,
                         nothing_is_overwritten, zeros_at_the_end_are_a_loss, refused_events_leave_no_trace,
                         a_scan_finds_what_passes, a_scan_decodes_only_what_can_match, an_empty_allocation_hides_none,
                         a_full_disk_leaves_whole_chunks, an_error_stays, a_stream_can_begin_anywhere, NULL);
}
