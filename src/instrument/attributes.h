/* SPDX-License-Identifier: Apache-2.0 */
/* Takes out what tells the optimiser more than the instructions say: attributes of functions, parameters, results and
 * calls, and metadata. What is kept is what decides how a call is made and what the code is generated for. */
#ifndef RECIPE_INSTRUMENT_ATTRIBUTES_H
#define RECIPE_INSTRUMENT_ATTRIBUTES_H

#include "instrument/unit.h"

/* From everything in the module but intrinsics and the bodies of opaque functions. */
void rcp_attributes_drop(rcp_pass_unit *unit);

#endif
