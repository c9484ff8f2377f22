/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that begin and end: fork, exec, exit. A trace per process: abi/run.h.
 *
 * The child of a fork goes on in a trace of its own before any code of the program's runs in it, atfork handlers
 * included: ours is registered before all others. So fork, forkpty and daemon are alike (vfork.h has vfork), and what
 * calls none of them (posix_spawn, system, popen) runs only libc's code in the child.
 */
#ifndef RECIPE_RUNTIME_PROCESS_H
#define RECIPE_RUNTIME_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* The value of RECIPE_TRACE, which programs that are executed are to have, too. */
void rcp_process_name(const char *trace);
/* When recording begins. */
void rcp_process_start(void);
/* `environment`, with RECIPE_TRACE put in where it lacks it: in `room`, which has two places more than it has
 * variables. */
char *const *rcp_process_environment(char *const *environment, char **room);

/* A file in the directory that this process records to (start.c): its descriptor, or below 0. */
long rcp_process_open(const char *name, int flags);
void rcp_process_append(const char *name, const void *bytes, size_t n);
void rcp_process_path(const char *name, char *path, size_t size);
/* Was this program executed, so that it can be once more? Else it is a child by fork. */
bool rcp_process_is_executed(void);
/* A fork is next, and was made: by the parent, which holds the baton. */
void rcp_process_divides(void);
void rcp_process_divided(void);

#endif
