/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

/* A chain is a handful of sentences; fixed room keeps failing free of allocation, so that 'out of memory' can be said
 * too. A cause past the last slot replaces the last one. */
enum { CAUSES = 8, CAUSE_BYTES = 512 };

static _Thread_local char causes[CAUSES][CAUSE_BYTES];
static _Thread_local size_t count;
static _Thread_local rcp_code failure; /* what it began with */

static void push(const char *format, va_list arguments) {
    size_t slot = count < CAUSES ? count++ : CAUSES - 1;
    vsnprintf(causes[slot], CAUSE_BYTES, format, arguments);
}

rcp_code rcp_fail(rcp_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    count = 0;
    failure = code;
    push(format, arguments);
    va_end(arguments);
    return code;
}

rcp_code rcp_code_of_errno(int error) {
    switch (error) {
    case EACCES:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENODEV: /* it can't be mapped */
    case ENOENT:
    case ENOTDIR:
    case ENXIO:
    case EPERM: return RCP_BAD_INPUT;
    default: return RCP_SYSTEM;
    }
}

rcp_code rcp_because(rcp_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    push(format, arguments);
    va_end(arguments);
    return code;
}

rcp_code rcp_failure(void) { return count ? failure : RCP_OK; }

const char *rcp_borrow_cause(size_t i) { return i < count ? causes[i] : NULL; }

void rcp_print_causes(FILE *to) {
    for (size_t i = count; i-- > 0;)
        fprintf(to, "%s%s%s", causes[i], i ? ": " : "", i ? "" : "\n");
}

void rcp_clear_causes(void) { count = 0; }

_Noreturn void rcp_check_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "recipe: internal error at %s:%d: %s does not hold. Please report it with the input.\n", file, line,
            condition);
    abort();
}
