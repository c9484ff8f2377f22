/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/tell.h"

#include "base/process.h"
#include "results/race.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

void rcp_tell_bytes(rcp_text *to, const uint8_t *bytes, uint64_t size) {
    uint64_t value = 0;
    if (size > 8) {
        for (uint64_t i = 0; i < size && i < 16; i++)
            rcp_text_printf(to, "%s%02x", i ? " " : "", bytes[i]);
        rcp_text_puts(to, size > 16 ? " …" : "");
        return;
    }
    memcpy(&value, bytes, size);
    rcp_text_printf(to, value < 1 << 16 ? "%" PRIu64 : "0x%" PRIx64, value);
}

void rcp_tell_end(rcp_text *to, const rcp_performance *p, double limit) {
    if (p->outcome.deadlocked == RCP_RUN_STARVED)
        rcp_text_puts(to, "the program waits for input that was not recorded");
    else if (p->outcome.deadlocked)
        rcp_text_printf(to, "%s: %.*s", RCP_REPLAY_DEADLOCK, (int)sizeof p->outcome.waits, p->outcome.waits);
    else if (p->was_late)
        rcp_text_printf(to, "the program does not end within %.0f s", limit);
    else if (WIFSIGNALED(p->status))
        rcp_text_printf(to, "the program dies of %s", rcp_process_signal_name(WTERMSIG(p->status)));
    else
        rcp_text_printf(to, "the program exits with %d", WEXITSTATUS(p->status));
}

static size_t line_of(const char *at, size_t n) {
    size_t line = 0;
    for (size_t i = 0; i < n; i++)
        line += at[i] == '\n';
    return line;
}

static void put_line(rcp_text *to, const rcp_text *text, size_t line) {
    const char *at = text->at ? text->at : "";
    for (; line && (at = strchr(at, '\n')); line--)
        at++;
    if (!at || !*at)
        rcp_text_puts(to, "nothing");
    else
        rcp_text_printf(to, "'%.*s'", (int)strcspn(at, "\n"), at);
}

void rcp_tell_difference(rcp_text *to, const rcp_performance p[2]) {
    const rcp_text *printed[2][2] = {{&p[0].output, &p[1].output}, {&p[0].errors, &p[1].errors}};
    for (int k = 0; k < 2; k++) {
        const rcp_text *a = printed[k][0], *b = printed[k][1];
        size_t n = 0;
        while (n < a->len && n < b->len && a->at[n] == b->at[n])
            n++;
        if (n == a->len && n == b->len)
            continue;
        size_t line = line_of(a->at ? a->at : b->at, n);
        rcp_text_printf(to, "Standard %s differs from line %zu on: ", k ? "error" : "output", line + 1);
        put_line(to, a, line);
        rcp_text_puts(to, " and ");
        put_line(to, b, line);
        rcp_text_puts(to, ".\n");
    }
}
