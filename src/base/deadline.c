/* SPDX-License-Identifier: Apache-2.0 */
#include "base/deadline.h"

static double deadline;

double rcp_deadline_set(double end) {
    double before = deadline;
    deadline = end;
    return before;
}

double rcp_deadline(void) { return deadline; }

bool rcp_deadline_is_over(void) { return deadline > 0 && rcp_seconds_now() >= deadline; }

rcp_code rcp_deadline_fail(const char *what) { return rcp_fail(RCP_LIMIT, "the time was over before %s", what); }
