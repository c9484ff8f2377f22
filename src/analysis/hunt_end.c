/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_end.h"

#include "base/hash.h"
#include "base/process.h"

#include <string.h>
#include <sys/wait.h>

int rcp_hunt_end_signal(const rcp_performance *p, int usual, int asked) {
    const int signal = !p->was_late && WIFSIGNALED(p->status) ? WTERMSIG(p->status) : 0;
    return signal == usual || signal == SIGKILL || signal == asked ? 0 : signal;
}

rcp_statistic_id rcp_hunt_end_describe(const rcp_performance *p, int signal, rcp_text *to) {
    enum { MOST = 400 };
    if (p->outcome.deadlocked == 1) {
        rcp_text_puts(to, p->outcome.waits);
        return RCP_STATISTIC_HUNT_DEADLOCK;
    }
    if (!signal)
        return RCP_STATISTICS;
    rcp_text_puts(to, rcp_process_signal_name(signal));
    const char *said = p->errors.at ? p->errors.at : "";
    size_t n = strcspn(said, "\n");
    if (n)
        rcp_text_printf(to, ": %.*s", (int)(n < MOST ? n : MOST), said);
    return RCP_STATISTIC_HUNT_CRASH;
}

uint64_t rcp_hunt_end_shape(const char *end) {
    rcp_text shape = {0};
    for (const char *at = end ? end : ""; *at;) {
        size_t n = strspn(at, "0123456789");
        if (n == 1 && at[1] == 'x')
            n = 2 + strspn(at + 2, "0123456789abcdefABCDEF");
        rcp_text_add(&shape, n ? "0" : at, 1);
        at += n ? n : 1;
    }
    const uint64_t hash = rcp_hash_bytes(shape.len ? shape.at : "", shape.len);
    rcp_text_finish(&shape);
    return hash;
}
