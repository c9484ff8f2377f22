/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison of strings decides. */
#include <string.h>
struct text {
    char at[16];
};
typedef struct text decider;
#ifdef TWIN
#define FIRST ((struct text){"grape"})
#else
#define FIRST ((struct text){"apple"})
#endif
#define SECOND        ((struct text){"apricot"})
#define DECIDES(seen) (!strncmp(seen.at, "ap", 2))
#include "decides.h"
