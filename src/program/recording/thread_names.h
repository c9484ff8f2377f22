/* SPDX-License-Identifier: Apache-2.0 */
/* What threads are called: "0.2.1", the place of a thread in the creation tree, which is the same in every run that
 * creates them alike. Its number in the log is not.
 *
 * A thread is added after its parent; one that was not is below "?". The names own their texts.
 */
#ifndef RECIPE_PROGRAM_RECORDING_THREAD_NAMES_H
#define RECIPE_PROGRAM_RECORDING_THREAD_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct rcp_thread_names rcp_thread_names;
rcp_thread_names *rcp_thread_names_create(void);
void rcp_thread_names_destroy(rcp_thread_names *names);
/* The `nth` that `parent` has created; of the first thread, number 0, neither counts. */
void rcp_thread_names_add(rcp_thread_names *names, uint32_t thread, uint64_t parent, uint64_t nth);
/* "?" where the thread has not begun. Borrowed. */
const char *rcp_thread_names_borrow(const rcp_thread_names *names, uint32_t thread);
/* All of them, in the order in which they were added, for whoever keeps them; and one as it was kept. Borrowed. */
size_t rcp_thread_names_count(const rcp_thread_names *names);
const char *rcp_thread_names_borrow_nth(const rcp_thread_names *names, size_t nth, uint32_t *thread);
void rcp_thread_names_put(rcp_thread_names *names, uint32_t thread, const char *name, size_t len);

#endif
