/* SPDX-License-Identifier: Apache-2.0 */
/* For people: what was set aside. */
#include "report/lines.h"
#include "report/report.h"
#include "report/suppressions.h"

/* The numbers of what a line has suppressed. */
static void suppressed_numbers(rcp_text *line, const rcp_findings *findings, const rcp_suppression *by) {
    enum { SHOWN = 8 };
    size_t n = 0;
    for (size_t i = 0; i < findings->proven.len && n <= SHOWN; i++)
        if (findings->proven.at[i].suppressed == by && n++ < SHOWN)
            rcp_text_printf(line, "%s %u", n == 1 ? ": race" : ",", findings->proven.at[i].id);
    rcp_text_puts(line, n > SHOWN ? ", …" : "");
}

/* What is new stands above, whole; what the baseline has is there to be found. */
static void known_line(rcp_text *to, const rcp_findings *findings) {
    enum { SHOWN = 20 };
    rcp_text line = {0};
    size_t n = 0;
    for (size_t i = 0; i < findings->proven.len && n <= SHOWN; i++)
        if (rcp_finding_fate(&findings->proven.at[i]) == RCP_FATE_KNOWN && n++ < SHOWN)
            rcp_text_printf(&line, "%s %u", n == 1 ? "Known by the baseline:" : ",", findings->proven.at[i].id);
    rcp_text_puts(&line, n > SHOWN ? ", …; --format json lists them." : ".");
    if (n) {
        rcp_lines_wrap(to, 0, 2, line.at);
        rcp_text_puts(to, "\n");
    }
    rcp_text_finish(&line);
}

/* Each line that has matched, with how often. */
static void suppression_lines(rcp_text *to, const rcp_findings *findings) {
    const rcp_suppressions *all = findings->suppressions;
    size_t listed = 0;
    rcp_text line = {0};
    for (size_t i = 0; all && i < all->lines.len; i++) {
        const rcp_suppression *by = &all->lines.at[i];
        if (!by->matched)
            continue;
        rcp_text_puts(to, listed++ ? "" : "Suppressed:\n");
        rcp_text_clear(&line);
        rcp_text_puts(&line, "- ");
        rcp_suppression_print(&line, by);
        rcp_text_printf(&line, " matched %u", by->matched);
        suppressed_numbers(&line, findings, by);
        rcp_text_puts(to, "  ");
        rcp_lines_wrap(to, 2, 4, line.at);
    }
    rcp_text_puts(to, listed ? "\n" : "");
    rcp_text_finish(&line);
}

void rcp_report_asides(rcp_text *to, const rcp_findings *findings) {
    known_line(to, findings);
    suppression_lines(to, findings);
}
