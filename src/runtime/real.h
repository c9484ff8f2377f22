/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the real functions behind those that the runtime defines itself: RCP_REAL in runtime.h. */
#ifndef RECIPE_RUNTIME_REAL_H
#define RECIPE_RUNTIME_REAL_H

void rcp_real_resolve(void);

#endif
