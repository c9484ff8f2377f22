/* SPDX-License-Identifier: Apache-2.0 */
/* Names as the source has them: the linker's names of C++ say the same in a code of their own. What is no such name is
 * itself. The text is the caller's, from the heap. */
#ifndef RECIPE_PROGRAM_RECORDING_PLAIN_NAME_H
#define RECIPE_PROGRAM_RECORDING_PLAIN_NAME_H

/* The caller frees it. */
char *rcp_take_plain_name(const char *name);

#endif
