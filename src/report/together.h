/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of several processes of one command as one list: what every form of the report prints of a command.
 *
 * A pair of places in the program that several processes have is one finding: that of the first that confirmed it, else
 * of the first; the others are named in it. Numbers are given in the order of the processes, and in each in the order
 * of its own; so a pair keeps its number whoever confirms it.
 *
 * Invariant: what the joined findings point to is the parts', which must outlive them. The list owns its findings, its
 * gaps and its sums; processes and command are borrowed.
 */
#ifndef RECIPE_REPORT_TOGETHER_H
#define RECIPE_REPORT_TOGETHER_H

#include "report/finding.h"

typedef struct rcp_together {
    rcp_findings all;
    rcp_summary summary; /* of all parts, added up */
    const rcp_process *processes;
    size_t n;
    RCP_VEC(char *) command;        /* of all; borrowed */
    RCP_VEC(const rcp_defs *) defs; /* of the parts */
    /* Of each finding, by its number - 1: whose it is, and its number there. */
    RCP_VEC(size_t) part;
    RCP_VEC(unsigned) id;
} rcp_together;

typedef struct rcp_together_part {
    rcp_findings *findings;
    size_t process; /* of those above */
} rcp_together_part;

/* The parts are in the order of their processes. `together` is the caller's to finish, and must stay where it is. */
void rcp_together_join(rcp_together *together, const char *program, const rcp_process *processes, size_t n_processes,
                       const rcp_together_part *parts, size_t n);
void rcp_together_finish(rcp_together *together);

#endif
