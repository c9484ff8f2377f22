/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/thread_names.h"

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

#include <inttypes.h>

struct rcp_thread_names {
    rcp_map index;
    RCP_VEC(char *) names;
    RCP_VEC(uint32_t) threads; /* whose they are */
};

rcp_thread_names *rcp_thread_names_create(void) {
    rcp_thread_names *names = rcp_alloc_zero(1, sizeof *names);
    rcp_map_init(&names->index);
    return names;
}

void rcp_thread_names_destroy(rcp_thread_names *names) {
    if (!names)
        return;
    for (size_t i = 0; i < names->names.len; i++)
        rcp_release(names->names.at[i]);
    rcp_vec_finish(&names->names);
    rcp_vec_finish(&names->threads);
    rcp_map_finish(&names->index);
    rcp_release(names);
}

const char *rcp_thread_names_borrow(const rcp_thread_names *names, uint32_t thread) {
    uint32_t index = rcp_map_get(&names->index, thread);
    return index == RCP_MAP_NONE ? "?" : names->names.at[index];
}

static void add(rcp_thread_names *names, uint32_t thread, char *name) {
    rcp_map_set(&names->index, thread, (uint32_t)names->names.len);
    rcp_vec_push(&names->names, name);
    rcp_vec_push(&names->threads, thread);
}

void rcp_thread_names_add(rcp_thread_names *names, uint32_t thread, uint64_t parent, uint64_t nth) {
    rcp_text text = {0};
    if (thread)
        rcp_text_printf(&text, "%s.%" PRIu64, rcp_thread_names_borrow(names, (uint32_t)parent), nth);
    else
        rcp_text_puts(&text, "0");
    add(names, thread, text.at);
}

size_t rcp_thread_names_count(const rcp_thread_names *names) { return names->names.len; }

const char *rcp_thread_names_borrow_nth(const rcp_thread_names *names, size_t nth, uint32_t *thread) {
    *thread = names->threads.at[nth];
    return names->names.at[nth];
}

void rcp_thread_names_put(rcp_thread_names *names, uint32_t thread, const char *name, size_t len) {
    rcp_text text = {0};
    rcp_text_add(&text, name, len);
    add(names, thread, text.at);
}
