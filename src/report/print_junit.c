/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/xml.h"
#include "report/entries.h"
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

/* Fails; what is unconfirmed is skipped. */
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
    if (rcp_bug_is_unconfirmed(entry)) {
        rcp_text_puts(to, ">\n      <skipped message=\"Unconfirmed: the checkers accepted a schedule, and no replay "
                          "showed it on the program.\"/>\n      <system-out>");
        rcp_xml_text(to, lines.at);
        rcp_text_puts(to, "</system-out>\n");
    } else
        failure(to, "data-race", headline.at, &lines);
    rcp_text_puts(to, "    </testcase>\n");
    rcp_text_finish(&headline);
    rcp_text_finish(&lines);
}

static void deadlock_case(rcp_text *to, const rcp_findings *findings, size_t number) {
    const rcp_deadlock *deadlock = &findings->deadlocks.at[number];
    rcp_text name = {0}, lines = {0};
    rcp_text_printf(&name, "deadlock %zu", number + 1);
    begin_case(to, findings, name.at);
    rcp_report_deadlock(&lines, deadlock, findings->has_full_names);
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
    const size_t skipped = rcp_entries_unconfirmed(&entries);
    rcp_text_printf(&counts, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\"",
                    failures + skipped + !failures, failures, skipped, findings->summary->work.seconds);
    rcp_text_printf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"recipe\"%s>\n  <testsuite",
                    counts.at);
    attribute(to, "name", findings->program);
    rcp_text_printf(to, "%s>\n", counts.at);
    for (size_t i = 0; i < entries.list.len; i++)
        entry_case(to, findings, &entries.list.at[i]);
    for (size_t i = 0; i < findings->deadlocks.len; i++)
        deadlock_case(to, findings, i);
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
