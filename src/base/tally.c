/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tally.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

typedef struct page {
    _Atomic uint64_t counts[2][RCP_TALLIED]; /* of the run, of variants */
} page;

static page *shared; /* with every copy of this process; NULL: nobody counts */
static bool of_variant;

static const char *const names[RCP_TALLIED] = {
    [RCP_TALLY_LOADS] = "loads of the trace", [RCP_TALLY_READ_ON] = "times more or less of it",
    [RCP_TALLY_REEXECUTIONS] = "executions",  [RCP_TALLY_TELLINGS] = "tellings",
    [RCP_TALLY_RUN_FACTS] = "run facts",      [RCP_TALLY_FORCED_WRITES] = "forced writes",
    [RCP_TALLY_CHECKERS] = "checkers",        [RCP_TALLY_REPLAYS] = "runs of the program",
};

const char *rcp_tally_name(rcp_tallied what) { return names[what]; }

void rcp_tally_begin(void) {
    if (shared)
        munmap(shared, sizeof *shared);
    void *made = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared = made == MAP_FAILED ? NULL : made;
    of_variant = false;
}

bool rcp_tally_for_variant(bool is_variant) {
    bool before = of_variant;
    of_variant = is_variant;
    return before;
}

void rcp_tally_count(rcp_tallied what) {
    if (shared)
        atomic_fetch_add(&shared->counts[of_variant][what], 1);
}

uint64_t rcp_tally_of(rcp_tallied what, bool is_variant) {
    return shared ? atomic_load(&shared->counts[is_variant][what]) : 0;
}
