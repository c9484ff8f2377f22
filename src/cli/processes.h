/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded run of several processes (record/family.h), opened to be reported and replayed as one.
 *
 * A part is a process that was analysed. Of the others some had one thread, in which nothing races; what was not looked
 * at is among the gaps. Owns the family, the parts and their joined findings.
 */
#ifndef RECIPE_CLI_PROCESSES_H
#define RECIPE_CLI_PROCESSES_H

#include "record/family.h"
#include "report/together.h"

typedef struct rcp_processes_part {
    const char *directory; /* the family's */
    rcp_reader *reader;
    rcp_summary summary;
    rcp_findings findings;
} rcp_processes_part;

typedef struct rcp_processes {
    rcp_family family;
    RCP_VEC(rcp_process) words; /* by process of the family */
    RCP_VEC(rcp_processes_part *) parts;
    RCP_VEC(rcp_together_part) joined;
    rcp_text program;
    rcp_together together;
} rcp_processes;

/* Has the directory recordings of others than the program itself? */
bool rcp_processes_are_several(const char *directory);
/* `is_judged`: as of rcp_show. `processes` is the caller's to close, also where this fails. */
rcp_code rcp_processes_open(rcp_processes *processes, const char *directory, bool is_judged) RCP_MUST_USE;
void rcp_processes_close(rcp_processes *processes);

/* The directories of those in which something may race, in their order; strings are the caller's to release. */
typedef RCP_VEC(char *) rcp_processes_list;
rcp_code rcp_processes_threaded(const char *directory, rcp_processes_list *list) RCP_MUST_USE;
/* The same, of those that were analysed. */
rcp_code rcp_processes_analysed(const char *directory, rcp_processes_list *list) RCP_MUST_USE;
void rcp_processes_list_finish(rcp_processes_list *list);

#endif
