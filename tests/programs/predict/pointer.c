/* SPDX-License-Identifier: Apache-2.0 */
/* A function pointer decides: any but one. */
static int none(int x) { return x; }
static int plus_two(int x) { return x + 2; }
static int times_two(int x) { return x * 2; }
typedef int (*decider)(int);
#ifdef TWIN
#define FIRST none
#else
#define FIRST plus_two
#endif
#define SECOND        times_two
#define DECIDES(seen) (seen != none && seen != 0 && plus_two(1) == 3)
#include "decides.h"
