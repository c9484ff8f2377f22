/* SPDX-License-Identifier: Apache-2.0 */
/* A new file that is written from its beginning to its end, through a buffer of its own: a copy of the process (fork)
 * can drop what is not written yet, which stdio would write twice. An error of writing stays, and close returns it.
 *
 * The spool owns its descriptor and its buffer.
 */
#ifndef RECIPE_BASE_SPOOL_H
#define RECIPE_BASE_SPOOL_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct rcp_spool rcp_spool;

enum { RCP_SPOOL_ROOM = 64 };

rcp_code rcp_spool_create(const char *path, rcp_spool **spool) RCP_MUST_USE;
void rcp_spool_put(rcp_spool *spool, const void *bytes, size_t n);
/* Room for at least RCP_SPOOL_ROOM bytes, and how many of them were used. */
uint8_t *rcp_spool_room(rcp_spool *spool);
void rcp_spool_used(rcp_spool *spool, size_t n);
rcp_code rcp_spool_close(rcp_spool *spool) RCP_MUST_USE;
/* Where something else has failed, or in a copy of the process: nothing more is written. */
void rcp_spool_abandon(rcp_spool *spool);

#endif
