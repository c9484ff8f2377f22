/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/sharing_file.h"

#include "base/file.h"
#include "base/limits.h"
#include "program/reach/lives.h"
#include "suite.h"
#include "temporary.h"

#include <string.h>
#include <unistd.h>

static const uint64_t block = UINT64_C(0xaaaa0000fff0), far = UINT64_C(0x7fff00000000);

/* What a first re-execution finds out, of every kind. */
typedef struct world {
    char directory[256];
    char *path;
    rcp_space space;
    rcp_lives lives;
    rcp_sharing *sharing;
    rcp_thread_names *names;
} world;

static void changed(void *context, const rcp_life_change *change) {
    world *w = context;
    rcp_sharing_change(w->sharing, &w->space, &w->lives, change);
}

static void touch_block(world *w, uint64_t address, uint64_t size) {
    for (uint32_t thread = 1; thread < 3; thread++)
        rcp_sharing_touch_slow(&w->space, thread, address, size, true);
}

static void use_blocks(world *w) {
    for (uint64_t i = 0; i < 200; i++) {
        const rcp_log_record made = {.tag = RCP_LOG_ALLOC, .thread = 1, .address = block + i % 3 * 4096, .size = 64};
        const rcp_log_record freed = {.tag = RCP_LOG_FREE, .thread = 1, .address = made.address};
        rcp_lives_allocate(&w->lives, &made);
        touch_block(w, made.address, 8);
        touch_block(w, made.address + 24, 8 + i % 3 * 8);
        rcp_lives_free(&w->lives, &freed);
    }
}

static void use_tables(world *w) {
    uint64_t points = far + 0x10000;
    uint8_t letters[1536];
    for (size_t i = 0; i < sizeof letters; i++)
        letters[i] = (uint8_t)(i * 7);
    rcp_space_write(&w->space, far, &points, sizeof points);
    rcp_space_write(&w->space, points - 512, letters, sizeof letters);
    rcp_sharing_table(w->sharing, far);
}

static void begin(world *w) {
    make_temporary(w->directory, sizeof w->directory);
    w->path = rcp_sharing_file_take_path(w->directory);
    rcp_space_init(&w->space);
    rcp_lives_init(&w->lives, changed, w);
    w->sharing = rcp_sharing_create();
    w->names = rcp_thread_names_create();
    for (uint32_t i = 0; i < 4; i++)
        rcp_thread_names_add(w->names, i * 3, i > 1 ? 3 : 0, i);
}

static void fill(world *w) {
    uint8_t line[64] = {0};
    use_blocks(w);
    use_tables(w);
    rcp_sharing_learn(w->sharing, RCP_RUN_FILES);
    rcp_sharing_learn(w->sharing, RCP_RUN_WAKES);
    rcp_sharing_handled(w->sharing, far + 64, far + 80);
    rcp_sharing_handled(w->sharing, 16, UINT64_MAX - 16);
    rcp_sharing_alias(w->sharing, block, 32);
    rcp_sharing_alias(w->sharing, far, 4096);
    for (uint64_t visit = 0; visit < 1000; visit++)
        rcp_sharing_result(w->sharing, visit * 31 % 997, visit * visit << 40);
    rcp_sharing_note(w->sharing, 5, RCP_ODD_SILENT);
    rcp_sharing_note(w->sharing, 3, RCP_ODD_INTERRUPTED);
    rcp_sharing_call(w->sharing, 1, "known", true, false);
    touch_block(w, far + 8192, 64);
    line[9] = 1;
    rcp_sharing_miss(w->sharing, &w->space, &w->lives, far + 8192, line, ~UINT64_C(0)); /* so known is suspect */
    rcp_sharing_call(w->sharing, 1, "trusted", true, false);
    rcp_sharing_arguments(w->sharing, far + (1 << 20));
    rcp_sharing_touch_slow(&w->space, 3, far + (1 << 20) + 64, 8, false);
    rcp_sharing_touch_slow(&w->space, 3, far + (1 << 20) + 16, 8, false);
    rcp_sharing_further(w->sharing, 7, block, block + 8);
    rcp_sharing_further(w->sharing, 2, 0,
                        UINT64_MAX); /* two calls are open: what is said of 7 is one list all the same */
    rcp_sharing_further(w->sharing, 7, far, far + 8);
    rcp_sharing_end(w->sharing, &w->space, &w->lives);
}

static void finish(world *w) {
    rcp_sharing_destroy(w->sharing);
    rcp_thread_names_destroy(w->names);
    rcp_lives_finish(&w->lives);
    rcp_space_finish(&w->space);
    rcp_release(w->path);
    drop_temporary(w->directory);
}

static void same_spans(const rcp_span *a, size_t n, const rcp_span *b, size_t other) {
    ck_assert_uint_eq(n, other);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(a[i].lo, b[i].lo);
        ck_assert_uint_eq(a[i].hi, b[i].hi);
    }
}

/* All that the second re-execution can ask. */
static void same_lists(const rcp_sharing *a, const rcp_sharing *b) {
    size_t n, other, shared = 0;
    for (uint32_t life = 0; life < 300; life++) {
        const rcp_span *spans = rcp_sharing_borrow(a, life, &n), *others = rcp_sharing_borrow(b, life, &other);
        same_spans(spans, n, others, other);
        shared += n;
    }
    ck_assert_uint_gt(shared, 200);
    const rcp_span *restless = rcp_sharing_borrow_restless(a, &n);
    ck_assert_uint_gt(n, 0);
    same_spans(restless, n, rcp_sharing_borrow_restless(b, &other), n);
    ck_assert_uint_eq(n, other);
    const rcp_span arguments = rcp_sharing_touched_arguments(a), again = rcp_sharing_touched_arguments(b);
    same_spans(&arguments, 1, &again, 1);
    ck_assert_uint_eq(arguments.lo, far + (1 << 20) + 16);
    ck_assert_uint_eq(arguments.hi, far + (1 << 20) + 72);
    for (uint64_t visit = 0; visit < 1200; visit++) {
        const rcp_span *further = rcp_sharing_borrow_further(a, visit, &n);
        ck_assert_uint_eq(n, visit == 7 ? 2 : visit == 2);
        const rcp_span *others = rcp_sharing_borrow_further(b, visit, &other);
        same_spans(further, n, others, other);
    }
}

static void same_answers(const rcp_sharing *a, const rcp_sharing *b) {
    for (uint64_t visit = 0; visit < 1200; visit++) {
        uint64_t result = 0, other = 0;
        ck_assert(rcp_sharing_result_of(a, visit, &result) == rcp_sharing_result_of(b, visit, &other));
        ck_assert_uint_eq(result, other);
        for (rcp_oddity odd = RCP_ODD_SILENT; odd <= RCP_ODD_INTERRUPTED; odd++)
            ck_assert(rcp_sharing_has_noted(a, visit, odd) == rcp_sharing_has_noted(b, visit, odd));
    }
    for (unsigned fact = 1; fact < 256; fact *= 2)
        ck_assert(rcp_sharing_has_learnt(a, (rcp_run_fact)fact) == rcp_sharing_has_learnt(b, (rcp_run_fact)fact));
    for (uint64_t at = 0; at < 128; at++) {
        ck_assert(rcp_sharing_is_handled(a, at) == rcp_sharing_is_handled(b, at));
        ck_assert(rcp_sharing_is_handled(a, far + at) == rcp_sharing_is_handled(b, far + at));
    }
    rcp_span alias = {0, 0}, other = {0, 0};
    for (int i = 0; i < 3; i++) {
        bool is = rcp_sharing_next_alias(a, alias.hi, &alias);
        ck_assert(is == (i < 2) && is == rcp_sharing_next_alias(b, other.hi, &other));
        same_spans(&alias, 1, &other, 1);
    }
    static const char *const names[] = {"known", "trusted", "nobody"};
    for (int i = 0; i < 3; i++) {
        ck_assert(rcp_sharing_is_suspect(a, names[i]) == !i);
        ck_assert(rcp_sharing_is_suspect(b, names[i]) == !i);
    }
}

static void same_tables(const rcp_sharing *sharing) {
    rcp_space space;
    uint8_t letters[1536];
    rcp_space_init(&space);
    rcp_sharing_put_tables(sharing, &space);
    rcp_space_read(&space, far + 0x10000 - 512, letters, sizeof letters);
    for (size_t i = 0; i < sizeof letters; i++)
        ck_assert_uint_eq(letters[i], (uint8_t)(i * 7));
    rcp_space_finish(&space);
}

START_TEST(written_and_read) {
    world w;
    rcp_sharing *sharing;
    rcp_thread_names *names;
    begin(&w);
    fill(&w);
    for (int i = 0; i < 2; i++) { /* one that is there is replaced */
        ck_assert(rcp_sharing_file_write(w.path, 17, w.sharing, w.names) == RCP_OK);
        ck_assert(rcp_sharing_file_read(w.path, 17, &sharing, &names) == RCP_OK);
        same_lists(w.sharing, sharing);
        same_answers(w.sharing, sharing);
        same_tables(sharing);
        for (uint32_t thread = 0; thread < 12; thread++)
            ck_assert_str_eq(rcp_thread_names_borrow(w.names, thread), rcp_thread_names_borrow(names, thread));
        rcp_sharing_destroy(sharing);
        rcp_thread_names_destroy(names);
    }
    finish(&w);
}
END_TEST

START_TEST(nothing_found) {
    world w;
    size_t n;
    rcp_sharing *sharing;
    rcp_thread_names *names;
    begin(&w);
    rcp_sharing_end(w.sharing, &w.space, &w.lives);
    ck_assert(rcp_sharing_file_write(w.path, 0, w.sharing, w.names) == RCP_OK);
    ck_assert(rcp_sharing_file_read(w.path, 0, &sharing, &names) == RCP_OK);
    rcp_sharing_borrow(sharing, 0, &n);
    ck_assert_uint_eq(n, 0);
    rcp_sharing_destroy(sharing);
    rcp_thread_names_destroy(names);
    finish(&w);
}
END_TEST

static void is_refused(const world *w, uint64_t key) {
    rcp_sharing *sharing;
    rcp_thread_names *names;
    ck_assert(rcp_sharing_file_read(w->path, key, &sharing, &names) == RCP_BAD_INPUT);
    rcp_clear_causes();
}

/* Not by rcp_file_replace(), which waits for the disk: there are thousands of these. */
static void put_file(const world *w, const char *bytes, size_t n) {
    unlink(w->path); /* some file systems wait where a file is cut and written again */
    FILE *to = fopen(w->path, "wb");
    ck_assert(to && fwrite(bytes, 1, n, to) == n && !fclose(to));
}

/* Every byte is guarded, and so is every length. */
START_TEST(damaged) {
    world w;
    rcp_text good = {0};
    begin(&w);
    is_refused(&w, 17); /* there is none */
    fill(&w);
    ck_assert(rcp_sharing_file_write(w.path, 17, w.sharing, w.names) == RCP_OK);
    is_refused(&w, 18);
    ck_assert(rcp_text_read_file(&good, w.path) == RCP_OK);
    for (size_t i = 0; i < good.len; i++) {
        good.at[i] ^= 1 << i % 8;
        put_file(&w, good.at, good.len);
        is_refused(&w, 17);
        good.at[i] ^= 1 << i % 8;
        put_file(&w, good.at, i);
        is_refused(&w, 17);
    }
    rcp_text_add(&good, "", 1);
    put_file(&w, good.at, good.len);
    is_refused(&w, 17);
    rcp_text_finish(&good);
    finish(&w);
}
END_TEST

static uint64_t key_with(const char *directory, const char *file, const char *text) {
    uint64_t key;
    char *path = rcp_file_take_path(directory, file);
    ck_assert(rcp_file_replace(path, text, strlen(text)) == RCP_OK);
    ck_assert(rcp_sharing_file_key(directory, &key) == RCP_OK);
    rcp_release(path);
    return key;
}

START_TEST(keys) {
    char directory[256];
    uint64_t key;
    make_temporary(directory, sizeof directory);
    ck_assert(rcp_sharing_file_key(directory, &key) == RCP_SYSTEM);
    rcp_clear_causes();
    uint64_t log = key_with(directory, "log", "records"), other = key_with(directory, "log", "recordt");
    ck_assert_uint_ne(log, other);
    ck_assert_uint_eq(log, key_with(directory, "log", "records"));
    uint64_t said = key_with(directory, "opaque", "f none\n");
    ck_assert_uint_ne(log, said);
    ck_assert(rcp_limits_assign("restless-spans=3") == RCP_OK);
    ck_assert_uint_ne(said, key_with(directory, "log", "records"));
    drop_temporary(directory);
}
END_TEST

int main(void) { return rcp_suite_run("sharing_file", written_and_read, nothing_found, damaged, keys, NULL); }
