/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/loaded.h"

#include "runtime/image.h"
#include "runtime/regions.h"
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

RCP_REAL_DEFINE(dlclose)

/* A library that was loaded. What is told of more of them is nothing: each is a part of the image. */
enum { LIBRARIES = 64, REGIONS = 8 };
static struct library {
    const void *handle;
    uint32_t opens; /* 0: it is closed, as far as is known */
    uint32_t n;
    rcp_mapped_region regions[REGIONS]; /* that can only be read */
} libraries[LIBRARIES];
static uint32_t n_libraries;
static uint64_t loader; /* the C library's dlopen; 0: somebody else has one of that name */

void rcp_loaded_start(void) {
    Dl_info in;
    void *function = dlsym(RTLD_NEXT, "dlopen");
    const char *slash = function && dladdr(function, &in) ? strrchr(in.dli_fname, '/') : NULL;
    if (slash && (!strncmp(slash, "/libc.so", 8) || !strncmp(slash, "/libdl.so", 9)))
        loader = (uint64_t)function;
}

static struct library *find(const void *handle) {
    for (uint32_t i = 0; i < n_libraries; i++)
        if (libraries[i].handle == handle && libraries[i].opens)
            return &libraries[i];
    return NULL;
}

static bool is_same_file(const rcp_mapped_region *a, const rcp_mapped_region *b) {
    return a->inode == b->inode && a->device[0] == b->device[0] && a->device[1] == b->device[1];
}

/* What is mapped of the file from `base` on, without a gap; where it begins again there is another copy of it. */
static void find_regions(struct library *l, uint64_t base) {
    rcp_regions all;
    rcp_mapped_region region, last = {0};
    rcp_regions_open(&all);
    while (rcp_regions_next(&all, &region)) {
        if (region.lo < base)
            continue;
        if (region.lo == base ? region.offset || !region.inode
                              : region.lo != last.hi || !region.offset || !is_same_file(&region, &last))
            break;
        last = region;
        bool is_constant = region.is_readable && !region.is_written && !region.is_shared;
        if (is_constant && l->n < REGIONS && !rcp_image_is_constant(region.lo, region.hi))
            l->regions[l->n++] = region;
    }
    rcp_regions_close(&all);
}

/* Somebody outside may have made some of it writable before the library was to be found here. */
static bool is_as_it_was(const struct library *l, uint64_t base) {
    struct library now = {0};
    find_regions(&now, base);
    bool is_same = now.n == l->n;
    for (uint32_t i = 0; is_same && i < l->n; i++)
        is_same = now.regions[i].lo == l->regions[i].lo && now.regions[i].hi == l->regions[i].hi;
    return is_same;
}

void rcp_loaded_look(uint64_t callee, uint64_t value) {
    const struct link_map *map = (const struct link_map *)value; /* what a handle of the C library's is */
    if (!loader || callee != loader || !value)
        return;
    struct library *l = find(map);
    if (l) {
        l->opens++;
    } else if (n_libraries < LIBRARIES) {
        l = &libraries[n_libraries];
        *l = (struct library){.handle = map, .opens = 1};
        find_regions(l, map->l_addr);
        if (!l->n) /* of the program itself, or there before */
            return;
        __atomic_store_n(&n_libraries, n_libraries + 1, __ATOMIC_RELEASE);
        if (is_as_it_was(l, map->l_addr))
            rcp_image_tell_constants(l->regions, l->n, false);
        else
            l->opens = 0;
    }
}

bool rcp_loaded_is_constant(uint64_t from, uint64_t to) {
    const uint64_t page = getauxval(AT_PAGESZ);
    const uint32_t n = __atomic_load_n(&n_libraries, __ATOMIC_ACQUIRE);
    from &= ~(page - 1);
    to = (to + page - 1) & ~(page - 1);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < libraries[i].n && __atomic_load_n(&libraries[i].opens, __ATOMIC_RELAXED); k++)
            if (from < libraries[i].regions[k].hi && libraries[i].regions[k].lo < to)
                return true;
    return false;
}

/* Whoever calls: before it may be unloaded. */
RCP_INTERCEPT int dlclose(void *handle) {
    if (!rcp_real_dlclose) /* its library was not there at the start */
        rcp_real_dlclose = dlsym(RTLD_NEXT, "dlclose");
    rcp_thread *self = rcp_inside();
    struct library *l = find(handle);
    if (l && !self && rcp_is_recording()) /* it may be over */
        rcp_log_unseen(RCP_UNSEEN_CONSTANTS);
    if (l && self && l->opens-- == 1)
        rcp_image_tell_constants(l->regions, l->n, true);
    if (self)
        rcp_outside(self);
    return RCP_REAL(dlclose)(handle);
}
