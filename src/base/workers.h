/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that do not depend on each other, in processes beside each other.
 *
 * Workers are forked from the process as it is, so what it has read and indexed is shared and costs nothing. Each takes
 * the next task that nobody has taken; what a task has found is a string of bytes, which the first process is given in
 * the order of the tasks, whoever was done first: so the outcome does not depend on how many workers there are.
 *
 * Workers end with whoever started them. Whatever they change in memory is theirs alone.
 */
#ifndef RECIPE_BASE_WORKERS_H
#define RECIPE_BASE_WORKERS_H

#include "base/status.h"
#include "base/text.h"

#include <stddef.h>

typedef struct rcp_tasks {
    size_t n;
    /* In a worker. What it fails with ends them all. */
    rcp_code (*perform)(void *context, size_t task, rcp_text *found);
    /* In the first process, task by task. */
    rcp_code (*take)(void *context, size_t task, const char *found, size_t size);
    /* A worker has done its last task: what it has counted; and in the first process, once per worker. */
    void (*sum_up)(void *context, rcp_text *counts);
    void (*add)(void *context, const char *counts, size_t size);
    void *context;
} rcp_tasks;

/* `jobs` of 1, or a single task: no other process. */
rcp_code rcp_workers_run(const rcp_tasks *tasks, unsigned jobs) RCP_MUST_USE;

/* As many as there are cores that this process may use. */
unsigned rcp_workers_cores(void);

#endif
