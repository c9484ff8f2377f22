/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the report for people. Texts are the caller's.
 *
 * What is to be seen in colour stands between marks, which are control characters that no name can bring in
 * (rcp_lines_plain()); whoever has the whole text paints it, or takes them out.
 */
#ifndef RECIPE_REPORT_LINES_H
#define RECIPE_REPORT_LINES_H

#include "base/text.h"

#include <stdbool.h>

typedef enum rcp_ink {
    RCP_INK_HEAD = 1, /* what to read first */
    RCP_INK_BAD,      /* a race */
    RCP_INK_PERHAPS,  /* what is not certain */
    RCP_INK_GOOD,     /* nothing was found, and everything was looked at */
    RCP_INK_END,
} rcp_ink;

/* Names come from files and programs; on a terminal a control character of theirs must not act. */
void rcp_lines_plain(rcp_text *to, const char *string);
/* Breaks `words` at blanks, so that lines end by column 100, and ends the last one; the first begins at `column`, the
 * others are indented. Plain, too. */
void rcp_lines_wrap(rcp_text *to, size_t column, size_t indent, const char *words);

/* From here on, until END. */
void rcp_lines_ink(rcp_text *to, rcp_ink ink);
/* The text is done from there on: its marks become colours of a terminal, or nothing. */
void rcp_lines_paint(rcp_text *text, size_t from, bool is_coloured);

#endif
