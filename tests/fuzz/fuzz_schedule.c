/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a schedule: refused with its place, or printed and parsed again to the same. */
#include "program/recording/schedule.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_schedule first, second;
    rcp_text printed = {0}, again = {0};
    rcp_schedule_init(&first);
    rcp_schedule_init(&second);
    if (rcp_schedule_parse("input", (const char *)data, size, &first) == RCP_OK) {
        rcp_schedule_print(&printed, &first);
        if (rcp_schedule_parse("again", printed.at, printed.len, &second) != RCP_OK)
            abort();
        rcp_schedule_print(&again, &second);
        if (strcmp(printed.at, again.at) || first.steps.len != second.steps.len)
            abort();
        for (size_t i = 0; i < first.steps.len; i++)
            if (first.steps.at[i].thread != second.steps.at[i].thread ||
                first.steps.at[i].until != second.steps.at[i].until)
                abort();
    } else if (!rcp_borrow_cause(0)) {
        abort();
    }
    rcp_schedule_finish(&first);
    rcp_schedule_finish(&second);
    rcp_text_finish(&printed);
    rcp_text_finish(&again);
    return 0;
}
