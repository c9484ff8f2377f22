/* SPDX-License-Identifier: Apache-2.0 */
#include "record/family.h"

#include "abi/run.h"
#include "base/file.h"

#include "suite.h"
#include "temporary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[256];

static void setup(void) {
    make_temporary(home, sizeof home);
    char *real = realpath(home, NULL);
    strcpy(home, real);
    free(real);
}
static void teardown(void) { drop_temporary(home); }

/* process.N, with `n` bytes of `started`. */
static void begin(unsigned number, const char *started, size_t n) {
    char path[300];
    snprintf(path, sizeof path, "%s/process.%u", home, number);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    char *file = rcp_file_take_path(path, "started");
    ck_assert_int_eq(rcp_file_make(file, started, n), RCP_OK);
    rcp_release(file);
}
#define BEGIN(number, started) begin(number, started, sizeof started - 1)

#define EXECUTED(arguments)                                                                                            \
    "executed\0"                                                                                                       \
    "7\0"                                                                                                              \
    "/bin/one\0"                                                                                                       \
    "/tmp\0"                                                                                                           \
    "null\0" arguments "1\0"                                                                                           \
    "A=1\0"
#define ONE_A                                                                                                          \
    EXECUTED("2\0"                                                                                                     \
             "one\0"                                                                                                   \
             "a\0")
#define ONE_B                                                                                                          \
    EXECUTED("2\0"                                                                                                     \
             "one\0"                                                                                                   \
             "b\0")

START_TEST(those_of_one_command_line_are_counted) {
    rcp_family family;
    BEGIN(1, ONE_A);
    BEGIN(2, ONE_B);
    BEGIN(3, ONE_A);
    ck_assert_int_eq(rcp_family_read(&family, home), RCP_OK);
    ck_assert_uint_eq(family.processes.len, 3);
    const uint64_t counted[] = {1, 1, 2};
    for (size_t i = 0; i < 3; i++) {
        const rcp_family_process *p = &family.processes.at[i];
        ck_assert(p->is_known && !p->is_forked);
        ck_assert_uint_eq(p->number, i + 1);
        ck_assert_uint_eq(p->root, i);
        ck_assert_uint_eq(p->occurrence, counted[i]);
        ck_assert_str_eq(p->place, "/tmp");
        ck_assert_str_eq(p->environment.at[0], "A=1");
    }
    rcp_text line = {0};
    rcp_family_show(&line, &family, &family.processes.at[1]);
    ck_assert_str_eq(line.at, "one b");
    rcp_text_finish(&line);
    rcp_family_finish(&family);
}
END_TEST

START_TEST(forks_lead_back_to_who_was_executed) {
    rcp_family family;
    BEGIN(1, ONE_B);
    BEGIN(2, ONE_A);
    BEGIN(3, "forked\0"
             "8\0"
             "process.2\0"
             "4\0");
    BEGIN(4, "forked\0"
             "9\0"
             "process.3\0"
             "1\0");
    ck_assert_int_eq(rcp_family_read(&family, home), RCP_OK);
    const rcp_family_process *p = &family.processes.at[3];
    ck_assert(p->is_known && p->is_forked);
    ck_assert_uint_eq(p->maker, 2);
    ck_assert_uint_eq(p->nth, 1);
    ck_assert_uint_eq(p->root, 1);
    ck_assert_uint_eq(family.processes.at[2].nth, 4);
    rcp_family_finish(&family);
}
END_TEST

/* Whoever is killed while it begins leaves what it has written until then. */
START_TEST(what_is_not_whole_says_nothing) {
    static const char whole[] = ONE_A;
    for (unsigned n = 0; n < sizeof whole - 1; n++) {
        rcp_family family;
        begin(1, whole, n);
        BEGIN(2, "forked\0"
                 "8\0"
                 "process.1\0"
                 "1\0");
        BEGIN(3, "forked\0"
                 "8\0"
                 "process.9\0"
                 "1\0");
        ck_assert_int_eq(rcp_family_read(&family, home), RCP_OK);
        for (size_t i = 0; i < 3; i++)
            ck_assert_msg(!family.processes.at[i].is_known, "process %zu is known by %u bytes", i, n);
        rcp_text line = {0};
        rcp_family_show(&line, &family, &family.processes.at[1]);
        ck_assert_str_eq(line.at, "?");
        rcp_text_finish(&line);
        rcp_family_finish(&family);
        for (unsigned k = 1; k <= 3; k++) {
            char path[300];
            snprintf(path, sizeof path, "%s/process.%u", home, k);
            rcp_file_remove_tree(path);
        }
    }
}
END_TEST

START_TEST(an_identity_is_the_place_and_every_word) {
    char *const a[] = {"one", "a", NULL}, *const joined[] = {"onea", NULL}, *const moved[] = {"one", "", "a", NULL};
    uint64_t identity = rcp_run_identity("/tmp", a);
    ck_assert_uint_eq(identity, rcp_run_identity("/tmp", a));
    ck_assert_uint_ne(identity, rcp_run_identity("/", a));
    ck_assert_uint_ne(identity, rcp_run_identity("/tmp", joined));
    ck_assert_uint_ne(identity, rcp_run_identity("/tmp", moved));
    ck_assert_uint_ne(identity, rcp_run_identity("/tmpone", a + 1));
}
END_TEST

START_TEST(who_is_meant_is_read_as_it_was_written) {
    static const char line[] = "00000000000000ff 2 3 1\n";
    rcp_meant meant;
    bool is_there;
    ck_assert_int_eq(rcp_meant_read(&meant, home, &is_there), RCP_OK);
    ck_assert(!is_there);
    rcp_meant_finish(&meant);
    char *path = rcp_file_take_path(home, "meant");
    ck_assert_int_eq(rcp_file_make(path, line, sizeof line - 1), RCP_OK);
    ck_assert_int_eq(rcp_meant_read(&meant, home, &is_there), RCP_OK);
    ck_assert(is_there);
    ck_assert_uint_eq(meant.identity, 255);
    ck_assert_uint_eq(meant.occurrence, 2);
    ck_assert_uint_eq(meant.forks.len, 2);
    ck_assert_uint_eq(meant.forks.at[0], 3);
    ck_assert_uint_eq(meant.forks.at[1], 1);
    rcp_meant_finish(&meant);
    ck_assert_int_eq(rcp_file_replace(path, "?", 1), RCP_OK);
    ck_assert_int_eq(rcp_meant_read(&meant, home, &is_there), RCP_BAD_INPUT);
    rcp_meant_finish(&meant);
    rcp_clear_causes();
    rcp_release(path);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, those_of_one_command_line_are_counted);
    tcase_add_test(tests, forks_lead_back_to_who_was_executed);
    tcase_add_test(tests, what_is_not_whole_says_nothing);
    tcase_add_test(tests, an_identity_is_the_place_and_every_word);
    tcase_add_test(tests, who_is_meant_is_read_as_it_was_written);
    return rcp_suite_run_case("family", tests);
}
