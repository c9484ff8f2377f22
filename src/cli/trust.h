/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever gives us a directory may have been given it: what is to be run is written there. Nothing is owned. */
#ifndef RECIPE_CLI_TRUST_H
#define RECIPE_CLI_TRUST_H

#include "base/status.h"

/* Another's word for what is run is not taken unasked. `says` ends the sentence: what would run it, and what to do. */
rcp_code rcp_trust_check(const char *directory, const char *says) RCP_MUST_USE;
/* What is about to be run is said. */
rcp_code rcp_trust_say_command(const char *directory) RCP_MUST_USE;

#endif
