/* SPDX-License-Identifier: Apache-2.0 */
/* Atomicity violations as findings: what the summary has as JSON objects (docs/report.md, 'Atomicity'). What they say
 * is the summary's; the findings own the lists.
 */
#ifndef RECIPE_REPORT_PARTED_H
#define RECIPE_REPORT_PARTED_H

#include "report/finding.h"

/* For people, all of them. */
void rcp_parted_lines(rcp_text *to, const rcp_findings *findings);
/* Of one: its place, "bank.c:20:9", and what it is. */
void rcp_parted_place(rcp_text *to, const rcp_parted *parted);
void rcp_parted_headline(rcp_text *to, const rcp_parted *parted);
/* "atomicity": […], and what goes with it; nothing where nobody has asked for them. */
void rcp_parted_json(rcp_text *to, const rcp_findings *findings);

#endif
