/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/notices.h"

#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>

void rcp_notices_say(const rcp_notices *notices, const char *format, ...) {
    if (!notices->say)
        return;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *sentence = rcp_alloc((size_t)n + 1);
    va_start(arguments, format);
    vsnprintf(sentence, (size_t)n + 1, format, arguments);
    va_end(arguments);
    notices->say(notices->context, sentence);
    rcp_release(sentence);
}

void rcp_notices_progress(const rcp_notices *notices, const rcp_progress *at) {
    if (notices->progress)
        notices->progress(notices->context, at);
}
