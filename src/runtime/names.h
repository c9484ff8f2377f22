/* SPDX-License-Identifier: Apache-2.0 */
/* Names in the file system that the program makes, writes to or removes: DIR/names, a path a line. A run that is ended
 * may leave others of them than one that comes to its end (record/left.h).
 *
 * By a thread that has the baton. */
#ifndef RECIPE_RUNTIME_NAMES_H
#define RECIPE_RUNTIME_NAMES_H

#include "runtime/runtime.h"

/* What the path leads to from there: asked before a call that may remove it, and after one that may have made it. Where
 * nothing is there, there is nothing to say. errno stays. */
void rcp_names_changed(int at, const char *path);
/* The descriptor's file is written to. */
void rcp_names_written(int fd);

#endif
