/* SPDX-License-Identifier: Apache-2.0 */
/* A log for people: one line per record. */
#ifndef RECIPE_PROGRAM_RECORDING_LOG_TEXT_H
#define RECIPE_PROGRAM_RECORDING_LOG_TEXT_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Prints the log of the recorded directory `dir`; `put` is called with each stretch of text, clears it, and says
 * whether to go on. */
typedef bool rcp_log_text_put(void *context, rcp_text *text);
rcp_code rcp_log_text_print(const char *dir, rcp_log_text_put *put, void *context) RCP_MUST_USE;

/* "0.2.1": the place of a thread in the creation tree. */
typedef struct rcp_thread_names rcp_thread_names;
rcp_thread_names *rcp_thread_names_create(void);
void rcp_thread_names_destroy(rcp_thread_names *names);
void rcp_thread_names_add(rcp_thread_names *names, uint32_t thread, uint64_t parent, uint64_t nth);
/* "?" where the thread has not begun. Borrowed. */
const char *rcp_thread_names_borrow(const rcp_thread_names *names, uint32_t thread);

#endif
