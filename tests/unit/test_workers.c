/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks in processes beside each other: what is found arrives in the order of the tasks, whatever the number. */
#include "suite.h"

#include "base/workers.h"

#include <string.h>
#include <unistd.h>

typedef struct sums {
    size_t taken, performed, added;
    size_t fails_at, dies_at;
} sums;

static rcp_code perform(void *context, size_t task, rcp_text *found) {
    sums *s = context;
    s->performed++;
    if (task == s->dies_at)
        _exit(3);
    if (task == s->fails_at)
        return rcp_fail(RCP_LIMIT, "task %zu can't be done", task);
    for (size_t i = 0; i < task * 100; i++)
        rcp_text_add(found, "0123456789", 10);
    return RCP_OK;
}

static rcp_code take(void *context, size_t task, const char *found, size_t size) {
    sums *s = context;
    ck_assert_uint_eq(task, s->taken++);
    ck_assert_uint_eq(size, task * 1000);
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++)
        wrong += found[i] != '0' + (int)(i % 10);
    ck_assert_uint_eq(wrong, 0);
    return RCP_OK;
}

static void sum_up(void *context, rcp_text *counts) {
    const sums *s = context;
    rcp_text_add(counts, (const char *)&s->performed, sizeof s->performed);
}

static void add(void *context, const char *counts, size_t size) {
    sums *s = context;
    size_t more;
    ck_assert_uint_eq(size, sizeof more);
    memcpy(&more, counts, sizeof more);
    s->added += more;
}

static rcp_code run(sums *s, size_t n, unsigned jobs) {
    const rcp_tasks tasks = {.n = n, .perform = perform, .take = take, .sum_up = sum_up, .add = add, .context = s};
    return rcp_workers_run(&tasks, jobs);
}

START_TEST(in_their_order) {
    for (unsigned jobs = 1; jobs <= 5; jobs++) {
        sums s = {.fails_at = SIZE_MAX, .dies_at = SIZE_MAX};
        ck_assert_int_eq(run(&s, 200, jobs), RCP_OK);
        ck_assert_uint_eq(s.taken, 200);
        ck_assert_uint_eq(jobs == 1 ? s.performed : s.added, 200);
    }
}
END_TEST

START_TEST(nothing_to_do) {
    sums s = {.fails_at = SIZE_MAX, .dies_at = SIZE_MAX};
    ck_assert_int_eq(run(&s, 0, 4), RCP_OK);
    ck_assert_int_eq(run(&s, 1, 4), RCP_OK);
    ck_assert_uint_eq(s.taken, 1);
}
END_TEST

START_TEST(one_fails) {
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        sums s = {.fails_at = 7, .dies_at = SIZE_MAX};
        ck_assert_int_eq(run(&s, 50, jobs), RCP_LIMIT);
        ck_assert_str_eq(rcp_borrow_cause(0), "task 7 can't be done");
        ck_assert_uint_le(s.taken, 7);
    }
}
END_TEST

START_TEST(a_worker_dies) {
    sums s = {.fails_at = SIZE_MAX, .dies_at = 9};
    ck_assert_int_eq(run(&s, 50, 2), RCP_SYSTEM);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "has died"));
    ck_assert_uint_le(s.taken, 9);
}
END_TEST

int main(void) { return rcp_suite_run("workers", in_their_order, nothing_to_do, one_fails, a_worker_dies, NULL); }
