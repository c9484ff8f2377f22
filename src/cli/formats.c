/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/formats.h"

#include "trace/text/std.h"
#include "trace/text/text.h"
#include "trace/text/valued.h"

#include <string.h>

static rcp_code print_text(rcp_text *out, const rcp_trace *trace, rcp_text *notes) {
    (void)notes; /* it holds everything */
    rcp_text_print_trace(out, trace);
    return RCP_OK;
}

static rcp_code print_std(rcp_text *out, const rcp_trace *trace, rcp_text *notes) {
    rcp_lowering lowering = {0};
    rcp_code code = rcp_std_print(out, trace, &lowering);
    rcp_lowering_print(notes, &lowering);
    return code;
}

static rcp_code print_valued(rcp_text *out, const rcp_trace *trace, rcp_text *notes) {
    rcp_lowering lowering = {0};
    rcp_code code = rcp_valued_print(out, trace, &lowering);
    rcp_lowering_print(notes, &lowering);
    return code;
}

enum { TEXT, STD, VALUED, FORMATS };

static const rcp_format formats[FORMATS] = {
    [TEXT] = {"text", rcp_text_parse, print_text},
    [STD] = {"std", rcp_std_parse, print_std},
    [VALUED] = {"valued", rcp_valued_parse, print_valued},
};

const rcp_format *rcp_format_find(const char *name) {
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

/* The first line is `thread|op(argument)|location`: exactly two bars. */
static bool looks_like_std(const char *line, size_t len) {
    size_t bars = 0;
    for (size_t i = 0; i < len; i++)
        bars += line[i] == '|';
    return bars == 2;
}

static bool looks_like_valued(const char *line, size_t len) {
    static const char *const words[] = {"Read ", "Write ", "Acq ", "Rel ", "Fork ", "Join ", "Begin ", "End "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (len > strlen(words[i]) && !memcmp(line, words[i], strlen(words[i])))
            return true;
    return false;
}

static bool ends_with(const char *file, const char *ending) {
    size_t n = strlen(file), m = strlen(ending);
    return n > m && !strcmp(file + n - m, ending);
}

const rcp_format *rcp_format_guess(const char *file, const char *text, size_t len, const char **why) {
    const char *end = len ? memchr(text, '\n', len) : NULL;
    size_t first = end ? (size_t)(end - text) : len;
    *why = "by its first line";
    if (rcp_text_is_ours(text, len))
        return &formats[TEXT];
    if (looks_like_std(text, first))
        return &formats[STD];
    if (looks_like_valued(text, first))
        return &formats[VALUED];
    *why = "by its name";
    return ends_with(file, ".std") ? &formats[STD] : ends_with(file, ".valued") ? &formats[VALUED] : NULL;
}
