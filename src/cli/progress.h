/* SPDX-License-Identifier: Apache-2.0 */
/* One line on standard error that changes, where that is a terminal; nothing otherwise. Nothing is owned. */
#ifndef RECIPE_CLI_PROGRESS_H
#define RECIPE_CLI_PROGRESS_H

#include "base/status.h"

#include <stddef.h>

/* What is over by then needs no line: seconds. */
#define RCP_PROGRESS_AFTER 2

void rcp_progress_say(const char *format, ...) RCP_PRINTF(1, 2);
/* The line is taken away; whoever prints next has a fresh one. */
void rcp_progress_clear(void);

/* ", about 12 s left", by how many seconds the first `done` of `all` took; empty where nobody can know. */
void rcp_progress_left(char text[32], double seconds, size_t done, size_t all);

#endif
