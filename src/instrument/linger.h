/* SPDX-License-Identifier: Apache-2.0 */
/* A call of __recipe_linger() in front of main's returns: others run before main is over (runtime/linger.h). */
#ifndef RECIPE_INSTRUMENT_LINGER_H
#define RECIPE_INSTRUMENT_LINGER_H

#include "instrument/unit.h"

void rcp_linger_before_end(rcp_pass_unit *unit);

#endif
