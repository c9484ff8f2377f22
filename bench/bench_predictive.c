/* SPDX-License-Identifier: Apache-2.0 */
/* Two questions about sdp and wdp: do time and memory grow with the trace as they should, and how long does it take to
 * find and vindicate a race whose two accesses lie at the two ends of a long trace?
 *
 * bench_predictive [EVENTS [FAR]]: traces of 10^5, 10^6 … up to EVENTS events (default 10^6), made as they are fed; and
 * a race FAR events apart (default 10^6), from a store. */
#include "order/analyze.h"

#include "base/limits.h"
#include "mix.h"
#include "trace/store/chunk.h"
#include "trace/store/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { PIECE = 1 << 18 };

/* Events are made piece by piece; only the order's time counts. */
static int grow(rcp_model model, uint64_t events) {
    mix m;
    begin_mix(&m);
    rcp_engine *engine = rcp_engine_create(rcp_rules_of(model), &m.defs, NULL, NULL);
    const rcp_order_graph *graph = model == RCP_MODEL_WDP ? rcp_engine_keep_graph(engine) : NULL;
    double took = 0;
    uint64_t fed = 0;
    while (fed < events) {
        m.events.len = 0;
        go_on(&m, events - fed < PIECE ? events - fed : PIECE);
        double start = now(CLOCK_PROCESS_CPUTIME_ID);
        if (rcp_engine_add_all(engine, (rcp_eid){fed}, m.events.at, m.events.len) != RCP_OK)
            return 1;
        took += now(CLOCK_PROCESS_CPUTIME_ID) - start;
        fed += m.events.len;
    }
    rcp_engine_stats stats = rcp_engine_statistics(engine);
    printf("  %-4s %10" PRIu64 " events %8.2f s %6.1f M events/s; %6.1f MB, %" PRIu64 " of %" PRIu64 " sections kept",
           rcp_model_name(model), fed, took, (double)fed / took * 1e-6,
           (double)(stats.clock_bytes + stats.history_bytes) * 1e-6, stats.sections_peak, stats.sections);
    if (graph)
        printf("; graph %zu edges, %.1f MB", graph->edges.len,
               (double)(graph->edges.len * sizeof *graph->edges.at) * 1e-6);
    printf("\n");
    fflush(stdout);
    rcp_engine_destroy(engine);
    finish_mix(&m);
    return 0;
}

static rcp_code put_all(rcp_writer *writer, mix *m) {
    for (size_t i = 0; i < m->events.len; i++)
        RCP_TRY(rcp_writer_add(writer, &m->events.at[i]));
    m->events.len = 0;
    return RCP_OK;
}

/* Figure 2(b) of seed 002 with `far` events of other work in its middle. */
static rcp_code write_far(const char *directory, uint64_t far) {
    mix m;
    rcp_writer *writer;
    RCP_TRY(rcp_writer_create(directory, &writer));
    begin_mix(&m);
    m.races = false;
    m.loner = true; /* or the first access comes before the last one, as it mostly would */
    rcp_defs *defs = rcp_writer_borrow_defs(writer);
    for (uint32_t t = 0; t < THREADS; t++)
        rcp_defs_thread(defs, NULL);
    for (size_t i = 0; i <= LOCKS; i++)
        rcp_defs_object(defs, i < LOCKS ? RCP_MUTEX : RCP_RWLOCK, NULL, 0, 0);
    rcp_obj lock = rcp_defs_object(defs, RCP_MUTEX, NULL, 0, 0);
    for (size_t i = 1; i < m.defs.locations.len; i++)
        rcp_defs_location(defs, m.defs.locations.at[i]);
    const uint64_t x = 0x80000000, y = 0x80000040;
    put(&m, (rcp_event){.kind = RCP_ACQUIRE, .tid = {0}, .object = lock});
    put(&m, (rcp_event){.kind = RCP_READ, .tid = {0}, .addr = x, .size = 8});
    put(&m, (rcp_event){.kind = RCP_WRITE, .tid = {0}, .addr = y, .size = 8});
    put(&m, (rcp_event){.kind = RCP_RELEASE, .tid = {0}, .object = lock});
    rcp_code code = RCP_OK;
    for (uint64_t done = 0; done < far && code == RCP_OK; done += PIECE) {
        go_on(&m, far - done < PIECE ? far - done : PIECE);
        code = put_all(writer, &m);
    }
    put(&m, (rcp_event){.kind = RCP_ACQUIRE, .tid = {1}, .object = lock});
    put(&m, (rcp_event){.kind = RCP_WRITE, .tid = {1}, .addr = x, .size = 8});
    put(&m, (rcp_event){.kind = RCP_RELEASE, .tid = {1}, .object = lock});
    put(&m, (rcp_event){.kind = RCP_READ, .tid = {1}, .addr = y, .size = 8});
    if (code == RCP_OK)
        code = put_all(writer, &m);
    finish_mix(&m);
    rcp_code closed = rcp_writer_close(writer);
    return code == RCP_OK ? closed : code;
}

static rcp_code prove(const char *directory, rcp_order_report *report) {
    rcp_trace trace;
    rcp_checker *checker = NULL;
    uint64_t all;
    rcp_trace_init(&trace);
    rcp_code code = rcp_trace_load_beginning(&trace, directory, rcp_order_needs(report), &all);
    if (code == RCP_OK)
        code = rcp_checker_create(&trace, &checker);
    if (code == RCP_OK)
        code = rcp_order_prove(&trace, checker, rcp_limit(RCP_LIMIT_PROOF_EVENTS), 0, report);
    rcp_checker_destroy(checker);
    rcp_trace_finish(&trace);
    return code;
}

static rcp_code analyze(const char *directory, rcp_order_report *report) {
    rcp_reader *reader;
    RCP_TRY(rcp_reader_open(directory, &reader));
    rcp_code code =
        rcp_order_flag(reader, RCP_MODEL_BIT(RCP_MODEL_SDP) | RCP_MODEL_BIT(RCP_MODEL_WDP), UINT64_MAX, 0, report);
    rcp_reader_close(reader);
    return code == RCP_OK && rcp_order_needs(report) ? prove(directory, report) : code;
}

static rcp_code find_far(uint64_t far) {
    const char *base = getenv("TMPDIR");
    char parent[200], directory[256], file[300];
    snprintf(parent, sizeof parent, "%s/recipe-bench-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(parent))
        return rcp_fail(RCP_SYSTEM, "%s can't be made", parent);
    snprintf(directory, sizeof directory, "%s/t", parent);
    snprintf(file, sizeof file, "%s/%s", directory, RCP_TRACE_FILE);
    rcp_order_report report;
    rcp_order_report_init(&report);
    rcp_code code = write_far(directory, far);
    double start = now(CLOCK_MONOTONIC), busy = now(CLOCK_PROCESS_CPUTIME_ID);
    if (code == RCP_OK)
        code = analyze(directory, &report);
    if (code == RCP_OK) {
        printf("a race %" PRIu64 " events apart: %.1f s (%.1f s of a processor)\n", far, now(CLOCK_MONOTONIC) - start,
               now(CLOCK_PROCESS_CPUTIME_ID) - busy);
        for (size_t i = 0; i < report.races.len; i++) {
            const rcp_race *race = &report.races.at[i];
            printf("  events %" PRIu64 " and %" PRIu64 ": %s, %s; witness: %" PRIu64 " events as recorded, %zu steps\n",
                   race->event[0].v, race->event[1].v, rcp_race_status_name(race->status), race->model,
                   race->witness.recorded, race->witness.steps.len);
        }
    }
    rcp_order_report_finish(&report);
    unlink(file);
    rmdir(directory);
    rmdir(parent);
    return code;
}

int main(int argc, char **argv) {
    uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    uint64_t far = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000;
    printf("growth, %d threads:\n", THREADS);
    for (uint64_t events = 100000; events <= most; events *= 10)
        for (rcp_model model = RCP_MODEL_SDP; model <= RCP_MODEL_WDP; model++)
            if (grow(model, events))
                return 1;
    rcp_code code = find_far(far);
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    return code == RCP_OK ? 0 : 1;
}
