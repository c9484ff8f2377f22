/* SPDX-License-Identifier: Apache-2.0 */
/* How the machine computes floating point just now: to the nearest, with denormals, as the language says and
 * re-execution does? Code outside may have said otherwise (fesetround(), a library that was linked for speed), or
 * assembly. */
#ifndef RECIPE_RUNTIME_ROUNDING_H
#define RECIPE_RUNTIME_ROUNDING_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
/* In MXCSR: rounding, denormals that are 0 as results or operands. In the control word of the x87: rounding, and the
 * precision, which is to be all of it. */
static inline bool rcp_rounding_is_usual(void) {
    enum { MODES = 0xE040, WORD_MODES = 0x0F00, WORD_USUAL = 0x0300 };
    uint32_t modes;
    uint16_t word;
    __asm__ volatile("stmxcsr %0" : "=m"(modes));
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return !(modes & MODES) && (word & WORD_MODES) == WORD_USUAL;
}
#else
/* In FPCR: rounding, denormals that are 0, NaNs that are always the same one, and what newer processors have beside. */
static inline bool rcp_rounding_is_usual(void) {
    const uint64_t modes = UINT64_C(0x7C80007);
    uint64_t now;
    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    return !(now & modes);
}
#endif

#endif
