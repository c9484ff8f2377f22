/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/objects.h"

#include "runtime/own.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

#include <string.h>

/* Objects hang off the page they are in; pages are in a hash table. Nearly every free() asks for one page that has
 * none, so that must be one look. */
#define PAGE_BITS 12
#define NONE      UINT32_MAX

struct object {
    uint64_t address;
    uint32_t kind;
    uint32_t next; /* in its page, or in the list of the free ones */
};
struct page {
    uint64_t number; /* plus 1; 0: an empty place */
    uint32_t first;
};

static struct object *objects;
static uint32_t n_objects, objects_size, free_objects = NONE, alive;
static struct page *pages;
static uint32_t n_pages, pages_size; /* a power of 2 */

static void *grown(void *old, uint64_t old_size, uint64_t size) {
    void *at = rcp_own_memory(size);
    if (!at)
        rcp_refuse("out of memory for the table of synchronisation objects", "mmap failed");
    if (old) {
        memcpy(at, old, old_size);
        RCP_SYS2(SYS_munmap, old, old_size);
    }
    return at;
}

static struct page *place_of(struct page *table, uint32_t size, uint64_t number) {
    uint32_t i = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (size - 1);
    while (table[i].number && table[i].number != number + 1)
        i = (i + 1) & (size - 1);
    return &table[i];
}

static void grow_pages(void) {
    uint32_t size = pages_size ? pages_size * 2 : 4096;
    struct page *bigger = grown(NULL, 0, size * sizeof *bigger);
    for (uint32_t i = 0; i < pages_size; i++)
        if (pages[i].number)
            *place_of(bigger, size, pages[i].number - 1) = pages[i];
    if (pages)
        RCP_SYS2(SYS_munmap, pages, pages_size * sizeof *pages);
    pages = bigger;
    pages_size = size;
}

static uint32_t new_object(void) {
    if (free_objects != NONE) {
        uint32_t o = free_objects;
        free_objects = objects[o].next;
        return o;
    }
    if (n_objects == objects_size) {
        uint32_t size = objects_size ? objects_size * 2 : 4096;
        objects = grown(objects, objects_size * sizeof *objects, size * sizeof *objects);
        objects_size = size;
    }
    return n_objects++;
}

void rcp_objects_saw(uint64_t address, enum rcp_sync_object kind) {
    if (kind == RCP_SYNC_THREAD)
        return;
    if (n_pages * 2 >= pages_size)
        grow_pages();
    struct page *page = place_of(pages, pages_size, address >> PAGE_BITS);
    if (!page->number) {
        page->number = (address >> PAGE_BITS) + 1;
        page->first = NONE;
        n_pages++;
    }
    for (uint32_t o = page->first; o != NONE; o = objects[o].next)
        if (objects[o].address == address) {
            objects[o].kind = (uint32_t)kind;
            return;
        }
    uint32_t o = new_object();
    objects[o] = (struct object){address, (uint32_t)kind, page->first};
    page->first = o;
    alive++;
}

typedef bool filter(uint64_t address, enum rcp_sync_object kind);

/* Takes the first object of the page that lies within [from, to), and that the filter lets through, out of its list. */
static bool take(struct page *page, uint64_t from, uint64_t to, filter *is_meant, struct object *taken) {
    for (uint32_t *link = &page->first; *link != NONE; link = &objects[*link].next) {
        uint32_t o = *link;
        if (objects[o].address < from || objects[o].address >= to ||
            (is_meant && !is_meant(objects[o].address, (enum rcp_sync_object)objects[o].kind)))
            continue;
        *taken = objects[o];
        *link = objects[o].next;
        objects[o].next = free_objects;
        free_objects = o;
        alive--;
        return true;
    }
    return false;
}

void rcp_objects_gone(uint64_t address) {
    struct object taken;
    if (!alive)
        return;
    struct page *page = place_of(pages, pages_size, address >> PAGE_BITS);
    if (page->number)
        take(page, address, address + 1, NULL, &taken);
}

static void tell_in_page(struct page *page, uint64_t from, uint64_t to, enum rcp_sync_op op, filter *is_meant) {
    struct object taken;
    while (take(page, from, to, is_meant, &taken))
        rcp_log_sync(op, taken.address, (enum rcp_sync_object)taken.kind, RCP_SYNC_DONE);
}

static void tell(uint64_t address, uint64_t size, enum rcp_sync_op op, filter *is_meant) {
    if (!alive || !size)
        return;
    uint64_t end = address + size, first = address >> PAGE_BITS, last = (end - 1) >> PAGE_BITS;
    if (last - first < pages_size) {
        for (uint64_t number = first; number <= last; number++) {
            struct page *page = place_of(pages, pages_size, number);
            if (page->number)
                tell_in_page(page, address, end, op, is_meant);
        }
        return;
    }
    for (uint32_t i = 0; i < pages_size; i++)
        if (pages[i].number > first && pages[i].number <= last + 1)
            tell_in_page(&pages[i], address, end, op, is_meant);
}

void rcp_objects_divide(uint64_t address, uint64_t size, filter *divides) {
    tell(address, size, RCP_SYNC_DIVIDE, divides);
}

void rcp_objects_end(uint64_t address, uint64_t size) { tell(address, size, RCP_SYNC_DESTROY, NULL); }
