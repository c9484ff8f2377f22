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

static void begin_case(rcp_text *to, const char *class, const char *name) {
    rcp_text_puts(to, "    <testcase");
    attribute(to, "classname", class);
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

static const char known[] = "Known by the baseline.";

/* Fails; what is unconfirmed or set aside is skipped. */
static void entry_case(rcp_text *to, const rcp_findings *findings, const rcp_bug *entry) {
    const rcp_finding *first = entry->findings.at[0];
    const rcp_loc loc = rcp_own_place(first->defs, &first->access[0]);
    const rcp_location *at = &first->defs->locations.at[loc.v];
    rcp_text headline = {0}, lines = {0}, test = {0};
    rcp_bug_headline(&headline, entry);
    rcp_finding_test(&test, first);
    begin_case(to, test.len ? test.at : findings->program, headline.at);
    if (at->file.v)
        attribute(to, "file", rcp_defs_borrow_string(first->defs, at->file));
    if (at->line)
        rcp_text_printf(to, " line=\"%u\"", at->line);
    rcp_report_entry(&lines, entry, findings->has_full_names);
    if (first->suppressed)
        suppressed(to, first->suppressed, &lines);
    else if (first->is_known)
        skipped(to, known, &lines);
    else if (rcp_bug_is_unconfirmed(entry))
        skipped(to, "Unconfirmed: the checkers accepted a schedule, and no replay showed it on the program.", &lines);
    else
        failure(to, "data-race", headline.at, &lines);
    rcp_text_puts(to, "    </testcase>\n");
    rcp_text_finish(&headline);
    rcp_text_finish(&lines);
    rcp_text_finish(&test);
}

static void deadlock_case(rcp_text *to, const rcp_findings *findings, const rcp_deadlock *deadlock, size_t number,
                          rcp_fate fate) {
    rcp_text name = {0}, lines = {0};
    rcp_text_printf(&name, "deadlock %zu", number);
    begin_case(to, findings->program, name.at);
    rcp_report_deadlock(&lines, deadlock, findings->has_full_names);
    if (fate == RCP_FATE_SUPPRESSED)
        suppressed(to, deadlock->suppressed, &lines);
    else if (fate == RCP_FATE_KNOWN)
        skipped(to, known, &lines);
    else
        failure(to, "deadlock",
                deadlock->race ? "Every thread waits for another: the replay of a race ended so."
                               : "Every thread waits for another: the recorded run ended so.",
                &lines);
    rcp_text_puts(to, "    </testcase>\n");
    rcp_text_finish(&name);
    rcp_text_finish(&lines);
}

static void entry_cases(rcp_text *to, const rcp_findings *findings, const rcp_bugs *list) {
    for (size_t i = 0; i < list->len; i++)
        entry_case(to, findings, &list->at[i]);
}

static void deadlock_cases(rcp_text *to, const rcp_findings *findings, const rcp_deadlocks *list, rcp_fate fate,
                           size_t *number) {
    for (size_t i = 0; i < list->len; i++)
        deadlock_case(to, findings, &list->at[i], ++*number, fate);
}

void rcp_report_junit(rcp_text *to, const rcp_findings *findings) {
    rcp_entries entries;
    rcp_text counts = {0}, rest = {0};
    rcp_entries_make(&entries, findings);
    const size_t failures = rcp_entries_races(&entries) + findings->deadlocks.len;
    const size_t left_out = rcp_entries_unconfirmed(&entries) + entries.known.len + entries.suppressed.len +
                            findings->known_deadlocks.len + findings->suppressed_deadlocks.len;
    size_t number = 0;
    rcp_text_printf(&counts, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\"",
                    failures + left_out + !failures, failures, left_out, findings->summary->work.seconds);
    rcp_text_printf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"recipe\"%s>\n  <testsuite",
                    counts.at);
    attribute(to, "name", findings->program);
    rcp_text_printf(to, "%s>\n", counts.at);
    entry_cases(to, findings, &entries.list);
    entry_cases(to, findings, &entries.known);
    entry_cases(to, findings, &entries.suppressed);
    deadlock_cases(to, findings, &findings->deadlocks, RCP_FATE_COUNTS, &number);
    deadlock_cases(to, findings, &findings->known_deadlocks, RCP_FATE_KNOWN, &number);
    deadlock_cases(to, findings, &findings->suppressed_deadlocks, RCP_FATE_SUPPRESSED, &number);
    if (!failures) {
        begin_case(to, findings->program, "no race");
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
