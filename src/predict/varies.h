/* SPDX-License-Identifier: Apache-2.0 */
/* Which terms of a trace can have another value than the recorded one, as far as can be said without a search. Whoever
 * asks whether a branch can turn need not ask of the others: a long trace has a great many, and a search over all of it
 * is dear.
 *
 * A read is fixed where it takes its bytes from the same writes in every execution: of each word that it touches, all
 * writes are in one line by the order that must be (predict/must.h), and the read has its place in that line; or the
 * word is written once, in a block that holds nothing before. A term can't vary where every read below it is fixed, and
 * so is what the terms of their writes are over. What code outside leaves is as recorded, or nothing that is known
 * (docs/semantics.md, P2): nothing turns by it; but who took it may have come earlier.
 *
 * Invariant: of a term that is 0 here, rcp_ladder_turn() finds no order. By term id - RCP_TERM_FIRST; the caller's.
 */
#ifndef RECIPE_PREDICT_VARIES_H
#define RECIPE_PREDICT_VARIES_H

#include "predict/forced.h"

/* To be released. */
uint8_t *rcp_varies_terms(const rcp_run_facts *facts, const rcp_forced *forced);

#endif
