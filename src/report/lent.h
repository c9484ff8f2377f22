/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that goes with its thread, which another thread accesses: a local variable or a thread_local one, whose
 * address somebody stored for others to have. No event names it; whoever told the trace has mostly said how it is
 * declared (RCP_LENT_FACT). Else the line that stored the address may say its name ("lent = &own"). Nothing is owned.
 */
#ifndef RECIPE_REPORT_LENT_H
#define RECIPE_REPORT_LENT_H

#include "report/finding.h"

typedef struct rcp_lent_variable {
    const char *name, *file; /* what they begin with; the trace's */
    size_t name_len, file_len;
    uint32_t line;
    bool is_thread_local; /* else it is a local variable of the function that stored its address */
} rcp_lent_variable;

/* How it is declared; false: that is not known. */
bool rcp_lent_find(const rcp_finding *finding, rcp_lent_variable *to);
/* "own"; false: that is not known either, and the line that stored the address is not there, or says more than one
 * name. */
bool rcp_lent_name(rcp_text *to, const rcp_finding *finding);
/* "a.c:12", where it is declared. */
void rcp_lent_line(rcp_text *to, const rcp_lent_variable *lent);

#endif
