/* SPDX-License-Identifier: Apache-2.0 */
/* The value shadow: a byte at `a` has its shadow at `a ^ RCP_SHADOW_KEY`.
 *
 * The shadow holds what re-execution will find in memory. Instrumented stores write both; a load compares, and where
 * they differ (the kernel, libc or another process wrote) the line is logged and the shadow refreshed. One bit
 * suffices: with it flipped, the places where Linux puts programs, heaps, libraries and stacks on aarch64 (48 bits of
 * address) and x86_64 (47 bits), position-dependent and under qemu-user included, fall on places it leaves empty.
 */
#ifndef RECIPE_ABI_SHADOW_H
#define RECIPE_ABI_SHADOW_H

#include <stdint.h>

#define RCP_SHADOW_KEY  (UINT64_C(1) << 44)
#define RCP_SHADOW_LINE UINT64_C(64)

#endif
