/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/thread.h"

#include "runtime/say.h"

rcp_baton_state rcp_baton;
__thread rcp_thread *rcp_self __attribute__((tls_model("initial-exec")));

uint32_t rcp_thread_number(const rcp_thread *t) { return t->number; }
bool rcp_thread_has_ended(const rcp_thread *t) { return t->state == RCP_THREAD_ENDED; }
uint64_t rcp_thread_key(const rcp_thread *t) { return (uint64_t)(uintptr_t)t; }

rcp_thread *rcp_thread_of(pthread_t id) {
    for (rcp_thread *t = rcp_baton.all_last; t; t = t->all_previous)
        if (pthread_equal(t->pthread, id) && !t->adopted)
            return t;
    return NULL;
}

static void say_name(const rcp_thread *t, rcp_say *say) {
    if (t->creator)
        say_name(t->creator, say);
    rcp_say_text(say, t->creator ? "." : t->adopted ? "0." : "0");
    if (t->creator || t->adopted)
        rcp_say_number(say, t->nth);
}

size_t rcp_thread_name(const rcp_thread *t, char *name, size_t size) {
    rcp_say say = {name, 0, size};
    name[0] = 0;
    say_name(t, &say);
    return say.n;
}
