/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/std.h"

#include "round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    round_trip(rcp_std_parse, rcp_std_print, data, size);
    return 0;
}
