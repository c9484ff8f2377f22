/* SPDX-License-Identifier: Apache-2.0 */
/* What the logs of a recorded directory hold, its processes' summed up, as assignments that a shell can read:
 * log_counts LOG… */
#include "abi/log.h"

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv) {
    struct rcp_log_header sum = {0};
    for (int i = 1; i < argc; i++) {
        struct rcp_log_header h;
        FILE *f = fopen(argv[i], "rb");
        if (!f || fread(&h, sizeof h, 1, f) != 1 || h.magic != RCP_LOG_MAGIC || h.version != RCP_LOG_VERSION) {
            fprintf(stderr, "log_counts: %s is no log of this version\n", argv[i]);
            return 3;
        }
        fclose(f);
        sum.length += h.length;
        sum.events += h.events;
        sum.syncs += h.syncs;
        sum.switches += h.switches;
        sum.outside_calls += h.outside_calls;
        sum.effects += h.effects;
        sum.effect_bytes += h.effect_bytes;
        sum.misses += h.misses;
        sum.miss_bytes += h.miss_bytes;
        sum.steals += h.steals;
    }
    printf("log=%" PRIu64 " events=%" PRIu64 " syncs=%" PRIu64 " switches=%" PRIu64 " outside_calls=%" PRIu64
           " effects=%" PRIu64 " effect_bytes=%" PRIu64 " misses=%" PRIu64 " miss_bytes=%" PRIu64 " steals=%" PRIu64
           "\n",
           sum.length, sum.events, sum.syncs, sum.switches, sum.outside_calls, sum.effects, sum.effect_bytes,
           sum.misses, sum.miss_bytes, sum.steals);
    return 0;
}
