/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter for whoever wants nothing but that the run is the recorded one. */
#include "program/machine/interpret.h"

rcp_pause rcp_interpret_values(rcp_machine *m);

#define INTERPRET rcp_interpret_values
#include "program/machine/interpret_body.inc"

const rcp_client rcp_client_values = {.interpret = rcp_interpret_values};
