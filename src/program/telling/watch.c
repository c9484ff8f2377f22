/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/watch.h"

#include "base/text.h"

void rcp_watches_finish(rcp_watches *watches) {
    for (size_t i = 0; i < watches->n; i++) {
        rcp_vec_finish(&watches->at[i].touches);
        rcp_release(watches->at[i].callee);
    }
}

static void add(rcp_watch *watch, uint64_t address, uint64_t size, bool writes) {
    rcp_vec_push(&watch->touches, ((rcp_watched_touch){address, size, writes}));
}

void rcp_watches_begin(rcp_watches *watches, uint32_t thread, uint64_t position, uint64_t visit, const char *callee) {
    for (size_t i = 0; watches && i < watches->n; i++) {
        rcp_watch *w = &watches->at[i];
        if (!w->at_end && !w->visit && w->thread == thread && w->position == position) {
            rcp_text name = {0};
            if (callee)
                rcp_text_puts(&name, callee);
            w->callee = name.at;
            w->visit = visit + 1;
        }
    }
}

void rcp_watches_end(rcp_watches *watches, uint64_t visit) {
    for (size_t i = 0; watches && i < watches->n; i++)
        watches->at[i].is_over |= watches->at[i].visit == visit + 1;
}

void rcp_watches_thread_end(rcp_watches *watches, uint32_t thread) {
    for (size_t i = 0; watches && i < watches->n; i++)
        watches->at[i].is_over |= watches->at[i].at_end && watches->at[i].thread == thread;
}

void rcp_watches_touch(rcp_watches *watches, uint64_t visit, uint64_t address, uint64_t size, bool writes) {
    for (size_t i = 0; watches && i < watches->n; i++)
        if (watches->at[i].visit == visit + 1)
            add(&watches->at[i], address, size, writes);
}

void rcp_watches_own_end(rcp_watches *watches, uint32_t thread, uint64_t address, uint64_t size) {
    for (size_t i = 0; watches && i < watches->n; i++)
        if (watches->at[i].at_end && watches->at[i].thread == thread)
            add(&watches->at[i], address, size, true);
}
