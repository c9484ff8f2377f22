/* SPDX-License-Identifier: Apache-2.0 */
/* How fast hb and shb are, beside merely walking over the same events in memory and reading them from a store.
 *
 * The mix is that of an ordinary program on eight threads: mostly data of the thread's own (its stack and heap blocks,
 * neighbouring fields of 4 and 8 bytes), shared data that is read and seldom written, critical sections over shared
 * records, some atomics, blocks that are allocated and freed, and now and then a race. */
#include "order/engine.h"

#include "base/hash.h"
#include "trace/chunk.h"
#include "trace/reader.h"
#include "trace/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, LOCKS = 64, OWN = 1 << 16, SHARED = 1 << 14, RECORD = 256 };

typedef struct mix {
    rcp_defs defs;
    RCP_VEC(rcp_event) events;
    uint64_t state;
    rcp_loc locations[256];
    rcp_obj locks[LOCKS];
    rcp_obj rwlock;
} mix;

static uint64_t draw(mix *m, uint64_t below) {
    m->state = rcp_hash_u64(m->state + UINT64_C(0x9e3779b97f4a7c15));
    return (uint32_t)m->state * below >> 32;
}

static void put(mix *m, rcp_event e) {
    if (rcp_event_is_access(&e)) {
        e.valued = 1;
        e.loc = m->locations[draw(m, 256)];
    }
    rcp_vec_push(&m->events, e);
}

static void touch(mix *m, uint32_t tid, uint64_t addr, uint32_t size, bool write, rcp_order order) {
    put(m, (rcp_event){.kind = write ? RCP_WRITE : RCP_READ, .mode = order, .tid = {tid}, .addr = addr, .size = size});
}

/* A stretch of one thread's work on its own data: runs of neighbouring fields, as loops make them. */
static void own_work(mix *m, uint32_t tid) {
    uint64_t heap = UINT64_C(0x100000000) * (tid + 1);
    uint64_t at = heap + draw(m, draw(m, 4) ? OWN / 16 : OWN) * 64;
    uint32_t size = draw(m, 2) ? 8 : 4;
    for (uint64_t n = 8 + draw(m, 24), i = 0; i < n; i++)
        touch(m, tid, at + i * size, size, draw(m, 3) == 0, RCP_PLAIN);
}

static void critical_section(mix *m, uint32_t tid) {
    uint32_t lock = (uint32_t)draw(m, LOCKS);
    put(m, (rcp_event){.kind = RCP_ACQUIRE, .tid = {tid}, .object = m->locks[lock]});
    uint64_t record = UINT64_C(0x40000000) + lock * RECORD;
    for (uint64_t n = 4 + draw(m, 8), i = 0; i < n; i++)
        touch(m, tid, record + draw(m, RECORD / 8) * 8, 8, draw(m, 3) == 0, RCP_PLAIN);
    put(m, (rcp_event){.kind = RCP_RELEASE, .tid = {tid}, .object = m->locks[lock]});
}

static void read_shared(mix *m, uint32_t tid) {
    bool write = draw(m, 200) == 0;
    put(m, (rcp_event){
               .kind = RCP_ACQUIRE, .mode = write ? RCP_EXCLUSIVE : RCP_SHARED, .tid = {tid}, .object = m->rwlock});
    for (uint64_t n = 4 + draw(m, 12), i = 0; i < n; i++)
        touch(m, tid, UINT64_C(0x50000000) + draw(m, SHARED) * 8, 8, write, RCP_PLAIN);
    put(m, (rcp_event){
               .kind = RCP_RELEASE, .mode = write ? RCP_EXCLUSIVE : RCP_SHARED, .tid = {tid}, .object = m->rwlock});
}

static void atomics(mix *m, uint32_t tid) {
    uint64_t counter = UINT64_C(0x60000000) + draw(m, 16) * 64;
    if (draw(m, 2))
        put(m, (rcp_event){.kind = RCP_RMW, .mode = RCP_SEQ_CST, .tid = {tid}, .addr = counter, .size = 8});
    else
        touch(m, tid, counter, 8, false, RCP_ACQ);
}

static void heap_block(mix *m, uint32_t tid) {
    uint64_t block = UINT64_C(0x200000000) * (tid + 8) + draw(m, 1024) * 256;
    put(m, (rcp_event){.kind = RCP_ALLOC, .tid = {tid}, .addr = block, .value = 256});
    for (uint64_t n = 4 + draw(m, 28), i = 0; i < n; i++)
        touch(m, tid, block + i * 8, 8, i < n / 2, RCP_PLAIN);
    put(m, (rcp_event){.kind = RCP_FREE, .tid = {tid}, .addr = block, .value = 256});
}

static void generate(mix *m, size_t events) {
    *m = (mix){.state = 1};
    rcp_defs_init(&m->defs);
    for (uint32_t t = 0; t < THREADS; t++)
        rcp_defs_thread(&m->defs, NULL);
    for (size_t i = 0; i < LOCKS; i++)
        m->locks[i] = rcp_defs_object(&m->defs, RCP_MUTEX, NULL, 0, 0);
    m->rwlock = rcp_defs_object(&m->defs, RCP_RWLOCK, NULL, 0, 0);
    for (uint32_t i = 0; i < 256; i++)
        m->locations[i] = rcp_defs_location(&m->defs, (rcp_location){.line = i + 1});
    while (m->events.len < events) {
        uint32_t tid = (uint32_t)draw(m, THREADS);
        uint64_t what = draw(m, 1000);
        if (what < 500)
            own_work(m, tid);
        else if (what < 700)
            critical_section(m, tid);
        else if (what < 850)
            read_shared(m, tid);
        else if (what < 930)
            heap_block(m, tid);
        else if (what < 999)
            atomics(m, tid);
        else
            touch(m, tid, UINT64_C(0x70000000) + draw(m, 4) * 8, 8, true, RCP_PLAIN);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* one thread, whatever else the machine does */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Reads what an analysis must read of each event. */
static uint64_t walk(const mix *m) {
    uint64_t sum = 0;
    for (size_t i = 0; i < m->events.len; i++) {
        const rcp_event *e = &m->events.at[i];
        sum += e->kind + e->tid.v + e->addr + e->size + e->loc.v + e->object.v;
    }
    return sum;
}

static void line(const char *what, uint64_t events, double seconds) {
    printf("  %-30s %8.1f M events/s\n", what, (double)events / seconds * 1e-6);
}

/* Into a store and back: what the orders stream from. */
static rcp_code write_store(const mix *m, const char *directory) {
    rcp_writer *writer;
    RCP_TRY(rcp_writer_create(directory, &writer));
    rcp_defs *defs = rcp_writer_borrow_defs(writer);
    for (size_t i = 0; i < m->defs.threads.len; i++)
        rcp_defs_thread(defs, NULL);
    for (size_t i = 0; i < m->defs.objects.len; i++)
        rcp_defs_object(defs, m->defs.objects.at[i].kind, NULL, 0, 0);
    for (size_t i = 1; i < m->defs.locations.len; i++)
        rcp_defs_location(defs, m->defs.locations.at[i]);
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < m->events.len && code == RCP_OK; i++)
        code = rcp_writer_add(writer, &m->events.at[i]);
    rcp_code closed = rcp_writer_close(writer);
    return code == RCP_OK ? closed : code;
}

/* Streams the store, into an engine unless it is NULL. */
static rcp_code stream(const char *directory, const rcp_rules *rules, double *took) {
    rcp_reader *reader;
    RCP_TRY(rcp_reader_open(directory, &reader));
    rcp_engine *engine = rules ? rcp_engine_create(rules, rcp_reader_borrow_defs(reader), NULL, NULL) : NULL;
    double start = now();
    rcp_batch batch;
    rcp_code code;
    while ((code = rcp_reader_next(reader, &batch)) == RCP_OK && batch.n)
        if (engine && (code = rcp_engine_add_all(engine, batch.first, batch.at, batch.n)) != RCP_OK)
            break;
    *took = now() - start;
    rcp_engine_destroy(engine);
    rcp_reader_close(reader);
    return code;
}

static rcp_code bench_store(const mix *m) {
    const char *base = getenv("TMPDIR");
    char parent[200], directory[256], file[300];
    snprintf(parent, sizeof parent, "%s/recipe-bench-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(parent))
        return rcp_fail(RCP_SYSTEM, "%s can't be made", parent);
    snprintf(directory, sizeof directory, "%s/t", parent);
    snprintf(file, sizeof file, "%s/%s", directory, RCP_TRACE_FILE);
    rcp_code code = write_store(m, directory);
    double took;
    if (code == RCP_OK && (code = stream(directory, NULL, &took)) == RCP_OK)
        line("reading them from the store", m->events.len, took);
    for (rcp_model model = RCP_MODEL_HB; model <= RCP_MODEL_SHB && code == RCP_OK; model++)
        if ((code = stream(directory, rcp_rules_of(model), &took)) == RCP_OK)
            line(model == RCP_MODEL_HB ? "hb, streaming from the store" : "shb, streaming from the store",
                 m->events.len, took);
    unlink(file);
    rmdir(directory);
    rmdir(parent);
    return code;
}

int main(int argc, char **argv) {
    size_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
    const int passes = 5;
    mix m;
    generate(&m, events);
    printf("orders: %zu events of %d threads, %d passes, the best one counts\n", m.events.len, THREADS, passes);
    double start = now();
    volatile uint64_t sum = 0;
    for (int p = 0; p < passes; p++)
        sum += walk(&m);
    line("walking over them in memory", m.events.len * passes, now() - start);
    const rcp_model models[] = {RCP_MODEL_HB, RCP_MODEL_SHB};
    for (size_t k = 0; k < 2; k++) {
        rcp_engine *engine = rcp_engine_create(rcp_rules_of(models[k]), &m.defs, NULL, NULL);
        uint64_t eid = 0;
        double best = 1e9;
        for (int p = 0; p < passes; p++) {
            start = now();
            if (rcp_engine_add_all(engine, (rcp_eid){eid}, m.events.at, m.events.len) != RCP_OK)
                return 1;
            eid += m.events.len;
            double took = now() - start;
            best = took < best ? took : best;
        }
        line(rcp_model_name(models[k]), m.events.len, best);
        rcp_engine_stats stats = rcp_engine_statistics(engine);
        printf("    %" PRIu64 " flagged, %" PRIu64 " races, %" PRIu64 " clock joins, %" PRIu64
               " copies, %.1f MB of clocks, %.1f MB of history\n",
               stats.flagged, stats.races, stats.clock_joins, stats.clock_copies, (double)stats.clock_bytes * 1e-6,
               (double)stats.history_bytes * 1e-6);
        rcp_engine_destroy(engine);
    }
    rcp_code code = bench_store(&m);
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    rcp_vec_finish(&m.events);
    rcp_defs_finish(&m.defs);
    return code == RCP_OK ? 0 : 1;
}
