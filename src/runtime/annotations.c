/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations that a program may call without having them: those of TSan's interface and of dynamic_annotations.h. They
 * do nothing; that they are called is what counts (src/outside/annotations.def). A program's own, if it has them, come
 * first. */
#include <stddef.h>

#define ANNOTATION(result, name, ...)                                                                                  \
    __attribute__((weak, visibility("default"), noinline)) result name(__VA_ARGS__);                                   \
    result name(__VA_ARGS__)
#define NOTHING(name, ...)                                                                                             \
    ANNOTATION(void, name, __VA_ARGS__) {}
#define AT const char *file, int line
#pragma clang diagnostic ignored "-Wunused-parameter"

NOTHING(__tsan_acquire, void *at)
NOTHING(__tsan_release, void *at)
NOTHING(__tsan_mutex_create, void *at, unsigned flags)
NOTHING(__tsan_mutex_destroy, void *at, unsigned flags)
NOTHING(__tsan_mutex_pre_lock, void *at, unsigned flags)
NOTHING(__tsan_mutex_post_lock, void *at, unsigned flags, int recursion)
ANNOTATION(int, __tsan_mutex_pre_unlock, void *at, unsigned flags) { return 0; }
NOTHING(__tsan_mutex_post_unlock, void *at, unsigned flags)
NOTHING(__tsan_mutex_pre_signal, void *at, unsigned flags)
NOTHING(__tsan_mutex_post_signal, void *at, unsigned flags)
NOTHING(__tsan_mutex_pre_divert, void *at, unsigned flags)
NOTHING(__tsan_mutex_post_divert, void *at, unsigned flags)

NOTHING(AnnotateHappensBefore, AT, const volatile void *at)
NOTHING(AnnotateHappensAfter, AT, const volatile void *at)
NOTHING(WTFAnnotateHappensBefore, AT, const volatile void *at)
NOTHING(WTFAnnotateHappensAfter, AT, const volatile void *at)
NOTHING(AnnotateRWLockCreate, AT, const volatile void *at)
NOTHING(AnnotateRWLockCreateStatic, AT, const volatile void *at)
NOTHING(AnnotateRWLockDestroy, AT, const volatile void *at)
NOTHING(AnnotateRWLockAcquired, AT, const volatile void *at, long is_write)
NOTHING(AnnotateRWLockReleased, AT, const volatile void *at, long is_write)
NOTHING(AnnotateBarrierInit, AT, const volatile void *at, long count, long again)
NOTHING(AnnotateBarrierWaitBefore, AT, const volatile void *at)
NOTHING(AnnotateBarrierWaitAfter, AT, const volatile void *at)
NOTHING(AnnotateBarrierDestroy, AT, const volatile void *at)
NOTHING(AnnotateCondVarWait, AT, const volatile void *at, const volatile void *lock)
NOTHING(AnnotateCondVarSignal, AT, const volatile void *at)
NOTHING(AnnotateCondVarSignalAll, AT, const volatile void *at)
NOTHING(AnnotatePCQCreate, AT, const volatile void *at)
NOTHING(AnnotatePCQDestroy, AT, const volatile void *at)
NOTHING(AnnotatePCQPut, AT, const volatile void *at)
NOTHING(AnnotatePCQGet, AT, const volatile void *at)
NOTHING(AnnotateMutexIsUsedAsCondVar, AT, const volatile void *at)
NOTHING(AnnotateMutexIsNotPHB, AT, const volatile void *at)
NOTHING(AnnotatePublishMemoryRange, AT, const volatile void *at, size_t size)
NOTHING(AnnotateUnpublishMemoryRange, AT, const volatile void *at, size_t size)
NOTHING(AnnotateNewMemory, AT, const volatile void *at, size_t size)
NOTHING(AnnotateExpectRace, AT, const volatile void *at, const char *why)
NOTHING(AnnotateFlushExpectedRaces, AT)
NOTHING(AnnotateBenignRace, AT, const volatile void *at, const char *why)
NOTHING(AnnotateBenignRaceSized, AT, const volatile void *at, size_t size, const char *why)
NOTHING(WTFAnnotateBenignRaceSized, AT, const volatile void *at, size_t size, const char *why)
NOTHING(AnnotateTraceMemory, AT, const volatile void *at)
NOTHING(AnnotateThreadName, AT, const char *name)
NOTHING(AnnotateIgnoreReadsBegin, AT)
NOTHING(AnnotateIgnoreReadsEnd, AT)
NOTHING(AnnotateIgnoreWritesBegin, AT)
NOTHING(AnnotateIgnoreWritesEnd, AT)
NOTHING(AnnotateIgnoreSyncBegin, AT)
NOTHING(AnnotateIgnoreSyncEnd, AT)
NOTHING(AnnotateEnableRaceDetection, AT, int enable)
NOTHING(AnnotateMemoryIsInitialized, AT, const volatile void *at, size_t size)
NOTHING(AnnotateMemoryIsUninitialized, AT, const volatile void *at, size_t size)
NOTHING(AnnotateFlushState, AT)
NOTHING(AnnotateNoOp, AT, const volatile void *at)
