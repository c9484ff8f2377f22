/* SPDX-License-Identifier: Apache-2.0 */
/* The concrete checker for whoever has a witness of a recorded run (program/concrete/concrete.h).
 *
 * The run is executed again once, with checkpoints on the way (program/telling/checkpoints.h). Each question goes to
 * the checkpoint before the witness's first change, a copy of which goes on and answers; so a verdict costs the stretch
 * that changes, and what lies between it and the checkpoint, not the run.
 *
 * The judge owns its checkpoints and borrows the trace, which must be indexed and stay as it is.
 */
#ifndef RECIPE_PROGRAM_CONCRETE_JUDGE_H
#define RECIPE_PROGRAM_CONCRETE_JUDGE_H

#include "base/status.h"
#include "program/concrete/judgement.h"
#include "trace/model/trace.h"
#include "trace/model/witness.h"

void rcp_judgement_finish(rcp_judgement *judgement);

typedef struct rcp_judge rcp_judge;

/* `directory` holds a recorded run and its events. */
rcp_code rcp_judge_create(const char *directory, const rcp_trace *trace, rcp_judge **judge) RCP_MUST_USE;
void rcp_judge_destroy(rcp_judge *judge);
/* The trace checker has accepted the witness, which ends with a race. */
rcp_code rcp_judge_ask(rcp_judge *judge, const rcp_witness *witness, rcp_judgement *judgement) RCP_MUST_USE;

#endif
