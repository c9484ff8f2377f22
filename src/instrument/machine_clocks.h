/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of the machine's that code reads by a builtin function of the compiler (__rdtsc(),
 * __builtin_readcyclecounter(),
 * __arm_rsr64("cntvct_el0")) are intrinsics, of which re-execution would know a value and nothing else. Each becomes
 * the assembly that the compiler makes of it, which is a point of time, and which a replay answers as in the recorded
 * run (docs/semantics.md, 'Points of time'). */
#ifndef RECIPE_INSTRUMENT_MACHINE_CLOCKS_H
#define RECIPE_INSTRUMENT_MACHINE_CLOCKS_H

#include "instrument/unit.h"

void rcp_machine_clocks_replace(rcp_pass_unit *unit);

#endif
