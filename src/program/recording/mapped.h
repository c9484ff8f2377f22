/* SPDX-License-Identifier: Apache-2.0 */
/* A file of a recorded directory, mapped to be read. Who maps it unmaps it. */
#ifndef RECIPE_PROGRAM_RECORDING_MAPPED_H
#define RECIPE_PROGRAM_RECORDING_MAPPED_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct rcp_mapped {
    const uint8_t *at; /* NULL: the file is empty */
    size_t size;
} rcp_mapped;

rcp_code rcp_mapped_open(const char *path, rcp_mapped *file) RCP_MUST_USE;
void rcp_mapped_close(rcp_mapped *file);

#endif
