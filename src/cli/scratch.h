/* SPDX-License-Identifier: Apache-2.0 */
/* A directory that goes with this process, however that ends.
 *
 * A second process sees to it: it waits until it is told what is to become of the directory, or until nobody is left
 * who could tell, and this one waits for it then.
 *
 * Invariant: at most one at a time. The module owns the name.
 */
#ifndef RECIPE_CLI_SCRATCH_H
#define RECIPE_CLI_SCRATCH_H

#include "base/status.h"

/* mkdtemp(3) of NAME.XXXXXX. NULL: in the directory for temporary files. `*path` is borrowed until it has gone. */
rcp_code rcp_scratch_make(const char *name, const char **path) RCP_MUST_USE;
/* It goes now, with all that is in it; where there is none, nothing is done. */
void rcp_scratch_remove(void);
/* It stays, and its name is `path` from now on, which must not be there. */
rcp_code rcp_scratch_keep(const char *path) RCP_MUST_USE;

#endif
