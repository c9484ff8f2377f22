/* SPDX-License-Identifier: Apache-2.0 */
/* What of bytes is UTF-8. */
#ifndef RECIPE_BASE_UTF8_H
#define RECIPE_BASE_UTF8_H

#include <stddef.h>

/* How many bytes the well-formed sequence at the beginning of `left` bytes, one at least, has; 0: there is none (RFC
 * 3629: no surrogates, no overlong forms, nothing above U+10FFFF). */
size_t rcp_utf8_sequence(const char *bytes, size_t left);

#endif
