/* SPDX-License-Identifier: Apache-2.0 */
/* Hunting: from one run of a program to all runs that matter (docs/hunt.md).
 *
 * Of each recording it is asked what its threads could decide otherwise (analysis/targets.h, rcp_ladder_turn()). An
 * order that leads there is carried out on the program: the run is led along it, goes on by itself, and is recorded.
 * What comes of it is a variant, DIR/variants/N: told, analysed, and asked about in its own right, where it is of a
 * class that nobody has seen (analysis/decisions.h). What leads to a class that was seen is not run, and what did not
 * come about is not tried again. Turns to a side that no run has gone to come first.
 *
 * A run that ends by a signal, or in a deadlock, is made once more along the same order: what ends in the same way
 * again is reported, and its recording stays.
 *
 * It ends when nothing is left to be asked, at the limit hunt-runs, or with the time. It says that all classes were
 * seen only where all of them are closed (analysis/closed.h), and nothing was left undecided on the way.
 *
 * Invariant: what is put into the results went through rcp_make_race(), or is what the program did. Only runs
 * that show something stay.
 */
#ifndef RECIPE_ANALYSIS_HUNTING_H
#define RECIPE_ANALYSIS_HUNTING_H

#include "analysis/hunt_work.h"
#include "analysis/notices.h"
#include "base/status.h"

/* Of a recording that was analysed. Races are put into its results, of the model hunt. */
rcp_code rcp_hunting_run(const char *directory, const rcp_hunting_how *how, const rcp_notices *notices) RCP_MUST_USE;

#endif
