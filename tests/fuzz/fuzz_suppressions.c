/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as suppressions: refused with a reason, or lines that, written again, are read as the same lines. */
#include "report/pattern.h"
#include "report/suppressions.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *take_same(const char *name) { return strdup(name); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_suppressions first = {0}, second = {0};
    rcp_text lines = {0};
    rcp_text_puts(&lines, "");
    if (rcp_suppressions_parse(&first, "input", (const char *)data, size, take_same) == RCP_OK) {
        for (size_t i = 0; i < first.lines.len; i++) {
            const rcp_suppression *line = &first.lines.at[i];
            if (!line->frames.len || line->line > size + 1 || line->first + line->frames.len > first.patterns)
                abort();
            for (size_t k = 0; k < line->frames.len; k++)
                if (!*line->frames.at[k] ||
                    (!strpbrk(line->frames.at[k], "^$*") && !rcp_pattern_matches(line->frames.at[k], line->words)))
                    abort();
            rcp_text_printf(&lines, "%s\n", line->words);
        }
        if (rcp_suppressions_parse(&second, "again", lines.at, lines.len, take_same) != RCP_OK ||
            second.lines.len != first.lines.len || second.patterns != first.patterns)
            abort();
        for (size_t i = 0; i < first.lines.len; i++)
            if (first.lines.at[i].kind != second.lines.at[i].kind ||
                strcmp(first.lines.at[i].words, second.lines.at[i].words) != 0)
                abort();
    } else if (!rcp_borrow_cause(0)) {
        abort();
    }
    rcp_suppressions_finish(&first);
    rcp_suppressions_finish(&second);
    rcp_text_finish(&lines);
    return 0;
}
