/* SPDX-License-Identifier: Apache-2.0 */
/* What threads have to do when they end: destructors of keys and of thread-local objects. Who else than recorded code
 * has them made (std::promise::set_value_at_thread_exit, a library's own) does so in calls that show nothing of it, and
 * they run when the thread has had its last event: so the log says that there are some. */
#include "runtime/image.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#include <pthread.h>
#include <threads.h>

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library);
int __pthread_key_create(pthread_key_t *key, void (*function)(void *));

RCP_REAL_DEFINE(__cxa_thread_atexit_impl)

static void note(void (*function)(void *)) {
    if (function && !rcp_image_is_recorded((const void *)function))
        rcp_log_unseen(RCP_UNSEEN_ENDS);
}

/* (Libraries may call these before the start.) */
RCP_INTERCEPT int pthread_key_create(pthread_key_t *key, void (*function)(void *)) {
    note(function);
    return __pthread_key_create(key, function);
}
RCP_INTERCEPT int tss_create(tss_t *key, tss_dtor_t function) {
    note(function);
    return __pthread_key_create(key, function) ? thrd_error : thrd_success;
}
RCP_INTERCEPT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library) {
    note(function);
    if (!rcp_real___cxa_thread_atexit_impl)
        rcp_real_resolve();
    return RCP_REAL(__cxa_thread_atexit_impl)(function, object, library);
}
