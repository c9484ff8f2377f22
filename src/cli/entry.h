/* SPDX-License-Identifier: Apache-2.0 */
/* What every command does first with a directory that it is given: it may come from elsewhere, be damaged, be in use,
 * or hold the recording of a program that was killed.
 *
 * main.c calls it for every command that names an entry; 'run' for the directory that it has recorded.
 */
#ifndef RECIPE_CLI_ENTRY_H
#define RECIPE_CLI_ENTRY_H

#include "base/status.h"
#include "cli/options.h"

/* Links, locks, checksums; says so where the recording was cut off. */
rcp_code rcp_enter(const char *directory, rcp_entry entry) RCP_MUST_USE;

#endif
