/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes, for those who take and release one on the program's behalf (condition variables).
 *
 * Invariant: the real mutex is the state: it is taken by trylock and released by unlock, so code that we do not see and
 * threads that are not recorded find it as it is. Only waiting for it is ours.
 */
#ifndef RECIPE_RUNTIME_MUTEX_H
#define RECIPE_RUNTIME_MUTEX_H

#include "runtime/runtime.h"

#include <pthread.h>

enum rcp_sync_object rcp_mutex_kind(const pthread_mutex_t *mutex);
/* Other processes may hold it: waiting is the kernel's. */
bool rcp_mutex_is_shared(const pthread_mutex_t *mutex);
/* As pthread_mutex_lock and pthread_mutex_unlock, inside, without a word in the log. */
int rcp_mutex_take(rcp_thread *self, pthread_mutex_t *mutex, uint64_t deadline);
int rcp_mutex_release(pthread_mutex_t *mutex);
/* The thread is about to end: the robust ones that it holds pass to whoever waits for them. */
void rcp_mutex_owner_dies(void);

#endif
