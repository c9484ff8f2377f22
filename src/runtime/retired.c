/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/retired.h"

void __libc_free(void *block);

enum {
    BLOCKS = 1 << 16, /* that wait at a time */
    LARGE = 8,        /* a block that takes this part of all the room is not worth it */
    OWN = 4096,       /* blocks of its own that a thread frees so */
    OWNERS = 15,      /* bits of an index: of so many blocks it is known whose they are, more or less */
    THREADS = 20      /* bits of an owner: a thread's number + 1 */
};

static struct {
    uint64_t most, bytes;
    uint64_t first, next; /* of those that wait; counted on for ever */
    struct {
        void *block;
        size_t room;
    } at[BLOCKS];
    uint64_t owners[1 << OWNERS]; /* a block and its owner: who comes later to the same place takes it */
} retired;

void rcp_retired_start(uint64_t most) { retired.most = most; }

/* Blocks lie at multiples of 16, and an address has 48 bits. */
static uint64_t entry(const rcp_thread *self, const void *block) {
    uint64_t owner = self->number + UINT64_C(1);
    return (uint64_t)(uintptr_t)block >> 4 << THREADS | (owner >> THREADS ? 0 : owner);
}

static uint64_t *place(const void *block) {
    return &retired.owners[((uint64_t)(uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - OWNERS)];
}

void rcp_retired_note(const rcp_thread *self, const void *block) { *place(block) = entry(self, block); }

static void give_back(void) {
    size_t i = retired.first++ % BLOCKS;
    retired.bytes -= retired.at[i].room;
    __libc_free(retired.at[i].block);
}

/* Is it most likely the next that the thread itself is given? While it is alone, all are. */
static bool stays(rcp_thread *self, const void *block) {
    if (rcp_baton.threads < 2)
        return true;
    if (*place(block) != entry(self, block) || self->retired >= OWN)
        return *place(block) == entry(self, block);
    self->retired++;
    return false;
}

void rcp_retired_add(rcp_thread *self, void *block, size_t room) {
    if (room > retired.most / LARGE || stays(self, block)) {
        __libc_free(block);
        return;
    }
    if (retired.next - retired.first == BLOCKS)
        give_back();
    size_t i = retired.next++ % BLOCKS;
    retired.at[i].block = block;
    retired.at[i].room = room;
    retired.bytes += room;
    while (retired.bytes > retired.most)
        give_back();
}

bool rcp_retired_release(void) {
    bool any = retired.next != retired.first;
    while (retired.next != retired.first)
        give_back();
    return any;
}
