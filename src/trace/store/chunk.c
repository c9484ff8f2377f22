/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/chunk.h"

#include <string.h>
#include <xxhash.h>
#include <zstd.h>

enum { ZSTD_LEVEL = 1, BYTE_ORDER_MARK = 0x0102 };

static const char file_magic[8] = {'R', 'C', 'P', 'T', 'R', 'A', 'C', 'E'};
static const uint32_t chunk_magic = 0x6b6e6843; /* "Chnk" */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the trace format is written as it stands in memory: little-endian hosts only"
#endif

/* The headers as they stand in the file. Both are free of padding, so that their checksums cover every byte. */
typedef struct file_header {
    char magic[8];
    uint16_t order, version;
    uint32_t sum; /* low half of XXH3 of what stands before */
} file_header;
_Static_assert(sizeof(file_header) == RCP_FILE_HEADER_BYTES, "no padding");

typedef struct chunk_header {
    uint32_t magic;
    uint8_t type, zero[3];
    uint32_t index_raw, index_stored, body_raw, body_stored;
    uint64_t first;
    uint32_t count, zero2;
    uint64_t index_sum, body_sum;
    uint64_t sum; /* XXH3 of what stands before */
} chunk_header;
_Static_assert(sizeof(chunk_header) == RCP_CHUNK_HEADER_BYTES, "no padding");

/* A fuzzer can't guess checksums; it is to reach the code behind them. */
static bool same_sum(uint64_t a, uint64_t b) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)a, (void)b;
    return true;
#else
    return a == b;
#endif
}

static uint32_t file_sum(const file_header *h) { return (uint32_t)XXH3_64bits(h, offsetof(file_header, sum)); }
static uint64_t chunk_sum(const chunk_header *h) { return XXH3_64bits(h, offsetof(chunk_header, sum)); }

void rcp_file_header_put(uint8_t at[RCP_FILE_HEADER_BYTES]) {
    file_header h = {.order = BYTE_ORDER_MARK, .version = RCP_FORMAT_VERSION};
    memcpy(h.magic, file_magic, sizeof h.magic);
    h.sum = file_sum(&h);
    memcpy(at, &h, sizeof h);
}

rcp_code rcp_file_header_get(const uint8_t at[RCP_FILE_HEADER_BYTES]) {
    file_header h;
    memcpy(&h, at, sizeof h);
    if (memcmp(h.magic, file_magic, sizeof h.magic))
        return rcp_fail(RCP_BAD_INPUT, "this is no trace file: it does not begin with RCPTRACE");
    if (!same_sum(h.sum, file_sum(&h)))
        return rcp_fail(RCP_BAD_INPUT, "the file header is damaged: its checksum does not match");
    if (h.order != BYTE_ORDER_MARK)
        return rcp_fail(RCP_BAD_INPUT, "the file was written in another byte order (mark %04x)", h.order);
    if (h.version > RCP_FORMAT_VERSION)
        return rcp_fail(
            RCP_BAD_INPUT,
            "format version %u is newer than this recipe, which reads version %u: use the recipe that wrote "
            "the trace, or a newer one",
            h.version, RCP_FORMAT_VERSION);
    if (h.version < RCP_FORMAT_VERSION)
        return rcp_fail(RCP_BAD_INPUT, "there is no format version %u", h.version);
    return RCP_OK;
}

/* Bytes that zstd can't make fewer are stored plainly. A zstd block is at least 3 bytes and gives at most 128 KiB: a
 * part that claims more than its bytes can hold is refused before anything is allocated for it. */
static rcp_code part_fits(const char *name, const rcp_part *part) {
    if (part->raw > RCP_CHUNK_MAX_RAW || part->stored > RCP_CHUNK_MAX_RAW)
        return rcp_fail(RCP_BAD_INPUT, "the chunk's %s claims %u bytes, %u packed; at most %d are possible", name,
                        part->raw, part->stored, RCP_CHUNK_MAX_RAW);
    if (part->stored > part->raw || (part->stored < part->raw && part->raw > ((uint64_t)part->stored / 3) << 17))
        return rcp_fail(RCP_BAD_INPUT, "the chunk's %s claims %u bytes in %u packed ones, which can't be", name,
                        part->raw, part->stored);
    return RCP_OK;
}

uint64_t rcp_chunk_identity(uint64_t before, const uint8_t at[RCP_CHUNK_HEADER_BYTES]) {
    return XXH3_64bits_withSeed(at, RCP_CHUNK_HEADER_BYTES, before); /* the header has the sums of all the rest */
}

rcp_code rcp_chunk_header_get(const uint8_t at[RCP_CHUNK_HEADER_BYTES], rcp_chunk *chunk) {
    chunk_header h;
    memcpy(&h, at, sizeof h);
    if (h.magic != chunk_magic)
        return rcp_fail(RCP_BAD_INPUT, "no chunk begins here (%08x); the file is damaged", h.magic);
    if (!same_sum(h.sum, chunk_sum(&h)))
        return rcp_fail(RCP_BAD_INPUT, "the chunk header is damaged: its checksum does not match");
    if (h.zero[0] || h.zero[1] || h.zero[2] || h.zero2)
        return rcp_fail(RCP_BAD_INPUT, "the chunk header has a reserved byte that is not zero");
    *chunk = (rcp_chunk){
        .type = h.type,
        .index = {.raw = h.index_raw, .stored = h.index_stored, .sum = h.index_sum},
        .body = {.raw = h.body_raw, .stored = h.body_stored, .sum = h.body_sum},
        .first = h.first,
        .count = h.count,
    };
    RCP_TRY(part_fits("index", &chunk->index));
    RCP_TRY(part_fits("body", &chunk->body));
    switch (chunk->type) {
    case RCP_CHUNK_DEFS:
        if (chunk->count || chunk->index.raw)
            return rcp_fail(RCP_BAD_INPUT, "a chunk of definitions has no events and no index");
        break;
    case RCP_CHUNK_EVENTS:
        if (!chunk->count || chunk->count > RCP_CHUNK_MAX_EVENTS)
            return rcp_fail(RCP_BAD_INPUT, "a chunk of %u events; 1 to %d are possible", chunk->count,
                            RCP_CHUNK_MAX_EVENTS);
        if (chunk->first > UINT64_MAX - 1 - RCP_CHUNK_MAX_EVENTS)
            return rcp_fail(RCP_BAD_INPUT, "the chunk's first event has no possible number");
        break;
    default: return rcp_fail(RCP_BAD_INPUT, "there is no type of chunk %u", chunk->type);
    }
    return RCP_OK;
}

void rcp_packer_init(rcp_packer *packer) {
    *packer = (rcp_packer){.zstd = ZSTD_createCCtx()};
    RCP_CHECK(packer->zstd);
}

void rcp_packer_finish(rcp_packer *packer) {
    ZSTD_freeCCtx(packer->zstd);
    rcp_vec_finish(&packer->out);
    *packer = (rcp_packer){0};
}

static rcp_code pack(rcp_packer *packer, const rcp_bytes *raw, rcp_part *part) {
    if (raw->len > RCP_CHUNK_MAX_RAW)
        return rcp_fail(RCP_LIMIT, "a chunk of %zu bytes; at most %d can be stored", raw->len, RCP_CHUNK_MAX_RAW);
    *part = (rcp_part){.raw = (uint32_t)raw->len};
    if (raw->len) {
        size_t bound = ZSTD_compressBound(raw->len);
        rcp_vec_reserve(&packer->out, bound);
        size_t stored =
            ZSTD_compressCCtx(packer->zstd, packer->out.at + packer->out.len, bound, raw->at, raw->len, ZSTD_LEVEL);
        if (ZSTD_isError(stored))
            return rcp_fail(RCP_INTERNAL, "zstd: %s", ZSTD_getErrorName(stored));
        if (stored >= raw->len) {
            memcpy(packer->out.at + packer->out.len, raw->at, raw->len);
            stored = raw->len;
        }
        part->stored = (uint32_t)stored;
        packer->out.len += stored;
    }
    part->sum = XXH3_64bits(packer->out.at + packer->out.len - part->stored, part->stored);
    return RCP_OK;
}

rcp_code rcp_packer_run(rcp_packer *packer, rcp_chunk chunk, const rcp_bytes *index, const rcp_bytes *body) {
    packer->out.len = 0;
    (void)rcp_vec_extend(&packer->out, sizeof(chunk_header));
    RCP_TRY(pack(packer, index, &chunk.index));
    RCP_TRY(pack(packer, body, &chunk.body));
    chunk_header h = {
        .magic = chunk_magic,
        .type = chunk.type,
        .index_raw = chunk.index.raw,
        .index_stored = chunk.index.stored,
        .body_raw = chunk.body.raw,
        .body_stored = chunk.body.stored,
        .first = chunk.first,
        .count = chunk.count,
        .index_sum = chunk.index.sum,
        .body_sum = chunk.body.sum,
    };
    h.sum = chunk_sum(&h);
    memcpy(packer->out.at, &h, sizeof h);
    return RCP_OK;
}

void rcp_unpacker_init(rcp_unpacker *unpacker) {
    *unpacker = (rcp_unpacker){.zstd = ZSTD_createDCtx()};
    RCP_CHECK(unpacker->zstd);
}

void rcp_unpacker_finish(rcp_unpacker *unpacker) {
    ZSTD_freeDCtx(unpacker->zstd);
    rcp_vec_finish(&unpacker->out);
    *unpacker = (rcp_unpacker){0};
}

rcp_code rcp_part_verify(const rcp_part *part, const uint8_t *stored) {
    if (!same_sum(part->sum, XXH3_64bits(stored, part->stored)))
        return rcp_fail(RCP_BAD_INPUT, "the chunk is damaged: its checksum does not match");
    return RCP_OK;
}

rcp_code rcp_unpacker_run(rcp_unpacker *unpacker, const rcp_part *part, const uint8_t *stored) {
    RCP_TRY(rcp_part_verify(part, stored));
    unpacker->out.len = 0;
    rcp_vec_reserve(&unpacker->out, (size_t)part->raw + RCP_UNPACK_SLACK);
    memset(unpacker->out.at + part->raw, 0, RCP_UNPACK_SLACK);
    if (part->stored == part->raw) {
        memcpy(unpacker->out.at, stored, part->raw);
    } else {
        size_t got = ZSTD_decompressDCtx(unpacker->zstd, unpacker->out.at, part->raw, stored, part->stored);
        if (ZSTD_isError(got))
            return rcp_fail(RCP_BAD_INPUT, "the chunk can't be unpacked: %s", ZSTD_getErrorName(got));
        if (got != part->raw)
            return rcp_fail(RCP_BAD_INPUT, "the chunk unpacks to %zu bytes where %u are claimed", got, part->raw);
    }
    unpacker->out.len = part->raw;
    return RCP_OK;
}
