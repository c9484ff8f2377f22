/* SPDX-License-Identifier: Apache-2.0 */
/* In a replay: what the system answered when the run was recorded (abi/run.h), given back where the program still asks
 * the same question: the same thread, as many events on its way, by the same call. Where it asks another one, or asked
 * nothing there, the system answers anew. */
#ifndef RECIPE_RUNTIME_ANSWERS_H
#define RECIPE_RUNTIME_ANSWERS_H

#include "runtime/runtime.h"

/* Maps the file; a descriptor below 0: there is none, and no answers. */
void rcp_answers_open(int fd);

/* In the child of a fork: they are the parent's. */
void rcp_answers_end(void);

/* By a thread that is inside: `size` bytes that a call wrote into memory then, copied to `to`; or false. */
bool rcp_answer_bytes(rcp_thread *self, void *to, uint64_t size);
/* What the call returned then. */
bool rcp_answer_result(rcp_thread *self, uint64_t *result);

#endif
