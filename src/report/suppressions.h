/* SPDX-License-Identifier: Apache-2.0 */
/* What users do not want to be told: a file of suppressions, a line each, in the syntax of ThreadSanitizer.
 *
 *     race:PATTERN             a frame of either access, or the variable
 *     race_top:PATTERN         the innermost frame of either access, or the program's own below which it is
 *     called_from_lib:PATTERN  the program or library that a caller is in
 *     thread:PATTERN           the name of either thread
 *     mutex:PATTERN            as race, of races on a lock itself
 *     deadlock:PATTERN         a frame of a thread that waits
 *     signal:PATTERN           nothing: there are no such reports
 *
 * A frame matches by its function, its file, or the program that it is in (report/pattern.h). Beyond that syntax
 * `race:A <- B <- C` is several frames, A called by B called by C: frames of the C++ library between them are skipped,
 * `...` stands for any frames. A line that begins with '#' is a comment.
 *
 * They are applied to findings that are there, never in an engine: what is suppressed was found, keeps its number, and
 * is counted.
 *
 * Invariant: a line has a pattern at least, and `matched` counts pairs and deadlocks, whichever other line matches
 * them, too. The suppressions own their words; findings that they were applied to point into them.
 */
#ifndef RECIPE_REPORT_SUPPRESSIONS_H
#define RECIPE_REPORT_SUPPRESSIONS_H

#include "report/finding.h"

typedef enum rcp_suppression_kind {
    RCP_SUPPRESS_RACE,
    RCP_SUPPRESS_RACE_TOP,
    RCP_SUPPRESS_CALLED_FROM_LIB,
    RCP_SUPPRESS_THREAD,
    RCP_SUPPRESS_MUTEX,
    RCP_SUPPRESS_DEADLOCK,
    RCP_SUPPRESS_SIGNAL,
    RCP_SUPPRESSION_KINDS
} rcp_suppression_kind;

typedef struct rcp_suppression {
    rcp_suppression_kind kind;
    char *file; /* where it stands */
    unsigned line;
    char *words;            /* the line as it is written */
    RCP_VEC(char *) frames; /* patterns, the innermost first; those that are no chain have one */
    size_t first;           /* number of the first one among all patterns */
    unsigned matched;
} rcp_suppression;

typedef struct rcp_suppressions {
    RCP_VEC(rcp_suppression) lines;
    size_t patterns;
} rcp_suppressions;

/* Adds the lines of a file. `take_plain` makes of a linker's name the source's, in a string to be freed: so a pattern
 * may be either. Fails, with the line and what is wrong there. */
rcp_code rcp_suppressions_parse(rcp_suppressions *to, const char *file, const char *text, size_t len,
                                char *(*take_plain)(const char *name)) RCP_MUST_USE;
void rcp_suppressions_finish(rcp_suppressions *suppressions);

/* What a line matches is suppressed. `suppressions` must outlive the findings. */
void rcp_suppressions_apply(rcp_suppressions *suppressions, rcp_findings *findings);

/* "race:push (tsan.supp:3)" */
void rcp_suppression_print(rcp_text *to, const rcp_suppression *suppression);

#endif
