/* SPDX-License-Identifier: Apache-2.0 */
/* Threads as the kernel sees them. Nothing is kept: each question is asked anew. */
#ifndef RECIPE_RUNTIME_TASK_H
#define RECIPE_RUNTIME_TASK_H

#include <stdint.h>

/* The state of a thread of ours: 'S' sleeps, 'R' runs, 0: it is no more. */
char rcp_task_state(int tid);
/* How long it has had a processor, microseconds; 0: there is no such task. */
uint64_t rcp_task_worked(int tid);

#endif
