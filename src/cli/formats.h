/* SPDX-License-Identifier: Apache-2.0 */
/* The text forms of traces that the command line knows, by name.
 *
 * Formats are static; nothing is owned.
 */
#ifndef RECIPE_CLI_FORMATS_H
#define RECIPE_CLI_FORMATS_H

#include "base/text.h"
#include "trace/model/trace.h"

#define RCP_FORMATS "text|std|valued"

typedef struct rcp_format {
    const char *name;
    rcp_code (*parse)(const char *name, const char *text, size_t len, rcp_trace *trace);
    /* What the format can't hold as it is is said, a line each, in `notes`. */
    rcp_code (*print)(rcp_text *out, const rcp_trace *trace, rcp_text *notes);
} rcp_format;

/* `name` is one of RCP_FORMATS. */
const rcp_format *rcp_format_find(const char *name);
/* By what the text looks like, then by the file's extension; `why` says by what. NULL: no idea. */
const rcp_format *rcp_format_guess(const char *file, const char *text, size_t len, const char **why);

#endif
