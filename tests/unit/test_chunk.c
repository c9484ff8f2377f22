/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/chunk.h"

#include "suite.h"

#include <string.h>
#include <xxhash.h>

static void says(const char *why) {
    ck_assert_msg(strstr(rcp_borrow_cause(0), why) != NULL, "'%s' does not speak of '%s'", rcp_borrow_cause(0), why);
}

START_TEST(the_file_header_says_what_it_is) {
    uint8_t header[RCP_FILE_HEADER_BYTES];
    rcp_file_header_put(header);
    ck_assert_int_eq(rcp_file_header_get(header), RCP_OK);
    /* what a later recipe would write: the first 16 bytes keep their layout */
    header[10] = RCP_FORMAT_VERSION + 1;
    uint32_t sum = (uint32_t)XXH3_64bits(header, 12);
    memcpy(header + 12, &sum, 4);
    ck_assert_int_eq(rcp_file_header_get(header), RCP_BAD_INPUT);
    says("newer");
    header[10] = 0;
    ck_assert_int_eq(rcp_file_header_get(header), RCP_BAD_INPUT);
    says("checksum");
    sum = (uint32_t)XXH3_64bits(header, 12);
    memcpy(header + 12, &sum, 4);
    ck_assert_int_eq(rcp_file_header_get(header), RCP_BAD_INPUT);
    says("no format version 0");
}
END_TEST

START_TEST(parts_come_back) {
    rcp_packer packer;
    rcp_unpacker unpacker;
    rcp_packer_init(&packer);
    rcp_unpacker_init(&unpacker);
    uint8_t text[1000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i < 500 ? i * i / 7 : 3); /* the longer ones can be packed, the shorter ones can't */
    for (size_t n = 1; n <= sizeof text; n += 111) {
        rcp_bytes index = {.at = text, .len = n / 2}, body = {.at = text, .len = n};
        rcp_chunk chunk = {.type = RCP_CHUNK_EVENTS, .first = 7, .count = 3}, got;
        ck_assert_int_eq(rcp_packer_run(&packer, chunk, &index, &body), RCP_OK);
        ck_assert_int_eq(rcp_chunk_header_get(packer.out.at, &got), RCP_OK);
        ck_assert(got.type == RCP_CHUNK_EVENTS && got.first == 7 && got.count == 3 && got.body.raw == n);
        ck_assert_uint_eq(rcp_chunk_bytes(&got), packer.out.len);
        const uint8_t *stored = packer.out.at + RCP_CHUNK_HEADER_BYTES;
        ck_assert_int_eq(rcp_unpacker_run(&unpacker, &got.index, stored), RCP_OK);
        ck_assert(unpacker.out.len == n / 2 && !memcmp(unpacker.out.at, text, n / 2));
        ck_assert_int_eq(rcp_unpacker_run(&unpacker, &got.body, stored + got.index.stored), RCP_OK);
        ck_assert(unpacker.out.len == n && !memcmp(unpacker.out.at, text, n));
        got.body.sum++;
        ck_assert_int_eq(rcp_unpacker_run(&unpacker, &got.body, stored + got.index.stored), RCP_BAD_INPUT);
        says("checksum");
        got.body.sum--;
        got.body.raw++;
        ck_assert_int_eq(rcp_unpacker_run(&unpacker, &got.body, stored + got.index.stored), RCP_BAD_INPUT);
        says("unpack");
    }
    rcp_packer_finish(&packer);
    rcp_unpacker_finish(&unpacker);
}
END_TEST

/* A header with one field set, its checksum made right again. */
static rcp_code header_with(size_t at, uint32_t value) {
    rcp_packer packer;
    rcp_packer_init(&packer);
    uint8_t byte = 1;
    rcp_bytes index = {0}, body = {.at = &byte, .len = 1};
    rcp_chunk chunk = {.type = RCP_CHUNK_EVENTS, .count = 1}, got;
    ck_assert_int_eq(rcp_packer_run(&packer, chunk, &index, &body), RCP_OK);
    memcpy(packer.out.at + at, &value, 4);
    uint64_t sum = XXH3_64bits(packer.out.at, 56);
    memcpy(packer.out.at + 56, &sum, 8);
    rcp_code code = rcp_chunk_header_get(packer.out.at, &got);
    rcp_packer_finish(&packer);
    return code;
}

START_TEST(absurd_headers_are_refused) {
    ck_assert_int_eq(header_with(32, 1), RCP_OK);
    ck_assert_int_eq(header_with(0, 1), RCP_BAD_INPUT); /* magic */
    ck_assert_int_eq(header_with(4, 3), RCP_BAD_INPUT); /* type */
    says("type");
    ck_assert_int_eq(header_with(4, 0x102), RCP_BAD_INPUT); /* reserved */
    ck_assert_int_eq(header_with(8, 1), RCP_BAD_INPUT);     /* an index of 1 byte in none */
    ck_assert_int_eq(header_with(16, UINT32_MAX), RCP_BAD_INPUT);
    says("claims");
    ck_assert_int_eq(header_with(16, 1 << 29), RCP_BAD_INPUT); /* half a GiB in a dozen bytes */
    says("can't be");
    ck_assert_int_eq(header_with(28, UINT32_MAX), RCP_OK); /* first: the walk compares it */
    ck_assert_int_eq(header_with(32, 0), RCP_BAD_INPUT);
    ck_assert_int_eq(header_with(32, RCP_CHUNK_MAX_EVENTS + 1), RCP_BAD_INPUT);
    ck_assert_int_eq(header_with(36, 1), RCP_BAD_INPUT);
    says("reserved");
}
END_TEST

int main(void) {
    return rcp_suite_run("chunk", the_file_header_says_what_it_is, parts_come_back, absurd_headers_are_refused, NULL);
}
