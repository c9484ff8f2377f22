/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the report for people, with the marks of their colours still in them (report/lines.h). */
#ifndef RECIPE_REPORT_PEOPLE_H
#define RECIPE_REPORT_PEOPLE_H

#include "report/entries.h"

/* Its headline, the pair that is the easiest to understand, and the others. */
void rcp_people_entry(rcp_text *to, const rcp_bug *entry, bool is_full);
/* One pair, whole. */
void rcp_people_race(rcp_text *to, const rcp_finding *finding, bool is_full);
/* What carrying something out showed, a paragraph a line. NULL: nothing. */
void rcp_people_replay(rcp_text *to, const char *told);
void rcp_people_models(rcp_text *to, uint32_t models, const char *between);
/* A name of C++, short unless `is_full`. */
void rcp_people_name(rcp_text *to, const char *name, bool is_full);

#endif
