/* SPDX-License-Identifier: Apache-2.0 */
/* What this process is doing, and how far it is, for whoever watches (cli/listener.h, on a terminal). Whatever may take
 * long says so as it asks for the time (base/deadline.h); where nobody watches that costs a comparison.
 *
 * Stages nest, and the outermost one is shown. Copies of the process say nothing. Nothing is owned: names are constant.
 */
#ifndef RECIPE_BASE_STAGE_H
#define RECIPE_BASE_STAGE_H

#include <stdint.h>

/* `share` is below 0 where nobody knows it; `seconds`: since the stage began. `what` NULL: it is over. */
typedef void rcp_stage_watcher(const char *what, double share, double seconds);

/* From here on this process is watched. */
void rcp_stage_watch(rcp_stage_watcher *watcher);

void rcp_stage_begin(const char *what);
void rcp_stage_at(uint64_t done, uint64_t all);
void rcp_stage_end(void);

#endif
