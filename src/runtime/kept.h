/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input that can't be read twice: a pipe, a terminal. When it is recorded, what was read is kept (DIR/stdin),
 * in pieces (DIR/pieces). A replay finds it as a file, and gives a piece only where its writer, whoever that is, could
 * have written it: once what was printed begins with exactly what had been printed before that piece came when it was
 * recorded.
 * What had been printed is what calls handed to standard output and standard error, whatever is buffered: from it
 * follows what had gone out.
 *
 * The first process's alone. By a thread that has the baton and is inside, but for rcp_kept_printed. */
#ifndef RECIPE_RUNTIME_KEPT_H
#define RECIPE_RUNTIME_KEPT_H

#include "runtime/runtime.h"

/* When recording begins: looks what standard input is. */
void rcp_kept_start(void);
/* When a run that is fed begins: DIR/pieces, below 0: there are none. */
void rcp_kept_feed(int fd);

void rcp_kept_end(void); /* in the child of a fork */

/* Before a call that reads: in a replay the schedule decides when it does. How much of `size` may be read. */
size_t rcp_kept_await(rcp_thread *self, int fd, size_t size);
/* So much was read; 0: the input was over. */
void rcp_kept_read(int fd, const void *bytes, size_t n);

/* The descriptor is read by a call that tells us nothing, or gets another number. */
void rcp_kept_escapes(int fd);
/* It is read by a call that does not say what it took. */
void rcp_kept_loses(int fd);
/* Could what comes next on standard input have come? */
bool rcp_kept_is_there(void);

/* Does anybody want to know what is printed? */
bool rcp_kept_listens(void);
void rcp_kept_printed(int fd, const void *bytes, size_t n);

#endif
