/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of strings in new blocks. Code outside fills them, and what reads them next may be outside, too (strlen,
 * printf): so the log has their contents. The block itself is logged by malloc, which the copy calls. */
#include "runtime/block.h"

#include <errno.h>
#include <string.h>

RCP_REAL_DEFINE(strdup)
RCP_REAL_DEFINE(strndup)

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
