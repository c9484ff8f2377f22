/* SPDX-License-Identifier: Apache-2.0 */
/* libc++'s objects, as they lie in memory. Mutexes, conditions and threads are those of pthreads, and nothing else. */
#ifndef RECIPE_STDCXX_LIBCXX_H
#define RECIPE_STDCXX_LIBCXX_H

#include "stdcxx/stdcxx.h"

#include <pthread.h>

typedef struct unique_lock { /* std::unique_lock<std::mutex> */
    pthread_mutex_t *mutex;
    bool owns;
} unique_lock;

typedef struct shared_count { /* of shared_ptr: both begin with 0, for one owner */
    void *const *virtual_functions;
    long owners, weak_owners; /* the latter not of std::future's */
} shared_count;

/* Whoever inherits from shared_count: its virtual functions, after two destructors. */
enum { ON_ZERO_SHARED = 2, EXECUTE = 3, ON_ZERO_SHARED_WEAK = 4 };

static inline void call_virtual(void *object, unsigned which) {
    void *const *functions = *(void *const **)object;
    ((void (*)(void *))functions[which])(object);
}

_Noreturn void throw_system_error(int error, const char *what) LIBRARY(_ZNSt3__120__throw_system_errorEiPKc);

static inline void check(int error, const char *what) {
    if (error)
        throw_system_error(error, what);
}

#endif
