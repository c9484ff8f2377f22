/* SPDX-License-Identifier: Apache-2.0 */
/* Packs (trace/store/pack.h) where a command reads a trace directory. */
#ifndef RECIPE_CLI_PACKED_H
#define RECIPE_CLI_PACKED_H

#include "base/status.h"

#include <stdbool.h>

/* In a directory that was unpacked: others wrote what it says. */
#define RCP_PACKED_MARK "unpacked"

/* Into a directory that is there and empty. */
rcp_code rcp_packed_unpack(const char *pack, const char *directory) RCP_MUST_USE;
/* Where *path is a pack: it is unpacked, and *path the directory, which is there until rcp_packed_close(). */
rcp_code rcp_packed_open(const char **path) RCP_MUST_USE;
void rcp_packed_close(void);

#endif
