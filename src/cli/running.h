/* SPDX-License-Identifier: Apache-2.0 */
/* What 'run' does, for 'hunt' too, which has its options. Nothing is owned. */
#ifndef RECIPE_CLI_RUNNING_H
#define RECIPE_CLI_RUNNING_H

#include "cli/options.h"

/* Of both commands; 'run' has one more, --hunt. */
enum { RCP_RUNNING_OPTIONS = 29 };
extern const rcp_option rcp_running_options[];

/* `command` is who was called. */
rcp_exit rcp_running_run(const rcp_arguments *arguments, const rcp_command *command, bool is_hunt);

#endif
