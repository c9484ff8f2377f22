/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as another tool's warnings: refused with a reason, or pairs of places that, written as lines, are read
 * again as the same pairs. */
#include "predict/facts/warnings.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A path with these can't stand in a line of pairs, nor one that looks like a report's first line. */
static bool fits_a_line(const rcp_warned_place *place) {
    return !strpbrk(place->file, " \t\r\n,#") && !strstr(place->file, "==") && strlen(place->file) < 200;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_warnings first, second;
    rcp_text lines = {0};
    rcp_warnings_init(&first);
    rcp_warnings_init(&second);
    if (rcp_warnings_parse("input", (const char *)data, size, &first) == RCP_OK) {
        bool fits = first.at.len > 0;
        rcp_text_puts(&lines, "");
        for (size_t i = 0; i < first.at.len; i++) {
            const rcp_warning *w = &first.at.at[i];
            for (int k = 0; k < 2; k++) {
                if (!w->place[k].file || !w->place[k].file[0] || !w->place[k].line)
                    abort();
                fits = fits && fits_a_line(&w->place[k]);
            }
            rcp_text_printf(&lines, "%s:%u %s:%u\n", w->place[0].file, w->place[0].line, w->place[1].file,
                            w->place[1].line);
        }
        if (fits && strlen(lines.at) == lines.len &&
            (rcp_warnings_parse("again", lines.at, lines.len, &second) != RCP_OK || second.at.len != first.at.len))
            abort();
    } else if (!rcp_borrow_cause(0)) {
        abort();
    }
    rcp_warnings_finish(&first);
    rcp_warnings_finish(&second);
    rcp_text_finish(&lines);
    return 0;
}
