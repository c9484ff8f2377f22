/* SPDX-License-Identifier: Apache-2.0 */
/* Signed and unsigned division decide. */

typedef int decider;
#ifdef TWIN
#define FIRST -13
#else
#define FIRST -15
#endif
#define SECOND        -17
#define DECIDES(seen) (seen / 7 == -2 && (unsigned)seen / 7u > 600000000u && seen % 7 < 0)
#include "decides.h"
