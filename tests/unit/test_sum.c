/* SPDX-License-Identifier: Apache-2.0 */
#include "abi/sum.h"

#include "program/recording/sums.h"
#include "suite.h"
#include "temporary.h"

#include <stdio.h>
#include <string.h>

enum { N = 83 };

static void fill(uint8_t *bytes) {
    for (unsigned i = 0; i < N; i++)
        bytes[i] = (uint8_t)(i * 41 + 7);
}

START_TEST(pieces_have_the_sum_of_the_whole) {
    uint8_t bytes[N];
    fill(bytes);
    for (size_t n = 0; n <= N; n++)
        for (size_t a = 0; a <= n; a++)
            for (size_t b = a; b <= n; b += 5) {
                struct rcp_sum sum = RCP_SUM_BEGIN;
                rcp_sum_add(&sum, bytes, a);
                rcp_sum_add(&sum, bytes + a, b - a);
                rcp_sum_add(&sum, bytes + b, n - b);
                ck_assert_uint_eq(rcp_sum_end(&sum), rcp_sum(bytes, n));
            }
}
END_TEST

START_TEST(every_change_of_a_byte_changes_it) {
    uint8_t bytes[N];
    fill(bytes);
    for (size_t n = 1; n <= N; n++) {
        uint64_t right = rcp_sum(bytes, n);
        ck_assert_uint_ne(right, rcp_sum(bytes, n - 1));
        for (size_t i = 0; i < n; i++)
            for (unsigned change = 1; change < 256; change++) {
                bytes[i] ^= (uint8_t)change;
                ck_assert_uint_ne(right, rcp_sum(bytes, n));
                bytes[i] ^= (uint8_t)change;
            }
    }
}
END_TEST

static char directory[256];

static void write_file(const char *name, const char *bytes) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *to = fopen(path, "w");
    ck_assert_ptr_nonnull(to);
    fputs(bytes, to);
    fclose(to);
}

/* A file may be as it was or as it will be; anything else is refused by its name, and so is a changed list. */
START_TEST(lists_of_files) {
    make_temporary(directory, sizeof directory);
    rcp_text list = {0};
    write_file("command", "one");
    write_file("config", "two");
    ck_assert_int_eq(rcp_sums_add_file(&list, directory, "command"), RCP_OK);
    ck_assert_int_eq(rcp_sums_add_file(&list, directory, "config"), RCP_OK);
    ck_assert_int_eq(rcp_sums_add_file(&list, directory, "stdin"), RCP_OK); /* which is not there */
    rcp_sums_add(&list, "config", "three", 5);
    ck_assert_int_eq(rcp_sums_write(&list, directory, "sums"), RCP_OK);
    ck_assert_int_eq(rcp_sums_check(directory), RCP_OK);
    write_file("config", "three");
    ck_assert_int_eq(rcp_sums_check(directory), RCP_OK);
    write_file("config", "threw");
    ck_assert_int_eq(rcp_sums_check(directory), RCP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "/config: damaged"));
    rcp_clear_causes();
    write_file("config", "two");
    for (size_t i = 0; i < list.len; i++) {
        list.at[i] ^= 1;
        write_file("sums", list.at);
        list.at[i] ^= 1;
        ck_assert_int_eq(rcp_sums_check(directory), RCP_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "/sums: damaged"));
        rcp_clear_causes();
    }
    rcp_text_finish(&list);
    drop_temporary(directory);
}
END_TEST

int main(void) {
    return rcp_suite_run("sum", pieces_have_the_sum_of_the_whole, every_change_of_a_byte_changes_it, lists_of_files,
                         NULL);
}
