/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that run beside a program and talk to it (--client): while it is recorded, and in every replay that is real.
 *
 * Each is `sh -c COMMAND` in a process group of its own, with nothing on its standard input and the program's id in
 * RECIPE_PID. It is not recorded. All begin when the program listens on a socket, as its log says (abi/log.h), so that
 * nobody comes too early; of a program that does not, after the limit client-delay.
 *
 * Invariant: none outlives rcp_clients_end(). Owns its processes, borrows everything else.
 */
#ifndef RECIPE_RECORD_CLIENT_H
#define RECIPE_RECORD_CLIENT_H

#include "base/vec.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct rcp_client_process {
    pid_t pid;  /* 0: it has ended */
    int status; /* as waitpid(2) has it */
} rcp_client_process;

typedef struct rcp_clients {
    char *const *commands; /* ends with NULL; NULL: there are none */
    const char *recorded;  /* the directory whose log says that the program listens */
    char *const *environment;
    const char *directory; /* where they begin; NULL: here */
    const char *output;    /* the file that what they print goes to; NULL: where it goes by itself */
    const sigset_t *mask;  /* of signals; NULL: as it is here */
    void (*restore)(void); /* as rcp_launch has it */
    /* what came of it */
    bool begun;
    RCP_VEC(rcp_client_process) at; /* by command */
} rcp_clients;

/* The program has run for `ran` seconds. Returns after how many it wants to be asked again; below 0: never. */
double rcp_clients_look(rcp_clients *clients, pid_t program, double ran);
/* The program has ended: so do they. `politely`: each gets the time to do so by itself, and is then asked to. */
void rcp_clients_end(rcp_clients *clients, bool politely);
void rcp_clients_finish(rcp_clients *clients);

#endif
