/* SPDX-License-Identifier: Apache-2.0 */
/* The file or directory that is being written under another name, and what becomes of it when the user interrupts us.
 *
 * Invariant: at most one at a time. Between making and forgetting it SIGINT, SIGTERM and SIGHUP, where they are not
 * ignored, remove it before they end the process. The module keeps a copy of the name; the caller owns what is there.
 */
#ifndef RECIPE_CLI_TEMPORARY_H
#define RECIPE_CLI_TEMPORARY_H

#include <stdbool.h>

/* mkstemp(3) and mkdtemp(3), of which `pattern` is the argument; errno says why they failed. */
int rcp_temporary_file(char *pattern);
bool rcp_temporary_directory(char *pattern);
/* It has another name now, or was removed. */
void rcp_temporary_forget(void);

#endif
