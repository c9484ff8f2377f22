/* SPDX-License-Identifier: Apache-2.0 */
/* How fast is the trace store, and how small? Events of a made-up program with eight threads, beside zstd -1 and
 * memcpy.
 *
 * The program works on real (simulated) memory, so that a read gives what was written: records of an array that are
 * updated in loops, a hash table with chains under striped locks, a matrix of doubles, random statistics counters,
 * buffers from the heap. Values and addresses vary as they do in such a program; about a quarter of the branches and a
 * tenth of the writes carry terms.
 *
 * bench_store [EVENTS] [DIRECTORY]: 10^7 events in a directory of its own that is removed afterwards.
 */
#include "base/hash.h"
#include "trace/store/encoder.h"
#include "trace/store/reader.h"
#include "trace/store/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

enum { THREADS = 8, SLICE = 1 << 18, WORDS = 1 << 20, STRIPES = 64, RECORD = 6, ROUTINES = 12, ROUNDS = 3 };
#define BASE UINT64_C(0x7f32a8000000)

typedef struct program {
    rcp_defs *defs;
    rcp_terms *terms;
    uint64_t seed, made;
    uint64_t *memory; /* words; word i is at BASE + 8 i */
    rcp_event *out;   /* the slice */
    size_t n, left;   /* events in it; events of this quantum still to come */
    rcp_tid tid;
    rcp_stack stack;
    uint32_t loc;       /* of the routine; an event's own is relative to it */
    rcp_term last_read; /* of this thread's routine */
    uint64_t cursor[THREADS][4];
} program;

static uint64_t next(program *p) {
    p->seed += UINT64_C(0x9e3779b97f4a7c15);
    return rcp_hash_u64(p->seed);
}
static uint64_t below(program *p, uint64_t n) { return next(p) % n; }

static rcp_event *event(program *p, rcp_kind kind, uint32_t line) {
    rcp_event *e = &p->out[p->n++];
    *e = (rcp_event){.kind = (uint8_t)kind, .tid = p->tid, .loc = {p->loc + line}, .stack = p->stack};
    p->made++;
    if (p->left)
        p->left--;
    return e;
}

/* Words are accessed whole (8 bytes) or in their lower half. */
static uint64_t load(program *p, uint32_t line, uint64_t word, uint32_t size) {
    rcp_event *e = event(p, RCP_READ, line);
    e->addr = BASE + 8 * word;
    e->size = size;
    e->valued = 1;
    e->value = size == 8 ? p->memory[word] : (uint32_t)p->memory[word];
    return e->value;
}

static void store(program *p, uint32_t line, uint64_t word, uint32_t size, uint64_t value) {
    bool symbolic = below(p, 10) == 0 && p->n;
    rcp_term term = RCP_TERM_CONST;
    if (symbolic) {
        rcp_term read = rcp_term_read(p->terms, (rcp_eid){p->made - 1}, 0, 8 * size);
        term = rcp_term_make(p->terms, RCP_OP_ADD, 8 * size, read, rcp_term_const(p->terms, 8 * size, line), read);
    }
    rcp_event *e = event(p, RCP_WRITE, line);
    e->addr = BASE + 8 * word;
    e->size = size;
    e->valued = 1;
    e->value = size == 8 ? value : (uint32_t)value;
    e->value_term = term;
    p->memory[word] = size == 8 ? value : (p->memory[word] & ~UINT64_C(0xffffffff)) | e->value;
}

static void branch(program *p, uint32_t line, bool taken) {
    rcp_term term = RCP_TERM_CONST;
    if (below(p, 4) == 0) {
        rcp_term read = rcp_term_read(p->terms, (rcp_eid){p->made - 1}, 0, 32);
        term = rcp_term_make(p->terms, RCP_OP_ULT, 1, read, rcp_term_const(p->terms, 32, line * 100), read);
    }
    rcp_event *e = event(p, RCP_BRANCH, line);
    e->valued = 1;
    e->value = taken;
    e->cond = term;
}

static void lock(program *p, rcp_kind kind, uint32_t line, uint64_t object) {
    event(p, kind, line)->object.v = (uint32_t)object;
}

static uint64_t as_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static double as_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* for each record: r->count++; if (r->flags & 1) r->sum += r->x * k; */
static void records(program *p, uint64_t *at) {
    for (int i = 0; i < 8; i++, *at = (*at + 1) % 20000) {
        uint64_t r = 1000 + *at * RECORD;
        uint64_t flags = load(p, 1, r, 4);
        uint64_t count = load(p, 2, r + 1, 4);
        store(p, 3, r + 1, 4, count + 1);
        branch(p, 4, flags & 1);
        if (flags & 1) {
            double x = as_double(load(p, 5, r + 2, 8)), sum = as_double(load(p, 6, r + 3, 8));
            store(p, 7, r + 3, 8, as_bits(sum + x * 1.25));
        } else {
            load(p, 8, r + 4, 8);
        }
    }
}

/* a chain of a hash table, under the lock of its stripe, with a counter of its own lock */
static void table(program *p) {
    lock(p, RCP_ACQUIRE, 9, STRIPES);
    store(p, 10, 199000, 4, load(p, 11, 199000, 4) + 1);
    lock(p, RCP_RELEASE, 12, STRIPES);
    uint64_t bucket = below(p, 4096), link = 200000 + bucket;
    lock(p, RCP_ACQUIRE, 1, bucket % STRIPES);
    uint64_t node = load(p, 2, link, 8);
    for (int depth = 0; depth < 3; depth++) {
        uint64_t place = 210000 + (node ? node - BASE : next(p)) / 8 % 100000 * 4;
        uint64_t key = load(p, 3, place, 8);
        load(p, 4, place + 1, 4);
        if (depth == 1)
            branch(p, 5, key & 2);
        if (depth && key & 2)
            break;
        node = load(p, 6, place + 2, 8);
    }
    store(p, 7, link, 8, BASE + 8 * below(p, 100000));
    lock(p, RCP_RELEASE, 8, bucket % STRIPES);
}

/* c[i] = a[i] * b[j] + c[i], with a row of a and a column of b */
static void matrix(program *p, uint64_t *at) {
    for (int i = 0; i < 6; i++, ++*at) {
        double a = as_double(load(p, 1, 700000 + *at % 60000, 8));
        double b = as_double(load(p, 2, 770000 + *at * 128 % 60000, 8));
        double c = as_double(load(p, 3, 840000 + *at % 60000, 8));
        store(p, 4, 840000 + *at % 60000, 8, as_bits(a * b + c));
    }
}

static void statistics(program *p) {
    uint64_t word = 950000 + below(p, 64);
    rcp_event *e = event(p, RCP_RMW, 1);
    e->addr = BASE + 8 * word;
    e->size = 8;
    e->mode = RCP_SEQ_CST;
    e->valued = 1;
    e->value = p->memory[word];
    e->written = p->memory[word] += 1 + below(p, 3);
    load(p, 2, 950100, 4);
    if (load(p, 3, 950101, 4) > 1)
        load(p, 4, word + 64, 8);
}

/* a buffer from the heap: filled, read, given back */
static void buffer(program *p) {
    uint64_t words = 2 + below(p, 10), word = 960000 + below(p, 4000) * 16, queue = STRIPES - 1 - below(p, 4);
    lock(p, RCP_ACQUIRE, 5, queue);
    rcp_event *e = event(p, RCP_ALLOC, 1);
    e->addr = BASE + 8 * word;
    e->value = 8 * words;
    for (uint64_t i = 0; i < words; i++)
        store(p, 2, word + i, 8, next(p) >> below(p, 60));
    for (uint64_t i = 0; i < words; i++)
        load(p, 3, word + i, 8);
    e = event(p, RCP_FREE, 4);
    e->addr = BASE + 8 * word;
    e->value = 8 * words;
    lock(p, RCP_RELEASE, 6, queue);
}

static void run(program *p) {
    if (!p->left) {
        p->tid.v = (uint32_t)below(p, THREADS);
        p->left = 50 + below(p, 300);
    }
    uint64_t *at = p->cursor[p->tid.v], routine = below(p, ROUTINES), copy = routine % 3;
    p->loc = 1 + (uint32_t)routine * 16;
    p->stack.v = 1 + (uint32_t)below(p, 3);
    switch (routine) {
    case 0:
    case 1:
    case 2: records(p, &at[copy]); break;
    case 3:
    case 4:
    case 5:
    case 6: table(p); break;
    case 7:
    case 8: matrix(p, &at[3]); break;
    case 9:
    case 10: statistics(p); break;
    default: buffer(p);
    }
}

static void begin(program *p, rcp_defs *defs, rcp_terms *terms) {
    *p = (program){.defs = defs, .terms = terms, .seed = 1};
    p->memory = rcp_alloc(WORDS * sizeof *p->memory);
    p->out = rcp_alloc((SLICE + 256) * sizeof *p->out);
    for (uint64_t i = 0; i < WORDS; i++) {
        uint64_t x = next(p);
        p->memory[i] = i % 3 == 0 ? x & 0xff : i % 3 == 1 ? x & 0xfffff : as_bits((double)(x & 0xffffff) / 1000);
    }
    for (uint64_t i = 0; i < 64; i++)
        p->memory[950000 + i] = i * 1000;
    for (int t = 0; t < THREADS; t++) {
        rcp_defs_thread(defs, NULL);
        for (int i = 0; i < 4; i++)
            p->cursor[t][i] = below(p, 20000);
    }
    for (uint32_t i = 0; i <= STRIPES; i++)
        rcp_defs_object(defs, RCP_MUTEX, NULL, BASE + i * 40, 0);
    rcp_str file = rcp_defs_string(defs, "program.c", 9);
    for (uint32_t i = 0; i < ROUTINES * 16 + 16; i++)
        rcp_defs_location(defs, (rcp_location){.file = file, .line = i + 1, .column = 5});
    for (uint32_t i = 1; i <= 3; i++)
        rcp_defs_stack(defs, (rcp_frame){.loc = {i}});
}

static size_t fill(program *p, size_t most) {
    p->n = 0;
    while (p->n < SLICE && p->n < most)
        run(p);
    return p->n;
}

static void end(program *p) {
    rcp_release(p->memory);
    rcp_release(p->out);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(rcp_code code) {
    if (code == RCP_OK)
        return;
    rcp_print_causes(stderr);
    exit(EXIT_FAILURE);
}

static void row(const char *what, double events, double bytes, double seconds) {
    printf("%-46s %10.1f %10.0f %10.2f\n", what, events / seconds / 1e6, bytes / seconds / 1e6, bytes / events);
}

/* zstd -1 and memcpy over `n` bytes in pieces of one chunk each. */
static void plain(const char *what, const uint8_t *raw, size_t n, size_t piece, double events) {
    size_t pieces = (n + piece - 1) / piece, room = ZSTD_compressBound(piece), packed = 0;
    uint8_t *out = rcp_alloc(pieces * room), *back = rcp_alloc(n);
    size_t *sizes = rcp_alloc(pieces * sizeof *sizes);
    char name[64];
    memset(out, 1, pieces * room);
    memset(back, 1, n);
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_DCtx *d = ZSTD_createDCtx();
    double t0 = now();
    for (size_t i = 0; i < pieces; i++) {
        size_t here = i + 1 < pieces ? piece : n - i * piece;
        packed += sizes[i] = ZSTD_compressCCtx(c, out + i * room, room, raw + i * piece, here, 1);
    }
    double t1 = now();
    for (size_t i = 0; i < pieces; i++) {
        size_t here = i + 1 < pieces ? piece : n - i * piece;
        if (ZSTD_decompressDCtx(d, back + i * piece, here, out + i * room, sizes[i]) != here)
            must(rcp_fail(RCP_INTERNAL, "zstd"));
    }
    double t2 = now();
    memcpy(back, raw, n);
    double t3 = now();
    snprintf(name, sizeof name, "zstd -1 of %s: compress", what);
    row(name, events, (double)n, t1 - t0);
    snprintf(name, sizeof name, "zstd -1 of %s: decompress", what);
    row(name, events, (double)n, t2 - t1);
    snprintf(name, sizeof name, "memcpy of %s", what);
    row(name, events, (double)n, t3 - t2);
    printf("    %.2f B/event after zstd\n", (double)packed / events);
    ZSTD_freeCCtx(c);
    ZSTD_freeDCtx(d);
    rcp_release(out);
    rcp_release(back);
    rcp_release(sizes);
}

/* The same events as they leave the encoder, before zstd; and as the structs in memory, for the first slice's worth. */
static void baselines(size_t events) {
    rcp_defs defs;
    rcp_terms terms;
    rcp_defs_init(&defs);
    rcp_terms_init(&terms);
    program p;
    begin(&p, &defs, &terms);
    rcp_encoder encoder;
    rcp_encoder_init(&encoder, &defs, &terms);
    rcp_bytes all = {0}, index = {0}, body = {0};
    RCP_VEC(rcp_event) structs = {0};
    size_t some = events < 1000000 ? events : 1000000;
    double encoding = 0;
    for (size_t done = 0, n; done < events; done += n) {
        n = fill(&p, events - done);
        for (size_t i = 0; i < n && structs.len < some; i++)
            rcp_vec_push(&structs, p.out[i]);
        double t = now();
        for (size_t i = 0; i < n; i++) {
            must(rcp_encoder_add(&encoder, &p.out[i]));
            if (rcp_encoder_is_full(&encoder)) {
                rcp_encoder_take(&encoder, &index, &body);
                encoding += now() - t;
                memcpy(rcp_vec_extend(&all, body.len), body.at, body.len);
                t = now();
            }
        }
        encoding += now() - t;
    }
    row("encoded in memory, with index, no zstd", (double)p.made, (double)all.len, encoding);
    size_t piece = all.len / (p.made / RCP_CHUNK_MAX_EVENTS + 1) + 1;
    plain("the encoded bytes", all.at, all.len, piece, (double)p.made);
    plain("the structs", (const uint8_t *)structs.at, structs.len * sizeof *structs.at,
          RCP_CHUNK_MAX_EVENTS * sizeof *structs.at, (double)structs.len);
    end(&p);
    rcp_vec_finish(&all);
    rcp_vec_finish(&index);
    rcp_vec_finish(&body);
    rcp_vec_finish(&structs);
    rcp_encoder_finish(&encoder);
    rcp_terms_finish(&terms);
    rcp_defs_finish(&defs);
}

static double write_trace(const char *directory, size_t events, size_t counts[RCP_KINDS]) {
    rcp_writer *writer;
    must(rcp_writer_create(directory, &writer));
    program p;
    begin(&p, rcp_writer_borrow_defs(writer), rcp_writer_borrow_terms(writer));
    double seconds = 0;
    for (size_t done = 0, n; done < events; done += n) {
        n = fill(&p, events - done);
        for (size_t i = 0; i < n; i++)
            counts[p.out[i].kind]++;
        double t = now();
        for (size_t i = 0; i < n; i++)
            must(rcp_writer_add(writer, &p.out[i]));
        seconds += now() - t;
    }
    double t = now();
    must(rcp_writer_close(writer));
    end(&p);
    return seconds + now() - t;
}

typedef struct result {
    double writing, opening, reading, events, bytes;
    size_t terms;
} result;

static void better(double *best, double seconds) {
    if (!*best || seconds < *best)
        *best = seconds;
}

static void bench(const char *directory, const char *path, size_t events, result *best, size_t counts[RCP_KINDS]) {
    better(&best->writing, write_trace(directory, events, counts));
    struct stat about;
    if (stat(path, &about))
        must(rcp_fail(RCP_SYSTEM, "%s is not there", path));
    best->bytes = (double)about.st_size;

    double t0 = now();
    rcp_reader *reader;
    must(rcp_reader_open(directory, &reader));
    double t1 = now();
    volatile uint64_t sink = 0;
    uint64_t sum = 0;
    best->events = (double)rcp_reader_count(reader);
    for (rcp_batch batch = {.n = 1}; batch.n;) {
        must(rcp_reader_next(reader, &batch));
        for (size_t i = 0; i < batch.n; i++)
            sum += batch.at[i].addr ^ batch.at[i].kind;
    }
    sink = sum;
    (void)sink;
    better(&best->opening, t1 - t0);
    better(&best->reading, now() - t1);
    best->terms = rcp_terms_count(rcp_reader_borrow_terms(reader));
    rcp_reader_close(reader);
    unlink(path);
}

int main(int argc, char **argv) {
    size_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    char directory[300], path[400];
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/recipe-bench-XXXXXX", argc > 2 ? argv[2] : base ? base : P_tmpdir);
    if (!mkdtemp(directory))
        must(rcp_fail(RCP_SYSTEM, "%s: can't be made", directory));
    snprintf(path, sizeof path, "%s/%s", directory, RCP_TRACE_FILE);
    result best = {0};
    size_t counts[RCP_KINDS];
    for (int i = 0; i < ROUNDS; i++) {
        memset(counts, 0, sizeof counts);
        bench(directory, path, events, &best, counts);
    }
    rmdir(directory);
    double n = best.events;
    printf("%.0f events of %d threads: %.0f %% reads, %.0f %% writes, %.0f %% branches, %.0f %% lock operations, %zu "
           "terms; best of %d\n\n",
           n, THREADS, 100 * (double)counts[RCP_READ] / n, 100 * (double)counts[RCP_WRITE] / n,
           100 * (double)counts[RCP_BRANCH] / n, 100 * (double)(counts[RCP_ACQUIRE] + counts[RCP_RELEASE]) / n,
           best.terms, ROUNDS);
    printf("%-46s %10s %10s %10s\n", "", "M events/s", "MB/s", "B/event");
    row("written (definitions, index, zstd, file)", n, best.bytes, best.writing);
    row("read (all events, validated)", n, best.bytes, best.reading);
    printf("    opened in %.1f ms: no event decoded, %zu terms\n", 1e3 * best.opening, best.terms);
    baselines(events);
    return 0;
}
