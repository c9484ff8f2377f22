/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the report for people. Texts are the caller's.
 */
#ifndef RECIPE_REPORT_LINES_H
#define RECIPE_REPORT_LINES_H

#include "base/text.h"

/* Names come from files and programs; on a terminal a control character of theirs must not act. */
void rcp_lines_plain(rcp_text *to, const char *string);
/* Breaks `words` at blanks, so that lines end by column 100, and ends the last one; the first begins at `column`, the
 * others are indented. Plain, too. */
void rcp_lines_wrap(rcp_text *to, size_t column, size_t indent, const char *words);

#endif
