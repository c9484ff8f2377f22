/* SPDX-License-Identifier: Apache-2.0 */
/* Do standard output and standard error leave the program? What is printed there is no synchronisation as long as
 * nobody in the program can see it again. Looked at from outside, so that it does not matter who made it otherwise, nor
 * how: the variables stdout and stderr, and what descriptors 1 and 2 lead to, whenever another thread goes on; and
 * what is read, whenever something is. Who leads them elsewhere and back between two of these moments is alone
 * meanwhile, and by his own calls before whoever reads it.
 *
 * The log says so once (RCP_SIGN_STREAMS), and then nobody looks any more. Until then a look costs two fstat, 1.8 µs
 * where a hand-over took 2.3 (200,000 of them between two semaphores); no cheaper one sees what code that is not
 * recorded does by an instruction of its own.
 */
#ifndef RECIPE_RUNTIME_STREAMS_H
#define RECIPE_RUNTIME_STREAMS_H

#include "runtime/runtime.h"

/* Before the program's first instruction. */
void rcp_streams_start(void);
/* The thread has the baton from here on. */
void rcp_streams_look(rcp_thread *self);
/* It is about to read the descriptor, or to map what it leads to. */
void rcp_streams_read(rcp_thread *self, int fd);

#endif
