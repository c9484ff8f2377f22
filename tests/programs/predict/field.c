/* SPDX-License-Identifier: Apache-2.0 */
/* A field of a structure decides. */
struct pair {
    char first;
    short middle;
    long last;
};
typedef struct pair decider;
#ifdef TWIN
#define FIRST ((struct pair){1, 6, 2})
#else
#define FIRST ((struct pair){1, 7, 2})
#endif
#define SECOND        ((struct pair){2, 7, 1})
#define DECIDES(seen) (seen.middle == 7)
#include "decides.h"
