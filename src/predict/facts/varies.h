/* SPDX-License-Identifier: Apache-2.0 */
/* Which branches, addresses and compare-and-swaps of a trace can turn out otherwise, as far as can be said without a
 * search. A long trace has a great many, and a search over all of it is dear.
 *
 * Nothing turns what is steady (predict/facts/forced.h), for whose reads there is a reason to have their recorded
 * value. Here it is enough that they have no other one. A read is *fixed* where it takes its bytes from the same writes
 * in every execution: of each word that it touches, all writes are in one line by the order that must be
 * (predict/facts/must.h), and the read has its place in that line; or the word is written once, in a block that holds
 * nothing before. A term can't vary where every read below it is fixed, and so is what the terms of their writes are
 * over. What code outside leaves is as recorded, or nothing that is known (docs/semantics.md, P2): nothing turns by it;
 * but who took it may have come earlier.
 */
#ifndef RECIPE_PREDICT_FACTS_VARIES_H
#define RECIPE_PREDICT_FACTS_VARIES_H

#include "predict/facts/forced.h"

/* The term by which the event turns; RCP_TERM_CONST: there is none. */
rcp_term rcp_varies_term(const rcp_event *event);
/* A bit per event. Invariant: of one that has such a term and whose bit is not set, rcp_ladder_turn() finds no order.
 * To be released. */
rcp_bits *rcp_varies_find(const rcp_run_facts *facts, const rcp_forced *forced);

#endif
