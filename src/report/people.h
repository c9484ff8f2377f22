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
/* The line as it is in the file, with a mark below that column (0: none). Nothing where it is not there, or may be
 * another one by now (report/excerpts.h). */
void rcp_people_source(rcp_text *to, const char *file, uint32_t line, uint32_t column, int64_t recorded_at);
/* A name of C++, short unless `is_full`. */
void rcp_people_name(rcp_text *to, const char *name, bool is_full);

#endif
