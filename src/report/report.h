/* SPDX-License-Identifier: Apache-2.0 */
/* The report's forms: the same findings, for people and for programs.
 *
 * Nothing here depends on the clock but `analysis.seconds`. The texts grow by whole reports and are the caller's.
 */
#ifndef RECIPE_REPORT_REPORT_H
#define RECIPE_REPORT_REPORT_H

#include "report/entries.h"
#include "report/finding.h"

/* For people: at most 100 columns where names allow it. */
void rcp_report_text(rcp_text *to, const rcp_findings *findings);
/* The same in a line per entry, as compilers have them: "a.c:12:5: race 2: …". */
void rcp_report_brief(rcp_text *to, const rcp_findings *findings);
/* Its last lines alone: how many races, of how much. */
void rcp_report_summary(rcp_text *to, const rcp_findings *findings);
/* Parts of it: an entry; a deadlock; what comes after all of these, the last lines included. */
void rcp_report_entry(rcp_text *to, const rcp_bug *entry, bool has_full_names);
void rcp_report_deadlock(rcp_text *to, const rcp_deadlock *deadlock, bool has_full_names);
void rcp_report_rest(rcp_text *to, const rcp_findings *findings);
/* Of that: what was set aside. */
void rcp_report_asides(rcp_text *to, const rcp_findings *findings);
/* One race of them, whole. */
void rcp_report_race(rcp_text *to, const rcp_finding *finding, bool has_full_names, bool is_coloured);
/* One JSON object; docs/report.md lists its keys. */
void rcp_report_json(rcp_text *to, const rcp_findings *findings);
/* One JSON object in the form that code scanning reads (SARIF 2.1.0): a result per entry and deadlock. */
void rcp_report_sarif(rcp_text *to, const rcp_findings *findings);
/* XML as JUnit's, which continuous integration shows: a test case per entry and deadlock, which fails, or one that
 * passes. */
void rcp_report_junit(rcp_text *to, const rcp_findings *findings);

/* One page for a browser, which needs nothing else: the JSON, the source around its places, and what shows them. */
void rcp_report_html(rcp_text *to, const rcp_findings *findings);
/* The source that it shows, which is all that any form does, for a pack: rcp_excerpts_keep(). */
size_t rcp_report_keep_sources(rcp_text *to, const rcp_findings *findings, const char *root);

/* The forms by their words. */
#define RCP_REPORT_FORMS "text|json|sarif|junit|html"
typedef void rcp_report_form(rcp_text *to, const rcp_findings *findings);
/* `word` is one of RCP_REPORT_FORMS. */
rcp_report_form *rcp_report_find_form(const char *word);

#endif
