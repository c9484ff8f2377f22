/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool is_shown;

void rcp_progress_say(const char *format, ...) {
    if (!isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    is_shown = true;
}

void rcp_progress_clear(void) {
    if (is_shown)
        fputs("\r\033[K", stderr);
    is_shown = false;
}

void rcp_progress_left(char text[32], double seconds, size_t done, size_t all) {
    double left = done ? seconds / (double)done * (double)(all - done) : 0;
    text[0] = 0;
    if (left >= 1)
        snprintf(text, 32, ", about %.0f s left", left);
}
