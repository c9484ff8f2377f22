/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/vfork.h"

#include "runtime/baton.h"
#include "runtime/block.h"
#include "runtime/stack.h"
#include "runtime/values.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

RCP_REAL_DEFINE(vfork)

#define ROOM (UINT64_C(1) << 20)
#define BACK 32 /* notes that are looked through for one of the same place: loops store the same again and again */

/* A store; its bytes follow, padded to 8. */
typedef struct note {
    uint64_t address, size;
} note;

typedef struct notes {
    uint64_t mark; /* by which the parent sees that the child still has this memory: its own address, and the pid */
    uint64_t used; /* of `bytes` */
    uint64_t last[BACK], n; /* where the last ones begin */
    uint8_t bytes[];
} notes;
#define MOST (ROOM - sizeof(notes))

static notes *ours; /* of a child by vfork: what it has stored */

static uint64_t padded(uint64_t size) { return (size + 7) & ~UINT64_C(7); }

static note *note_at(notes *all, uint64_t at) { return (note *)(void *)(all->bytes + at); }

/* The same bytes, stored before, and no part of them since. */
static note *find(notes *all, uint64_t address, uint64_t size) {
    for (uint64_t i = 0; i < BACK && i < all->n; i++) {
        note *before = note_at(all, all->last[(all->n - 1 - i) % BACK]);
        if (before->address == address && before->size == size)
            return before;
        if (before->address < address + size && address < before->address + before->size)
            return NULL;
    }
    return NULL;
}

static void on_event(uint32_t kind, uint64_t address, const void *bytes, uint64_t size) {
    bool stores = kind == RCP_WHAT_STORE || kind == RCP_WHAT_RMW || kind == RCP_WHAT_COPY || kind == RCP_WHAT_FILL;
    if (!stores || !bytes || !size)
        return;
    note *n = find(ours, address, size);
    if (!n) {
        if (size > MOST || ours->used + sizeof *n + padded(size) > MOST)
            return;
        n = note_at(ours, ours->used);
        *n = (note){address, size};
        ours->last[ours->n++ % BACK] = ours->used;
        ours->used += sizeof *n + padded(size);
    }
    memcpy(n + 1, bytes, size);
}

void rcp_vfork_forget(void) {
    if (!ours)
        return;
    rcp_values_listen(NULL);
    RCP_SYS2(SYS_munmap, ours, ROOM);
    ours = NULL;
}

static notes *make_notes(void) {
    long at = rcp_sys(SYS_mmap, 0, (long)ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096)
        return NULL;
    notes *all = (notes *)at;
    all->mark = (uint64_t)at ^ (uint64_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    return all;
}

/* Has the child executed another program, or ended? Then its memory is gone. Where it may not be looked into, the
 * parent goes on at once. */
static bool is_over(pid_t child, const notes *all) {
    uint64_t mark = 0;
    struct iovec here = {&mark, sizeof mark}, there = {(void *)(uintptr_t)&all->mark, sizeof mark};
    long n = rcp_sys(SYS_process_vm_readv, child, (long)&here, 1, (long)&there, 1, 0);
    return n != sizeof mark || mark != all->mark;
}

static void await(pid_t child, const notes *all) {
    struct timespec pause = {0, 20000};
    for (; !is_over(child, all); pause.tv_nsec = pause.tv_nsec < 1000000 ? 2 * pause.tv_nsec : pause.tv_nsec)
        RCP_SYS2(SYS_nanosleep, &pause, 0);
}

static bool is_mapped(uint64_t address, uint64_t size) {
    unsigned char vector;
    for (uint64_t page = address & ~UINT64_C(4095); page < address + size; page += 4096)
        if (RCP_SYS3(SYS_mincore, page, 4096, &vector) == -ENOMEM)
            return false;
    return true;
}

/* Of frames that only the child had. */
static bool is_dead(const rcp_thread *self, uint64_t address) {
    return address >= rcp_stack_bottom(self->stack) && address < self->hot->stack;
}

static void take_over(const rcp_thread *self, notes *all) {
    for (uint64_t at = 0; at < all->used;) {
        const note *n = note_at(all, at);
        at += sizeof *n + padded(n->size);
        if (is_dead(self, n->address) || !is_mapped(n->address, n->size))
            continue;
        memcpy((void *)n->address, n + 1, n->size);
        rcp_effect((const void *)n->address, n->size);
    }
}

static pid_t fork_and_tell(void) {
    notes *all = rcp_self ? make_notes() : NULL;
    pid_t child = fork();
    rcp_thread *self = all ? rcp_inside() : NULL;
    if (!self)
        return child;
    if (!child) {
        ours = all;
        rcp_values_listen(on_event);
        rcp_thread_set_limit(self);
    } else {
        if (child > 0) {
            int error = errno;
            rcp_block_leave(self, true);
            await(child, all);
            rcp_block_return(self);
            take_over(self, all);
            errno = error;
        }
        RCP_SYS2(SYS_munmap, all, ROOM);
    }
    rcp_outside(self);
    return child;
}

/* Where nothing is recorded it is the real one: in place of this function, whose frame the child would use up. */
RCP_INTERCEPT pid_t vfork(void) {
    if (rcp_is_recording())
        return fork_and_tell();
    __attribute__((musttail)) return RCP_REAL(vfork)();
}
