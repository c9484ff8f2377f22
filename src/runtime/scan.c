/* SPDX-License-Identifier: Apache-2.0 */
/* scanf and its kin read a stream without saying what they took of it. On a standard input that can't be read twice
 * (kept.h) a replay would find that gone: it is noted, so that whoever replays says so and does not try. The calls
 * themselves are calls outside like others; what they store is learnt by reading. */
#include "runtime/kept.h"

#include <stdarg.h>
#include <stdio.h>

static void note(FILE *stream) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return;
    rcp_kept_loses(fileno_unlocked(stream));
    rcp_outside(self);
}

/* Four functions of a family, by the names that the linker has: libc's headers make __isoc99_scanf or __isoc23_scanf of
 * scanf, each version in its own way, so they are not called that here. */
#define FAMILY(of, prefix)                                                                                             \
    void *rcp_real_##of;                                                                                               \
    static const struct rcp_real_entry rcp_real_entry_##of                                                             \
        __attribute__((used, retain, section("recipe_real"))) = {&rcp_real_##of, prefix "vfscanf", NULL};              \
    int of##_vfscanf(FILE *, const char *, va_list) __asm__(prefix "vfscanf");                                         \
    int of##_vscanf(const char *, va_list) __asm__(prefix "vscanf");                                                   \
    int of##_fscanf(FILE *, const char *, ...) __asm__(prefix "fscanf");                                               \
    int of##_scanf(const char *, ...) __asm__(prefix "scanf");                                                         \
    static int of(FILE *stream, const char *format, va_list arguments) {                                               \
        note(stream);                                                                                                  \
        return ((__typeof__(&of##_vfscanf))rcp_real_##of)(stream, format, arguments);                                  \
    }                                                                                                                  \
    RCP_INTERCEPT int of##_vfscanf(FILE *stream, const char *format, va_list arguments) {                              \
        return of(stream, format, arguments);                                                                          \
    }                                                                                                                  \
    RCP_INTERCEPT int of##_vscanf(const char *format, va_list arguments) { return of(stdin, format, arguments); }      \
    RCP_INTERCEPT int of##_fscanf(FILE *stream, const char *format, ...) {                                             \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int n = of(stream, format, arguments);                                                                         \
        va_end(arguments);                                                                                             \
        return n;                                                                                                      \
    }                                                                                                                  \
    RCP_INTERCEPT int of##_scanf(const char *format, ...) {                                                            \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int n = of(stdin, format, arguments);                                                                          \
        va_end(arguments);                                                                                             \
        return n;                                                                                                      \
    }

FAMILY(plain, "")
FAMILY(isoc99, "__isoc99_")
FAMILY(isoc23, "__isoc23_")
