/* SPDX-License-Identifier: Apache-2.0 */
/* libstdc++'s std::condition_variable: one of pthreads, and nothing else. */
#include "stdcxx/stdcxx.h"

#include <pthread.h>

typedef struct unique_lock { /* std::unique_lock<std::mutex> */
    pthread_mutex_t *mutex;
    bool owns;
} unique_lock;

void begin(pthread_cond_t *c) STDCXX(_ZNSt18condition_variableC1Ev);
void begin_base(pthread_cond_t *c) STDCXX(_ZNSt18condition_variableC2Ev);
void end(pthread_cond_t *c) STDCXX(_ZNSt18condition_variableD1Ev);
void end_base(pthread_cond_t *c) STDCXX(_ZNSt18condition_variableD2Ev);
void wait(pthread_cond_t *c, unique_lock *held) STDCXX(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE);
void notify_one(pthread_cond_t *c) STDCXX(_ZNSt18condition_variable10notify_oneEv);
void notify_all(pthread_cond_t *c) STDCXX(_ZNSt18condition_variable10notify_allEv);

void begin(pthread_cond_t *c) { *c = (pthread_cond_t)PTHREAD_COND_INITIALIZER; }
void begin_base(pthread_cond_t *c) { begin(c); }
void end(pthread_cond_t *c) { pthread_cond_destroy(c); }
void end_base(pthread_cond_t *c) { pthread_cond_destroy(c); }
void wait(pthread_cond_t *c, unique_lock *held) { pthread_cond_wait(c, held->mutex); }
void notify_one(pthread_cond_t *c) { pthread_cond_signal(c); }
void notify_all(pthread_cond_t *c) { pthread_cond_broadcast(c); }
