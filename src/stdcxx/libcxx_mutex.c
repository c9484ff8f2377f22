/* SPDX-License-Identifier: Apache-2.0 */
/* libc++'s std::mutex and std::recursive_mutex. */
#include "stdcxx/libcxx.h"

void lock(pthread_mutex_t *m) STDCXX(_ZNSt3__15mutex4lockEv);
bool try_lock(pthread_mutex_t *m) STDCXX(_ZNSt3__15mutex8try_lockEv);
void unlock(pthread_mutex_t *m) STDCXX(_ZNSt3__15mutex6unlockEv);
void end(pthread_mutex_t *m) STDCXX(_ZNSt3__15mutexD1Ev);
void end_base(pthread_mutex_t *m) STDCXX(_ZNSt3__15mutexD2Ev);
void lock_again(pthread_mutex_t *m) STDCXX(_ZNSt3__115recursive_mutex4lockEv);
bool try_lock_again(pthread_mutex_t *m) STDCXX(_ZNSt3__115recursive_mutex8try_lockEv);
void unlock_again(pthread_mutex_t *m) STDCXX(_ZNSt3__115recursive_mutex6unlockEv);

void lock(pthread_mutex_t *m) { check(pthread_mutex_lock(m), "mutex lock failed"); }
bool try_lock(pthread_mutex_t *m) { return !pthread_mutex_trylock(m); }
void unlock(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
void end(pthread_mutex_t *m) { pthread_mutex_destroy(m); }
void end_base(pthread_mutex_t *m) { pthread_mutex_destroy(m); }
void lock_again(pthread_mutex_t *m) { check(pthread_mutex_lock(m), "recursive_mutex lock failed"); }
bool try_lock_again(pthread_mutex_t *m) { return !pthread_mutex_trylock(m); }
void unlock_again(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
