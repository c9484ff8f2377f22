/* SPDX-License-Identifier: Apache-2.0 */
/* Which case of a test program it was that did something: gtest's, Catch2's.
 *
 * A process may run one case, which its command line names then; else the case is known by its function, in whose frame
 * the access was made, or its thread created, or the thread that created that one. Nothing is owned.
 */
#ifndef RECIPE_REPORT_TESTCASE_H
#define RECIPE_REPORT_TESTCASE_H

#include "base/text.h"
#include "trace/model/defs.h"
#include "trace/model/event.h"

/* The innermost frame of the event's that is a case's own function; 0: there is none. */
rcp_loc rcp_testcase_find(const rcp_defs *defs, const rcp_event *event);
/* "Suite.Case", where the frame is known, or the process ran one case; else nothing. */
void rcp_testcase_print(rcp_text *to, const rcp_defs *defs, rcp_loc frame);

#endif
