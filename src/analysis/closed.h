/* SPDX-License-Identifier: Apache-2.0 */
/* Is a run such that what its program can do otherwise is all decided by the order of its threads' accesses and
 * synchronisation? Then asking about each of its decisions is asking about all there is, and a hunt
 * (analysis/hunting.h) may come to an end. It is where all that other threads do is reads, writes and synchronisation,
 * with values whose terms are known; and where the main thread alone makes threads, gives out or frees memory, and
 * ends. Code outside is called before there are threads: what it answers then belongs to the input. Later it may print
 * what stands in the code, compute what recorded code could, and no more (program/telling/sink_beyond.c).
 */
#ifndef RECIPE_ANALYSIS_CLOSED_H
#define RECIPE_ANALYSIS_CLOSED_H

#include "predict/facts/groundwork.h"

/* Of the whole of a recorded run, whose groundwork this is. NULL: it is; else why not, a constant. *may_stand: its
 * threads could come to wait for good (analysis/halts.h); else they wait by locks alone, which nest in one order,
 * and for ends. */
const char *rcp_closed_why_not(const rcp_groundwork *groundwork, bool *may_stand);

#endif
