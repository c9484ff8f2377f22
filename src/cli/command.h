/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, one per cmd_*.c, and what they share. Whatever is said on standard error goes through the functions
 * here, but for the numbers of --stats. Commands are static; nothing is owned. */
#ifndef RECIPE_CLI_COMMAND_H
#define RECIPE_CLI_COMMAND_H

#include "cli/options.h"

extern const rcp_command rcp_cmd_record;
extern const rcp_command rcp_cmd_analyze;
extern const rcp_command rcp_cmd_report;
extern const rcp_command rcp_cmd_run;
extern const rcp_command rcp_cmd_hunt;
extern const rcp_command rcp_cmd_replay;
extern const rcp_command rcp_cmd_pack;
extern const rcp_command rcp_cmd_unpack;
extern const rcp_command rcp_cmd_doctor;
extern const rcp_command rcp_cmd_trace_import;
extern const rcp_command rcp_cmd_trace_export;
extern const rcp_command rcp_cmd_trace_stat;
extern const rcp_command rcp_cmd_trace_dump;
extern const rcp_command rcp_cmd_trace_check;
extern const rcp_command rcp_cmd_trace_schedule;
extern const rcp_command rcp_cmd_trace_reexecute;

/* "recipe: …", one line, on standard error. */
void rcp_say(const char *format, ...) RCP_PRINTF(1, 2);
/* The chain of causes, and the exit code that goes with it. */
rcp_exit rcp_give_up(rcp_code code);
/* A command line that makes no sense: says what, and where help is. `command` may be NULL. */
rcp_exit rcp_usage(const rcp_command *command, const char *format, ...) RCP_PRINTF(2, 3);

/* In a child that is about to execute a program: signals as they were before recipe changed them. */
void rcp_restore_signals(void);

#endif
