/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of this process that work beside it, and how a process ended.
 *
 * Invariant: a copy does not outlive the process that made it, and what stdio has buffered is written once. Whoever
 * makes one waits for it. Nothing is owned here: a process is its number.
 */
#ifndef RECIPE_BASE_PROCESS_H
#define RECIPE_BASE_PROCESS_H

#include "base/text.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Set by whoever handles SIGINT or SIGTERM: who waits for a run of the program ends it, and gives up. */
extern volatile sig_atomic_t rcp_process_is_interrupted;

/* fork(2): the copy is killed when this process ends. -1: errno says why. */
pid_t rcp_process_fork(void);

/* Waits for its end; `status` as waitpid(2) has it, may be NULL. False: there is no such child. */
bool rcp_process_await(pid_t pid, int *status);
/* The same for so many seconds at most. False: it has not ended by then. */
bool rcp_process_await_for(pid_t pid, double seconds, int *status);

/* Has this process children that run? Those that have ended are taken away: nobody else waits for any. */
bool rcp_process_has_children(void);
/* What loses its parent, of those that this process has started, becomes its child; or, as usual, init's. */
void rcp_process_adopt(bool adopts);
/* Does it run? Not one that has ended and that nobody has asked for. */
bool rcp_process_is_there(pid_t pid);
bool rcp_process_is_stopped(pid_t pid); /* by a signal */

/* "SIGTERM"; "SIG?" where there is no such signal. Borrowed until the next call. */
const char *rcp_process_signal_name(int number);
/* "exited with 3", "died of SIGSEGV". */
void rcp_process_print_end(rcp_text *to, int status);

/* What a copy of this process makes of `context`. It may fail as any other; the first cause arrives here, too. */
typedef rcp_code rcp_process_work(void *context, rcp_text *answer);
rcp_code rcp_process_ask_copy(rcp_process_work *work, void *context, rcp_text *answer) RCP_MUST_USE;

/* The same while this process does something else. What was begun is heard. */
typedef struct rcp_process_copy {
    pid_t pid;
    int fd; /* its answer comes here */
} rcp_process_copy;
rcp_code rcp_process_begin_copy(rcp_process_work *work, void *context, rcp_process_copy *copy) RCP_MUST_USE;
/* Waits for it. Where this process is interrupted it is told so, once. */
rcp_code rcp_process_hear_copy(rcp_process_copy *copy, rcp_text *answer) RCP_MUST_USE;

#endif
