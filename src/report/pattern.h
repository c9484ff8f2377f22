/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of names as suppressions have them: `*` is any letters, `^` in front ties the pattern to the name's
 * beginning, `$` behind to its end; else it matches anywhere. All other letters are themselves. An empty name is no
 * name: nothing matches it. Nothing is owned.
 */
#ifndef RECIPE_REPORT_PATTERN_H
#define RECIPE_REPORT_PATTERN_H

#include <stdbool.h>

bool rcp_pattern_matches(const char *pattern, const char *name);

#endif
