/* SPDX-License-Identifier: Apache-2.0 */
/* A threshold of floating-point numbers decides. */

typedef double decider;
#ifdef TWIN
#define FIRST 3.5E-10
#else
#define FIRST 2.5E-10
#endif
#define SECOND        1E-10
#define DECIDES(seen) (seen > 1E-20 && seen * 1.0000001 < 3E-10)
#include "decides.h"
