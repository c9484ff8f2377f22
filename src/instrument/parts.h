/* SPDX-License-Identifier: Apache-2.0 */
/* Where recipe's own parts are (what it links into programs, the inlined hooks), and which clang it drives.
 *
 * They lie in lib/recipe beside the running program (a build tree) or beside its directory (an installed one).
 * The texts are the caller's.
 */
#ifndef RECIPE_INSTRUMENT_PARTS_H
#define RECIPE_INSTRUMENT_PARTS_H

#include "base/text.h"

/* The path of lib/recipe/NAME, which is there. */
rcp_code rcp_parts_find(const char *name, rcp_text *path) RCP_MUST_USE;
/* The path of clang 19: what RECIPE_CLANG names, else clang-19 in PATH, else where it was when recipe was built. */
rcp_code rcp_parts_find_clang(rcp_text *path) RCP_MUST_USE;

#endif
