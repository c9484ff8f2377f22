/* SPDX-License-Identifier: Apache-2.0 */
/* What 'analyze' does with one process of a recorded run, for 'run' too. */
#ifndef RECIPE_CLI_ANALYSIS_H
#define RECIPE_CLI_ANALYSIS_H

#include "cli/asides.h"
#include "cli/options.h"

/* Analyses the directory that the arguments of 'analyze' name, whatever others are in it, and reports, but for what is
 * set aside; NULL: and prints no report. */
rcp_exit rcp_analysis_run(const rcp_arguments *arguments, rcp_asides *asides);

#endif
