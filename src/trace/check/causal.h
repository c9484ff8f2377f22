/* SPDX-License-Identifier: Apache-2.0 */
/* The causal reads of a schedule (V1, seed 002): those that decide a branch or an address in it, directly or through
 * the writes that they read from. docs/semantics.md has the definition; this is its least fixpoint.
 *
 * Invariant: each event, each term and each thread's stretch of 'all earlier reads' is visited once: linear. The caller
 * owns the result.
 */
#ifndef RECIPE_TRACE_CHECK_CAUSAL_H
#define RECIPE_TRACE_CHECK_CAUSAL_H

#include "trace/check/observed.h"

typedef uint64_t rcp_bits; /* bit i % 64 of word i / 64 */

static inline bool rcp_bit(const rcp_bits *bits, uint64_t i) { return bits[i / 64] >> (i % 64) & 1; }

/* `done[t]` events of each thread are executed; `race` as in a witness. A bit per event: is it a causal read? Release
 * it with rcp_release(). */
rcp_bits *rcp_causal_reads(const rcp_observed *observed, const rcp_position *done, const rcp_eid race[2]);

#endif
