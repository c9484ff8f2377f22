/* SPDX-License-Identifier: Apache-2.0 */
/* Which accesses conflict, byte by byte, life by life, and which of a thread's is named. */
#include "order/engine/history.h"

#include "order_text.h"
#include "suite.h"

#define X "var x 0x1000 8\n"

START_TEST(reads_and_writes) {
    expect_both(X "T1 r x\nT2 r x\n", "");
    expect_both(X "T1 r x\nT2 w x\n", "T2.0~T1.0");
    expect_both(X "T1 w x\nT2 r x\n", "T2.0~T1.0");
    expect_both(X "T1 w x\nT1 r x\nT1 w x\n", "");
}
END_TEST

START_TEST(atomics_race_with_plain_accesses_only) {
    expect_both(X "T1 w x relaxed\nT2 w x relaxed\nT3 rmw x seq_cst\n", "");
    expect_both(X "T1 w x relaxed\nT2 w x\n", "T2.0~T1.0");
    expect_both(X "T1 r x relaxed\nT2 w x\n", "T2.0~T1.0");
    expect_both(X "T1 r x\nT2 r x relaxed\nT3 rmw x relaxed\n", "T3.0~T1.0");
    expect_both(X "T1 r x relaxed\nT2 r x\n", "");
}
END_TEST

START_TEST(an_atomic_read_comes_after_what_it_reads_from) {
    expect_both(X "var y 0x2000 4\nT1 w y\nT1 w x release\nT2 r x acquire\nT2 w y\n", "");
    expect_both(X "var y 0x2000 4\nT1 w y\nT1 w x release\nT3 w x relaxed\nT2 r x acquire\nT2 w y\n", "T2.1~T1.0");
    /* the bytes it reads, not the variable */
    expect_both(X "var y 0x2000 4\nT1 w y\nT1 w x+0:4 release\nT2 r x+4:4 acquire\nT2 w y\n", "T2.1~T1.0");
    expect_both(X "var y 0x2000 4\nT1 w y\nT1 w x+0:4 release\nT2 r x+3:4 acquire\nT2 w y\n", "");
}
END_TEST

START_TEST(the_last_of_each_thread_is_named) {
    expect_hb(X "T1 w x\nT1 r x\nT2 r x\nT2 r x\nT3 w x\n", "T2.0~T1.0 T2.1~T1.0 T3.0~T1.1 T3.0~T2.1");
    expect_both(X "T1 w x\nT1 r x\nT3 r x\n", "T3.0~T1.0"); /* its read does not conflict */
    /* a covering write does not make those before it forgotten */
    expect_both(X "mutex m\nT1 acq m\nT1 w x\nT1 rel m\nT2 acq m\nT2 w x\nT2 rel m\nT3 w x\n", "T3.0~T1.1 T3.0~T2.1");
}
END_TEST

START_TEST(mixed_widths) {
    expect_both(X "T1 w x+0:4\nT2 w x+4:4\n", "");
    expect_both(X "T1 w x+0:4\nT2 w x+3:2\n", "T2.0~T1.0");
    expect_hb(X "T1 w x\nT2 r x+7:1\nT2 r x+0:1\n", "T2.0~T1.0 T2.1~T1.0");
    expect_both(X "T1 w x+0:1\nT1 w x+7:1\nT2 r x+1:6\nT2 r x\n", "T2.1~T1.1");
    /* across granules and lines */
    expect_both("T1 w 0x103e:4\nT2 r 0x1041:1\nT2 r 0x1042:1\nT2 r 0x103d:1\n", "T2.0~T1.0");
    expect_both("T1 w 0x1000:200\nT2 r 0x10c7:1\nT2 r 0x10c8:1\n", "T2.0~T1.0");
    expect_both("T1 w 0x1003:1\nT2 r 0x1000:16\nT1 w 0x100f:1\n", "T2.0~T1.0 T1.1~T2.0");
}
END_TEST

START_TEST(an_access_tells_apart_what_came_before_byte_by_byte) {
    expect_both(X "mutex m\nT1 w x+0:4\nT1 acq m\nT1 rel m\nT1 w x+4:4\nT2 acq m\nT2 rel m\nT2 w x+0:4\nT2 w x\n",
                "T2.3~T1.3");
}
END_TEST

START_TEST(lives_of_memory) {
    expect_both("T1 alloc 0x1000:8\nT1 w 0x1000:8\nT1 free 0x1000:8\nT2 alloc 0x1000:8\nT2 w 0x1000:8\n", "");
    /* the block is there before its use, and that is all that the ALLOC says */
    expect_both(X "T1 w x\nT1 alloc 0x2000:8\nT2 w 0x2000:8\nT2 w x\n", "");
    expect_both("T1 alloc 0x2000:8\nT1 w 0x2000:8\nT2 w 0x2000:8\n", "T2.0~T1.1");
    /* a use that is not ordered before the FREE, and one after it */
    expect_both("T1 alloc 0x2000:8\nT1 r 0x2000:8\nT2 free 0x2000:8\n", "T2.0~T1.1");
    expect_hb("T1 alloc 0x2000:16\nT1 free 0x2000:16\nT2 r 0x2008:4\nT2 r 0x2008:4 relaxed\n", "T2.0~T1.1 T2.1~T1.1");
    expect_shb("T1 alloc 0x2000:16\nT1 free 0x2000:16\nT2 r 0x2008:4\nT2 r 0x2008:4\n", "T2.0~T1.1");
    expect_both("T1 alloc 0x2000:16\nT1 free 0x2000:16\nT2 free 0x2000:16\n", "T2.0~T1.1");
    /* part of a block, part of a cell */
    expect_both(X "T1 w x\nT1 free x+4:4\nT2 w x+0:4\n", "T2.0~T1.0");
    expect_both(X "T1 w x\nT1 free x+4:4\nT2 alloc x+4:4\nT2 w x\n", "");
    expect_both("T1 w 0x1000:1\nT1 w 0x500000:1\nT2 free 0x1000:0x500000\n", "T2.0~T1.1");
    expect_both("T1 w 0x1000:1\nT1 w 0x500000:1\nT2 free 0x1000:0x4ff000\n", "T2.0~T1.0");
}
END_TEST

START_TEST(schedulable) {
    const char *t = X "var y 0x2000 8\nT1 w y\nT1 w x\nT2 r x\nT2 w y\n";
    expect_hb(t, "T2.0~T1.1 T2.1~T1.0");
    expect_shb(t, "T2.0~T1.1"); /* the read of x has come after the write by then */
    expect_shb(X "var y 0x2000 8\nT1 w y\nT1 w x\nT2 w x\nT2 w y\n", "T2.0~T1.1 T2.1~T1.0");
    expect_shb(X "T1 w x+0:4\nT3 w x+4:4\nT2 r x\nT2 w x\n", "T2.0~T1.0 T2.0~T3.0");
}
END_TEST

START_TEST(opaque_code) {
    const char *r = X
        "var y 0x2000 8\nvar z 0x3000 8\nreach R 0x1000-0x1008\nreach none\nreach T1 0x1000001000000-0x1000001000001\n";
    char lines[500];
    snprintf(lines, sizeof lines, "%sT1 w y\nT1 opaque-begin reaches R\nT2 opaque-begin reaches R\nT2 w y\n", r);
    expect_both(lines, "");
    snprintf(lines, sizeof lines, "%sT1 w y\nT1 opaque-begin reaches R\nT2 opaque-begin reaches T1\nT2 w y\n", r);
    expect_both(lines, "T2.1~T1.0");
    snprintf(lines, sizeof lines,
             "fact barriers simple\n%sT1 w y\nT1 opaque-begin reaches R\nT2 opaque-begin reaches none\nT2 w y\n", r);
    expect_both(lines, "");
    /* it reads what was written within its reach, and is read from */
    snprintf(lines, sizeof lines, "%sT1 w y\nT1 w x\nT2 opaque-begin reaches R\nT2 w y\n", r);
    expect_both(lines, "");
    snprintf(lines, sizeof lines, "%sT1 w y\nT1 w 0x1008:4\nT2 opaque-begin reaches R\nT2 w y\n", r);
    expect_both(lines, "T2.1~T1.0");
    snprintf(lines, sizeof lines, "%sT1 w y\nT1 opaque-begin reaches R\nT2 r x\nT2 w y\n", r);
    expect_both(lines, "");
    snprintf(lines, sizeof lines,
             "%sT1 w y\nT1 opaque-begin reaches R\nT1 opaque-end reaches R\nT2 w x\nT2 r x\nT2 w y\n", r);
    expect_both(lines, "T2.2~T1.0");
    /* a wide access is told apart at the border of the reach */
    snprintf(lines, sizeof lines, "%sT3 r 0x1004:8\nT1 w y\nT1 opaque-begin reaches R\nT2 r 0x1008:4\nT2 w y\n", r);
    expect_both(lines, "T2.1~T1.0");
    /* P1: callbacks, what an open pair reaches, and ENDs are in line */
    snprintf(lines, sizeof lines, "%sT1 opaque-begin reaches R\nT2 opaque-begin reaches R\nT1 w y\nT2 w y\nT3 w y\n",
             r);
    expect_both(lines, "T3.0~T1.1 T3.0~T2.1");
    snprintf(lines, sizeof lines, "%sT3 opaque-begin reaches R\nT1 w y\nT1 r x\nT3 r z\nT2 r x\nT2 w y\n", r);
    expect_both(lines, "");
    snprintf(lines, sizeof lines, "%sT3 opaque-begin reaches R\nT1 w y\nT1 r x\nT2 r x\nT2 w y\n", r);
    expect_both(lines, "T2.1~T1.0");
    snprintf(lines, sizeof lines,
             "%sT3 opaque-begin reaches R\nT3 opaque-end reaches R\nT1 w y\nT1 r x\nT2 r x\nT2 w y\n", r);
    expect_both(lines, "T2.1~T1.0");
    snprintf(lines, sizeof lines, "%sT1 w y\nT1 end\nT2 opaque-begin reaches T1\nT2 w y\n", r);
    expect_both(lines, "");
    /* what an opaque event wrote into a block goes with the block */
    snprintf(lines, sizeof lines,
             "%sT1 w y\nT1 opaque-begin reaches R\nT1 opaque-end reaches R\nT3 alloc x\nT2 r x\nT2 w y\n", r);
    expect_both(lines, "T2.1~T1.0");
}
END_TEST

static void remember(void *context, const rcp_order_race *race) { *(rcp_order_race *)context = *race; }

START_TEST(what_a_race_says) {
    rcp_trace trace;
    rcp_order_race race = {0};
    parse_trace(&trace, "T1 rmw 0x1002:8 seq_cst @ a.c:1\nT2 w 0x1000:4 @ a.c:2\n");
    rcp_engine *engine = rcp_engine_create(rcp_rules_of(RCP_MODEL_HB), &trace.defs, remember, &race);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(rcp_engine_add(engine, (rcp_eid){i}, &trace.events.at[i]), RCP_OK);
    ck_assert_uint_eq(race.eid.v, 1);
    ck_assert_uint_eq(race.lo, 0x1002);
    ck_assert_uint_eq(race.hi, 0x1004);
    ck_assert_uint_eq(race.earlier.loc.v, trace.events.at[0].loc.v);
    ck_assert_uint_eq(race.later.loc.v, trace.events.at[1].loc.v);
    ck_assert(race.earlier.kind == RCP_RMW && race.earlier.atomic);
    ck_assert(race.later.kind == RCP_WRITE && !race.later.atomic);
    ck_assert_uint_eq(rcp_engine_statistics(engine).flagged, 1);
    rcp_engine_destroy(engine);
    rcp_trace_finish(&trace);
}
END_TEST

/* Blocks that come and go leave nothing behind. */
START_TEST(memory_is_that_of_live_locations) {
    rcp_defs defs;
    rcp_defs_init(&defs);
    rcp_tid threads[2] = {rcp_defs_thread(&defs, NULL), rcp_defs_thread(&defs, NULL)};
    rcp_engine *engine = rcp_engine_create(rcp_rules_of(RCP_MODEL_SHB), &defs, NULL, NULL);
    size_t early = 0;
    uint64_t eid = 0;
    for (int round = 0; round < 2000; round++) {
        uint64_t at = 0x100000 + (uint64_t)round % 7 * 0x10000;
        rcp_event events[] = {
            {.kind = RCP_ALLOC, .addr = at, .value = 4096},
            {.kind = RCP_WRITE, .addr = at + 8, .size = 8},
            {.kind = RCP_READ, .addr = at + 9, .size = 300, .tid = threads[1]},
            {.kind = RCP_RMW, .addr = at + 1024, .size = 4, .mode = RCP_SEQ_CST, .tid = threads[1]},
            {.kind = RCP_FREE, .addr = at, .value = 4096},
        };
        for (size_t i = 0; i < sizeof events / sizeof *events; i++)
            ck_assert_int_eq(rcp_engine_add(engine, (rcp_eid){eid++}, &events[i]), RCP_OK);
        rcp_engine_stats stats = rcp_engine_statistics(engine);
        if (round == 20)
            early = stats.clock_bytes + stats.history_bytes;
        if (round > 20)
            ck_assert_uint_lt(stats.clock_bytes + stats.history_bytes, early + early / 4);
    }
    rcp_engine_destroy(engine);
    rcp_defs_finish(&defs);
}
END_TEST

START_TEST(many_threads_on_one_place) {
    rcp_defs defs;
    rcp_defs_init(&defs);
    enum { MANY = 10000 };
    for (size_t i = 0; i <= MANY; i++)
        rcp_defs_thread(&defs, NULL);
    rcp_engine *engine = rcp_engine_create(rcp_rules_of(RCP_MODEL_HB), &defs, NULL, NULL);
    uint64_t eid = 0;
    for (int round = 0; round < 3; round++)
        for (uint32_t t = 0; t < MANY; t++)
            ck_assert_int_eq(rcp_engine_add(engine, (rcp_eid){eid++},
                                            &(rcp_event){.kind = RCP_READ, .tid = {t}, .addr = 64, .size = 8}),
                             RCP_OK);
    ck_assert_int_eq(
        rcp_engine_add(engine, (rcp_eid){eid++}, &(rcp_event){.kind = RCP_WRITE, .tid = {MANY}, .addr = 64, .size = 8}),
        RCP_OK);
    ck_assert_uint_eq(rcp_engine_statistics(engine).races, MANY);
    rcp_engine_destroy(engine);
    rcp_defs_finish(&defs);
}
END_TEST

int main(void) {
    return rcp_suite_run("history", reads_and_writes, atomics_race_with_plain_accesses_only,
                         an_atomic_read_comes_after_what_it_reads_from, the_last_of_each_thread_is_named, mixed_widths,
                         an_access_tells_apart_what_came_before_byte_by_byte, lives_of_memory, schedulable, opaque_code,
                         what_a_race_says, memory_is_that_of_live_locations, many_threads_on_one_place, NULL);
}
