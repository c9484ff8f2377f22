/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/valued.h"

#include "round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    round_trip(rcp_valued_parse, rcp_valued_print, data, size);
    return 0;
}
