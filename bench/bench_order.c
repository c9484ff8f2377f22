/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the orders are, beside merely walking over the same events in memory and reading them from a store. */
#include "order/engine/engine.h"

#include "mix.h"
#include "trace/store/chunk.h"
#include "trace/store/reader.h"
#include "trace/store/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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
    for (rcp_model model = 0; model < RCP_MODELS && code == RCP_OK; model++)
        if (rcp_rules_of(model) && (code = stream(directory, rcp_rules_of(model), &took)) == RCP_OK) {
            char what[64];
            snprintf(what, sizeof what, "%s, streaming from the store", rcp_model_name(model));
            line(what, m->events.len, took);
        }
    unlink(file);
    rmdir(directory);
    rmdir(parent);
    return code;
}

int main(int argc, char **argv) {
    size_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
    const int passes = 5;
    mix m;
    begin_mix(&m);
    go_on(&m, events);
    printf("orders: %zu events of %d threads, %d passes, the best one counts\n", m.events.len, THREADS, passes);
    double start = now();
    volatile uint64_t sum = 0;
    for (int p = 0; p < passes; p++)
        sum += walk(&m);
    line("walking over them in memory", m.events.len * passes, now() - start);
    for (rcp_model model = 0; model < RCP_MODELS; model++) {
        if (!rcp_rules_of(model))
            continue;
        rcp_engine *engine = rcp_engine_create(rcp_rules_of(model), &m.defs, NULL, NULL);
        if (model == RCP_MODEL_WDP)
            rcp_engine_keep_graph(engine);
        if (rcp_rules_of(model)->sections)
            rcp_engine_filter(engine);
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
        line(model == RCP_MODEL_WDP ? "wdp, with its graph" : rcp_model_name(model), m.events.len, best);
        rcp_engine_stats stats = rcp_engine_statistics(engine);
        printf("    %" PRIu64 " flagged, %" PRIu64 " races, %" PRIu64 " clock joins, %" PRIu64
               " copies, %.1f MB of clocks, %.1f MB of history, %" PRIu64 " of %" PRIu64
               " sections kept, %.0f %% redundant\n",
               stats.flagged, stats.races, stats.clock_joins, stats.clock_copies, (double)stats.clock_bytes * 1e-6,
               (double)stats.history_bytes * 1e-6, stats.sections_peak, stats.sections,
               100.0 * (double)(stats.redundant_accesses + stats.redundant_branches) / (double)stats.events);
        rcp_engine_destroy(engine);
    }
    rcp_code code = bench_store(&m);
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    finish_mix(&m);
    return code == RCP_OK ? 0 : 1;
}
