/* SPDX-License-Identifier: Apache-2.0 */
/* What every format of other tools must keep to: any bytes are parsed or refused with their place; what was parsed and
 * printed parses again and prints the same. Nothing is owned. */
#ifndef RECIPE_FUZZ_ROUND_TRIP_H
#define RECIPE_FUZZ_ROUND_TRIP_H

#include "trace/text/lower.h"

#include <stdlib.h>
#include <string.h>

typedef rcp_code parse_format(const char *name, const char *text, size_t len, rcp_trace *trace);
typedef rcp_code print_format(rcp_text *out, const rcp_trace *trace, rcp_lowering *notes);

static inline void round_trip(parse_format *parse, print_format *print, const uint8_t *data, size_t size) {
    rcp_trace first, second;
    rcp_text printed = {0}, again = {0};
    rcp_lowering notes;
    rcp_trace_init(&first);
    rcp_trace_init(&second);
    if (parse("input", (const char *)data, size, &first) == RCP_OK) {
        if (print(&printed, &first, &notes) != RCP_OK)
            abort();
        if (parse("input", printed.at, printed.len, &second) != RCP_OK)
            abort();
        if (first.events.len != second.events.len || print(&again, &second, &notes) != RCP_OK ||
            strcmp(printed.at, again.at))
            abort();
    } else if (!rcp_borrow_cause(0) || strncmp(rcp_borrow_cause(0), "input:", 6)) {
        abort();
    }
    rcp_trace_finish(&first);
    rcp_trace_finish(&second);
    rcp_text_finish(&printed);
    rcp_text_finish(&again);
}

#endif
