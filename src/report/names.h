/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ as a programmer would write them, and whose code a file is.
 *
 * A demangled name has what nobody wrote: the library's inner namespaces, ABI tags, default arguments of templates.
 * Short names are for people alone: two functions may have the same one. Nothing else depends on them.
 *
 * Ownership: texts are the caller's.
 */
#ifndef RECIPE_REPORT_NAMES_H
#define RECIPE_REPORT_NAMES_H

#include "base/text.h"

#include <stdbool.h>

/* "std::map<std::string, int>::operator[](std::string const&)"; template arguments that are still long are "<…>". What
 * is no name of C++ is added as it is. */
void rcp_name_shorten(rcp_text *to, const char *name);

#endif
