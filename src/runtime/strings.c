/* SPDX-License-Identifier: Apache-2.0 */
/* Strings in new blocks, and in the program's own: copies, what is printed there, names of errors. Code outside fills
 * them, and what reads them next may be outside, too (strlen, printf): so the log has their contents. The block itself
 * is logged by malloc, which is called for it. */
#include "runtime/block.h"
#include "runtime/formats.h"
#include "runtime/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RCP_REAL_DEFINE(strdup)
RCP_REAL_DEFINE(strndup)
RCP_REAL_DEFINE(realpath)
RCP_REAL_DEFINE(strerror_r)
int __xpg_strerror_r(int number, char *text, size_t room);
RCP_REAL_DEFINE(__xpg_strerror_r)
RCP_REAL_DEFINE(vasprintf)
int __vasprintf_chk(char **text, int flag, const char *format, va_list list);
RCP_REAL_DEFINE(__vasprintf_chk)

static char *tell(char *copy) {
    int error = errno;
    rcp_thread *self = copy ? rcp_inside() : NULL;
    if (self) {
        rcp_effect(copy, strlen(copy) + 1);
        rcp_outside(self);
    }
    errno = error;
    return copy;
}

RCP_INTERCEPT char *strdup(const char *string) { return tell(RCP_REAL(strdup)(string)); }
RCP_INTERCEPT char *strndup(const char *string, size_t most) { return tell(RCP_REAL(strndup)(string, most)); }
char *__strdup(const char *string);
RCP_INTERCEPT char *__strdup(const char *string) { return strdup(string); }
RCP_INTERCEPT char *realpath(const char *path, char *resolved) {
    char *real = RCP_REAL(realpath)(path, resolved);
    rcp_streams_path(AT_FDCWD, path);
    return tell(real);
}

/* The text that there is, and that which was written for a number that has none, or cut off. */
RCP_INTERCEPT char *strerror_r(int number, char *text, size_t room) {
    char *found = RCP_REAL(strerror_r)(number, text, room);
    return found == text && room ? tell(found) : found;
}
RCP_INTERCEPT int __xpg_strerror_r(int number, char *text, size_t room) {
    int e = RCP_REAL(__xpg_strerror_r)(number, text, room);
    if (room)
        (void)tell(text);
    return e;
}

/* Where it fails the pointer may have changed, too. */
static int tell_printed(char **text, int n) {
    int error = errno;
    rcp_thread *self = rcp_inside();
    if (self) {
        rcp_effect(text, sizeof *text);
        if (n >= 0)
            rcp_effect(*text, (size_t)n + 1);
        rcp_outside(self);
    }
    errno = error;
    return n;
}

RCP_INTERCEPT int vasprintf(char **text, const char *format, va_list list) {
    rcp_formats_tell(format, list);
    return tell_printed(text, RCP_REAL(vasprintf)(text, format, list));
}

RCP_INTERCEPT int asprintf(char **text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vasprintf(text, format, list);
    va_end(list);
    return n;
}

RCP_INTERCEPT int __vasprintf_chk(char **text, int flag, const char *format, va_list list) {
    rcp_formats_tell(format, list);
    return tell_printed(text, RCP_REAL(__vasprintf_chk)(text, flag, format, list));
}

int __asprintf_chk(char **text, int flag, const char *format, ...);
RCP_INTERCEPT int __asprintf_chk(char **text, int flag, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = __vasprintf_chk(text, flag, format, list);
    va_end(list);
    return n;
}
