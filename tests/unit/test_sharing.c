/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/sharing.h"

#include "program/reach/lives.h"
#include "suite.h"

static const uint64_t block = UINT64_C(0xaaaa0000fff0); /* over the edge of a page */

typedef struct world {
    rcp_space space;
    rcp_lives lives;
    rcp_sharing *sharing;
} world;

static void changed(void *context, const rcp_life_change *change) {
    world *w = context;
    rcp_sharing_change(w->sharing, &w->space, &w->lives, change);
}

static void begin(world *w) {
    rcp_space_init(&w->space);
    rcp_lives_init(&w->lives, changed, w);
    w->sharing = rcp_sharing_create();
}

static void finish(world *w) {
    rcp_sharing_destroy(w->sharing);
    rcp_lives_finish(&w->lives);
    rcp_space_finish(&w->space);
}

static void touch(world *w, uint32_t thread, uint64_t address, uint64_t size, bool writes) {
    rcp_sharing_touch(&w->space, rcp_space_at(&w->space, address, size), thread, address, size, writes);
}

static void allocate(world *w, uint32_t thread, uint64_t address, uint64_t size) {
    const rcp_log_record record = {.tag = RCP_LOG_ALLOC, .thread = thread, .address = address, .size = size};
    rcp_lives_allocate(&w->lives, &record);
}

static void release(world *w, uint32_t thread, uint64_t address) {
    const rcp_log_record record = {.tag = RCP_LOG_FREE, .thread = thread, .address = address};
    rcp_lives_free(&w->lives, &record);
}

static void is_shared(const world *w, uint32_t life, uint64_t lo, uint64_t hi) {
    size_t n;
    const rcp_span *spans = rcp_sharing_borrow(w->sharing, life, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(spans[0].lo, lo);
    ck_assert_uint_eq(spans[0].hi, hi);
}

static void is_nothing(const world *w, uint32_t life) {
    size_t n;
    rcp_sharing_borrow(w->sharing, life, &n);
    ck_assert_uint_eq(n, 0);
}

START_TEST(two_threads_and_a_write) {
    world w;
    begin(&w);
    touch(&w, 0, block, 8, true);
    touch(&w, 0, block, 8, false);
    touch(&w, 0, block + 8, 8, false);
    touch(&w, 1, block + 8, 8, false); /* both only read */
    touch(&w, 1, block + 16, 32, true);
    touch(&w, 2, block + 20, 2, false); /* one granule of four */
    rcp_sharing_end(w.sharing, &w.space, &w.lives);
    is_shared(&w, 0, block + 16, block + 24);
    finish(&w);
}
END_TEST

START_TEST(a_life_for_each_block) {
    world w;
    begin(&w);
    allocate(&w, 0, block, 40); /* life 1 */
    touch(&w, 0, block, 8, true);
    release(&w, 0, block);      /* 2 */
    allocate(&w, 1, block, 24); /* 3 */
    touch(&w, 1, block, 24, true);
    touch(&w, 2, block + 8, 4, false);
    release(&w, 1, block); /* 4: and who read a granule conflicts with who frees it */
    rcp_sharing_end(w.sharing, &w.space, &w.lives);
    is_nothing(&w, 0);
    is_nothing(&w, 1);
    is_nothing(&w, 2);
    is_shared(&w, 3, block + 8, block + 16);
    is_nothing(&w, 4);
    finish(&w);
}
END_TEST

START_TEST(use_and_free) {
    world w;
    begin(&w);
    allocate(&w, 0, block, 16); /* 1 */
    touch(&w, 0, block, 8, true);
    release(&w, 1, block);         /* 2: another thread frees what this one wrote */
    touch(&w, 2, block, 4, false); /* and a third one still looks at it */
    release(&w, 1, block);         /* nobody's */
    rcp_sharing_end(w.sharing, &w.space, &w.lives);
    is_shared(&w, 1, block, block + 8);
    is_shared(&w, 2, block, block + 8);
    finish(&w);
}
END_TEST

START_TEST(changed_unseen) {
    world w;
    begin(&w);
    const uint64_t line = block & ~UINT64_C(63);
    uint8_t bytes[64] = {0};
    for (uint32_t thread = 0; thread < 2; thread++)
        touch(&w, thread, line, 24, true);
    bytes[3] = bytes[9] = bytes[40] = 1;
    rcp_sharing_unsure(w.sharing, line + 8, 8); /* it is known who wrote that */
    rcp_sharing_miss(w.sharing, &w.space, &w.lives, line, bytes, UINT64_MAX);
    rcp_sharing_end(w.sharing, &w.space, &w.lives);
    size_t n;
    const rcp_span *restless = rcp_sharing_borrow_restless(w.sharing, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(restless[0].lo, line);
    ck_assert_uint_eq(restless[0].hi, line + 8);
    finish(&w);
}
END_TEST

/* Of a granule half of which recorded code has seen, the other half may hold anything. */
START_TEST(changed_beside) {
    world w;
    begin(&w);
    const uint64_t line = block & ~UINT64_C(63);
    uint8_t bytes[64] = {0};
    touch(&w, 0, line, 4, true);
    touch(&w, 0, line + 12, 2, false);
    rcp_sharing_call(w.sharing, 0, "f", true, false);
    bytes[6] = bytes[9] = bytes[14] = 1;
    rcp_sharing_miss(w.sharing, &w.space, &w.lives, line, bytes, 1 << 6 | 1 << 9 | 1 << 14);
    ck_assert(!rcp_sharing_is_suspect(w.sharing, "f"));
    bytes[13] = 1;
    rcp_sharing_miss(w.sharing, &w.space, &w.lives, line, bytes, 1 << 13);
    ck_assert(rcp_sharing_is_suspect(w.sharing, "f"));
    finish(&w);
}
END_TEST

START_TEST(a_threads_own) {
    world w;
    begin(&w);
    for (uint32_t thread = 1; thread < 4; thread++) {
        rcp_lives_private(&w.lives, thread, block, 64);
        rcp_lives_private(&w.lives, thread, block + 8, 4); /* known already */
        touch(&w, thread, block, 64, true);
        rcp_lives_thread_end(&w.lives, thread);
    }
    rcp_sharing_end(w.sharing, &w.space, &w.lives);
    for (uint32_t life = 0; life <= w.lives.count; life++)
        is_nothing(&w, life);
    ck_assert_uint_eq(w.lives.count, 6);
    finish(&w);
}
END_TEST

START_TEST(oddities) {
    rcp_sharing *sharing = rcp_sharing_create();
    world w;
    begin(&w);
    rcp_sharing_note(sharing, 7, RCP_ODD_SILENT);
    rcp_sharing_note(sharing, 3, RCP_ODD_INTERRUPTED);
    rcp_sharing_end(sharing, &w.space, &w.lives);
    ck_assert(rcp_sharing_has_noted(sharing, 7, RCP_ODD_SILENT));
    ck_assert(!rcp_sharing_has_noted(sharing, 7, RCP_ODD_INTERRUPTED));
    ck_assert(rcp_sharing_has_noted(sharing, 3, RCP_ODD_INTERRUPTED));
    ck_assert(!rcp_sharing_has_noted(sharing, 4, RCP_ODD_SILENT));
    rcp_sharing_destroy(sharing);
    finish(&w);
}
END_TEST

int main(void) {
    return rcp_suite_run("sharing", two_threads_and_a_write, a_life_for_each_block, use_and_free, changed_unseen,
                         changed_beside, a_threads_own, oddities, NULL);
}
