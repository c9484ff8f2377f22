/* SPDX-License-Identifier: Apache-2.0 */
/* mmap, munmap, mremap, shmat, shmdt: lives of mapped memory; mprotect, of what was thought to be constant.
 *
 * A fresh anonymous page is zero, and the shadow forgets what was there before. Pages of a file are learnt as they are
 * read. The log ends a life by its address alone, so only a mapping that goes as a whole has an end there; a piece cut
 * off one lives on in the trace until something new is mapped over it (its synchronisation objects do end).
 *
 * What a file, or a segment of shared memory, has in two places at once is one memory: the log says so. So it does of
 * memory that others can see: a file that is mapped for all, a segment, and what a child by fork() shares. What nobody
 * else has, so far, is kept elsewhere (shared.h).
 */
#include "runtime/image.h"
#include "runtime/names.h"
#include "runtime/loaded.h"
#include "runtime/objects.h"
#include "runtime/peer.h"
#include "runtime/runtime.h"
#include "runtime/shared.h"
#include "runtime/streams.h"
#include "runtime/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/types.h>

RCP_REAL_DEFINE(mmap)
RCP_REAL_DEFINE(munmap)
RCP_REAL_DEFINE(mremap)
RCP_REAL_DEFINE(shmat)
RCP_REAL_DEFINE(shmdt)

/* What is mapped; inode 0: nothing that can be mapped again. */
struct source {
    uint64_t device, inode, offset;
    bool is_shared, is_writable;
    bool is_own;  /* shared, and nobody but a child has it */
    bool is_seen; /* others than the process may look at it, or change it */
};
#define DEVICE_SEGMENTS UINT64_MAX /* of shmget */

/* Mappings that the program made and that are still whole. */
struct mapping {
    uint64_t address, size;
    struct source source;
    bool is_told; /* all of it: that it is somewhere else, too */
};
static struct mapping *mappings;
static uint32_t n_mappings, mappings_size;

/* The same bytes of the same file as in other places, and one of them can be changed for all to see? Of each place it
 * is said once that it is not the only one; with whom does not matter, so a file that is mapped thousands of times has
 * thousands of records, and not millions. True: all of it is said. */
static bool say_aliases(uint64_t address, uint64_t size, struct source from) {
    bool is_told = false;
    for (uint32_t i = 0; from.inode && i < n_mappings; i++) {
        struct mapping *m = &mappings[i];
        uint64_t lo = m->source.offset > from.offset ? m->source.offset : from.offset;
        uint64_t end = m->source.offset + m->size, own_end = from.offset + size, hi = end < own_end ? end : own_end;
        if (m->source.inode == from.inode && m->source.device == from.device && lo < hi &&
            (m->source.is_shared || from.is_shared) && (m->source.is_writable || from.is_writable) &&
            !(is_told && m->is_told)) {
            rcp_log_alias(address + (lo - from.offset), m->address + (lo - m->source.offset), hi - lo);
            is_told |= lo == from.offset && hi == own_end;
            m->is_told |= lo == m->source.offset && hi == end;
        }
    }
    return is_told;
}

static void remember(uint64_t address, uint64_t size, struct source source) {
    const bool is_told = say_aliases(address, size, source);
    if (source.is_seen) {
        rcp_log_alias(address, 0, size);
        rcp_peer_shares();
        rcp_streams_tied();
    } else if (source.is_own) {
        rcp_shared_begin(address, size, source.device == DEVICE_SEGMENTS ? source.inode : 0);
    }
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
    mappings[n_mappings++] = (struct mapping){address, size, source, is_told};
}

/* The memory's life ends: mappings within it are told, those that it only touches are forgotten. */
static void end(uint64_t address, uint64_t size) {
    rcp_objects_end(address, size);
    rcp_shared_end(address, size);
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

static struct source source_of(int fd, uint64_t offset, int protection, int flags) {
    struct stat is;
    struct source source = {.offset = offset, .is_shared = !(flags & MAP_PRIVATE)};
    source.is_writable = protection & PROT_WRITE;
    source.is_own = source.is_shared && flags & MAP_ANONYMOUS;
    if (!(flags & MAP_ANONYMOUS) && RCP_SYS2(SYS_fstat, fd, &is) >= 0 && S_ISREG(is.st_mode)) {
        source.device = is.st_dev;
        source.inode = is.st_ino;
    }
    /* A file that was opened to be read is taken for one that nobody changes before it is looked at: data and tables.
     */
    long opened = flags & MAP_ANONYMOUS ? O_RDONLY : RCP_SYS2(SYS_fcntl, fd, F_GETFL);
    source.is_seen = !(flags & MAP_ANONYMOUS) && (!source.inode || (opened & O_ACCMODE) != O_RDONLY);
    return source;
}

/* Of the mapping that begins there. */
static struct source source_at(uint64_t address) {
    for (uint32_t i = 0; i < n_mappings; i++)
        if (mappings[i].address == address)
            return mappings[i].source;
    return (struct source){0};
}

static uint64_t whole_pages(uint64_t size) { return (size + 4095) & ~UINT64_C(4095); }

/* Whoever calls: what was constant may be written from now on, or is something else. */
static void may_change(const void *address, uint64_t size) {
    const uint64_t from = (uint64_t)address, to = from + size;
    if (rcp_image_is_constant(from, to) || rcp_loaded_is_constant(from, to))
        rcp_log_unseen(RCP_UNSEEN_CONSTANTS);
}

static int protect(const void *address, size_t size, int access, long r) {
    if (!r && access & PROT_WRITE)
        may_change(address, size);
    if (r)
        errno = (int)-r;
    return r ? -1 : 0;
}

/* (Some library may call them before the start.) */
RCP_INTERCEPT int mprotect(void *address, size_t size, int access) {
    return protect(address, size, access, RCP_SYS3(SYS_mprotect, address, size, access));
}
RCP_INTERCEPT int pkey_mprotect(void *address, size_t size, int access, int key) {
    return protect(address, size, access, RCP_SYS4(SYS_pkey_mprotect, address, size, access, key));
}

RCP_INTERCEPT void *mmap(void *hint, size_t size, int protection, int flags, int fd, off_t offset) {
    if (!rcp_real_mmap) { /* before the start */
        long r = rcp_sys(SYS_mmap, (long)hint, (long)size, protection, flags, fd, offset);
        if (r >= 0 || r <= -4096)
            return (void *)r;
        errno = (int)-r;
        return MAP_FAILED;
    }
    rcp_thread *self = rcp_inside();
    rcp_shared_remaps();
    if (flags & MAP_FIXED)
        may_change(hint, size);
    void *at = RCP_REAL(mmap)(hint, size, protection, flags, fd, offset);
    if (!self)
        return at;
    if (at != MAP_FAILED) {
        int error = errno;
        uint64_t whole = whole_pages(size);
        end((uint64_t)at, whole); /* what MAP_FIXED has replaced */
        bool fresh = flags & MAP_ANONYMOUS;
        if (!fresh)
            rcp_streams_kept(fd);
        if (!fresh && (flags & MAP_TYPE) != MAP_PRIVATE && protection & PROT_WRITE)
            rcp_names_written(fd);
        rcp_log_alloc((uint64_t)at, whole, fresh ? RCP_ALLOC_MAP : RCP_ALLOC_MAP_FILE);
        if (fresh)
            rcp_effect_fill(at, whole, 0);
        remember((uint64_t)at, whole, source_of(fd, (uint64_t)offset, protection, flags));
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
    rcp_shared_remaps();
    may_change(address, size); /* others may be given what was there */
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
    rcp_shared_remaps();
    may_change(address, old_size);
    if (flags & MREMAP_FIXED)
        may_change(place, size);
    if (!self)
        return RCP_REAL(mremap)(address, old_size, size, flags, place);
    struct source source = source_at((uint64_t)address);
    if (source.is_own && !rcp_shared_is_own((uint64_t)address, whole_pages(old_size ? old_size : 1)))
        source.is_seen = true; /* others have come to have it */
    void *at = RCP_REAL(mremap)(address, old_size, size, flags, place);
    if (at != MAP_FAILED) {
        uint64_t old_whole = whole_pages(old_size), whole = whole_pages(size);
        end((uint64_t)at, at == address ? old_whole : whole);
        rcp_log_alloc((uint64_t)at, whole, RCP_ALLOC_MAP);
        if (at != address) { /* copied before it ends, as by realloc; the system refuses places that overlap */
            rcp_effect_copy(at, address, old_whole < whole ? old_whole : whole);
            end((uint64_t)address, old_whole);
        }
        remember((uint64_t)at, whole, source); /* where it has grown, the shadow learns by reading: it may be a file */
        if (!old_size) {                       /* a second place for the same */
            rcp_log_alias((uint64_t)at, (uint64_t)address, whole);
            rcp_shared_twofold((uint64_t)at, whole);
            rcp_shared_twofold((uint64_t)address, whole);
        }
    }
    rcp_outside(self);
    return at;
}

/* May it come to be that nobody else has the segment? It is new, has no name, and only this process has attached it. */
static bool is_new(const struct shmid_ds *segment) {
    const int pid = (int)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    return segment->shm_perm.__key == IPC_PRIVATE && !(segment->shm_perm.mode & SHM_DEST) && segment->shm_cpid == pid &&
           segment->shm_lpid == pid && segment->shm_nattch == 1;
}

RCP_INTERCEPT void *shmat(int segment, const void *hint, int flags) {
    rcp_thread *self = rcp_inside();
    rcp_shared_remaps();
    if (flags & SHM_REMAP)
        rcp_log_unseen(RCP_UNSEEN_CONSTANTS);
    if (self)
        rcp_shared_look(false); /* the system keeps who attached it last, and that is this process now */
    void *at = RCP_REAL(shmat)(segment, hint, flags);
    if (!self)
        return at;
    struct shmid_ds facts;
    int error = errno;
    if (at != (void *)-1 && RCP_SYS3(SYS_shmctl, segment, IPC_STAT, &facts) >= 0) {
        struct source source = {.device = DEVICE_SEGMENTS, .inode = (uint64_t)(unsigned)segment + 1, .is_shared = true};
        source.is_writable = !(flags & SHM_RDONLY);
        source.is_own = is_new(&facts);
        source.is_seen = !source.is_own;
        uint64_t whole = whole_pages(facts.shm_segsz);
        end((uint64_t)at, whole); /* what SHM_REMAP has replaced */
        rcp_log_alloc((uint64_t)at, whole, RCP_ALLOC_MAP_FILE);
        rcp_shared_attach_again(source.inode);
        remember((uint64_t)at, whole, source);
    }
    errno = error;
    rcp_outside(self);
    return at;
}

RCP_INTERCEPT int shmdt(const void *address) {
    rcp_thread *self = rcp_inside();
    rcp_shared_remaps();
    if (!self)
        return RCP_REAL(shmdt)(address);
    rcp_shared_look(false);
    int result = RCP_REAL(shmdt)(address);
    for (uint32_t i = 0; !result && i < n_mappings; i++)
        if (mappings[i].address == (uint64_t)address && mappings[i].source.device == DEVICE_SEGMENTS) {
            end(mappings[i].address, mappings[i].size);
            break;
        }
    rcp_outside(self);
    return result;
}
