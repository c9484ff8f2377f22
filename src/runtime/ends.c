/* SPDX-License-Identifier: Apache-2.0 */
/* What threads have to do when they end: destructors of keys and of thread-local objects. Who else than recorded code
 * has them made (std::promise::set_value_at_thread_exit, a library's own) does so in calls that show nothing of it, and
 * they run when the thread has had its last event: so the log says that there are some. And what the system itself is
 * left to do then, where somebody may notice it: descriptors of the thread's own that it closes (unshare). By their
 * numbers: syscall.c. */
#include "runtime/image.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <threads.h>

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library);
int __pthread_key_create(pthread_key_t *key, void (*function)(void *));

/* Of libc++: __thread_struct::__make_ready_at_thread_exit(), notify_all_at_thread_exit(). */
#define MAKE_READY _ZNSt3__115__thread_struct27__make_ready_at_thread_exitEPNS_17__assoc_sub_stateE
#define NOTIFY_ALL _ZNSt3__115__thread_struct25notify_all_at_thread_exitEPNS_18condition_variableEPNS_5mutexE
void MAKE_READY(void *self, void *state);
void NOTIFY_ALL(void *self, void *condition, void *mutex);

RCP_REAL_DEFINE(__cxa_thread_atexit_impl)
RCP_REAL_DEFINE(unshare)
RCP_REAL_DEFINE(_ZNSt3__115__thread_struct27__make_ready_at_thread_exitEPNS_17__assoc_sub_stateE)
RCP_REAL_DEFINE(_ZNSt3__115__thread_struct25notify_all_at_thread_exitEPNS_18condition_variableEPNS_5mutexE)

/* libc++ has a key for every thread, with which it does something only after one of these two. */
static bool is_libcxx(const void *function) {
    Dl_info where;
    if (!dladdr(function, &where) || !where.dli_fname)
        return false;
    const char *slash = strrchr(where.dli_fname, '/');
    return !strncmp(slash ? slash + 1 : where.dli_fname, "libc++.so", 9);
}

static void note(void (*function)(void *)) {
    if (function && !rcp_image_is_recorded((const void *)function) && !is_libcxx((const void *)function))
        rcp_log_unseen(RCP_UNSEEN_ENDS);
}

RCP_INTERCEPT void MAKE_READY(void *self, void *state) {
    rcp_log_unseen(RCP_UNSEEN_ENDS);
    RCP_REAL(_ZNSt3__115__thread_struct27__make_ready_at_thread_exitEPNS_17__assoc_sub_stateE)(self, state);
}
RCP_INTERCEPT void NOTIFY_ALL(void *self, void *condition, void *mutex) {
    rcp_log_unseen(RCP_UNSEEN_ENDS);
    RCP_REAL(_ZNSt3__115__thread_struct25notify_all_at_thread_exitEPNS_18condition_variableEPNS_5mutexE)(
        self, condition, mutex);
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

RCP_INTERCEPT int unshare(int flags) {
    rcp_log_unseen(RCP_UNSEEN_ENDS);
    return RCP_REAL(unshare)(flags);
}
