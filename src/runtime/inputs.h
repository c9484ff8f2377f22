/* SPDX-License-Identifier: Apache-2.0 */
/* What a replay must find again: which files the program opened to read (DIR/files, a path a line), and what it read
 * from a standard input that can't be read twice, a pipe or a terminal (DIR/stdin). Both are the first process's alone.
 *
 * By a thread that has the baton. */
#ifndef RECIPE_RUNTIME_INPUTS_H
#define RECIPE_RUNTIME_INPUTS_H

#include <stddef.h>

/* The descriptor was opened to read. */
void rcp_inputs_opened(int fd);
/* So much was read from it. */
void rcp_inputs_read(int fd, const void *bytes, size_t n);

#endif
