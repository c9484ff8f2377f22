/* SPDX-License-Identifier: Apache-2.0 */
/* What ties a run to the world outside, so that it can't be made to believe it is another one (RCP_WORLD_* in
 * abi/log.h): other processes, time and ids that go where nobody can step between. A recording has it in its log's
 * header, and what it has met its replays must find real. A replay that is fed and meets what its recording did not is
 * lost there.
 *
 * Owns nothing; callable by any recorded thread. */
#ifndef RECIPE_RUNTIME_WORLD_H
#define RECIPE_RUNTIME_WORLD_H

#include "runtime/runtime.h"

/* Of a run that is fed: which of RCP_WORLD_* it must not meet. */
void rcp_world_feed(uint64_t forbidden);
void rcp_world_end(void); /* in the child of a fork */
/* `what`: for people, "it makes a process". */
void rcp_world_meets(uint64_t bits, const char *what);

/* The program hands the system a path: what it leads to may be ids, or hold the time. */
void rcp_world_path(const char *path);
/* The system is told, or tells, ids otherwise than by getpid and its kin. */
void rcp_world_ids(void);

#endif
