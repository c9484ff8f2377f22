/* SPDX-License-Identifier: Apache-2.0 */
/* A trace directory as one file, to be handed on: an archive (base/ustar.h) in one zstd frame that says how much it
 * holds and has a checksum. `tar --zstd -tf` lists it. All members lie below RCP_PACK_ROOT.
 *
 * A pack may come from elsewhere. Nothing is written outside of the directory that it is unpacked to: names have no way
 * up and lead through no link, links are those that the caller knows, and nothing that is there is written to. What it
 * says it holds is compared with what is free before anything is written, and no more than that is.
 */
#ifndef RECIPE_TRACE_STORE_PACK_H
#define RECIPE_TRACE_STORE_PACK_H

#include "base/place.h"
#include "base/text.h"

#include <stdbool.h>

#define RCP_PACK_ROOT "recording"

/* Takes bytes of the pack and clears the text; false: no use to go on. */
typedef bool rcp_pack_sink(void *context, rcp_text *bytes);
/* All files and links of the directory but the one by the name `without`, in the order of their names; then `more`,
 * members that the caller has put there. */
rcp_code rcp_pack_write(const char *directory, const char *without, const rcp_text *more, rcp_pack_sink *sink,
                        void *context) RCP_MUST_USE;

/* Does the file begin as a pack does? */
bool rcp_pack_is(const char *path);
/* Into `directory`, which is there and empty. Where it fails something may be left in it. */
rcp_code rcp_pack_read(const char *path, const char *directory, rcp_place_linker *is_ours) RCP_MUST_USE;

#endif
