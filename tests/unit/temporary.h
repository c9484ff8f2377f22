/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of a test's own, under TMPDIR where that is set. The caller owns it: make_temporary() in the beginning,
 * drop_temporary() in the end. */
#ifndef RECIPE_TESTS_TEMPORARY_H
#define RECIPE_TESTS_TEMPORARY_H

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static inline void make_temporary(char *path, size_t room) {
    const char *base = getenv("TMPDIR");
    ck_assert_int_lt(snprintf(path, room, "%s/recipe-test-XXXXXX", base ? base : P_tmpdir), (int)room);
    ck_assert_ptr_nonnull(mkdtemp(path));
}

static inline int drop_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

/* With whatever is in it. */
static inline void drop_temporary(const char *path) {
    ck_assert_int_eq(nftw(path, drop_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

#endif
