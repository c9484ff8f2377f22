/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: loops that run as a plain copy where nothing can come between (abi/hooks.h, "Regions").
 *
 * The naive model is the loop with its hooks. Where the loop's number of iterations and all addresses are known in
 * front of it (affine.h), the bytes that it will load are compared with their shadow there, once, and a copy of the
 * loop runs that has no hooks: its loads take the shadow's bytes, its stores write both. LLVM makes vectors of it.
 *
 * That the copy computes what re-execution will compute does not depend on the comparison: it reads the shadow alone,
 * and that is the memory of the re-execution. The comparison is for the program, which must see what others wrote. So
 * what others write while the copy runs is seen after it, as if they had written then.
 */
#ifndef RECIPE_INSTRUMENT_REGIONS_H
#define RECIPE_INSTRUMENT_REGIONS_H

#include "instrument/emit.h"
#include "program/ir/steps.h"

/* Copies the loops of the emitter's function that can be. The steps are the function's; none is written yet, and the
 * copies have none. */
void rcp_regions_write(rcp_emitter *emitter, const rcp_steps *steps);

#endif
