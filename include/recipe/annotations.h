/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may tell recipe. Everything here is plain C and C++ of any compiler, and does nothing by itself.
 *
 * RECIPE_GLOBAL(x): the next call that this thread makes of code that is not recorded may use the variable x, though it
 * is not given a pointer to it. Needed only where the object file of that code is linked into the program without
 * having gone through recipe cc; code that recipe cc has left out on purpose (--exclude) needs none.
 *
 * RECIPE_HAPPENS_BEFORE(p), RECIPE_HAPPENS_AFTER(p): what this thread has done comes before what a thread does that says
 * the second later, with the same pointer. For synchronisation that recipe can't see, or that the language's own rules
 * do not cover. All such calls with one pointer are ordered as they were in the run.
 *
 * RECIPE_LOCK_ACQUIRED(p), RECIPE_LOCK_RELEASED(p): the same of a lock, right after it was taken, and right before it is
 * let go.
 *
 * RECIPE_BENIGN_RACE(x): races on x are wanted. It is told as if all accesses of it were relaxed atomics.
 *
 * The annotations that code bases have already mean the same, without this header: __tsan_acquire, __tsan_release and
 * __tsan_mutex_* of sanitizer/tsan_interface.h, the functions of dynamic_annotations.h (AnnotateHappensBefore …), and
 * the requests of valgrind/helgrind.h and valgrind/drd.h (ANNOTATE_HAPPENS_BEFORE …). docs/semantics.md, 'Annotations',
 * has them all. They are compiled in where a build for TSan has them: recipe cc -fsanitize=thread is such a build.
 */
#ifndef RECIPE_ANNOTATIONS_H
#define RECIPE_ANNOTATIONS_H

#ifdef __has_attribute
#if __has_attribute(disable_sanitizer_instrumentation)
#define RECIPE_LEFT_OUT __attribute__((noinline, unused, disable_sanitizer_instrumentation))
#endif
#endif
#ifndef RECIPE_LEFT_OUT
#define RECIPE_LEFT_OUT __attribute__((unused))
#endif

static RECIPE_LEFT_OUT void recipe_global_(const volatile void *at, unsigned long size) {
    __asm__ volatile("" : : "r"(at), "r"(size));
}
static RECIPE_LEFT_OUT void recipe_benign_race_(const volatile void *at, unsigned long size) {
    __asm__ volatile("" : : "r"(at), "r"(size));
}
static RECIPE_LEFT_OUT void recipe_happens_before_(const volatile void *at) {
    __asm__ volatile("" : : "r"(at) : "memory");
}
static RECIPE_LEFT_OUT void recipe_happens_after_(const volatile void *at) {
    __asm__ volatile("" : : "r"(at) : "memory");
}

#define RECIPE_GLOBAL(x)         recipe_global_(&(x), sizeof(x))
#define RECIPE_HAPPENS_BEFORE(p) recipe_happens_before_(p)
#define RECIPE_HAPPENS_AFTER(p)  recipe_happens_after_(p)
#define RECIPE_LOCK_ACQUIRED(p)  recipe_happens_after_(p)
#define RECIPE_LOCK_RELEASED(p)  recipe_happens_before_(p)
#define RECIPE_BENIGN_RACE(x)    recipe_benign_race_(&(x), sizeof(x))

#endif
