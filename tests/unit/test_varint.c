/* SPDX-License-Identifier: Apache-2.0 */
#include "base/varint.h"

#include "suite.h"

START_TEST(every_length_round_trips) {
    for (unsigned shift = 0; shift < 64; shift++) {
        for (int delta = -1; delta <= 1; delta++) {
            uint64_t x = (UINT64_C(1) << shift) + (uint64_t)(int64_t)delta, back;
            uint8_t bytes[RCP_VARINT_MAX];
            const uint8_t *end = rcp_varint_put(bytes, x);
            ck_assert_ptr_eq(rcp_varint_get(bytes, end, &back), end);
            ck_assert_uint_eq(back, x);
            ck_assert_ptr_null(rcp_varint_get(bytes, end - 1, &back)); /* cut off */
            ck_assert_int_eq(rcp_unzigzag(rcp_zigzag((int64_t)x)), (int64_t)x);
        }
    }
}
END_TEST

START_TEST(too_long_is_refused) {
    uint8_t bytes[11] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0};
    uint64_t x;
    ck_assert_ptr_null(rcp_varint_get(bytes, bytes + 10, &x)); /* 65 bits */
    bytes[9] = 0x81;
    ck_assert_ptr_null(rcp_varint_get(bytes, bytes + 11, &x)); /* an eleventh byte */
    bytes[9] = 0x01;
    ck_assert_ptr_eq(rcp_varint_get(bytes, bytes + 10, &x), bytes + 10);
    ck_assert_uint_eq(x, UINT64_MAX);
}
END_TEST

int main(void) { return rcp_suite_run("varint", every_length_round_trips, too_long_is_refused, NULL); }
