/* SPDX-License-Identifier: Apache-2.0 */
/* One program, or one command, run and recorded: what 'record' does, and 'run' at its beginning. Says nothing by
 * itself: what failed is a chain of causes, and which of the exit codes that users know from env(1) goes with it.
 *
 * A recording owns the run, the launch and the directory's name until it is finished. Options and command are borrowed.
 */
#ifndef RECIPE_RECORD_RECORD_H
#define RECIPE_RECORD_RECORD_H

#include "record/client.h"
#include "record/command.h"
#include "record/recorded_run.h"

typedef enum rcp_record_end {
    RCP_RECORDED,         /* whatever the program's own end was: launch.status */
    RCP_RECORD_FAILED,    /* nothing was recorded */
    RCP_RECORD_CANT_RUN,  /* the program is there and can't be executed */
    RCP_RECORD_NOT_FOUND, /* it is not there */
} rcp_record_end;

typedef struct rcp_record_options {
    struct rcp_run_config config;
    const char *schedule; /* of RCP_POLICY_FILE: a file, or a recorded directory; else NULL */
    const char *output;   /* the directory, which must not be there; NULL: by the program's name */
    const char *through;  /* an emulator; NULL: none */
    char **command;       /* the program's name and its arguments, then NULL */
    int words;
    void (*restore)(void); /* as rcp_launch has it */
    bool takes_commands;   /* a program that was not built by recipe, or a script, may start others that were */
    double outlive;        /* seconds that recorded processes which outlive the program are waited for */
    double seconds;        /* after which it is ended; 0: never */
    char **clients;        /* commands that run beside it, then NULL; NULL: none */
} rcp_record_options;

typedef struct rcp_record {
    rcp_recorded_run run;
    rcp_launch launch; /* how the program ended */
    rcp_clients clients;
    rcp_schedule schedule;
    rcp_environment environment;
    char *program, *emulator;
    RCP_VEC(char *) emulated;
    bool ran;         /* the program has run to its end, recorded or not */
    size_t outliving; /* recorded processes that run still: what they did until now is kept */
} rcp_record;

/* `record` is the caller's to finish, also where this fails; the causes say why it does. Where the program has run,
 * signals stay blocked: rcp_launch_unblock(). */
rcp_record_end rcp_record_program(const rcp_record_options *options, rcp_record *record);
void rcp_record_finish(rcp_record *record);

#endif
