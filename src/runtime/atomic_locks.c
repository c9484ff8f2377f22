/* SPDX-License-Identifier: Apache-2.0 */
/* The locks of atomic objects that are too large for the machine. Recorded code takes them by the C library's
 * functions, as it takes its own (instrument/atomic_calls.h). */
#include "runtime/runtime.h"

typedef union atomic_lock {
    pthread_mutex_t mutex; /* all zeros: as PTHREAD_MUTEX_INITIALIZER has it */
    char room[RCP_ATOMIC_LOCKS_BYTES];
} atomic_lock;
_Static_assert(sizeof(atomic_lock) == RCP_ATOMIC_LOCKS_BYTES, "a lock has room");

atomic_lock __recipe_atomic_locks[RCP_ATOMIC_LOCKS_N];
