/* SPDX-License-Identifier: Apache-2.0 */
/* Masks and shifts decide. */

typedef unsigned decider;
#ifdef TWIN
#define FIRST 0x00a40f10u
#else
#define FIRST 0x00a50f10u
#endif
#define SECOND        0xffa5ff1fu
#define DECIDES(seen) (((seen >> 12 & 0xf0) ^ (seen << 4 & 0xf00)) == 0xf50 - 0xf00 + (seen & 0x10 ? 0x100 : 0))
#include "decides.h"
