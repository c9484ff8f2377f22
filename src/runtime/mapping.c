/* SPDX-License-Identifier: Apache-2.0 */
/* mmap, munmap, mremap: lives of mapped memory.
 *
 * A fresh anonymous page is zero, and the shadow forgets what was there before. Pages of a file are learnt as they are
 * read. The log ends a life by its address alone, so only a mapping that goes as a whole has an end there; a piece cut
 * off one lives on in the trace until something new is mapped over it (its synchronisation objects do end).
 */
#include "runtime/objects.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>

RCP_REAL_DEFINE(mmap)
RCP_REAL_DEFINE(munmap)
RCP_REAL_DEFINE(mremap)

/* Mappings that the program made and that are still whole. */
struct mapping {
    uint64_t address, size;
};
static struct mapping *mappings;
static uint32_t n_mappings, mappings_size;

static void remember(uint64_t address, uint64_t size) {
    if (n_mappings == mappings_size) {
        uint32_t bigger = mappings_size ? mappings_size * 2 : 1024;
        struct mapping *at = rcp_sys_map(0, bigger * sizeof *at);
        if (!at)
            return; /* its end will not be told, no more */
        if (mappings) {
            memcpy(at, mappings, n_mappings * sizeof *at);
            RCP_SYS2(SYS_munmap, mappings, mappings_size * sizeof *at);
        }
        mappings = at;
        mappings_size = bigger;
    }
    mappings[n_mappings++] = (struct mapping){address, size};
}

/* The memory's life ends: mappings within it are told, those that it only touches are forgotten. */
static void end(uint64_t address, uint64_t size) {
    rcp_objects_end(address, size);
    for (uint32_t i = 0; i < n_mappings;) {
        struct mapping m = mappings[i];
        if (m.address >= address + size || m.address + m.size <= address) {
            i++;
            continue;
        }
        if (m.address >= address && m.address + m.size <= address + size)
            rcp_log_free(m.address);
        mappings[i] = mappings[--n_mappings];
    }
}

static uint64_t whole_pages(uint64_t size) { return (size + 4095) & ~UINT64_C(4095); }

RCP_INTERCEPT void *mmap(void *hint, size_t size, int protection, int flags, int fd, off_t offset) {
    if (!rcp_real_mmap) { /* before the start */
        long r = rcp_sys(SYS_mmap, (long)hint, (long)size, protection, flags, fd, offset);
        if (r >= 0 || r <= -4096)
            return (void *)r;
        errno = (int)-r;
        return MAP_FAILED;
    }
    rcp_thread *self = rcp_inside();
    void *at = RCP_REAL(mmap)(hint, size, protection, flags, fd, offset);
    if (!self)
        return at;
    if (at != MAP_FAILED) {
        int error = errno;
        uint64_t whole = whole_pages(size);
        end((uint64_t)at, whole); /* what MAP_FIXED has replaced */
        bool fresh = flags & MAP_ANONYMOUS;
        rcp_log_alloc((uint64_t)at, whole, fresh ? RCP_ALLOC_MAP : RCP_ALLOC_MAP_FILE);
        if (fresh)
            rcp_effect_fill(at, whole, 0);
        remember((uint64_t)at, whole);
        errno = error;
    }
    rcp_outside(self);
    return at;
}

RCP_INTERCEPT void *mmap64(void *hint, size_t size, int protection, int flags, int fd, off64_t offset) {
    return mmap(hint, size, protection, flags, fd, offset);
}

RCP_INTERCEPT int munmap(void *address, size_t size) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(munmap)(address, size);
    int result = RCP_REAL(munmap)(address, size);
    if (!result)
        end((uint64_t)address, whole_pages(size));
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT void *mremap(void *address, size_t old_size, size_t size, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    void *place = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(mremap)(address, old_size, size, flags, place);
    void *at = RCP_REAL(mremap)(address, old_size, size, flags, place);
    if (at != MAP_FAILED) {
        uint64_t old_whole = whole_pages(old_size), whole = whole_pages(size);
        if (at != address)
            end((uint64_t)at, whole);
        end((uint64_t)address, old_whole);
        rcp_log_alloc((uint64_t)at, whole, RCP_ALLOC_MAP);
        if (at != address)
            rcp_effect_copy(at, address, old_whole < whole ? old_whole : whole);
        remember((uint64_t)at, whole); /* where it has grown, the shadow learns by reading: it may be a file */
    }
    rcp_outside(self);
    return at;
}
