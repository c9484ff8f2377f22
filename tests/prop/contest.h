/* SPDX-License-Identifier: Apache-2.0 */
/* Two who are asked the same of random traces, one after the other, until they disagree: then the smallest trace of
 * which they do is printed, and how to see it again.
 */
#ifndef RECIPE_PROP_CONTEST_H
#define RECIPE_PROP_CONTEST_H

#include "prop/args.h"
#include "trace/model/trace.h"

#include <stddef.h>

typedef struct rcp_contest {
    const char *who; /* "prediction and oracle" */
    /* Do they agree on all that is drawn with the seed? What was asked is added to the tally, which may be another one
     * where a trace is looked at again; `explain`: what they disagree on is printed. */
    bool (*agree)(const rcp_trace *trace, uint64_t seed, bool explain, void *tally);
    /* NULL: rcp_gen_profile()'s. The trace is initialised. */
    void (*make)(const rcp_args *args, uint64_t seed, rcp_trace *trace);
    size_t tally; /* its size */
} rcp_contest;

/* The number of traces; *agreed: no disagreement was among them. */
uint64_t rcp_contest_run(const rcp_contest *contest, const rcp_args *args, void *tally, bool *agreed);

#endif
