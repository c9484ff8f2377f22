/* SPDX-License-Identifier: Apache-2.0 */
/* A trace from its text form, for tests that are about something else. The caller owns the trace. */
#ifndef RECIPE_TESTS_PARSE_TEXT_H
#define RECIPE_TESTS_PARSE_TEXT_H

#include "trace/text/text.h"

#include <check.h>
#include <string.h>

static inline void parse_text(rcp_trace *trace, const char *text) {
    rcp_trace_init(trace);
    if (rcp_text_parse("test", text, strlen(text), trace) != RCP_OK)
        ck_abort_msg("%s", rcp_borrow_cause(0));
}

#endif
