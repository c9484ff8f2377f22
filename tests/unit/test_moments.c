/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/moments.h"

#include "base/spool.h"
#include "base/text.h"
#include "base/vec.h"
#include "suite.h"
#include "temporary.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[256];

static rcp_moments_writer *begin(void) {
    rcp_moments_writer *writer;
    make_temporary(directory, sizeof directory);
    char *path = rcp_moments_take_path(directory);
    ck_assert(rcp_moments_create(path, &writer) == RCP_OK);
    rcp_release(path);
    return writer;
}

/* Many, with jumps to and fro, so that buffers and long numbers are met. */
static rcp_moment nth(uint64_t i) {
    rcp_moment m = {.thread = (uint32_t)(i / 7 % 5), .turn = 1 + i / 7, .before = i * i * 131};
    m.is_call = i % 11 == 3;
    static const char *const names[] = {"free", NULL, "fgets", "_ZdlPv"};
    m.callee = m.is_call ? names[i / 11 % 4] : NULL;
    m.after = m.before + (m.is_call ? i % 5 != 1 : i % 3);
    m.signal = i % 13 == 4 ? 1 + i % 64 : 0;
    m.leaves = i % 13 == 5;
    m.is_state = m.is_call && m.after == m.before && i % 2;
    return m;
}

typedef struct reading {
    uint64_t n, stop_at;
} reading;

static bool compare(void *context, uint64_t event, const rcp_moment *m) {
    reading *r = context;
    rcp_moment want = nth(event);
    ck_assert_uint_eq(event, r->n++);
    ck_assert_uint_eq(m->thread, want.thread);
    ck_assert_uint_eq(m->turn, want.turn);
    ck_assert_uint_eq(m->before, want.before);
    ck_assert_uint_eq(m->after, want.after);
    ck_assert(m->is_call == want.is_call);
    ck_assert_uint_eq(m->signal, want.signal);
    ck_assert(m->leaves == want.leaves);
    ck_assert(m->is_state == want.is_state);
    ck_assert_pstr_eq(m->callee, want.callee);
    return r->n != r->stop_at;
}

START_TEST(written_and_read) {
    rcp_moments_writer *writer = begin();
    enum { MANY = 100000 };
    for (uint64_t i = 0; i < MANY; i++) {
        rcp_moment m = nth(i);
        rcp_moments_add(writer, &m);
    }
    ck_assert(rcp_moments_close(writer) == RCP_OK);
    reading all = {0}, some = {.stop_at = 17};
    ck_assert(rcp_moments_read(directory, compare, &all) == RCP_OK);
    ck_assert_uint_eq(all.n, MANY);
    ck_assert(rcp_moments_read(directory, compare, &some) == RCP_OK);
    ck_assert_uint_eq(some.n, 17);
    drop_temporary(directory);
}
END_TEST

/* A copy of the process drops what is in its buffer, and the file has it once. */
START_TEST(copied_process) {
    rcp_moments_writer *writer = begin();
    for (uint64_t i = 0; i < 100; i++) {
        rcp_moment m = nth(i);
        if (i == 50) {
            pid_t child = fork();
            if (!child) {
                rcp_moments_abandon(writer);
                exit(0);
            }
            ck_assert_int_eq(waitpid(child, NULL, 0), child);
        }
        rcp_moments_add(writer, &m);
    }
    ck_assert(rcp_moments_close(writer) == RCP_OK);
    reading all = {0};
    ck_assert(rcp_moments_read(directory, compare, &all) == RCP_OK);
    ck_assert_uint_eq(all.n, 100);
    drop_temporary(directory);
}
END_TEST

static bool ignore(void *context, uint64_t event, const rcp_moment *m) {
    (void)context, (void)event, (void)m;
    return true;
}

START_TEST(damaged) {
    rcp_moments_writer *writer = begin();
    rcp_moment m = {.thread = 3, .turn = 1000, .before = UINT64_C(1) << 40};
    m.after = m.before;
    rcp_moments_add(writer, &m);
    ck_assert(rcp_moments_close(writer) == RCP_OK);
    char *path = rcp_moments_take_path(directory);
    for (long n = 1; n < 8 + 6; n++) {
        rcp_text bytes = {0};
        ck_assert(rcp_text_read_file(&bytes, path) == RCP_OK);
        if ((size_t)n >= bytes.len || n == 8) { /* at 8 it is a list of nothing */
            rcp_text_finish(&bytes);
            continue;
        }
        char cut[300];
        snprintf(cut, sizeof cut, "%s/cut", directory);
        ck_assert_int_eq(mkdir(cut, 0777), 0);
        char *other = rcp_moments_take_path(cut);
        FILE *to = fopen(other, "w");
        ck_assert_uint_eq(fwrite(bytes.at, 1, (size_t)n, to), n);
        fclose(to);
        ck_assert_msg(rcp_moments_read(cut, ignore, NULL) == RCP_BAD_INPUT, "cut at %ld", n);
        rcp_clear_causes();
        rcp_release(other);
        drop_temporary(cut);
        rcp_text_finish(&bytes);
    }
    unlink(path);
    ck_assert(rcp_moments_read(directory, ignore, NULL) == RCP_BAD_INPUT);
    rcp_release(path);
    drop_temporary(directory);
}
END_TEST

START_TEST(spooled) {
    rcp_spool *spool;
    ck_assert(rcp_spool_create("/nonexistent/file", &spool) == RCP_SYSTEM);
    make_temporary(directory, sizeof directory);
    char path[300];
    snprintf(path, sizeof path, "%s/file", directory);
    ck_assert(rcp_spool_create(path, &spool) == RCP_OK);
    char big[100000] = {0};
    rcp_spool_put(spool, "abc", 3);
    rcp_spool_put(spool, big, sizeof big);
    ck_assert(rcp_spool_close(spool) == RCP_OK);
    rcp_text back = {0};
    ck_assert(rcp_text_read_file(&back, path) == RCP_OK);
    ck_assert_uint_eq(back.len, sizeof big + 3);
    ck_assert(!memcmp(back.at, "abc", 3));
    ck_assert(rcp_spool_create(path, &spool) == RCP_SYSTEM); /* it is there */
    rcp_text_finish(&back);
    drop_temporary(directory);
}
END_TEST

int main(void) { return rcp_suite_run("moments", written_and_read, copied_process, damaged, spooled, NULL); }
