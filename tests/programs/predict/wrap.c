/* SPDX-License-Identifier: Apache-2.0 */
/* Unsigned arithmetic that wraps around decides. */

typedef unsigned decider;
#ifdef TWIN
#define FIRST 0xffffff00u
#else
#define FIRST 0xfffffff0u
#endif
#define SECOND        0xfffffff8u
#define DECIDES(seen) (seen + 32u < 30u)
#include "decides.h"
