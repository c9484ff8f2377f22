/* SPDX-License-Identifier: Apache-2.0 */
/* Atomicity violations (docs/semantics.md): what a thread read under a lock, and goes by under the same lock later,
 * another thread's section changes in between, and what comes of that comes of neither order in which the two are
 * apart.
 *
 * Of a run partings are listed (analysis/partings.h); for each the ladder is asked for an order in which the write's
 * section is between the other two, and for the two orders in which one operation is over before the other begins. The
 * program is led along each, really, and goes on by itself; what it did is told, and compared (analysis/upshot.h).
 * The run with the section between, and the first of the others, are made twice.
 *
 * Invariant: what is put into the results the program has done twice. Its recording stays, DIR/variants/N. Borrows what
 * it is given; owns the rest.
 */
#ifndef RECIPE_ANALYSIS_ATOMICITY_H
#define RECIPE_ANALYSIS_ATOMICITY_H

#include "analysis/leftovers.h"
#include "analysis/staged.h"
#include "analysis/subject.h"
#include "results/results.h"

#include <signal.h>

typedef struct rcp_atomicity {
    const char *directory; /* of the recorded run */
    const rcp_notices *notices;
    rcp_results *results;
    uint64_t trace; /* its key in the results */
    const rcp_staging *staging;
    rcp_leftovers *leftovers;
    uint32_t patience;                 /* as of rcp_staging */
    double end;                        /* of rcp_seconds_now(); 0: none */
    const volatile sig_atomic_t *stop; /* no further run is begun once it is set */
    rcp_map places;                    /* that were asked about, in whatever run -> how many were carried out */
    rcp_map cut;                       /* of these: not all of them were asked about */
    rcp_map shown;                     /* sections that are reported */
    rcp_map known;                     /* fingerprints of what was reported before */
    uint64_t n_places, possible, n_shown, not_shown, lost, runs;
} rcp_atomicity;

/* What a later call goes on with: the maps but `known`, and the numbers. */
typedef RCP_VEC(uint64_t) rcp_atomicity_memory;

/* All but the maps and the numbers is there already. */
void rcp_atomicity_init(rcp_atomicity *atomicity);
void rcp_atomicity_finish(rcp_atomicity *atomicity);
/* What is in the results is not reported once more. */
void rcp_atomicity_note_known(rcp_atomicity *atomicity, const rcp_summary *summary);
void rcp_atomicity_remember(const rcp_atomicity *atomicity, rcp_atomicity_memory *memory);
/* An empty one: it stays as it was inited. */
void rcp_atomicity_recall(rcp_atomicity *atomicity, const rcp_atomicity_memory *memory);
/* Of a run whose trace is loaded, and its groundwork laid. */
rcp_code rcp_atomicity_look(rcp_atomicity *atomicity, rcp_subject *run) RCP_MUST_USE;
/* What was asked until now, and came of it. `limits`: what was left out, where nobody else keeps that; or NULL.
 * `why_not`: why no run, or not all, could be made or looked at; NULL: nothing was in the way. */
rcp_code rcp_atomicity_keep(const rcp_atomicity *atomicity, const char *why_not,
                            const rcp_limit_counts *limits) RCP_MUST_USE;

typedef struct rcp_atomicity_how {
    double limit;                      /* of one run of the program, seconds; 0: as usual */
    double end;                        /* of all, by rcp_seconds_now(); 0: none */
    const volatile sig_atomic_t *stop; /* no further run is begun once it is set */
    bool prints_to_nobody;             /* the recorded run did, on both standard streams */
} rcp_atomicity_how;

/* Of the recorded run of a directory that was analysed, alone. */
rcp_code rcp_atomicity_run(const char *directory, const rcp_atomicity_how *how,
                           const rcp_notices *notices) RCP_MUST_USE;

#endif
