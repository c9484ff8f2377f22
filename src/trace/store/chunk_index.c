/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/chunk_index.h"

#include "base/hash.h"
#include "base/varint.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BITS = 12,
    FIRST_PAGES = 1 << 10,
    MOST_LINES = 256, /* of a range that goes to the pages; longer ones are runs of their own */
    MOST_RUNS = 8192, /* of an index: some 16 KiB */
    COARSER = 3,      /* bits that the unit grows by where there are more */
};

void rcp_index_builder_init(rcp_index_builder *b) {
    *b = (rcp_index_builder){.now = 1, .mask = FIRST_PAGES - 1};
    b->pages = rcp_alloc_zero(FIRST_PAGES, sizeof *b->pages);
}

static void stamps_finish(rcp_stamps *stamps) {
    rcp_vec_finish(&stamps->seen);
    rcp_vec_finish(&stamps->ids);
}

void rcp_index_builder_finish(rcp_index_builder *b) {
    stamps_finish(&b->threads);
    stamps_finish(&b->objects);
    rcp_release(b->pages);
    rcp_vec_finish(&b->runs);
    rcp_vec_finish(&b->spare);
    *b = (rcp_index_builder){0};
}

static void forget_stamps(rcp_stamps *stamps) {
    if (stamps->seen.len)
        memset(stamps->seen.at, 0, stamps->seen.len * sizeof *stamps->seen.at);
}

void rcp_index_builder_reset(rcp_index_builder *b) {
    if (!++b->now) { /* stamps have gone round */
        forget_stamps(&b->threads);
        forget_stamps(&b->objects);
        b->now = 1;
    }
    b->threads.ids.len = b->objects.ids.len = 0;
    memset(b->pages, 0, (b->mask + 1) * sizeof *b->pages);
    b->used = 0;
    b->runs.len = 0;
}

static void stamp(rcp_stamps *stamps, uint32_t id, uint32_t now) {
    if (id >= stamps->seen.len) {
        size_t more = id + 1 - stamps->seen.len;
        memset(rcp_vec_extend(&stamps->seen, more), 0, more * sizeof *stamps->seen.at);
    }
    if (stamps->seen.at[id] == now)
        return;
    stamps->seen.at[id] = now;
    rcp_vec_push(&stamps->ids, id);
}

void rcp_index_builder_thread(rcp_index_builder *b, rcp_tid tid) { stamp(&b->threads, tid.v, b->now); }
void rcp_index_builder_object(rcp_index_builder *b, rcp_obj object) { stamp(&b->objects, object.v, b->now); }

static rcp_index_page *find_page(rcp_index_page *pages, size_t mask, uint64_t page) {
    size_t i = page * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
    while (pages[i].page && pages[i].page != page)
        i = (i + 1) & mask;
    return &pages[i];
}

static void grow_pages(rcp_index_builder *b) {
    size_t mask = b->mask * 2 + 1;
    rcp_index_page *pages = rcp_alloc_zero(mask + 1, sizeof *pages);
    for (size_t i = 0; i <= b->mask; i++)
        if (b->pages[i].page)
            *find_page(pages, mask, b->pages[i].page) = b->pages[i];
    rcp_release(b->pages);
    b->pages = pages;
    b->mask = mask;
}

void rcp_index_builder_memory(rcp_index_builder *b, uint64_t addr, uint64_t extent) {
    RCP_DCHECK(extent);
    uint64_t lo = addr >> RCP_LINE_BITS, hi = ((addr + (extent - 1)) >> RCP_LINE_BITS) + 1;
    if (hi - lo > MOST_LINES) {
        rcp_vec_push(&b->runs, ((rcp_span){lo, hi}));
        return;
    }
    for (; lo < hi; lo++) {
        rcp_index_page *page = find_page(b->pages, b->mask, (lo >> (PAGE_BITS - RCP_LINE_BITS)) + 1);
        if (!page->page) {
            page->page = (lo >> (PAGE_BITS - RCP_LINE_BITS)) + 1;
            page->lines = 0;
            b->used++;
        }
        page->lines |= UINT64_C(1) << (lo & 63);
        if (b->used * 2 > b->mask)
            grow_pages(b);
    }
}

/* Sorts by lo: a radix sort over the bytes in which the keys differ. */
static void sort_runs(rcp_line_runs *runs, rcp_line_runs *spare) {
    uint64_t differ = 0;
    for (size_t i = 1; i < runs->len; i++)
        differ |= runs->at[i].lo ^ runs->at[0].lo;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 0xff))
            continue;
        size_t place[257] = {0};
        for (size_t i = 0; i < runs->len; i++)
            place[(runs->at[i].lo >> shift & 0xff) + 1]++;
        for (size_t i = 0; i < 256; i++)
            place[i + 1] += place[i];
        spare->len = 0;
        (void)rcp_vec_extend(spare, runs->len);
        for (size_t i = 0; i < runs->len; i++)
            spare->at[place[runs->at[i].lo >> shift & 0xff]++] = runs->at[i];
        rcp_line_runs swap = *runs;
        *runs = *spare;
        *spare = swap;
    }
}

/* Sorted runs in units `coarser` bits larger, with runs that touch made one. */
static void merge_runs(rcp_line_runs *runs, unsigned coarser) {
    size_t n = 0;
    for (size_t i = 0; i < runs->len; i++) {
        rcp_span run = {runs->at[i].lo >> coarser, ((runs->at[i].hi - 1) >> coarser) + 1};
        if (!n || runs->at[n - 1].hi < run.lo)
            runs->at[n++] = run;
        else if (runs->at[n - 1].hi < run.hi)
            runs->at[n - 1].hi = run.hi;
    }
    runs->len = n;
}

static void add_pages(rcp_index_builder *b) {
    for (size_t i = 0; i <= b->mask; i++) {
        if (!b->pages[i].page)
            continue;
        uint64_t base = (b->pages[i].page - 1) << (PAGE_BITS - RCP_LINE_BITS), lines = b->pages[i].lines;
        for (unsigned at = 0; lines;) {
            unsigned gap = (unsigned)__builtin_ctzll(lines);
            lines >>= gap;
            unsigned run = ~lines ? (unsigned)__builtin_ctzll(~lines) : 64;
            rcp_vec_push(&b->runs, ((rcp_span){base + at + gap, base + at + gap + run}));
            at += gap + run;
            lines = run < 64 ? lines >> run : 0;
        }
    }
}

static int by_id(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint8_t *put_ids(rcp_stamps *stamps, uint8_t *at) {
    if (stamps->ids.len)
        qsort(stamps->ids.at, stamps->ids.len, sizeof *stamps->ids.at, by_id);
    at = rcp_varint_put(at, stamps->ids.len);
    uint32_t before = 0;
    for (size_t i = 0; i < stamps->ids.len; i++) {
        at = rcp_varint_put(at, stamps->ids.at[i] - before);
        before = stamps->ids.at[i];
    }
    return at;
}

void rcp_index_builder_put(rcp_index_builder *b, rcp_bytes *to) {
    unsigned unit = RCP_LINE_BITS;
    add_pages(b);
    sort_runs(&b->runs, &b->spare);
    merge_runs(&b->runs, 0);
    for (; b->runs.len > MOST_RUNS; unit += COARSER)
        merge_runs(&b->runs, COARSER);

    size_t numbers = 4 + b->threads.ids.len + b->objects.ids.len + 2 * b->runs.len;
    rcp_vec_reserve(to, numbers * RCP_VARINT_MAX);
    uint8_t *at = put_ids(&b->threads, to->at + to->len);
    at = put_ids(&b->objects, at);
    at = rcp_varint_put(at, unit);
    at = rcp_varint_put(at, b->runs.len);
    uint64_t end = 0;
    for (size_t i = 0; i < b->runs.len; i++) {
        RCP_DCHECK((!i || end < b->runs.at[i].lo) && b->runs.at[i].lo < b->runs.at[i].hi); /* runs that touch are one */
        at = rcp_varint_put(at, b->runs.at[i].lo - end);
        at = rcp_varint_put(at, b->runs.at[i].hi - b->runs.at[i].lo);
        end = b->runs.at[i].hi;
    }
    to->len = (size_t)(at - to->at);
}

typedef struct cursor {
    const uint8_t *at, *end;
} cursor;

static bool get(cursor *c, uint64_t *x) {
    c->at = rcp_varint_get(c->at, c->end, x);
    return c->at != NULL;
}

static bool get_ids(cursor *c, uint32_t wanted, bool *there) {
    uint64_t n, id = 0, step;
    if (!get(c, &n))
        return false;
    for (*there = false; n; n--) {
        if (!get(c, &step) || step > UINT32_MAX - id)
            return false;
        id += step;
        *there |= id == wanted;
    }
    return true;
}

static bool get_runs(cursor *c, uint64_t lo, uint64_t hi, bool *there) {
    uint64_t unit, n, end = 0, gap, len;
    if (!get(c, &unit) || unit >= 64 || !get(c, &n))
        return false;
    *there = false;
    uint64_t first = lo >> unit, last = (hi - 1) >> unit;
    for (; n; n--) {
        if (!get(c, &gap) || gap > UINT64_MAX - end || !get(c, &len) || !len || len > UINT64_MAX - end - gap)
            return false;
        *there |= end + gap <= last && first < end + gap + len;
        end += gap + len;
    }
    return true;
}

rcp_code rcp_index_matches(const rcp_bytes *index, const rcp_filter *filter, bool *matches) {
    bool thread, object, memory = true;
    cursor c = {index->at, index->len ? index->at + index->len : index->at};
    if (!get_ids(&c, filter->tid.v, &thread) || !get_ids(&c, filter->object.v, &object) ||
        (filter->by_address && filter->lo < filter->hi && !get_runs(&c, filter->lo, filter->hi, &memory)))
        return rcp_fail(RCP_BAD_INPUT, "the chunk's index breaks its format");
    if (filter->by_address && filter->lo >= filter->hi)
        memory = false;
    *matches = (!filter->by_thread || thread) && (!filter->by_object || object) && (!filter->by_address || memory);
    return RCP_OK;
}
