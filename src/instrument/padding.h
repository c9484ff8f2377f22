/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of objects whose last bytes are padding.
 *
 * A class may lend its tail padding: a class derived from it keeps its own first members there. The compiler copies an
 * object of the base by its whole size nevertheless, and so reads what is not part of it, and what nobody copied. Such
 * a copy is divided: what the object is, and its padding. The second part is done as before, so that memory holds what
 * it would without recipe, but it is no access of its source (RCP_STEPS_PADDING): neither a race nor a reason for
 * anything.
 *
 * How much of an object is its own is what the compiler says of the copy (tbaa.struct), or what the types say that the
 * source gives to what is copied (program/ir/declarations.h).
 */
#ifndef RECIPE_INSTRUMENT_PADDING_H
#define RECIPE_INSTRUMENT_PADDING_H

#include "instrument/unit.h"

/* Before `sroa`, which makes loads and stores of copies and keeps what this says of them. */
void rcp_padding_divide(rcp_pass_unit *unit);
/* After it: what reads padding alone gets the metadata RCP_STEPS_PADDING. */
void rcp_padding_mark(rcp_pass_unit *unit);

#endif
