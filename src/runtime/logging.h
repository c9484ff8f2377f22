/* SPDX-License-Identifier: Apache-2.0 */
/* The core's part of the log's writer (abi/log.h); what interceptors use is in runtime.h.
 *
 * Invariant: `mark` in the mapped header covers whole records only. Every function here is called by the holder of
 * the baton, or under the baton's lock while nobody is.
 */
#ifndef RECIPE_RUNTIME_LOGGING_H
#define RECIPE_RUNTIME_LOGGING_H

#include "abi/run.h"
#include "runtime/thread.h"

/* Takes the descriptor of the empty file over. */
void rcp_log_open(int fd, const char *path, const struct rcp_run_config *config);
void rcp_log_close(enum rcp_ended how, uint64_t events);
/* In the child of a fork: the parent's log is not its own, and nothing is said there any more. */
void rcp_log_disown(void);
/* After that: goes on in a file of its own that begins with a copy of the parent's records. */
void rcp_log_part_ways(int fd, const char *path);
bool rcp_log_is_open(void);
/* The program can't be recorded any further; by any thread, right before the process is ended. */
void rcp_log_refuse(const char *why);
/* Before the log is closed so: who waits for what. */
void rcp_log_deadlock(const struct rcp_log_deadlock *deadlock);
void rcp_log_say_ended(enum rcp_ended how); /* by a thread that has not the baton; nothing else changes */
void rcp_log_steal(rcp_thread *thread);     /* STOP where it is */

void rcp_log_slice(rcp_thread *thread); /* if the last SLICE was another's */
void rcp_log_stop(rcp_thread *thread, uint64_t position);
void rcp_log_returned(rcp_thread *self, uint64_t value);
void rcp_log_returned_bytes(rcp_thread *self, const void *bytes, uint64_t n);
/* `bytes`: the line's 64. */
void rcp_log_miss(rcp_thread *self, uint64_t position, uint64_t line, const uint8_t *bytes);
/* A callback's record is written in pieces. */
/* `signal`: of a signal's handler, else 0. */
void rcp_log_callback(uint64_t function, uint32_t arguments, uint32_t signal);
void rcp_log_argument(uint64_t value);
void rcp_log_argument_bytes(const void *bytes, uint64_t n);
void rcp_log_commit(void);
void rcp_log_landing(rcp_thread *self, uint64_t function, uint32_t pad, uint64_t exception, uint64_t selector);
void rcp_log_jump(uint64_t buffer, uint64_t value);
void rcp_log_left(uint64_t n);
void rcp_log_value(uint64_t value);
void rcp_log_thread(const rcp_thread *thread, uint64_t top, void *const *addresses, uint64_t n);
void rcp_log_thread_end(rcp_thread *thread, uint64_t position);
void rcp_log_part(uint64_t number);
/* What code outside did to memory; the shadow is the caller's (effect.c). `contents`: what it holds now, in records of
 * at most RCP_LOG_PIECE bytes. One effect is counted, however many records it takes. */
enum { RCP_LOG_PIECE = 32768 };
void rcp_log_count_effect(uint64_t size);
void rcp_log_effect(const void *address, const void *contents, uint64_t size);
void rcp_log_fill(uint64_t address, uint64_t size, uint8_t byte);
void rcp_log_copy(uint64_t to, uint64_t from, uint64_t size);

#endif
