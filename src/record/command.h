/* SPDX-License-Identifier: Apache-2.0 */
/* How a recorded program was started, kept so that it can be started so again: DIR/command. (run.json says the same to
 * people.)
 *
 * The file: strings that end with NUL: the program, the emulator it ran through ("": none), the working directory, what
 * standard input was ("file PATH OFFSET", "null", "kept": its bytes are in DIR/stdin as far as they were read), which
 * build the program was (program/recording/elf.h), then a number and so many arguments, a number and so many variables
 * of the environment, a number and so many commands of clients (record/client.h; older files have none).
 *
 * A command that was read owns its strings.
 */
#ifndef RECIPE_RECORD_COMMAND_H
#define RECIPE_RECORD_COMMAND_H

#include "base/text.h"
#include "base/vec.h"

#include <sys/types.h>

typedef struct rcp_recorded_command {
    const char *program, *through, *directory, *input, *build;
    RCP_VEC(char *) argv, environment, clients; /* each with a NULL behind its last */
    rcp_text bytes;                             /* what they point into */
} rcp_recorded_command;

/* What standard input is, now, in the words above. */
void rcp_command_describe_input(rcp_text *to);
/* `argv`, `environment` and `clients` end with NULL; of clients NULL: none. */
void rcp_command_print(rcp_text *to, const char *program, const char *through, const char *directory, const char *input,
                       char *const *argv, char *const *environment, char *const *clients);
/* The same as a shell would take it, for people to look at before it is run: on one line, without what a terminal would
 * take for more than text. Of the environment what says whose code is loaded. */
void rcp_command_show(rcp_text *to, const rcp_recorded_command *command);
/* What standard input was, where that is a file from its beginning: " <FILE". */
void rcp_command_show_input(rcp_text *to, const char *input);
/* The words of a command line likewise, with blanks between them. */
void rcp_command_show_words(rcp_text *to, char *const *words, size_t n);
/* RCP_BAD_INPUT: the program that is there now was not built by recipe, or it is another build than the recorded one.
 */
rcp_code rcp_command_check_program(const rcp_recorded_command *command) RCP_MUST_USE;

/* `command` is the caller's to finish, also where this fails. */
rcp_code rcp_command_read(rcp_recorded_command *command, const char *directory) RCP_MUST_USE;
void rcp_command_finish(rcp_recorded_command *command);

/* The environment of a recorded process: the user's, and our two variables. What lies above the stack must be of one
 * size, whatever the directory is called: else addresses in the stack would depend on it. */
typedef struct rcp_environment {
    RCP_VEC(char *) at; /* ends with NULL; borrowed but for the last two */
    rcp_text trace, padding;
} rcp_environment;
void rcp_environment_make(rcp_environment *to, char *const *base, const char *directory);
/* That of a client: the user's, and RECIPE_PID, the program's id. */
void rcp_environment_make_for_client(rcp_environment *to, char *const *base, pid_t program);
void rcp_environment_finish(rcp_environment *environment);

#endif
