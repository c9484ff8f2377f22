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
/* Side `k`: the first line is the program's own, whatever the library does below it; the line itself and the one that
 * the advice names, where its thread comes from and the callers follow, unless `is_brief`. `entry` may be NULL. */
void rcp_people_access(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry, size_t k, bool is_full,
                       bool is_brief);
/* The locks that it holds, and why those of both do not keep the two apart. */
void rcp_people_locks(rcp_text *to, const rcp_finding *finding, size_t side, bool is_full);
void rcp_people_lock_words(rcp_text *to, const rcp_finding *finding);
void rcp_people_thread(rcp_text *to, const rcp_defs *defs, rcp_tid tid);
/* What has been done where a step ends: "has taken mutex `m` at a.c:12:5". */
void rcp_people_done(rcp_text *to, const rcp_defs *defs, const rcp_stop *stop, bool is_full);
void rcp_people_models(rcp_text *to, uint32_t models, const char *between);
/* The line as it is in the file, with a mark below that column (0: none). Nothing where it is not there, or may be
 * another one by now (report/excerpts.h). */
void rcp_people_source(rcp_text *to, const char *file, uint32_t line, uint32_t column, int64_t recorded_at);
/* A line that the advice names, with its place; nothing where it is not there. */
void rcp_people_quote(rcp_text *to, const rcp_finding *finding, rcp_loc loc);
/* A name of C++, short unless `is_full`. */
void rcp_people_name(rcp_text *to, const char *name, bool is_full);

#endif
