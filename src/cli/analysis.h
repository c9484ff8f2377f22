/* SPDX-License-Identifier: Apache-2.0 */
/* What 'analyze' does with one process of a recorded run, for 'run' too. */
#ifndef RECIPE_CLI_ANALYSIS_H
#define RECIPE_CLI_ANALYSIS_H

#include "cli/options.h"

/* Analyses the directory that the arguments of 'analyze' name, whatever others are in it. `prints`: and reports. */
rcp_exit rcp_analysis_run(const rcp_arguments *arguments, bool prints);

#endif
