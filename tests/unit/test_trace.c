/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/trace.h"

#include "suite.h"

#include <string.h>

static rcp_trace trace;

static void setup_trace(void) {
    rcp_trace_init(&trace);
    rcp_defs_thread(&trace.defs, "main");
    rcp_defs_thread(&trace.defs, NULL);
    rcp_defs_object(&trace.defs, RCP_MUTEX, "m", 0, 0);
    rcp_defs_object(&trace.defs, RCP_RWLOCK, "l", 0, 0);
    rcp_defs_object(&trace.defs, RCP_COND, "c", 0, 0);
}

#define MUTEX  ((rcp_obj){0})
#define RWLOCK ((rcp_obj){1})
#define COND   ((rcp_obj){2})

static void takes(rcp_event e) { ck_assert_int_eq(rcp_trace_add(&trace, &e), RCP_OK); }

static void refuses(rcp_event e, const char *why) {
    ck_assert_int_eq(rcp_trace_add(&trace, &e), RCP_BAD_INPUT);
    ck_assert_msg(strstr(rcp_borrow_cause(0), why) != NULL, "'%s' does not speak of '%s'", rcp_borrow_cause(0), why);
}

START_TEST(only_sound_events_get_in) {
    setup_trace();
    rcp_term wide = rcp_term_const(&trace.terms, 64, 1), narrow = rcp_term_const(&trace.terms, 8, 1);
    takes((rcp_event){.kind = RCP_WRITE, .addr = 8, .size = 4, .value = 0xffffffff, .valued = 1});
    takes((rcp_event){.kind = RCP_READ, .addr = 8, .size = 1, .addr_term = wide, .value_term = {0}});
    takes((rcp_event){.kind = RCP_ACQUIRE, .object = RWLOCK, .mode = RCP_SHARED});
    takes((rcp_event){.kind = RCP_WAIT, .object = COND, .lock = MUTEX});
    takes((rcp_event){.kind = RCP_BRANCH, .cond = RCP_TERM_ALL});
    refuses((rcp_event){.kind = RCP_KINDS}, "kind");
    refuses((rcp_event){.kind = RCP_BEGIN, .tid = {2}}, "thread 2");
    refuses((rcp_event){.kind = RCP_FORK, .child = {9}}, "thread 9");
    refuses((rcp_event){.kind = RCP_BEGIN, .outcome = RCP_FAILED}, "outcome");
    refuses((rcp_event){.kind = RCP_WRITE, .addr = 8, .size = 0}, "0 bytes");
    refuses((rcp_event){.kind = RCP_WRITE, .addr = 8, .size = RCP_ACCESS_MAX + 1}, "divide it");
    refuses((rcp_event){.kind = RCP_WRITE, .addr = 8, .size = 1, .value = 256, .valued = 1}, "wider");
    refuses((rcp_event){.kind = RCP_RMW, .addr = 8, .size = 1, .value = 1, .valued = 1}, "atomic");
    refuses((rcp_event){.kind = RCP_READ, .addr = UINT64_MAX, .size = 2}, "address space");
    refuses((rcp_event){.kind = RCP_ALLOC, .addr = 16, .value = UINT64_MAX}, "address space");
    refuses((rcp_event){.kind = RCP_ACQUIRE, .object = COND}, "not for a cond");
    refuses((rcp_event){.kind = RCP_ACQUIRE, .object = MUTEX, .mode = RCP_SHARED}, "shared");
    refuses((rcp_event){.kind = RCP_ACQUIRE, .object = {3}}, "object 3");
    refuses((rcp_event){.kind = RCP_WAIT, .object = COND, .lock = RWLOCK}, "needs a mutex");
    refuses((rcp_event){.kind = RCP_READ, .addr = 8, .size = 4, .value_term = RCP_TERM_ALL}, "no value term");
    refuses((rcp_event){.kind = RCP_WRITE, .addr = 8, .size = 4, .value_term = narrow}, "8 bits");
    refuses((rcp_event){.kind = RCP_WRITE, .addr = 8, .size = 4, .addr_term = narrow}, "64 are needed");
    refuses((rcp_event){.kind = RCP_BRANCH, .cond = {77}}, "does not exist");
    refuses((rcp_event){.kind = RCP_READ, .addr = 8, .size = 4, .loc = {1}}, "location 1");
    refuses((rcp_event){.kind = RCP_READ, .addr = 8, .size = 4, .stack = {1}}, "stack 1");
    refuses((rcp_event){.kind = RCP_OPAQUE_BEGIN, .reach = {1}}, "reach 1");
    refuses((rcp_event){.kind = RCP_END, .valued = 1}, "no value");
    ck_assert_uint_eq(trace.events.len, 5);
    rcp_trace_finish(&trace);
}
END_TEST

START_TEST(wide_values_are_copied) {
    setup_trace();
    uint8_t bytes[32], written[32];
    for (int i = 0; i < 32; i++) {
        bytes[i] = (uint8_t)i;
        written[i] = (uint8_t)(100 + i);
    }
    takes((rcp_event){.kind = RCP_RMW,
                      .mode = RCP_SEQ_CST,
                      .addr = 8,
                      .size = 16,
                      .valued = 1,
                      .bytes = bytes,
                      .written_bytes = written});
    memset(bytes, 0, sizeof bytes);
    const rcp_event *e = &trace.events.at[0];
    ck_assert_uint_eq(rcp_event_bytes(e)[5], 5);
    ck_assert_uint_eq(rcp_event_written(e)[5], 105);
    rcp_trace_finish(&trace);
}
END_TEST

START_TEST(index_finds_positions_and_lives) {
    setup_trace();
    rcp_tid one = {1};
    takes((rcp_event){.kind = RCP_WRITE, .addr = 0x10, .size = 4});              /* 0: life of the beginning */
    takes((rcp_event){.kind = RCP_ALLOC, .addr = 0x10, .value = 8, .tid = one}); /* 1 */
    takes((rcp_event){.kind = RCP_WRITE, .addr = 0x14, .size = 4, .tid = one});  /* 2: life 1 */
    takes((rcp_event){.kind = RCP_FREE, .addr = 0x10, .value = 8});              /* 3: ends life 1 */
    takes((rcp_event){.kind = RCP_READ, .addr = 0x17, .size = 1, .tid = one});   /* 4: use after free: life 3 */
    takes((rcp_event){.kind = RCP_READ, .addr = 0x18, .size = 1});               /* 5: beyond the block */
    rcp_trace_index(&trace);
    ck_assert_uint_eq(rcp_trace_thread_len(&trace, (rcp_tid){0}), 3);
    ck_assert_uint_eq(rcp_trace_thread_len(&trace, one), 3);
    ck_assert_uint_eq(rcp_trace_event_of(&trace, one, 2).v, 4);
    ck_assert_uint_eq(trace.position[3], 1);
    static const uint64_t lives[] = {0, 0, 2, 2, 4, 0};
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(trace.life[i], lives[i]);
    rcp_trace_finish(&trace);
}
END_TEST

START_TEST(conflicts_are_byte_precise) {
    rcp_event write = {.kind = RCP_WRITE, .addr = 8, .size = 4},
              read = {.kind = RCP_READ, .addr = 11, .size = 8, .tid = {1}};
    ck_assert(rcp_event_conflict(&write, &read));
    ck_assert(rcp_event_conflict(&read, &write));
    read.addr = 12;
    ck_assert(!rcp_event_conflict(&write, &read));
    read.addr = 1;
    ck_assert(rcp_event_conflict(&write, &read));
    read.size = 7;
    ck_assert(!rcp_event_conflict(&write, &read));
    read.size = 8;
    read.tid.v = 0;
    ck_assert(!rcp_event_conflict(&write, &read)); /* one thread */
    read.tid.v = 1;
    write.mode = RCP_RELAXED;
    ck_assert(rcp_event_conflict(&write, &read)); /* atomic with plain */
    read.mode = RCP_SEQ_CST;
    ck_assert(!rcp_event_conflict(&write, &read)); /* both atomic */
    rcp_event other = {.kind = RCP_READ, .addr = 8, .size = 4};
    ck_assert(!rcp_event_conflict(&other, &read)); /* two reads */
    rcp_event release = {.kind = RCP_FREE, .addr = 0, .value = 64, .tid = {2}};
    ck_assert(rcp_event_conflict(&release, &read)); /* a free writes, atomically or not */
    rcp_event top = {.kind = RCP_WRITE, .addr = UINT64_MAX - 1, .size = 1},
              low = {.kind = RCP_WRITE, .addr = 0, .size = 8, .tid = {1}};
    ck_assert(!rcp_event_conflict(&top, &low));
}
END_TEST

START_TEST(definitions_are_interned_and_found) {
    rcp_defs defs;
    rcp_defs_init(&defs);
    rcp_str a = rcp_defs_string(&defs, "a.c", 3), b = rcp_defs_string(&defs, "a.cc", 4);
    ck_assert_uint_ne(a.v, b.v);
    ck_assert_uint_eq(rcp_defs_string(&defs, "a.cc", 3).v, a.v);
    ck_assert_uint_eq(rcp_defs_string(&defs, "", 0).v, 0);
    rcp_loc here = rcp_defs_location(&defs, (rcp_location){.file = a, .line = 3});
    ck_assert_uint_eq(rcp_defs_location(&defs, (rcp_location){.file = a, .line = 3}).v, here.v);
    ck_assert_uint_ne(rcp_defs_location(&defs, (rcp_location){.file = a, .line = 4}).v, here.v);
    rcp_stack outer = rcp_defs_stack(&defs, (rcp_frame){.loc = here});
    ck_assert_uint_ne(rcp_defs_stack(&defs, (rcp_frame){.loc = here, .caller = outer}).v, outer.v);
    rcp_defs_variable(&defs, "s", 100, 16);
    rcp_defs_variable(&defs, "s.f", 104, 4);
    ck_assert_str_eq(rcp_defs_borrow_string(&defs, rcp_defs_find_variable(&defs, 107)->name), "s.f");
    ck_assert_str_eq(rcp_defs_borrow_string(&defs, rcp_defs_find_variable(&defs, 108)->name), "s");
    ck_assert_ptr_null(rcp_defs_find_variable(&defs, 116));
    rcp_span spans[] = {{10, 20}, {30, 40}}, wrong[] = {{10, 20}, {15, 40}};
    rcp_reach reach;
    ck_assert_int_eq(rcp_defs_reach(&defs, wrong, 2, &reach), RCP_BAD_INPUT);
    rcp_span followed[] = {{10, 20}, {RCP_REACH_FOLLOWED + 256, RCP_REACH_FOLLOWED + 258}},
             beyond[] = {{10, RCP_REACH_FOLLOWED + 300}};
    ck_assert_int_eq(rcp_defs_reach(&defs, beyond, 1, &reach), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_defs_reach(&defs, followed, 2, &reach), RCP_OK);
    ck_assert_uint_eq(defs.reaches.at[reach.v].n, 1);
    ck_assert_uint_eq(defs.reaches.at[reach.v].followed, 1);
    ck_assert(!rcp_defs_reach_holds(&defs, reach, followed[1].lo, followed[1].hi));
    ck_assert_int_eq(rcp_defs_reach(&defs, spans, 2, &reach), RCP_OK);
    ck_assert(rcp_defs_reach_holds(&defs, reach, 19, 25));
    ck_assert(rcp_defs_reach_holds(&defs, reach, 0, 11));
    ck_assert(!rcp_defs_reach_holds(&defs, reach, 20, 30));
    ck_assert(!rcp_defs_reach_holds(&defs, reach, 40, 50));
    ck_assert(!rcp_defs_implicit_branches(&defs));
    rcp_defs_fact(&defs, "branches", "implicit");
    ck_assert(rcp_defs_implicit_branches(&defs));
    rcp_defs_finish(&defs);
}
END_TEST

int main(void) {
    return rcp_suite_run("trace", only_sound_events_get_in, wide_values_are_copied, index_finds_positions_and_lives,
                         conflicts_are_byte_precise, definitions_are_interned_and_found, NULL);
}
