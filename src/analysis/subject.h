/* SPDX-License-Identifier: Apache-2.0 */
/* One run under analysis, and all that is made of it: reader, trace, checker, groundwork, explorer, judge. Each is made
 * when the first stage needs it, once, and lent to whoever comes after. A study (analysis/study.h) has the run that was
 * recorded, or imported, and for models that explore one subject more per variant.
 *
 * Streaming stays streaming: whoever can do with the reader asks for no trace.
 *
 * Invariant: checker and groundwork are of the trace as it is now; loading more or less of it drops them. Owns all of
 * it, and the directory's name.
 */
#ifndef RECIPE_ANALYSIS_SUBJECT_H
#define RECIPE_ANALYSIS_SUBJECT_H

#include "analysis/judging.h"
#include "predict/facts/groundwork.h"
#include "program/explore/explore.h"
#include "trace/store/reader.h"

typedef struct rcp_subject {
    char *directory;
    uint32_t variant;   /* its number; 0: it is the run that was recorded or imported */
    char *turned;       /* of one that was thought out: what turns in it, in words; may be NULL */
    rcp_eid turning[2]; /* of its events, the read that decides that, and the write of another thread that it reads;
                           RCP_NO_EID: none */
    bool is_recorded;   /* there is code to run */
    bool is_steered; /* a variant that the program itself has run (analysis/steering.h), not one that was thought out */
    bool spurious_wakeups;
    rcp_reader *reader; /* NULL until it is opened, as the others */
    rcp_trace trace;    /* its first events, where is_loaded */
    bool is_loaded;
    rcp_checker *checker;
    rcp_groundwork *groundwork;
    rcp_explorer *explorer;
    rcp_judging judging;
    double seconds; /* of the processor: what trace and groundwork have cost */
} rcp_subject;

void rcp_subject_init(rcp_subject *subject, const char *directory, uint32_t variant, bool spurious_wakeups);
void rcp_subject_finish(rcp_subject *subject);
/* Lets go of all that could be made again; `with_trace` false: of trace and groundwork, too. */
void rcp_subject_rest(rcp_subject *subject, bool with_trace);

/* Each of these is there when it returns RCP_OK, whether it was made now or before. */
rcp_code rcp_subject_open(rcp_subject *subject) RCP_MUST_USE;
/* The trace holds the first `most` events, or all where there are fewer. */
rcp_code rcp_subject_load(rcp_subject *subject, uint64_t most) RCP_MUST_USE;
/* Of the trace, which is loaded. */
rcp_code rcp_subject_make_checker(rcp_subject *subject) RCP_MUST_USE;
rcp_code rcp_subject_lay_groundwork(rcp_subject *subject) RCP_MUST_USE;
rcp_code rcp_subject_make_explorer(rcp_subject *subject) RCP_MUST_USE;

#endif
