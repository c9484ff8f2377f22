/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/log_reader.h"

#include "log_builder.h"
#include "suite.h"

static const uint64_t end = LOG_NO_MORE;

static rcp_log *open_log(log_builder *b) {
    rcp_log *log;
    log_commit(b);
    ck_assert_int_eq(rcp_log_open_memory("log", b->bytes.at, b->bytes.len, &log), RCP_OK);
    return log;
}

static rcp_log_record next(rcp_log *log) {
    rcp_log_record record;
    ck_assert_int_eq(rcp_log_next(log, &record), RCP_OK);
    return record;
}

START_TEST(differences_are_undone) {
    log_builder b = {0};
    uint8_t line[64] = {7};
    log_begin(&b);
    log_record(&b, RCP_LOG_SLICE, 0, 0, end, end);
    log_record(&b, RCP_LOG_STOP, 100, end, end, end);
    log_record(&b, RCP_LOG_SLICE, 3, 5, end, end); /* thread 0 stood at 105 */
    log_record(&b, RCP_LOG_MISS, 10, rcp_zigzag(1000), end, end);
    log_bytes(&b, line, sizeof line);
    log_record(&b, RCP_LOG_MISS_ZERO, 0, rcp_zigzag(-1), end, end);
    log_record(&b, RCP_LOG_SLICE, 0, 2, end, end);
    log_record(&b, RCP_LOG_STOP, 1, end, end, end);
    log_record(&b, RCP_LOG_ALLOC, rcp_zigzag(4096), 32, RCP_ALLOC_ZEROED, end);
    log_record(&b, RCP_LOG_FREE, rcp_zigzag(-96), end, end, end);
    rcp_log *log = open_log(&b);
    ck_assert_int_eq(next(log).tag, RCP_LOG_SLICE);
    ck_assert_uint_eq(next(log).position, 100);
    rcp_log_record r = next(log);
    ck_assert_uint_eq(r.thread, 3);
    ck_assert_uint_eq(r.position, 105);
    r = next(log);
    ck_assert_int_eq(r.tag, RCP_LOG_MISS);
    ck_assert_uint_eq(r.position, 10);
    ck_assert_uint_eq(r.address, 64000);
    ck_assert_mem_eq(r.bytes, line, 64);
    r = next(log);
    ck_assert_uint_eq(r.position, 10);
    ck_assert_uint_eq(r.address, 64000 - 64);
    ck_assert_uint_eq(next(log).position, 12);
    r = next(log);
    ck_assert_uint_eq(r.thread, 0);
    ck_assert_uint_eq(r.position, 106);
    r = next(log);
    ck_assert_uint_eq(r.address, 4096);
    ck_assert_uint_eq(r.kind, RCP_ALLOC_ZEROED);
    ck_assert_uint_eq(next(log).address, 4000);
    ck_assert_int_eq(next(log).tag, RCP_LOG_END);
    ck_assert_int_eq(next(log).tag, RCP_LOG_END);
    ck_assert_uint_eq(rcp_log_consumed(log), rcp_log_length(log));
    rcp_log_close(log);
    rcp_vec_finish(&b.bytes);
}
END_TEST

START_TEST(objects_go_through_their_slots) {
    log_builder b = {0};
    const uint64_t mutex = 0x1000, cond = 0x2008;
    log_begin(&b);
    log_record(&b, RCP_LOG_SLICE, 0, 0, end, end);
    log_byte(&b, RCP_LOG_SYNC + RCP_SYNC_ACQUIRE);
    log_record(&b, 255, mutex, RCP_SYNC_MUTEX, RCP_SYNC_FAILED, end);
    log_byte(&b, RCP_LOG_SYNC + RCP_SYNC_WAIT);
    log_record(&b, 255, cond, RCP_SYNC_COND, end, end);
    log_byte(&b, (uint8_t)RCP_LOG_SLOT(mutex));
    log_byte(&b, RCP_LOG_SYNC + RCP_SYNC_INIT);
    log_byte(&b, (uint8_t)RCP_LOG_SLOT(cond));
    log_number(&b, 300);
    rcp_log *log = open_log(&b);
    next(log);
    rcp_log_record r = next(log);
    ck_assert_int_eq(r.tag, RCP_LOG_SYNC);
    ck_assert_int_eq(r.op, RCP_SYNC_ACQUIRE);
    ck_assert_uint_eq(r.address, mutex);
    ck_assert_int_eq(r.outcome, RCP_SYNC_FAILED);
    r = next(log);
    ck_assert_uint_eq(r.address, cond);
    ck_assert_uint_eq(r.second, mutex);
    ck_assert_int_eq(r.second_object, RCP_SYNC_MUTEX);
    r = next(log);
    ck_assert_uint_eq(r.address, cond);
    ck_assert_uint_eq(r.value, 300);
    rcp_log_close(log);
    rcp_vec_finish(&b.bytes);
}
END_TEST

START_TEST(arguments_are_values_or_bytes) {
    log_builder b = {0};
    log_begin(&b);
    log_record(&b, RCP_LOG_SLICE, 0, 0, end, end);
    log_record(&b, RCP_LOG_CALLBACK, 0x4000, 2 * 2 + 1, 10, end);
    log_record(&b, 0, 77, end, end, end);
    log_record(&b, 1, 3, end, end, end);
    log_bytes(&b, "abc", 3);
    rcp_log *log = open_log(&b);
    next(log);
    rcp_log_record r = next(log);
    ck_assert_uint_eq(r.address, 0x4000);
    ck_assert_uint_eq(r.value, 10);
    ck_assert_uint_eq(r.size, 2);
    rcp_log_argument argument;
    const uint8_t *at = rcp_log_argument_next(r.bytes, r.end, &argument);
    ck_assert_ptr_null(argument.bytes);
    ck_assert_uint_eq(argument.value, 77);
    at = rcp_log_argument_next(at, r.end, &argument);
    ck_assert_uint_eq(argument.n, 3);
    ck_assert_mem_eq(argument.bytes, "abc", 3);
    ck_assert_ptr_eq(at, r.end);
    rcp_log_close(log);
    rcp_vec_finish(&b.bytes);
}
END_TEST

/* Three records, each with a checksum behind it. */
static void build_chunks(log_builder *b, size_t ends[3]) {
    log_begin(b);
    for (size_t i = 0; i < 3; i++) {
        log_record(b, RCP_LOG_SLICE, i, 0, end, end);
        log_sum(b);
        ends[i] = b->bytes.len;
    }
}

/* A file that has lost its end is read up to the last checksum within, whatever record the cut hits. */
START_TEST(a_log_without_its_end) {
    log_builder b = {0};
    size_t ends[3];
    build_chunks(&b, ends);
    log_close(&b);
    for (size_t n = 0; n < b.bytes.len; n++) {
        rcp_log *log;
        rcp_log_record record;
        size_t whole = 0;
        while (whole < 3 && ends[whole] <= n)
            whole++;
        rcp_code code = rcp_log_open_memory("log", b.bytes.at, n, &log);
        ck_assert_int_eq(code, whole ? RCP_OK : RCP_BAD_INPUT);
        if (code != RCP_OK) {
            rcp_clear_causes();
            continue;
        }
        ck_assert_uint_eq(rcp_log_borrow_header(log)->ended, RCP_ENDED_NOT);
        for (size_t i = 0; i < whole; i++)
            ck_assert_uint_eq(next(log).thread, i);
        ck_assert_int_eq(rcp_log_next(log, &record), RCP_OK);
        ck_assert_int_eq(record.tag, RCP_LOG_END);
        rcp_log_close(log);
    }
    rcp_vec_finish(&b.bytes);
}
END_TEST

/* Each byte that says something, changed in each way, in a log that was closed and in one whose program was killed. */
START_TEST(a_changed_byte_is_refused) {
    log_builder b = {0};
    size_t ends[3];
    for (int closed = 0; closed < 2; closed++) {
        build_chunks(&b, ends);
        closed ? log_close(&b) : log_commit(&b);
        size_t head = closed ? sizeof(struct rcp_log_header) : offsetof(struct rcp_log_header, length);
        for (size_t i = 0; i < b.bytes.len; i++)
            for (unsigned change = 1; change < 256 && (i < head || i >= RCP_LOG_HEADER_SIZE); change++) {
                rcp_log *log;
                b.bytes.at[i] ^= (uint8_t)change;
                ck_assert_int_eq(rcp_log_open_memory("log", b.bytes.at, b.bytes.len, &log), RCP_BAD_INPUT);
                ck_assert_int_eq(strncmp(rcp_borrow_cause(0), "log: ", 5), 0);
                rcp_clear_causes();
                b.bytes.at[i] ^= (uint8_t)change;
            }
    }
    rcp_vec_finish(&b.bytes);
}
END_TEST

START_TEST(what_is_no_log_is_refused) {
    log_builder b = {0};
    rcp_log *log;
    rcp_log_record record;
    log_begin(&b);
    log_record(&b, RCP_LOG_STOP, 1, end, end, end); /* before any SLICE */
    log = open_log(&b);
    ck_assert_int_eq(rcp_log_next(log, &record), RCP_BAD_INPUT);
    rcp_log_close(log);
    log_begin(&b);
    log_record(&b, RCP_LOG_SLICE, 0, 0, end, end);
    log_byte(&b, 63);
    log = open_log(&b);
    next(log);
    ck_assert_int_eq(rcp_log_next(log, &record), RCP_BAD_INPUT);
    rcp_log_close(log);
    b.bytes.at[8]++; /* the version */
    ck_assert_int_eq(rcp_log_open_memory("log", b.bytes.at, b.bytes.len, &log), RCP_BAD_INPUT);
    b.bytes.at[0]++;
    ck_assert_int_eq(rcp_log_open_memory("log", b.bytes.at, b.bytes.len, &log), RCP_BAD_INPUT);
    rcp_vec_finish(&b.bytes);
}
END_TEST

int main(void) {
    return rcp_suite_run("log_reader", differences_are_undone, objects_go_through_their_slots,
                         arguments_are_values_or_bytes, a_log_without_its_end, a_changed_byte_is_refused,
                         what_is_no_log_is_refused, NULL);
}
