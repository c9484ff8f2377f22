/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a chunk back to events (trace/store/codec.h has the model).
 *
 * Invariant: an event that comes out holds every rule of rcp_event_validate(). What a site fixes is validated where the
 * site is defined, what varies where it varies; nothing is read past the end of a column, and a chunk whose columns are
 * not used up exactly is refused. The decoder borrows the tables and the chunk's bytes (wide values point into them);
 * it owns its model.
 */
#ifndef RECIPE_TRACE_STORE_DECODER_H
#define RECIPE_TRACE_STORE_DECODER_H

#include "trace/store/codec.h"
#include "trace/model/trace.h"

typedef struct rcp_decoder {
    const rcp_defs *defs;
    const rcp_terms *terms;
    rcp_codec_model model;
    const uint8_t *at[RCP_COLUMNS], *end[RCP_COLUMNS];
    uint32_t left;  /* events to come */
    uint64_t event; /* the next one's number */
} rcp_decoder;

void rcp_decoder_init(rcp_decoder *decoder, const rcp_defs *defs, const rcp_terms *terms);
void rcp_decoder_finish(rcp_decoder *decoder);
/* Begins a chunk. RCP_UNPACK_SLACK bytes after `body` can be loaded. */
rcp_code rcp_decoder_begin(rcp_decoder *decoder, const rcp_chunk *chunk, const rcp_bytes *body) RCP_MUST_USE;
/* The next events, at most `room`; *n is 0 at the end of the chunk alone. */
rcp_code rcp_decoder_next(rcp_decoder *decoder, rcp_event *events, size_t room, size_t *n) RCP_MUST_USE;

#endif
