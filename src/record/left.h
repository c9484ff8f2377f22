/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorded run has left in the file system, of the names that it made, wrote to or removed: so begins the next
 * run of the program. One that is ended may leave others: the flag that it removes last, by which the next one would go
 * on at once where it should wait.
 *
 * DIR/names is the runtime's list, a path a line, and "more" where there were too many. DIR/left is made of it when the
 * run has ended: a line 'STATE PATH' each. STATE: '-' nothing is there, '0' an empty file, '+' anything else; of "more"
 * '?'.
 */
#ifndef RECIPE_RECORD_LEFT_H
#define RECIPE_RECORD_LEFT_H

#include "base/text.h"

rcp_code rcp_left_keep(const char *directory) RCP_MUST_USE;
/* What is not as the run left it, of all its processes (`directory` and its process.N): a path, or what is not known.
 * Nothing is added where all of it is. */
rcp_code rcp_left_compare(const char *directory, rcp_text *what) RCP_MUST_USE;

#endif
