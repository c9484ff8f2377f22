/* SPDX-License-Identifier: Apache-2.0 */
/* What a replay must find again: which files the program opened to read (DIR/files, a path a line; the first process's
 * alone). kept.h has standard input.
 *
 * By a thread that has the baton. */
#ifndef RECIPE_RUNTIME_INPUTS_H
#define RECIPE_RUNTIME_INPUTS_H

#include "runtime/runtime.h"

/* The descriptor was opened; `mode`: O_RDONLY and its kin. */
void rcp_inputs_opened(int fd, int mode);
/* In a run that is fed: what came from the system's random numbers is what came then. */
void rcp_inputs_recall(rcp_thread *self, int fd, void *bytes, size_t n);

#endif
