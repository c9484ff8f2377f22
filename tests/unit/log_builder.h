/* SPDX-License-Identifier: Apache-2.0 */
/* A log in memory, record by record, for tests: the runtime's writer (runtime/logging.c) in its naive form. */
#ifndef RECIPE_TESTS_LOG_BUILDER_H
#define RECIPE_TESTS_LOG_BUILDER_H

#include "abi/hooks.h"
#include "abi/log.h"
#include "base/varint.h"
#include "base/vec.h"

#include <string.h>

typedef struct log_builder {
    RCP_VEC(uint8_t) bytes;
} log_builder;

static inline void log_begin(log_builder *b) {
    struct rcp_log_header header = {.magic = RCP_LOG_MAGIC, .version = RCP_LOG_VERSION, .abi = RCP_ABI_VERSION};
    b->bytes.len = 0;
    memset(rcp_vec_extend(&b->bytes, RCP_LOG_HEADER_SIZE), 0, RCP_LOG_HEADER_SIZE);
    memcpy(b->bytes.at, &header, sizeof header);
}

static inline void log_byte(log_builder *b, uint8_t byte) { rcp_vec_push(&b->bytes, byte); }

static inline void log_number(log_builder *b, uint64_t x) {
    rcp_vec_reserve(&b->bytes, RCP_VARINT_MAX);
    b->bytes.len = (size_t)(rcp_varint_put(b->bytes.at + b->bytes.len, x) - b->bytes.at);
}

/* A record of a tag and up to four numbers: UINT64_MAX - 1 ends them. */
#define LOG_NO_MORE (UINT64_MAX - 1)
static inline void log_record(log_builder *b, uint8_t tag, uint64_t w, uint64_t x, uint64_t y, uint64_t z) {
    const uint64_t numbers[] = {w, x, y, z};
    log_byte(b, tag);
    for (size_t i = 0; i < 4 && numbers[i] != LOG_NO_MORE; i++)
        log_number(b, numbers[i]);
}

static inline void log_bytes(log_builder *b, const void *bytes, size_t n) {
    memcpy(rcp_vec_extend(&b->bytes, n), bytes, n);
}

/* What was written so far is whole. */
static inline void log_commit(log_builder *b) {
    struct rcp_log_header header;
    uint64_t n = b->bytes.len - RCP_LOG_HEADER_SIZE;
    memcpy(&header, b->bytes.at, sizeof header);
    header.sum = rcp_log_head_sum(&header);
    header.mark = RCP_LOG_MARK(n, rcp_sum(b->bytes.at + RCP_LOG_HEADER_SIZE, n));
    memcpy(b->bytes.at, &header, sizeof header);
}

/* The run has ended: nothing follows. */
static inline void log_close(log_builder *b) {
    struct rcp_log_header header;
    log_commit(b);
    memcpy(&header, b->bytes.at, sizeof header);
    header.ended = RCP_LOG_EIGHT(RCP_ENDED_EXIT);
    header.length = RCP_LOG_MARK_LENGTH(header.mark);
    header.counts_sum = rcp_log_counts_sum(&header);
    memcpy(b->bytes.at, &header, sizeof header);
}

static inline void log_sum(log_builder *b) {
    uint64_t sum = rcp_sum(b->bytes.at + RCP_LOG_HEADER_SIZE, b->bytes.len - RCP_LOG_HEADER_SIZE);
    log_byte(b, RCP_LOG_SUM);
    log_bytes(b, &sum, sizeof sum);
}

#endif
