/* SPDX-License-Identifier: Apache-2.0 */
/* The report's forms: the same findings, for people and for programs.
 *
 * Nothing here depends on the clock but `analysis.seconds`. The texts grow by whole reports and are the caller's.
 */
#ifndef RECIPE_REPORT_REPORT_H
#define RECIPE_REPORT_REPORT_H

#include "report/finding.h"

/* For people: at most 100 columns where names allow it. */
void rcp_report_text(rcp_text *to, const rcp_findings *findings);
/* Its last lines alone: how many races, of how much. */
void rcp_report_summary(rcp_text *to, const rcp_findings *findings);
/* One race of them. */
void rcp_report_race(rcp_text *to, const rcp_finding *finding);
/* One JSON object; docs/report.md lists its keys. */
void rcp_report_json(rcp_text *to, const rcp_findings *findings);

#endif
