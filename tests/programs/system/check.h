/* SPDX-License-Identifier: Apache-2.0 */
/* What every program here uses: CHECK says what did not hold, and where, and ends the program. */
#ifndef SYSTEM_CHECK_H
#define SYSTEM_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                                         \
            _Exit(1);                                                                                                  \
        }                                                                                                              \
    } while (0)

#endif
