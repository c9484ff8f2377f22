/* SPDX-License-Identifier: Apache-2.0 */
/* Small traces for tests, written event by event, and schedules written as strings: in "1121" T1 runs two events, T2
 * one, T1 one more. Threads are numbered from 1, as in messages. One trace at a time, made by start() and dropped by
 * stop(). */
#ifndef RECIPE_TESTS_BUILDER_H
#define RECIPE_TESTS_BUILDER_H

#include "suite.h"
#include "trace/check/checker.h"

#include <string.h>

static rcp_trace trace;

static inline void start(void) {
    rcp_trace_init(&trace);
    for (const char *const *name = (const char *const[]){"T1", "T2", "T3", "T4", NULL}; *name; name++)
        (void)rcp_defs_thread(&trace.defs, *name);
}

static inline void stop(void) { rcp_trace_finish(&trace); }

static inline uint64_t add(unsigned thread, rcp_event event) {
    event.tid.v = thread - 1;
    rcp_code code = rcp_trace_add(&trace, &event);
    ck_assert_msg(code == RCP_OK, "%s", code == RCP_OK ? "" : rcp_borrow_cause(0));
    return trace.events.len - 1;
}

static inline rcp_obj object(rcp_object_kind kind, const char *name, uint64_t initial) {
    return rcp_defs_object(&trace.defs, kind, name, 0, initial);
}

/* Any event of a synchronisation object. */
static inline uint64_t on(unsigned thread, rcp_kind kind, rcp_obj what) {
    return add(thread, (rcp_event){.kind = kind, .object = what});
}
static inline uint64_t on_as(unsigned thread, rcp_kind kind, rcp_obj what, rcp_outcome outcome) {
    return add(thread, (rcp_event){.kind = kind, .object = what, .outcome = outcome});
}
static inline uint64_t on_shared(unsigned thread, rcp_kind kind, rcp_obj what, rcp_outcome outcome) {
    return add(thread, (rcp_event){.kind = kind, .object = what, .outcome = outcome, .mode = RCP_SHARED});
}
static inline uint64_t on_cond(unsigned thread, rcp_kind kind, rcp_obj what, rcp_obj lock, rcp_outcome outcome) {
    return add(thread, (rcp_event){.kind = kind, .object = what, .lock = lock, .outcome = outcome});
}
static inline uint64_t plain(unsigned thread, rcp_kind kind) { return add(thread, (rcp_event){.kind = kind}); }
static inline uint64_t about(unsigned thread, rcp_kind kind, unsigned child, rcp_outcome outcome) {
    return add(thread, (rcp_event){.kind = kind, .child = {child - 1}, .outcome = outcome});
}
/* Valued accesses of 4 bytes. */
static inline uint64_t rd(unsigned thread, uint64_t addr, uint64_t value) {
    return add(thread, (rcp_event){.kind = RCP_READ, .addr = addr, .size = 4, .value = value, .valued = 1});
}
static inline uint64_t wr(unsigned thread, uint64_t addr, uint64_t value) {
    return add(thread, (rcp_event){.kind = RCP_WRITE, .addr = addr, .size = 4, .value = value, .valued = 1});
}
static inline uint64_t wr_term(unsigned thread, uint64_t addr, uint64_t value, rcp_term term) {
    return add(
        thread,
        (rcp_event){.kind = RCP_WRITE, .addr = addr, .size = 4, .value = value, .valued = 1, .value_term = term});
}
static inline uint64_t block(unsigned thread, rcp_kind kind, uint64_t addr, uint64_t bytes, rcp_outcome outcome) {
    return add(thread, (rcp_event){.kind = kind, .addr = addr, .value = bytes, .outcome = outcome});
}
static inline uint64_t br(unsigned thread, uint64_t value, rcp_term cond) {
    return add(thread, (rcp_event){.kind = RCP_BRANCH, .value = value, .valued = 1, .cond = cond});
}
static inline uint64_t opaque(unsigned thread, rcp_kind kind, uint64_t lo, uint64_t hi) {
    rcp_reach reach;
    ck_assert_int_eq(rcp_defs_reach(&trace.defs, &(rcp_span){lo, hi}, 1, &reach), RCP_OK);
    return add(thread, (rcp_event){.kind = kind, .reach = reach});
}

/* The whole of a 4-byte read as a term. */
static inline rcp_term of(uint64_t read) { return rcp_term_read(&trace.terms, (rcp_eid){read}, 0, 32); }
static inline rcp_term lit(uint64_t value) { return rcp_term_const(&trace.terms, 32, value); }
static inline rcp_term op(rcp_op what, rcp_term a, rcp_term b) {
    return rcp_term_make(&trace.terms, what, 0, a, b, (rcp_term){0});
}

static rcp_check_options how = {.values = RCP_VALUES_SAME};

static inline rcp_check_verdict judge(const char *schedule, uint64_t race_a, uint64_t race_b) {
    rcp_position done[4] = {0};
    rcp_witness witness;
    rcp_check_verdict verdict;
    rcp_trace_index(&trace);
    rcp_witness_init(&witness);
    for (const char *at = schedule; *at; at++)
        rcp_witness_run(&witness, (rcp_tid){(uint32_t)(*at - '1')}, ++done[*at - '1']);
    witness.race[0].v = race_a;
    witness.race[1].v = race_b;
    rcp_code code = rcp_check_witness(&trace, &witness, how, &verdict);
    ck_assert_msg(code == RCP_OK, "%s", code == RCP_OK ? "" : rcp_borrow_cause(0));
    rcp_witness_finish(&witness);
    return verdict;
}

#define NONE UINT64_MAX

#define ACCEPT_RACE(schedule, a, b)                                                                                    \
    do {                                                                                                               \
        rcp_check_verdict v_ = judge(schedule, a, b);                                                                  \
        ck_assert_msg(v_.accepted, "\"%s\" refused at event %lld: %s", schedule, (long long)v_.at.v, v_.reason);       \
    } while (0)

#define REFUSE_RACE(schedule, a, b, where, reason_part)                                                                \
    do {                                                                                                               \
        rcp_check_verdict v_ = judge(schedule, a, b);                                                                  \
        ck_assert_msg(!v_.accepted, "\"%s\" accepted", schedule);                                                      \
        ck_assert_msg(v_.at.v == (uint64_t)(where), "\"%s\": at event %lld, not %lld: %s", schedule,                   \
                      (long long)v_.at.v, (long long)(where), v_.reason);                                              \
        ck_assert_msg(strstr(v_.reason, reason_part), "\"%s\": '%s' does not say '%s'", schedule, v_.reason,           \
                      reason_part);                                                                                    \
    } while (0)

#define ACCEPT(schedule)                     ACCEPT_RACE(schedule, NONE, NONE)
#define REFUSE(schedule, where, reason_part) REFUSE_RACE(schedule, NONE, NONE, where, reason_part)

/* A suite of one case with the fixture above; `how` is the default again before each test. */
static inline void fresh(void) {
    how = (rcp_check_options){.values = RCP_VALUES_SAME};
    start();
}

static inline int run_tests(const char *name, const TTest *const *tests, size_t n) {
    TCase *all = rcp_suite_case();
    tcase_add_checked_fixture(all, fresh, stop);
    for (size_t i = 0; i < n; i++)
        tcase_add_test(all, tests[i]);
    return rcp_suite_run_case(name, all);
}

#define RUN_TESTS(name, tests) run_tests(name, tests, sizeof(tests) / sizeof *(tests))

#endif
