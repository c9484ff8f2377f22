/* SPDX-License-Identifier: Apache-2.0 */
/* Short names of threads and objects for messages: 'T2 (worker)', 'mutex m'.
 *
 * A label is a value: use it as rcp_label_thread(defs, tid).at within one expression. Long names are cut. A thread
 * without a name is T and its id, as in the text form; one that is called so, T1 say, goes by that alone.
 */
#ifndef RECIPE_TRACE_MODEL_LABEL_H
#define RECIPE_TRACE_MODEL_LABEL_H

#include "trace/model/defs.h"

typedef struct rcp_label {
    char at[48];
} rcp_label;

rcp_label rcp_label_thread(const rcp_defs *defs, rcp_tid tid);
rcp_label rcp_label_object(const rcp_defs *defs, rcp_obj object);

/* A reason in words: what the checks hand back. */
enum { RCP_REASON_ROOM = 256 };
/* Writes the reason, cut to its room, and returns false: `return rcp_refuse(why, …)`. */
bool rcp_refuse(char why[RCP_REASON_ROOM], const char *format, ...) RCP_PRINTF(2, 3);

#endif
