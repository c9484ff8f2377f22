/* SPDX-License-Identifier: Apache-2.0 */
/* How a trace file is framed: a file header, then chunks, each with a header, an index and a body, both packed with
 * zstd. docs/trace-format.md describes the bytes.
 *
 * Invariant: every byte of a file is covered by a checksum or compared with the only value it may have, so a changed
 * byte is always noticed. No size in a file is believed before it was checked against what is there: rcp_part_unpack()
 * allocates in proportion to bytes that exist.
 *
 * The functions here say what is wrong; the caller, who knows file and offset, adds where. An rcp_packer and an
 * rcp_unpacker own their contexts and buffers; what they return is borrowed until their next use.
 */
#ifndef RECIPE_TRACE_STORE_CHUNK_H
#define RECIPE_TRACE_STORE_CHUNK_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define RCP_FORMAT_VERSION 2
#define RCP_TRACE_FILE     "events.rcp"

enum {
    RCP_FILE_HEADER_BYTES = 16,
    RCP_CHUNK_HEADER_BYTES = 64,
    RCP_CHUNK_MAX_EVENTS = 1 << 16,
    RCP_CHUNK_MAX_RAW = 1 << 30,
    RCP_CHUNK_MAX_ITEM = 1 << 28, /* one string or image; an event's two values of RCP_ACCESS_MAX bytes fit, too */
    RCP_CHUNK_SOFT_RAW = 1 << 20, /* what can be divided begins a new chunk here */
};

typedef RCP_VEC(uint8_t) rcp_bytes;

typedef enum rcp_chunk_type {
    RCP_CHUNK_DEFS = 1,   /* definitions and terms: what is new since the last such chunk */
    RCP_CHUNK_EVENTS = 2, /* events */
} rcp_chunk_type;

typedef struct rcp_part {
    uint32_t raw, stored; /* bytes before and after zstd; equal: not packed */
    uint64_t sum;         /* XXH3 of the stored bytes */
} rcp_part;

typedef struct rcp_chunk {
    uint8_t type;         /* rcp_chunk_type */
    rcp_part index, body; /* DEFS has no index */
    uint64_t first;       /* events in the file before this chunk */
    uint32_t count;       /* events in it */
} rcp_chunk;

static inline uint64_t rcp_chunk_bytes(const rcp_chunk *chunk) {
    return (uint64_t)RCP_CHUNK_HEADER_BYTES + chunk->index.stored + chunk->body.stored;
}

void rcp_file_header_put(uint8_t at[RCP_FILE_HEADER_BYTES]);
rcp_code rcp_file_header_get(const uint8_t at[RCP_FILE_HEADER_BYTES]) RCP_MUST_USE;
/* A number for all chunks up to and including this one: it changes with every byte of any of them. 0 before the first.
 */
uint64_t rcp_chunk_identity(uint64_t before, const uint8_t at[RCP_CHUNK_HEADER_BYTES]);
rcp_code rcp_chunk_header_get(const uint8_t at[RCP_CHUNK_HEADER_BYTES], rcp_chunk *chunk) RCP_MUST_USE;

typedef struct rcp_packer {
    struct ZSTD_CCtx_s *zstd;
    rcp_bytes out;
} rcp_packer;

void rcp_packer_init(rcp_packer *packer);
void rcp_packer_finish(rcp_packer *packer);
/* A whole chunk, ready to be written, is left in packer->out. Of `chunk` type, first and count are used. */
rcp_code rcp_packer_run(rcp_packer *packer, rcp_chunk chunk, const rcp_bytes *index,
                        const rcp_bytes *body) RCP_MUST_USE;

typedef struct rcp_unpacker {
    struct ZSTD_DCtx_s *zstd;
    rcp_bytes out;
} rcp_unpacker;

/* Bytes after the last one of rcp_unpacker.out that may be loaded (not trusted): decoding loads words. */
enum { RCP_UNPACK_SLACK = 16 };

void rcp_unpacker_init(rcp_unpacker *unpacker);
void rcp_unpacker_finish(rcp_unpacker *unpacker);
/* Checks the sum of `stored` (part->stored bytes). */
rcp_code rcp_part_verify(const rcp_part *part, const uint8_t *stored) RCP_MUST_USE;
/* Checks the sum of `stored` (part->stored bytes) and unpacks it into unpacker->out: exactly part->raw bytes. */
rcp_code rcp_unpacker_run(rcp_unpacker *unpacker, const rcp_part *part, const uint8_t *stored) RCP_MUST_USE;

#endif
