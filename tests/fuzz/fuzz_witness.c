/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the text form of a witness: refused with its place, or printed and parsed again to the same; and the
 * checker has a verdict on whatever it says. */
#include "trace/check/checker.h"
#include "trace/text/text.h"
#include "trace/text/witness_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char trace_text[] = "recipe trace 1\n"
                                 "thread T1\n"
                                 "thread worker\n"
                                 "thread idle\n"
                                 "var x 0x1000 4\n"
                                 "var y 0x1004 4 = 0\n"
                                 "mutex m\n"
                                 "cond c\n"
                                 "T1 fork worker\n"
                                 "T1 acq m\n"
                                 "T1 wait c m\n"
                                 "worker acq m\n"
                                 "worker w x = 1\n"
                                 "worker signal c\n"
                                 "worker rel m\n"
                                 "T1 wake c m\n"
                                 "e8: T1 r x = 1\n"
                                 "T1 br 1 if (eq $e8 1:32)\n"
                                 "T1 w y = 1\n"
                                 "worker r y = 1\n"
                                 "T1 rel m\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_trace trace;
    rcp_witness first, second;
    rcp_text printed = {0}, again = {0};
    rcp_trace_init(&trace);
    RCP_CHECK(rcp_text_parse("trace", trace_text, sizeof trace_text - 1, &trace) == RCP_OK);
    rcp_trace_index(&trace);
    rcp_witness_init(&first);
    rcp_witness_init(&second);
    if (rcp_witness_parse("input", (const char *)data, size, &trace, &first) == RCP_OK) {
        rcp_witness_print(&printed, &trace, &first);
        if (rcp_witness_parse("input", printed.at, printed.len, &trace, &second) != RCP_OK)
            abort();
        rcp_witness_print(&again, &trace, &second);
        if (strcmp(printed.at, again.at))
            abort();
        for (int rule = RCP_VALUES_LAST_WRITER; rule <= RCP_VALUES_RELAXED; rule++) {
            rcp_check_verdict verdict;
            if (rcp_check_witness(&trace, &first, (rcp_check_options){.values = (rcp_value_rule)rule}, &verdict) !=
                RCP_OK)
                abort();
            if (verdict.accepted == (verdict.reason[0] != '\0'))
                abort();
        }
    } else if (!rcp_borrow_cause(0) || strncmp(rcp_borrow_cause(0), "input:", 6)) {
        abort();
    }
    rcp_witness_finish(&first);
    rcp_witness_finish(&second);
    rcp_text_finish(&printed);
    rcp_text_finish(&again);
    rcp_trace_finish(&trace);
    return 0;
}
