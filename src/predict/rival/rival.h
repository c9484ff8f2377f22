/* SPDX-License-Identifier: Apache-2.0 */
/* --solver=z3 and --save-smt2: a pair of accesses under one model, the papers' way.
 *
 * First the small cone, one formula for the pair. Where that has no race, all linearisations of the trace: one formula
 * per model, kept as long as the rival lives, to which each pair's race is added and taken back (seed 003 §5). Only
 * that can say 'none'. A trace whose formula is too large stays undecided there.
 *
 * Invariant: a 'race' has a witness that the checker accepted. Borrows facts and checker, which must outlive it.
 */
#ifndef RECIPE_PREDICT_RIVAL_RIVAL_H
#define RECIPE_PREDICT_RIVAL_RIVAL_H

#include "predict/solve/search.h"
#include "predict/rival/z3.h"

typedef struct rcp_rival rcp_rival;

/* `steps`: Z3's own, per question. Deterministic, unlike a limit of the clock. */
rcp_rival *rcp_rival_create(const rcp_run_facts *facts, const rcp_checker *checker, bool spurious_wakeups,
                            uint32_t steps);
void rcp_rival_destroy(rcp_rival *rival);

/* As rcp_ladder_climb(). Fails where the checker refuses what should have been a witness. */
rcp_code rcp_rival_ask(rcp_rival *rival, rcp_model model, rcp_eid a, rcp_eid b, rcp_witness *witness,
                       rcp_answer *answer) RCP_MUST_USE;

/* Writes the pair's query as `directory`/eA-eB-MODEL.smt2: of the whole trace if that is not too large, else of the
 * small cone, which the file says. The directory is made where it is not there. */
rcp_code rcp_rival_save(rcp_rival *rival, const char *directory, rcp_model model, rcp_eid a, rcp_eid b) RCP_MUST_USE;

/* The file `name` of the directory, which is made where it is not there. */
rcp_code rcp_rival_write(const char *directory, const char *name, const rcp_text *text) RCP_MUST_USE;

#endif
