/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/vec.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rcp_text_finish(rcp_text *text) {
    rcp_release(text->at);
    *text = (rcp_text){0};
}

void rcp_text_clear(rcp_text *text) {
    text->len = 0;
    if (text->at)
        text->at[0] = 0;
}

static char *room(rcp_text *text, size_t n) {
    if (text->cap - text->len < n + 1)
        text->at = rcp_grow(text->at, &text->cap, text->len + n + 1, 1);
    return text->at + text->len;
}

void rcp_text_add(rcp_text *text, const char *bytes, size_t n) {
    char *to = room(text, n);
    if (n) /* no bytes may be nowhere */
        memcpy(to, bytes, n);
    text->len += n;
    text->at[text->len] = 0;
}

void rcp_text_puts(rcp_text *text, const char *string) { rcp_text_add(text, string, strlen(string)); }

void rcp_text_printf(rcp_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t have = text->cap - text->len; /* it mostly fits, and then formatting once is enough */
    int n = vsnprintf(have ? text->at + text->len : NULL, have, format, arguments);
    RCP_CHECK(n >= 0);
    if ((size_t)n >= have)
        vsnprintf(room(text, (size_t)n), (size_t)n + 1, format, again);
    text->len += (size_t)n;
    va_end(again);
    va_end(arguments);
}

rcp_code rcp_text_read_file(rcp_text *text, const char *path) {
    FILE *from = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!from)
        return rcp_fail(rcp_code_of_errno(errno), "%s: can't be opened: %s", path, strerror(errno));
    rcp_text_add(text, "", 0);
    for (size_t n; (n = fread(room(text, 1 << 16), 1, 1 << 16, from)) > 0 || (ferror(from) && errno == EINTR);) {
        text->len += n;
        if (ferror(from) && errno == EINTR)
            clearerr(from);
    }
    text->at[text->len] = 0;
    rcp_code code = RCP_OK;
    if (ferror(from))
        code = rcp_fail(rcp_code_of_errno(errno), "%s: can't be read: %s", path, strerror(errno));
    if (from != stdin)
        fclose(from);
    return code;
}
