/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a baseline, and as a report to be set beside another one: refused with a reason, or nothing of it is new
 * beside itself. */
#include "report/diff.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_baseline baseline;
    rcp_diff_side side;
    rcp_text text = {0}, said = {0};
    rcp_baseline_init(&baseline);
    if (rcp_baseline_parse(&baseline, "input", (const char *)data, size) != RCP_OK && !rcp_borrow_cause(0))
        abort();
    rcp_clear_causes();
    rcp_text_add(&text, (const char *)data, size);
    if (rcp_diff_read(&side, "input", &text) == RCP_OK) {
        rcp_diff_text(&said, &side, &side, false);
        if (rcp_diff_new(&side, &side) || strncmp(said.at, "0 new, 0 gone, ", 15) != 0)
            abort();
        rcp_diff_json(&said, &side, &side);
    } else if (!rcp_borrow_cause(0)) {
        abort();
    }
    rcp_diff_finish(&side);
    rcp_baseline_finish(&baseline);
    rcp_text_finish(&text);
    rcp_text_finish(&said);
    return 0;
}
