/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/process.h"

#include "suite.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(a_copy_ends_and_is_heard_of) {
    int status = 0;
    pid_t pid = rcp_process_fork();
    if (!pid)
        _exit(3);
    ck_assert(rcp_process_await(pid, &status));
    rcp_text text = {0};
    rcp_process_print_end(&text, status);
    ck_assert_str_eq(text.at, "exited with 3");
    ck_assert(!rcp_process_await(pid, &status)); /* once */
    rcp_text_finish(&text);
}
END_TEST

START_TEST(waiting_has_an_end) {
    int status = 0;
    pid_t pid = rcp_process_fork();
    if (!pid)
        for (;;)
            pause();
    double began = rcp_seconds_now();
    ck_assert(!rcp_process_await_for(pid, 0.05, &status));
    ck_assert_double_ge(rcp_seconds_now() - began, 0.05);
    ck_assert(!rcp_process_await_for(pid, 0, &status));
    kill(pid, SIGKILL);
    ck_assert(rcp_process_await_for(pid, 60, &status));
    ck_assert_double_lt(rcp_seconds_now() - began, 60); /* as soon as it is over */
    rcp_text text = {0};
    rcp_process_print_end(&text, status);
    ck_assert_str_eq(text.at, "died of SIGKILL");
    rcp_text_finish(&text);
}
END_TEST

/* What stdio holds is not written by both. */
START_TEST(buffers_are_written_once) {
    int ends[2], status;
    char bytes[64];
    ck_assert_int_eq(pipe(ends), 0);
    FILE *to = fdopen(ends[1], "w");
    fputs("once;", to);
    pid_t pid = rcp_process_fork();
    if (!pid)
        exit(fclose(to));
    fclose(to);
    ck_assert(rcp_process_await(pid, &status));
    ck_assert_int_eq(read(ends[0], bytes, sizeof bytes), 5);
    close(ends[0]);
}
END_TEST

/* A copy's copy says its number and waits; when the copy is killed, it goes, too, and the pipe is closed. */
START_TEST(no_copy_is_left_behind) {
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = rcp_process_fork();
    if (!pid) {
        pid_t inner = rcp_process_fork();
        if (!inner && write(ends[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    char byte;
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    kill(pid, SIGKILL);
    ck_assert(rcp_process_await(pid, &status));
    ck_assert_int_eq(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}
END_TEST

static rcp_code count(void *context, rcp_text *answer) {
    int n = *(int *)context;
    *(int *)context = -1; /* of the copy alone */
    for (int i = 0; i < n; i++)
        rcp_text_printf(answer, "%d,", i);
    return n < 0 ? rcp_fail(RCP_LIMIT, "%d is too few", n) : RCP_OK;
}

static rcp_code die(void *context, rcp_text *answer) {
    (void)context, (void)answer;
    abort();
}

START_TEST(a_copy_answers) {
    rcp_text answer = {0};
    int n = 100000;
    ck_assert_int_eq(rcp_process_ask_copy(count, &n, &answer), RCP_OK);
    ck_assert_int_eq(n, 100000);
    ck_assert_uint_eq(answer.len, 588890);
    ck_assert_str_eq(answer.at + answer.len - 12, "99998,99999,");
    rcp_text_clear(&answer);
    n = 0;
    ck_assert_int_eq(rcp_process_ask_copy(count, &n, &answer), RCP_OK);
    ck_assert_uint_eq(answer.len, 0);
    n = -2;
    ck_assert_int_eq(rcp_process_ask_copy(count, &n, &answer), RCP_LIMIT);
    ck_assert_str_eq(rcp_borrow_cause(0), "-2 is too few");
    ck_assert_int_eq(rcp_process_ask_copy(die, &n, &answer), RCP_SYSTEM);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "has died"));
    rcp_process_copy copies[3];
    rcp_text_clear(&answer);
    for (int i = 0; i < 3; i++) { /* each is a copy of its own, with a number of its own */
        n = i + 1;
        ck_assert_int_eq(rcp_process_begin_copy(count, &n, &copies[i]), RCP_OK);
    }
    ck_assert_int_eq(rcp_process_hear_copy(&copies[2], &answer), RCP_OK);
    ck_assert_int_eq(rcp_process_hear_copy(&copies[0], &answer), RCP_OK);
    ck_assert_int_eq(kill(copies[1].pid, SIGSTOP), 0); /* it may be over by then: what it said is there */
    ck_assert_int_eq(kill(copies[1].pid, SIGCONT), 0);
    ck_assert_int_eq(rcp_process_hear_copy(&copies[1], &answer), RCP_OK);
    ck_assert_str_eq(answer.at, "0,1,2,0,0,1,");
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    ck_assert_int_eq(errno, ECHILD);
    rcp_text_finish(&answer);
}
END_TEST

START_TEST(signals_have_names) {
    ck_assert_str_eq(rcp_process_signal_name(SIGSEGV), "SIGSEGV");
    ck_assert_str_eq(rcp_process_signal_name(1000), "SIG?");
}
END_TEST

int main(void) {
    return rcp_suite_run("process", a_copy_ends_and_is_heard_of, waiting_has_an_end, buffers_are_written_once,
                         no_copy_is_left_behind, a_copy_answers, signals_have_names, NULL);
}
