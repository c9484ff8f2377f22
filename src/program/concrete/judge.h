/* SPDX-License-Identifier: Apache-2.0 */
/* The concrete checker for whoever has a witness of a recorded run (program/concrete/concrete.h).
 *
 * The run is executed again once, with checkpoints on the way (program/telling/checkpoints.h). Each question goes to
 * the checkpoint before the witness's first change, a copy of which goes on and answers; so a verdict costs the stretch
 * that changes, and what lies between it and the checkpoint, not the run.
 *
 * The judge owns its checkpoints. Questions are about a trace of the run, or its beginning: what that shows is handed
 * in with each.
 */
#ifndef RECIPE_PROGRAM_CONCRETE_JUDGE_H
#define RECIPE_PROGRAM_CONCRETE_JUDGE_H

#include "base/status.h"
#include "program/concrete/judgement.h"
#include "trace/check/observed.h"
#include "trace/model/witness.h"

void rcp_judgement_finish(rcp_judgement *judgement);

typedef struct rcp_judge rcp_judge;

/* `directory` holds a recorded run and its events. */
rcp_code rcp_judge_create(const char *directory, rcp_judge **judge) RCP_MUST_USE;
void rcp_judge_destroy(rcp_judge *judge);
/* The trace checker has accepted the witness, which ends with a race; `observed` is of a trace that has its events. */
rcp_code rcp_judge_ask(rcp_judge *judge, const rcp_observed *observed, const rcp_witness *witness,
                       rcp_judgement *judgement) RCP_MUST_USE;

#endif
