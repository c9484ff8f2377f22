/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/log_writer.h"

#include "abi/hooks.h"
#include "suite.h"

#include <string.h>

#define N(a) (sizeof(a) / sizeof *(a))

static const uint8_t line[64] = {1, 2, 3}, arguments[] = {0, 7, 1, 2, 9, 9}, addresses[] = {5, 6},
                     strings[] = {0x80, 0x20, 0, 9, 4};

static rcp_log *read_back(const rcp_log_writer *w, uint8_t **bytes) {
    rcp_log *log;
    struct rcp_log_header header = rcp_log_writer_header(w);
    *bytes = rcp_alloc_zero(RCP_LOG_HEADER_SIZE + w->bytes.len, 1);
    memcpy(*bytes, &header, sizeof header);
    memcpy(*bytes + RCP_LOG_HEADER_SIZE, w->bytes.at, w->bytes.len);
    ck_assert_int_eq(rcp_log_open_memory("log", *bytes, RCP_LOG_HEADER_SIZE + w->bytes.len, &log), RCP_OK);
    return log;
}

/* One of each, in an order in which differences go both ways. */
START_TEST(every_record_comes_back) {
    const rcp_log_record records[] = {
        {.tag = RCP_LOG_SLICE, .thread = 0},
        {.tag = RCP_LOG_THREAD,
         .value = 0,
         .second = 1,
         .address = 1 << 20,
         .room = 4096,
         .size = 2,
         .bytes = addresses,
         .end = addresses + 2},
        {.tag = RCP_LOG_CALLBACK, .address = 4000, .size = 2, .bytes = arguments, .end = arguments + sizeof arguments},
        {.tag = RCP_LOG_CALLBACK,
         .address = 4000,
         .value = 10,
         .size = 2,
         .bytes = arguments,
         .end = arguments + sizeof arguments},
        {.tag = RCP_LOG_SYNC, .op = RCP_SYNC_CREATE, .address = 3, .object = RCP_SYNC_THREAD},
        {.tag = RCP_LOG_SYNC,
         .op = RCP_SYNC_ACQUIRE,
         .address = 4096,
         .object = RCP_SYNC_MUTEX,
         .outcome = RCP_SYNC_FAILED},
        {.tag = RCP_LOG_SYNC,
         .op = RCP_SYNC_WAKE,
         .address = 8192,
         .object = RCP_SYNC_COND,
         .second = 4096,
         .second_object = RCP_SYNC_MUTEX,
         .outcome = RCP_SYNC_TIMEOUT},
        {.tag = RCP_LOG_SYNC, .op = RCP_SYNC_INIT, .address = 4096, .object = RCP_SYNC_SEM, .value = 12},
        {.tag = RCP_LOG_STOP, .position = 17},
        {.tag = RCP_LOG_SLICE, .thread = 3, .position = 17},
        {.tag = RCP_LOG_MISS, .position = 4, .address = 640, .size = 64, .bytes = line},
        {.tag = RCP_LOG_MISS_ZERO, .position = 4, .address = 64, .size = 64},
        {.tag = RCP_LOG_RETURN, .value = UINT64_MAX, .check = 200},
        {.tag = RCP_LOG_RETURN_0, .check = 1},
        {.tag = RCP_LOG_RETURN_BYTES, .size = 3, .bytes = line, .check = 2},
        {.tag = RCP_LOG_EFFECT, .address = 99, .size = 5, .bytes = line},
        {.tag = RCP_LOG_FILL, .address = 99, .size = 5, .value = 255},
        {.tag = RCP_LOG_COPY, .address = 99, .second = 7, .size = 5},
        {.tag = RCP_LOG_ALLOC, .address = 5000, .size = 16, .kind = RCP_ALLOC_ZEROED},
        {.tag = RCP_LOG_FREE, .address = 4000},
        {.tag = RCP_LOG_ALIAS, .address = 4096, .second = 8192, .size = 4096},
        {.tag = RCP_LOG_LANDING, .address = 77, .pad = 2, .second = 8, .value = 9, .check = 3},
        {.tag = RCP_LOG_JUMP, .address = 78, .value = 1},
        {.tag = RCP_LOG_LEFT, .value = 2},
        {.tag = RCP_LOG_VALUE, .value = 1},
        {.tag = RCP_LOG_FAULT, .value = 11, .address = 5, .position = 9, .size = 2},
        {.tag = RCP_LOG_NOTE, .size = 2, .bytes = line},
        {.tag = RCP_LOG_PART, .value = 1},
        {.tag = RCP_LOG_THREAD_END, .position = 20},
        {.tag = RCP_LOG_SLICE, .thread = 0, .position = 20},
        {.tag = RCP_LOG_SIGN, .value = RCP_SIGN_SIGNALLED, .address = 3},
        {.tag = RCP_LOG_STRINGS, .size = 2, .bytes = strings, .end = strings + sizeof strings},
        {.tag = RCP_LOG_EXIT, .value = 4},
    };
    const struct rcp_log_header header = {.magic = RCP_LOG_MAGIC,
                                          .version = RCP_LOG_VERSION,
                                          .abi = RCP_ABI_VERSION,
                                          .ended = RCP_ENDED_EXIT,
                                          .unseen = RCP_UNSEEN_SIGNALS | RCP_UNSEEN_CONSTANTS};
    rcp_log_writer w;
    rcp_log_writer_init(&w, &header);
    for (size_t i = 0; i < N(records); i++)
        rcp_log_writer_put(&w, &records[i]);
    uint8_t *bytes;
    rcp_log *log = read_back(&w, &bytes);
    ck_assert_uint_eq(rcp_log_borrow_header(log)->ended, RCP_ENDED_NOT);
    ck_assert_uint_eq(rcp_log_borrow_header(log)->unseen, RCP_UNSEEN_SIGNALS | RCP_UNSEEN_CONSTANTS);
    for (size_t i = 0; i < N(records); i++) {
        const rcp_log_record *a = &records[i];
        rcp_log_record b;
        ck_assert_int_eq(rcp_log_next(log, &b), RCP_OK);
        ck_assert_msg(a->tag == b.tag && a->position == b.position && a->address == b.address &&
                          a->second == b.second && a->value == b.value && a->size == b.size && a->room == b.room &&
                          a->pad == b.pad && a->check == b.check && a->op == b.op && a->outcome == b.outcome &&
                          a->object == b.object && a->second_object == b.second_object && a->kind == b.kind,
                      "record %zu", i);
        if (a->tag == RCP_LOG_SLICE)
            ck_assert_uint_eq(a->thread, b.thread);
        size_t n = a->end ? (size_t)(a->end - a->bytes) : a->bytes ? a->size : 0;
        ck_assert(!n || !memcmp(a->bytes, b.bytes, n));
    }
    rcp_log_record last;
    ck_assert_int_eq(rcp_log_next(log, &last), RCP_OK);
    ck_assert_int_eq(last.tag, RCP_LOG_END);
    rcp_log_close(log);
    rcp_release(bytes);
    rcp_log_writer_finish(&w);
}
END_TEST

int main(void) { return rcp_suite_run("log_writer", every_record_comes_back, NULL); }
