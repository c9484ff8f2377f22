/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the report of a trace directory: what 'report' does, and 'analyze' at its end. Owns nothing. */
#ifndef RECIPE_CLI_SHOW_H
#define RECIPE_CLI_SHOW_H

#include "base/status.h"
#include "cli/exit_codes.h"

#include <stdbool.h>

/* `path` NULL: standard output. `*outcome` is 1 where there are races, else 0. With `statistics` the numbers that the
 * analyses kept follow on standard error. */
rcp_code rcp_show_report(const char *directory, bool json, bool statistics, const char *path,
                         rcp_exit *outcome) RCP_MUST_USE;

#endif
