/* SPDX-License-Identifier: Apache-2.0 */
/* C11 threads. In glibc they are the same objects as pthread's and go past pthread's functions: here they go through
 * them. thrd_exit, thrd_current and tss_* need nothing: what counts of them happens in libc either way. */
#include "runtime/runtime.h"

#include <errno.h>
#include <threads.h>
#include <time.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t), "one layout");

static pthread_mutex_t *mutex_of(mtx_t *mutex) { return (pthread_mutex_t *)(void *)mutex; }
static pthread_cond_t *cond_of(cnd_t *cond) { return (pthread_cond_t *)(void *)cond; }

static int result_of(int e) {
    switch (e) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
    }
}

/* An int that is returned as a pointer has its value in the lower half, and thrd_join looks at no more. */
RCP_INTERCEPT int thrd_create(thrd_t *id, thrd_start_t start, void *argument) {
    return result_of(pthread_create(id, NULL, (void *(*)(void *))(void *)start, argument));
}

RCP_INTERCEPT int thrd_join(thrd_t id, int *result) {
    void *value = NULL;
    int e = pthread_join(id, &value);
    if (!e && result) {
        *result = (int)(intptr_t)value;
        rcp_thread *self = rcp_inside();
        if (self) {
            rcp_effect(result, sizeof *result);
            rcp_outside(self);
        }
    }
    return result_of(e);
}

RCP_INTERCEPT int thrd_detach(thrd_t id) { return result_of(pthread_detach(id)); }

RCP_INTERCEPT int thrd_sleep(const struct timespec *span, struct timespec *left) {
    int before = errno, r = nanosleep(span, left), e = errno;
    errno = before;
    return !r ? 0 : e == EINTR ? -1 : -2;
}

RCP_INTERCEPT int mtx_init(mtx_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    int e = pthread_mutex_init(mutex_of(mutex), &attributes);
    pthread_mutexattr_destroy(&attributes);
    return result_of(e);
}

RCP_INTERCEPT int mtx_lock(mtx_t *mutex) { return result_of(pthread_mutex_lock(mutex_of(mutex))); }
RCP_INTERCEPT int mtx_trylock(mtx_t *mutex) { return result_of(pthread_mutex_trylock(mutex_of(mutex))); }
RCP_INTERCEPT int mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
    return result_of(pthread_mutex_timedlock(mutex_of(mutex), time));
}
RCP_INTERCEPT int mtx_unlock(mtx_t *mutex) { return result_of(pthread_mutex_unlock(mutex_of(mutex))); }
RCP_INTERCEPT void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex_of(mutex)); }

RCP_INTERCEPT int cnd_init(cnd_t *cond) { return result_of(pthread_cond_init(cond_of(cond), NULL)); }
RCP_INTERCEPT int cnd_signal(cnd_t *cond) { return result_of(pthread_cond_signal(cond_of(cond))); }
RCP_INTERCEPT int cnd_broadcast(cnd_t *cond) { return result_of(pthread_cond_broadcast(cond_of(cond))); }
RCP_INTERCEPT int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    return result_of(pthread_cond_wait(cond_of(cond), mutex_of(mutex)));
}
RCP_INTERCEPT int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *time) {
    return result_of(pthread_cond_timedwait(cond_of(cond), mutex_of(mutex), time));
}
RCP_INTERCEPT void cnd_destroy(cnd_t *cond) { pthread_cond_destroy(cond_of(cond)); }
