/* SPDX-License-Identifier: Apache-2.0 */
/* What the attributes said that a synchronisation object was made with, read from glibc's words: was it made to be
 * shared between processes? Whether it can be is another question (shared.h).
 */
#ifndef RECIPE_RUNTIME_ATTRIBUTES_H
#define RECIPE_RUNTIME_ATTRIBUTES_H

#include "abi/log.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

/* Bits of glibc's __kind: part of its ABI, because static initialisers have them. */
enum { RCP_MUTEX_TYPE = 3, RCP_MUTEX_ROBUST = 16, RCP_MUTEX_SHARED = 128 };

/* glibc marks every robust one as shared. So a robust one that is not gets a mark of ours, in a word that only adaptive
 * ones use. */
enum { RCP_MUTEX_PRIVATE_MARK = 0x7250 };

static inline bool rcp_attributes_mutex(const pthread_mutex_t *mutex) {
    const int kind = mutex->__data.__kind;
    return kind & RCP_MUTEX_SHARED && !(kind & RCP_MUTEX_ROBUST && mutex->__data.__spins == RCP_MUTEX_PRIVATE_MARK);
}

/* The attributes are the lowest bits of this word. */
static inline bool rcp_attributes_cond(const pthread_cond_t *cond) { return cond->__data.__wrefs & 1; }

static inline bool rcp_attributes_rwlock(const pthread_rwlock_t *lock) { return lock->__data.__shared; }

/* Where there are 64-bit atomics: the count and the number of waiters, then 0 for a private one. */
static inline bool rcp_attributes_sem(const sem_t *sem) { return ((const int *)sem)[2]; }

struct rcp_barrier_words { /* as glibc's struct pthread_barrier */
    uint32_t come;         /* how many in all */
    uint32_t complete;     /* how many of them belong to complete generations */
    uint32_t members;      /* of a generation */
    uint32_t shared;
    uint32_t gone; /* how many of them have left */
};
_Static_assert(sizeof(struct rcp_barrier_words) <= sizeof(pthread_barrier_t), "it has its place in the object");

static inline bool rcp_attributes_barrier(const pthread_barrier_t *barrier) {
    return ((const struct rcp_barrier_words *)(const void *)barrier)->shared;
}

/* Nothing in a spin lock tells: it may be. */
static inline bool rcp_attributes_object(uint64_t address, enum rcp_sync_object kind) {
    const void *object = (const void *)address;
    switch (kind) {
    case RCP_SYNC_MUTEX:
    case RCP_SYNC_RECURSIVE: return rcp_attributes_mutex(object);
    case RCP_SYNC_RWLOCK: return rcp_attributes_rwlock(object);
    case RCP_SYNC_COND: return rcp_attributes_cond(object);
    case RCP_SYNC_SEM: return rcp_attributes_sem(object);
    case RCP_SYNC_BARRIER: return rcp_attributes_barrier(object);
    case RCP_SYNC_SPIN: return true;
    default: return false;
    }
}

#endif
