/* SPDX-License-Identifier: Apache-2.0 */
/* What a waiting thread waits for, and who has it: as numbers for the log, and in words.
 *
 * Of a mutex, and of a lock of readers and writers that is held to write, the object itself says who has it; of one
 * that is held to read nobody knows. All of it under the baton's lock; nothing here calls libc. Owns nothing.
 */
#ifndef RECIPE_RUNTIME_HOLDERS_H
#define RECIPE_RUNTIME_HOLDERS_H

#include "runtime/say.h"
#include "runtime/thread.h"

/* The thread of that number that is there; NULL: none. */
const rcp_thread *rcp_holders_thread(uint32_t number);
/* Its number, RCP_LOG_NOBODY (which is also 'not known') or RCP_LOG_GONE. */
uint32_t rcp_holders_of(const rcp_thread *waiting);
/* Of a mutex or a semaphore: it could be had, though nobody was woken. */
bool rcp_holders_have_none(const rcp_thread *waiting);
struct rcp_log_wait rcp_holders_wait(const rcp_thread *waiting);
/* "thread 0.1 waits for the mutex at 0x…, which thread 0.2 has" */
void rcp_holders_say(rcp_say *line, const struct rcp_log_wait *wait);

#endif
