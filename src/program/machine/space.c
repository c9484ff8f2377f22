/* SPDX-License-Identifier: Apache-2.0 */
#include "program/machine/space.h"

#include "base/status.h"
#include "base/vec.h"

void rcp_space_init(rcp_space *space) {
    *space = (rcp_space){0};
    space->nothing = rcp_alloc_zero(RCP_SPACE_ENTRIES, sizeof *space->nothing);
    space->root = rcp_alloc(RCP_SPACE_ENTRIES * sizeof *space->root);
    for (size_t i = 0; i < RCP_SPACE_ENTRIES; i++)
        space->root[i] = space->nothing;
}

void rcp_space_finish(rcp_space *space) {
    if (!space->root)
        return;
    for (size_t i = 0; i < RCP_SPACE_ENTRIES; i++) {
        if (space->root[i] == space->nothing)
            continue;
        for (size_t k = 0; k < RCP_SPACE_ENTRIES; k++)
            rcp_release(space->root[i][k]);
        rcp_release(space->root[i]);
    }
    rcp_release(space->root);
    rcp_release(space->nothing);
    *space = (rcp_space){0};
}

uint8_t *rcp_space_make(rcp_space *space, uint64_t address) {
    RCP_CHECK(address >> 48 == 0);
    uint8_t ***table = &space->root[address >> 32];
    if (*table == space->nothing) {
        *table = rcp_alloc_zero(RCP_SPACE_ENTRIES, sizeof **table);
        space->tables++;
    }
    uint8_t **page = &(*table)[address >> 16 & (RCP_SPACE_ENTRIES - 1)];
    if (!*page) {
        *page = rcp_alloc_zero(1, RCP_SPACE_PAGE + RCP_SPACE_PAGE / RCP_SPACE_GRANULE * sizeof(uint32_t));
        space->pages++;
    }
    return *page + (address & (RCP_SPACE_PAGE - 1));
}

uint64_t rcp_space_next(const rcp_space *space, uint64_t address) {
    const uint64_t end = UINT64_C(1) << 48;
    RCP_DCHECK(address % RCP_SPACE_PAGE == 0);
    for (; address < end; address = ((address >> 32) + 1) << 32) {
        uint8_t **table = space->root[address >> 32];
        for (uint64_t i = address >> 16 & (RCP_SPACE_ENTRIES - 1); table != space->nothing && i < RCP_SPACE_ENTRIES;
             i++)
            if (table[i])
                return (address >> 32) << 32 | i << 16;
    }
    return end;
}

/* How many of `size` bytes from `address` lie within its page. */
static size_t within(uint64_t address, uint64_t size) {
    uint64_t room = RCP_SPACE_PAGE - (address & (RCP_SPACE_PAGE - 1));
    return (size_t)(size < room ? size : room);
}

void rcp_space_read(rcp_space *space, uint64_t address, void *to, uint64_t size) {
    for (uint8_t *out = to; size;) {
        size_t n = within(address, size);
        const uint8_t *at = rcp_space_at(space, address, 1);
        if (at)
            memcpy(out, at, n);
        else
            memset(out, 0, n);
        address += n, out += n, size -= n;
    }
}

void rcp_space_write(rcp_space *space, uint64_t address, const void *from, uint64_t size) {
    for (const uint8_t *in = from; size;) {
        size_t n = within(address, size);
        memcpy(rcp_space_make(space, address), in, n);
        address += n, in += n, size -= n;
    }
}

void rcp_space_fill(rcp_space *space, uint64_t address, uint8_t byte, uint64_t size) {
    while (size) {
        size_t n = within(address, size);
        if (byte || rcp_space_at(space, address, 1)) /* what is not there is zero already */
            memset(rcp_space_make(space, address), byte, n);
        address += n, size -= n;
    }
}

void rcp_space_copy(rcp_space *space, uint64_t to, uint64_t from, uint64_t size) {
    if (to == from || !size)
        return;
    uint8_t *source = rcp_space_at(space, from, size), *target = rcp_space_at(space, to, size);
    if (source && target) {
        memmove(target, source, size);
        return;
    }
    uint8_t piece[4096];
    if (to - from >= size) /* the target begins before the source or past its end: upwards is safe */
        for (uint64_t done = 0, n; done < size; done += n) {
            n = size - done < sizeof piece ? size - done : sizeof piece;
            rcp_space_read(space, from + done, piece, n);
            rcp_space_write(space, to + done, piece, n);
        }
    else
        for (uint64_t left = size, n; left; left -= n) {
            n = left < sizeof piece ? left : sizeof piece;
            rcp_space_read(space, from + left - n, piece, n);
            rcp_space_write(space, to + left - n, piece, n);
        }
}
