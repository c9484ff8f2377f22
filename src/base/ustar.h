/* SPDX-License-Identifier: Apache-2.0 */
/* Archives as POSIX has them (ustar, IEEE 1003.1 pax): a block of 512 bytes that describes a member, then its bytes,
 * filled up to whole blocks; two blocks of zeros end it.
 *
 * Nothing of who made a file is kept: owners are 0 and have no names. What others wrote is data: a member that was read
 * has strings that end, a size that is not negative, and nothing more is promised of its names.
 */
#ifndef RECIPE_BASE_USTAR_H
#define RECIPE_BASE_USTAR_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { RCP_USTAR_BLOCK = 512, RCP_USTAR_END = 2 * RCP_USTAR_BLOCK, RCP_USTAR_NAME = 256, RCP_USTAR_TARGET = 100 };

typedef enum rcp_ustar_kind { RCP_USTAR_FILE = '0', RCP_USTAR_LINK = '2', RCP_USTAR_DIRECTORY = '5' } rcp_ustar_kind;

typedef struct rcp_ustar_member {
    rcp_ustar_kind kind;
    char name[RCP_USTAR_NAME + 1]; /* a directory's without a slash at its end */
    char target[RCP_USTAR_TARGET + 1];
    uint64_t size; /* of a file; else 0 */
    int64_t time;  /* of its last change, in seconds since 1970 */
} rcp_ustar_member;

/* What the member takes in the archive: its block, and its bytes in whole blocks. */
uint64_t rcp_ustar_room(const rcp_ustar_member *member);
/* Its block. False: the format has no room for its name, its target or its size. */
bool rcp_ustar_put(rcp_text *to, const rcp_ustar_member *member);
/* After so many bytes of a file: the zeros that make whole blocks of them. */
void rcp_ustar_fill(rcp_text *to, uint64_t size);
/* A file as a whole. */
bool rcp_ustar_put_file(rcp_text *to, const char *name, int64_t time, const void *bytes, size_t n);

/* False: no block of a member that we write. `*ends`: it is one of zeros instead. */
bool rcp_ustar_read(const uint8_t block[RCP_USTAR_BLOCK], rcp_ustar_member *member, bool *ends);

#endif
