/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "base/vec.h"

#include "suite.h"
#include "temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char home[256];

static void setup(void) { make_temporary(home, sizeof home); }

static void teardown(void) {
    rcp_file_remove_tree(home);
    ck_assert_int_ne(access(home, F_OK), 0);
}

static void must_hold(const char *name, const char *bytes) {
    rcp_text text = {0};
    ck_assert_int_eq(rcp_file_read_if_there(home, name, &text), RCP_OK);
    ck_assert_str_eq(text.at, bytes);
    rcp_text_finish(&text);
}

START_TEST(a_file_is_made_once) {
    char *path = rcp_file_take_path(home, "one");
    ck_assert_int_eq(rcp_file_make(path, "first", 5), RCP_OK);
    must_hold("one", "first");
    ck_assert_int_eq(rcp_file_make(path, "second", 6), RCP_SYSTEM);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), path));
    must_hold("one", "first");
    rcp_release(path);
}
END_TEST

START_TEST(a_file_is_replaced_whole) {
    char *path = rcp_file_take_path(home, "one"), *below = rcp_file_take_path(home, "none/one");
    struct stat is;
    umask(027);
    ck_assert_int_eq(rcp_file_replace(path, "first", 5), RCP_OK);
    int old = open(path, O_RDONLY);
    ck_assert_int_eq(rcp_file_replace(path, "2", 1), RCP_OK);
    must_hold("one", "2");
    char bytes[8] = {0}; /* whoever had it open reads what was there */
    ck_assert_int_eq(read(old, bytes, sizeof bytes), 5);
    ck_assert_str_eq(bytes, "first");
    close(old);
    ck_assert_int_eq(stat(path, &is), 0);
    ck_assert_int_eq(is.st_mode & 0777, 0640);
    ck_assert_int_eq(rcp_file_replace(below, "2", 1), RCP_SYSTEM);
    ck_assert_int_eq(rcp_file_replace(home, "2", 1), RCP_SYSTEM); /* a directory stays one */
    char command[600];
    snprintf(command, sizeof command, "test \"$(ls '%s')\" = one && ! ls -d '%s'.?????? 2>/dev/null", home, home);
    ck_assert_int_eq(system(command), 0); /* no temporary file is left, there or beside */
    rcp_release(path);
    rcp_release(below);
}
END_TEST

/* Whoever opens it says why it can't be had. */
START_TEST(what_is_not_told_of_counts_as_there) {
    char name[400];
    memset(name, 'x', sizeof name - 1); /* longer than a name may be */
    name[sizeof name - 1] = 0;
    char *path = rcp_file_take_path(home, name), *none = rcp_file_take_path(home, "none");
    rcp_text text = {0};
    ck_assert(rcp_file_is_there(home) && !rcp_file_is_there(none) && rcp_file_is_there(path));
    ck_assert_int_eq(rcp_file_read_if_there(home, name, &text), RCP_BAD_INPUT);
    rcp_text_finish(&text);
    rcp_release(path);
    rcp_release(none);
}
END_TEST

START_TEST(what_is_not_there_reads_as_nothing) {
    rcp_text text = {0};
    ck_assert_int_eq(rcp_file_read_if_there(home, "none", &text), RCP_OK);
    ck_assert_ptr_null(text.at);
    ck_assert_int_eq(rcp_file_read_if_there(home, "", &text), RCP_BAD_INPUT); /* the directory itself */
    rcp_text_finish(&text);
}
END_TEST

static void ignore(int number) { (void)number; }

/* A pipe takes 64 KB at a time, and signals come in between. */
START_TEST(all_bytes_go_through_a_pipe) {
    enum { BYTES = 1 << 20 };
    static char bytes[BYTES];
    int ends[2];
    struct sigaction counted = {.sa_handler = ignore};
    sigaction(SIGUSR1, &counted, NULL);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (char)(i * 7);
    ck_assert_int_eq(pipe(ends), 0);
    pid_t writer = getpid(), reader = fork();
    if (!reader) {
        size_t got = 0;
        char piece[1000];
        close(ends[1]);
        for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) > 0; got += (size_t)n) {
            kill(writer, SIGUSR1);
            if (memcmp(piece, bytes + got, (size_t)n))
                _exit(1);
        }
        _exit(got == BYTES ? 0 : 2);
    }
    close(ends[0]);
    ck_assert(rcp_file_put(ends[1], bytes, BYTES));
    close(ends[1]);
    int status;
    while (waitpid(reader, &status, 0) < 0)
        continue;
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(bytes_go_where_they_are_wanted) {
    char *path = rcp_file_take_path(home, "one");
    ck_assert_int_eq(rcp_file_make(path, "abcdef", 6), RCP_OK);
    int fd = open(path, O_RDWR), full = open("/dev/full", O_WRONLY);
    ck_assert(rcp_file_put_at(fd, "XY", 2, 2));
    ck_assert(rcp_file_put_at(fd, "", 0, 100));
    must_hold("one", "abXYef");
    ck_assert(!rcp_file_put(full, "x", 1));
    ck_assert(!rcp_file_put_at(-1, "x", 1, 0));
    close(fd);
    close(full);
    rcp_release(path);
}
END_TEST

START_TEST(a_tree_goes_and_what_links_point_to_stays) {
    char *inner = rcp_file_take_path(home, "tree"), *deep = rcp_file_take_path(home, "tree/deep");
    char *link = rcp_file_take_path(home, "tree/deep/link"), *file = rcp_file_take_path(home, "kept");
    ck_assert_int_eq(rcp_file_make_directory(inner), RCP_OK);
    ck_assert_int_eq(rcp_file_make_directory(inner), RCP_OK);
    ck_assert_int_eq(rcp_file_make_directory(deep), RCP_OK);
    ck_assert_int_eq(rcp_file_make(file, "kept", 4), RCP_OK);
    ck_assert_int_eq(symlink(file, link), 0);
    rcp_file_remove_tree(inner);
    ck_assert_int_ne(access(inner, F_OK), 0);
    must_hold("kept", "kept");
    ck_assert_int_eq(rcp_file_make_directory("/none/there"), RCP_SYSTEM);
    rcp_release(inner);
    rcp_release(deep);
    rcp_release(link);
    rcp_release(file);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_file_is_made_once);
    tcase_add_test(tests, a_file_is_replaced_whole);
    tcase_add_test(tests, what_is_not_told_of_counts_as_there);
    tcase_add_test(tests, what_is_not_there_reads_as_nothing);
    tcase_add_test(tests, all_bytes_go_through_a_pipe);
    tcase_add_test(tests, bytes_go_where_they_are_wanted);
    tcase_add_test(tests, a_tree_goes_and_what_links_point_to_stays);
    return rcp_suite_run_case("file", tests);
}
