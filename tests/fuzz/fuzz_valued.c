/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes are parsed or refused; what was parsed and printed parses again and prints the same. */
#include "trace/valued.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_trace first, second;
    rcp_text printed = {0}, again = {0};
    rcp_lowering notes;
    rcp_trace_init(&first);
    rcp_trace_init(&second);
    if (rcp_valued_parse("input", (const char *)data, size, &first) == RCP_OK) {
        if (rcp_valued_print(&printed, &first, &notes) != RCP_OK)
            abort();
        if (rcp_valued_parse("input", printed.at, printed.len, &second) != RCP_OK)
            abort();
        if (first.events.len != second.events.len || rcp_valued_print(&again, &second, &notes) != RCP_OK ||
            strcmp(printed.at, again.at))
            abort();
    } else if (!rcp_borrow_cause(0) || strncmp(rcp_borrow_cause(0), "input:", 6)) {
        abort();
    }
    rcp_trace_finish(&first);
    rcp_trace_finish(&second);
    rcp_text_finish(&printed);
    rcp_text_finish(&again);
    return 0;
}
