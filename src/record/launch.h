/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program as if the user's shell had: its input, output, signals, stops and death pass through.
 *
 * The program stays in our process group, so what the terminal or a `kill` of the group sends reaches it without us,
 * and what is sent to us alone we hand on. Which of the two a signal was, no field of it says; a sentry does: a process
 * in the same group that blocks everything. What it has got too was for the group.
 *
 * Invariant: no signal that ends or stops us by default does so while the program runs; a stop of the program stops us,
 * so that the shell sees it. Killed for good (SIGKILL), we take the program with us. The launch owns the sentry and
 * borrows what describes it.
 */
#ifndef RECIPE_RECORD_LAUNCH_H
#define RECIPE_RECORD_LAUNCH_H

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct rcp_launch {
    const char *path; /* the file to execute */
    char **argv;      /* its arguments, the name first */
    char **environment;
    bool keep_addresses;   /* switch address-space randomisation off */
    void (*restore)(void); /* NULL, or puts back what whoever launches has changed of signals; called in the child */
    double seconds;        /* after so long it is asked to end, by SIGTERM; 0: never */
    double grace;          /* and killed so many seconds after that */
    /* NULL, or called with the program's id and how long it has run: returns after how many seconds at the latest it
     * wants to be called again; below 0: never */
    double (*attend)(void *context, pid_t pid, double ran);
    void *context;
    /* what came of it */
    int status;           /* as waitpid(2) has it */
    int exec_error;       /* errno of the execution; 0: it was executed */
    int addresses_error;  /* errno of switching randomisation off */
    int asked;            /* the last signal by which we have ended it; 0: it ended by itself */
    sigset_t mask_before; /* set by rcp_launch_block */
    struct rusage *usage; /* takes what the program used; may be NULL */
} rcp_launch;

/* Signals that would end us wait from here on; they go to the program once it runs. */
void rcp_launch_block(rcp_launch *launch);
/* Runs the program to its end. RCP_SYSTEM: no process could be made. */
rcp_code rcp_launch_run(rcp_launch *launch) RCP_MUST_USE;
/* What waited meets what it would have met without us: for failures between the two calls above. */
void rcp_launch_unblock(rcp_launch *launch);
/* Dies as the program did, where a signal ended it; else the exit code to leave with: of one that our own signal ended,
 * as was asked for, 0. */
int rcp_launch_end_alike(const rcp_launch *launch);

/* The file that a shell would execute for `name`, through PATH. NULL: *error is ENOENT where there is none, else why
 * the one that is there can't be executed. The caller releases it. */
char *rcp_launch_take_path(const char *name, int *error);

#endif
