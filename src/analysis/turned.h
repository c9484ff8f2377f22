/* SPDX-License-Identifier: Apache-2.0 */
/* In words, what a run has otherwise that was thought out from another one: the event that turns, and the reads that
 * decide it, with what they read now and who has written that. Reads are found again by their places, as the new run
 * may have events more, of what only it shares. Nothing is owned.
 */
#ifndef RECIPE_ANALYSIS_TURNED_H
#define RECIPE_ANALYSIS_TURNED_H

#include "base/text.h"
#include "trace/model/trace.h"

/* "a.c:12 goes another way" */
void rcp_turned_print(const rcp_trace *from, rcp_eid event, rcp_text *to);
/* ": thread 0.2 reads ready as 17 instead of 49 at a.c:11, which thread 0.1 has written at a.c:5, called from a.c:20".
 * `run` is the new one, both are indexed. Nothing where no value decides it. `turning`: the first read that another
 * thread has written, and that write; RCP_NO_EID: there is none. */
void rcp_turned_print_reads(const rcp_trace *from, rcp_eid event, const rcp_trace *run, rcp_text *to,
                            rcp_eid turning[2]);
/* " That lets thread 0.2 come there before thread 0.1 has been at a.c:7.", of two events of that run. Nothing where it
 * is not so. */
void rcp_turned_print_early(const rcp_trace *run, const rcp_eid turning[2], const rcp_eid pair[2], rcp_text *to);

#endif
