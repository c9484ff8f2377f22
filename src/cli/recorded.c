/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/recorded.h"

#include "program/recorded_events.h"

#include <inttypes.h>

rcp_code rcp_recorded_prepare(const char *directory, bool verbose) {
    rcp_recorded_events made;
    if (!rcp_recorded_events_are_missing(directory))
        return RCP_OK;
    if (verbose)
        rcp_say("%s: the run is executed again for its events", directory);
    rcp_code code = rcp_recorded_events_make(directory, NULL, &made);
    if (code != RCP_OK)
        return rcp_because(code, "%s: the events of the recorded run can't be made", directory);
    if (verbose)
        rcp_say("%s: %" PRIu64 " events of shared memory and synchronisation, of %" PRIu64 " that were executed "
                "(%.1f s to see what is shared, %.1f s to tell)",
                directory, made.told, made.executed, made.seconds[0], made.seconds[1]);
    return RCP_OK;
}
