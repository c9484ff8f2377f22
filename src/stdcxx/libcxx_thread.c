/* SPDX-License-Identifier: Apache-2.0 */
/* libc++'s std::thread: the thread's id, 0 where it is none. */
#include "stdcxx/libcxx.h"

#include <errno.h>

void join(pthread_t *t) STDCXX(_ZNSt3__16thread4joinEv);
void detach(pthread_t *t) STDCXX(_ZNSt3__16thread6detachEv);
void end(pthread_t *t) STDCXX(_ZNSt3__16threadD1Ev);
void end_base(pthread_t *t) STDCXX(_ZNSt3__16threadD2Ev);
_Noreturn void terminate(void) LIBRARY(_ZSt9terminatev);

void join(pthread_t *t) {
    int error = *t ? pthread_join(*t, NULL) : EINVAL;
    check(error, "thread::join failed");
    *t = 0;
}

void detach(pthread_t *t) {
    int error = *t ? pthread_detach(*t) : EINVAL;
    check(error, "thread::detach failed");
    *t = 0;
}

void end(pthread_t *t) {
    if (*t)
        terminate();
}

void end_base(pthread_t *t) { end(t); }
