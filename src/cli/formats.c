/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/formats.h"

#include "trace/text.h"

#include <string.h>

static void print_text(rcp_text *out, const rcp_trace *trace, rcp_text *left_out) {
    (void)left_out; /* it holds everything */
    rcp_text_print_trace(out, trace);
}

static const rcp_format formats[] = {
    {"text", rcp_text_parse, print_text},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const rcp_format *rcp_format_find(const char *name) {
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

const rcp_format *rcp_format_guess(const char *file, const char *text, size_t len, const char **why) {
    (void)file;
    *why = "by its first line";
    if (rcp_text_is_ours(text, len))
        return rcp_format_find("text");
    return NULL;
}
