/* SPDX-License-Identifier: Apache-2.0 */
/* libstdc++'s std::thread: the thread's id, 0 where it is none. */
#include "stdcxx/stdcxx.h"

#include <errno.h>
#include <pthread.h>

/* What a thread runs, std::thread::_State: an object with two destructors and _M_run(), all virtual. */
typedef struct state {
    void (*const *virtual_functions)(struct state *);
} state;

enum { DELETE = 1, RUN = 2 };

void join(pthread_t *t) STDCXX(_ZNSt6thread4joinEv);
void detach(pthread_t *t) STDCXX(_ZNSt6thread6detachEv);
/* `given`: a unique_ptr, which is empty where the thread has got it. `unused`: once kept libpthread linked. */
void start(pthread_t *t, state **given, void (*unused)(void))
    STDCXX(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE);
_Noreturn void throw_system_error(int error) LIBRARY(_ZSt20__throw_system_errori);

static void end(pthread_t *t, int error) {
    if (error)
        throw_system_error(error);
    *t = 0;
}

void join(pthread_t *t) { end(t, *t ? pthread_join(*t, NULL) : EINVAL); }
void detach(pthread_t *t) { end(t, *t ? pthread_detach(*t) : EINVAL); }

static void drop(state **s) { (*s)->virtual_functions[DELETE](*s); }

static void *run(void *given) {
    state *mine __attribute__((cleanup(drop))) = given; /* also where the thread is cancelled */
    mine->virtual_functions[RUN](mine);
    return NULL;
}

void start(pthread_t *t, state **given, void (*unused)(void)) {
    (void)unused;
    int error = pthread_create(t, NULL, run, *given);
    if (error)
        throw_system_error(error);
    *given = NULL;
}
