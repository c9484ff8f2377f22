/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may tell recipe. Everything here is plain C and C++ of any compiler, and does nothing by itself.
 *
 * RECIPE_GLOBAL(x): the next call that this thread makes of code that is not recorded may use the variable x, though it
 * is not given a pointer to it. Needed only where the object file of that code is linked into the program without
 * having gone through recipe cc; code that recipe cc has left out on purpose (--exclude) needs none.
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

#define RECIPE_GLOBAL(x) recipe_global_(&(x), sizeof(x))

#endif
