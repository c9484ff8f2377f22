/* SPDX-License-Identifier: Apache-2.0 */
/* The strings that a format reads by a va_list. Telling knows the format, but not what was put into the list: the log
 * has where each string is, and how many bytes of it may be read (RCP_LOG_STRINGS).
 *
 * Invariant: either all strings of a call are logged, or none is: then the call is one that nobody knows.
 */
#ifndef RECIPE_RUNTIME_FORMATS_H
#define RECIPE_RUNTIME_FORMATS_H

#include <stdarg.h>
#include <stddef.h>

/* Before the real call, which may take what is in the list: it is as it was afterwards. */
void rcp_formats_tell(const char *format, va_list list);
/* The real vsnprintf. */
int rcp_formats_print(char *to, size_t size, const char *format, va_list list);

#endif
