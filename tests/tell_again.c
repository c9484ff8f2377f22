/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the events of a recorded run with checkpoints on the way, then has it told again from one of them.
 *   tell_again DIR EVERY FROM UPTO OUT [LOW-HIGH…]
 * EVERY: events of the program between two checkpoints. LOW-HIGH: further memory, hexadecimal. Prints the anchor. */
#include "program/telling/checkpoints.h"
#include "program/telling/recorded_events.h"

#include <inttypes.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    rcp_span further[16];
    size_t n = 0;
    for (int i = 6; i < argc && n < 16; i++)
        if (sscanf(argv[i], "%" SCNx64 "-%" SCNx64, &further[n].lo, &further[n].hi) != 2)
            return 2;
        else
            n++;
    rcp_checkpoints *checkpoints = rcp_checkpoints_create(strtoull(argv[2], NULL, 0));
    rcp_recorded_events made;
    rcp_again again = {strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0), further, n, argv[5]};
    uint64_t anchor = 0;
    rcp_code code = rcp_recorded_events_make(argv[1], 0, checkpoints, &made);
    if (code == RCP_OK)
        code = rcp_checkpoints_ask(checkpoints, &again, &anchor);
    if (code == RCP_OK)
        printf("%" PRIu64 "\n", anchor);
    else
        rcp_print_causes(stderr);
    rcp_checkpoints_destroy(checkpoints);
    return code != RCP_OK;
}
