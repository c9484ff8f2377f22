/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/xml.h"
#include "report/entries.h"
#include "report/suppressions.h"
#include "trace/model/own_place.h"

#include <string.h>

static void attribute(rcp_text *to, const char *name, const char *value) {
    rcp_text_printf(to, " %s=\"", name);
    rcp_xml_attribute(to, value);
    rcp_text_puts(to, "\"");
}

static void begin_case(rcp_text *to, const rcp_findings *findings, const char *name) {
    rcp_text_puts(to, "    <testcase");
    attribute(to, "classname", findings->program);
    attribute(to, "name", name);
}

/* With what the text report says. */
static void failure(rcp_text *to, const char *type, const char *words, const rcp_text *lines) {
    rcp_text_printf(to, ">\n      <failure type=\"%s\"", type);
    attribute(to, "message", words);
    rcp_text_puts(to, ">");
    rcp_xml_text(to, lines->at);
    rcp_text_puts(to, "</failure>\n");
}

/* Not run, as the form has it: why, and what the text report says. */
static void skipped(rcp_text *to, const char *why, const rcp_text *lines) {
    rcp_text_puts(to, ">\n      <skipped");
    attribute(to, "message", why);
    rcp_text_puts(to, "/>\n      <system-out>");
    rcp_xml_text(to, lines->at);
    rcp_text_puts(to, "</system-out>\n");
}

static void suppressed(rcp_text *to, const rcp_suppression *by, const rcp_text *lines) {
    rcp_text why = {0};
    rcp_text_puts(&why, "Suppressed by ");
    rcp_suppression_print(&why, by);
    skipped(to, why.at, lines);
    rcp_text_finish(&why);
}

/* Fails; what is unconfirmed or suppressed is skipped. */
static void entry_case(rcp_text *to, const rcp_findings *findings, const rcp_bug *entry) {
    const rcp_finding *first = entry->findings.at[0];
    const rcp_loc loc = rcp_own_place(first->defs, &first->access[0]);
    const rcp_location *at = &first->defs->locations.at[loc.v];
    rcp_text headline = {0}, lines = {0};
    rcp_bug_headline(&headline, entry);
    begin_case(to, findings, headline.at);
    if (at->file.v)
        attribute(to, "file", rcp_defs_borrow_string(first->defs, at->file));
    if (at->line)
        rcp_text_printf(to, " line=\"%u\"", at->line);
    rcp_report_entry(&lines, entry, findings->has_full_names);
    if (first->suppressed)
        suppressed(to, first->suppressed, &lines);
    else if (rcp_bug_is_unconfirmed(entry))
        skipped(to, "Unconfirmed: the checkers accepted a schedule, and no replay showed it on the program.", &lines);
    else
        failure(to, "data-race", headline.at, &lines);
    rcp_text_puts(to, "    </testcase>\n");
    rcp_text_finish(&headline);
    rcp_text_finish(&lines);
}

static void deadlock_case(rcp_text *to, const rcp_findings *findings, const rcp_deadlock *deadlock, size_t number) {
    rcp_text name = {0}, lines = {0};
    rcp_text_printf(&name, "deadlock %zu", number);
    begin_case(to, findings, name.at);
    rcp_report_deadlock(&lines, deadlock, findings->has_full_names);
    if (deadlock->suppressed)
        suppressed(to, deadlock->suppressed, &lines);
    else
        failure(to, "deadlock",
                deadlock->race ? "Every thread waits for another: the replay of a race ended so."
                               : "Every thread waits for another: the recorded run ended so.",
                &lines);
    rcp_text_puts(to, "    </testcase>\n");
    rcp_text_finish(&name);
    rcp_text_finish(&lines);
}

void rcp_report_junit(rcp_text *to, const rcp_findings *findings) {
    rcp_entries entries;
    rcp_text counts = {0}, rest = {0};
    rcp_entries_make(&entries, findings);
    const size_t failures = rcp_entries_races(&entries) + findings->deadlocks.len;
    const size_t left_out =
        rcp_entries_unconfirmed(&entries) + entries.suppressed.len + findings->suppressed_deadlocks.len;
    rcp_text_printf(&counts, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\"",
                    failures + left_out + !failures, failures, left_out, findings->summary->work.seconds);
    rcp_text_printf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"recipe\"%s>\n  <testsuite",
                    counts.at);
    attribute(to, "name", findings->program);
    rcp_text_printf(to, "%s>\n", counts.at);
    for (size_t i = 0; i < entries.list.len; i++)
        entry_case(to, findings, &entries.list.at[i]);
    for (size_t i = 0; i < entries.suppressed.len; i++)
        entry_case(to, findings, &entries.suppressed.at[i]);
    for (size_t i = 0; i < findings->deadlocks.len; i++)
        deadlock_case(to, findings, &findings->deadlocks.at[i], i + 1);
    for (size_t i = 0; i < findings->suppressed_deadlocks.len; i++)
        deadlock_case(to, findings, &findings->suppressed_deadlocks.at[i], findings->deadlocks.len + i + 1);
    if (!failures) {
        begin_case(to, findings, "no race");
        rcp_text_puts(to, "/>\n");
    }
    rcp_report_rest(&rest, findings);
    rcp_text_puts(to, "    <system-out>");
    rcp_xml_text(to, rest.at);
    rcp_text_puts(to, "</system-out>\n  </testsuite>\n</testsuites>\n");
    rcp_entries_finish(&entries);
    rcp_text_finish(&counts);
    rcp_text_finish(&rest);
}
