/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes are parsed or refused; what was parsed and printed parses to the same trace and prints the same. */
#include "../unit/same_trace.h"

#include "trace/text/text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_trace first, second;
    rcp_text printed = {0}, again = {0};
    rcp_trace_init(&first);
    rcp_trace_init(&second);
    if (rcp_text_parse("input", (const char *)data, size, &first) == RCP_OK) {
        rcp_text_print_trace(&printed, &first);
        if (rcp_text_parse("printed", printed.at, printed.len, &second) != RCP_OK || !same_trace(&first, &second))
            abort();
        rcp_text_print_trace(&again, &second);
        if (strcmp(printed.at, again.at))
            abort();
        rcp_printer *printer = rcp_printer_create(&first.defs, &first.terms);
        for (size_t i = 0; i < first.events.len; i++)
            rcp_text_print_excerpt(printer, &again, (rcp_eid){i}, &first.events.at[i]);
        rcp_printer_destroy(printer);
    } else if (!rcp_borrow_cause(0) || strncmp(rcp_borrow_cause(0), "input:", 6)) {
        abort();
    }
    rcp_trace_finish(&first);
    rcp_trace_finish(&second);
    rcp_text_finish(&printed);
    rcp_text_finish(&again);
    return 0;
}
