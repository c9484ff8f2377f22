// SPDX-License-Identifier: Apache-2.0
// A thread's handler that is not recorded.
#include <pthread.h>

void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
