/* SPDX-License-Identifier: Apache-2.0 */
/* Events to the columns of a chunk (trace/store/codec.h has the model).
 *
 * Invariant: an event that was accepted passed rcp_event_validate(), or has the fields that were validated in an
 * earlier event of the chunk and passed the checks of what varies; a refused event leaves no trace. The columns have
 * room for the worst chunk from the beginning, so that adding an event never grows one (wide values apart). The encoder
 * borrows the tables and owns the rest.
 */
#ifndef RECIPE_TRACE_STORE_ENCODER_H
#define RECIPE_TRACE_STORE_ENCODER_H

#include "trace/store/chunk_index.h"
#include "trace/store/codec.h"
#include "trace/model/trace.h"

typedef struct rcp_encoder {
    const rcp_defs *defs;
    const rcp_terms *terms;
    rcp_codec_model model;
    rcp_index_builder index;
    uint32_t *table; /* sites by a hash of their key */
    size_t mask;
    uint8_t *buffer;
    uint8_t *begin[RCP_COLUMNS], *at[RCP_COLUMNS]; /* of all but WIDE */
    rcp_bytes wide;
    uint32_t count;
} rcp_encoder;

void rcp_encoder_init(rcp_encoder *encoder, const rcp_defs *defs, const rcp_terms *terms);
void rcp_encoder_finish(rcp_encoder *encoder);
/* The encoder must not be full. */
rcp_code rcp_encoder_add(rcp_encoder *encoder, const rcp_event *event) RCP_MUST_USE;
static inline bool rcp_encoder_is_full(const rcp_encoder *encoder) {
    return encoder->count == RCP_CHUNK_MAX_EVENTS || encoder->wide.len >= RCP_CHUNK_SOFT_RAW;
}
/* Replaces `index` and `body` by those of the chunk, and begins the next one. */
void rcp_encoder_take(rcp_encoder *encoder, rcp_bytes *index, rcp_bytes *body);

#endif
