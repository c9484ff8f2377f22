/* SPDX-License-Identifier: Apache-2.0 */
/* RECIPE_CHECK=sample ('make check'): where there is much of a kind, a part of it is looked at, and what is left out is
 * said in a line 'sampled: …'. tests/cli/lib.bash has the same for scripts.
 */
#ifndef RECIPE_PROP_SAMPLE_H
#define RECIPE_PROP_SAMPLE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool rcp_is_sample(void) {
    const char *check = getenv("RECIPE_CHECK");
    if (check && strcmp(check, "all") && strcmp(check, "ci") && strcmp(check, "sample")) {
        fprintf(stderr, "RECIPE_CHECK is sample, ci or all, not '%s'\n", check);
        exit(2);
    }
    return check && !strcmp(check, "sample");
}

#endif
