/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/plain_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ library, which LLVM's needs in any case. */
char *__cxa_demangle(const char *name, char *room, size_t *size, int *status);

/* Without what only newer compilers say: that an argument of a template is a number, and of which type (Tn), each of a
 * pack's (Tp). Where that was something else, such as a part of a name, lengths no longer fit and nothing comes of it.
 */
static char *take_older(const char *name) {
    char *older = strdup(name), *to = older;
    for (const char *at = name; *at;) {
        size_t pack = strncmp(at, "TpTn", 4) ? 0 : 2;
        const char *type = strncmp(at + pack, "Tn", 2) ? NULL : at + pack + 2;
        size_t n = !type ? 0 : !strncmp(type, "Da", 2) ? 2 : islower((unsigned char)*type) != 0; /* auto, a number's */
        if (n)
            at = type + n;
        else
            *to++ = *at++;
    }
    *to = 0;
    return older;
}

char *rcp_take_plain_name(const char *name) {
    if (strncmp(name, "_Z", 2) != 0)
        return strdup(name);
    char *plain = __cxa_demangle(name, NULL, NULL, NULL);
    if (plain)
        return plain;
    char *older = take_older(name);
    plain = __cxa_demangle(older, NULL, NULL, NULL);
    free(older);
    return plain ? plain : strdup(name);
}
