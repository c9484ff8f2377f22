/* SPDX-License-Identifier: Apache-2.0 */
#include "base/process.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

volatile sig_atomic_t rcp_process_is_interrupted;

pid_t rcp_process_fork(void) {
    pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* it ended before that was said */
            _exit(1);            /* of the child alone */
    }
    return pid;
}

bool rcp_process_await(pid_t pid, int *status) {
    pid_t got;
    while ((got = waitpid(pid, status, 0)) < 0 && errno == EINTR)
        continue;
    return got == pid;
}

bool rcp_process_await_for(pid_t pid, double seconds, int *status) {
    double end = rcp_seconds_now() + seconds;
    struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN}; /* of -1 poll only sleeps */
    bool is_over = waitpid(pid, status, WNOHANG) == pid;
    for (double left = seconds; !is_over && left > 0; left = end - rcp_seconds_now()) {
        struct timespec time = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
        ppoll(&ended, 1, &time, NULL);
        is_over = waitpid(pid, status, WNOHANG) == pid;
    }
    if (ended.fd >= 0)
        close(ended.fd);
    return is_over;
}

bool rcp_process_has_children(void) {
    pid_t got;
    while ((got = waitpid(-1, NULL, WNOHANG)) > 0 || (got < 0 && errno == EINTR))
        continue;
    return got == 0;
}

void rcp_process_adopt(bool adopts) { prctl(PR_SET_CHILD_SUBREAPER, adopts); }

/* The letter that the kernel has for what it does; 0: there is none. */
static char state_of(pid_t pid) {
    char path[64], line[512];
    if (pid <= 0 || (kill(pid, 0) && errno == ESRCH))
        return 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *from = fopen(path, "re");
    if (!from)
        return 0;
    const char *name_end = fgets(line, sizeof line, from) ? strrchr(line, ')') : NULL;
    fclose(from);
    return name_end && name_end[1] ? name_end[2] : 0;
}

bool rcp_process_is_there(pid_t pid) {
    const char state = state_of(pid);
    return state && state != 'Z' && state != 'X';
}

bool rcp_process_is_stopped(pid_t pid) { return state_of(pid) == 'T'; }

const char *rcp_process_signal_name(int number) {
    static char name[16];
    snprintf(name, sizeof name, "SIG%s", sigabbrev_np(number) ? sigabbrev_np(number) : "?");
    return name;
}

void rcp_process_print_end(rcp_text *to, int status) {
    if (WIFSIGNALED(status))
        rcp_text_printf(to, "died of %s", rcp_process_signal_name(WTERMSIG(status)));
    else
        rcp_text_printf(to, "exited with %d", WEXITSTATUS(status));
}

/* --- a copy that answers --- */

/* The first byte of what it sends: its answer follows, or the code and the cause of its failure. */
enum { ANSWER = '+', FAILURE = '-' };

_Noreturn static void answer_and_end(int fd, rcp_process_work *work, void *context) {
    rcp_text all = {0};
    rcp_text_add(&all, &(char){ANSWER}, 1);
    rcp_code code = work(context, &all);
    if (code != RCP_OK) {
        rcp_text_clear(&all);
        const char *why = rcp_borrow_cause(0);
        rcp_text_printf(&all, "%c%c%s", FAILURE, '0' + code, why ? why : "no reason is known");
    }
    _exit(rcp_file_put(fd, all.at, all.len) ? 0 : 1); /* of the child alone */
}

static rcp_code hear(int fd, rcp_text *answer) {
    char bytes[1 << 14], first = 0;
    rcp_text failure = {0};
    for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR);) {
        if (n < 0)
            continue;
        size_t skip = !first;
        first = first ? first : bytes[0];
        rcp_text_add(first == ANSWER ? answer : &failure, bytes + skip, (size_t)n - skip);
    }
    rcp_code code = RCP_OK;
    if (!first)
        code = rcp_fail(RCP_SYSTEM, "a process that was to work beside this one has died");
    else if (first == FAILURE)
        code = rcp_fail((rcp_code)(failure.at[0] - '0'), "%s", failure.at + 1);
    rcp_text_finish(&failure);
    return code;
}

rcp_code rcp_process_begin_copy(rcp_process_work *work, void *context, rcp_process_copy *copy) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return rcp_fail(RCP_SYSTEM, "no pipe: %s", strerror(errno));
    *copy = (rcp_process_copy){.pid = rcp_process_fork(), .fd = ends[0]};
    if (!copy->pid) {
        close(ends[0]);
        answer_and_end(ends[1], work, context);
    }
    int error = errno;
    close(ends[1]);
    if (copy->pid > 0)
        return RCP_OK;
    close(ends[0]);
    return rcp_fail(RCP_SYSTEM, "no further process can be made: %s", strerror(error));
}

/* A signal may come before poll() waits: so it looks up now and then. */
static void wait_for(const rcp_process_copy *copy) {
    enum { LOOK = 200 }; /* milliseconds */
    struct pollfd answers = {.fd = copy->fd, .events = POLLIN};
    for (bool is_told = false; poll(&answers, 1, LOOK) <= 0;) {
        if (rcp_process_is_interrupted && !is_told)
            kill(copy->pid, SIGTERM);
        is_told |= rcp_process_is_interrupted;
    }
}

rcp_code rcp_process_hear_copy(rcp_process_copy *copy, rcp_text *answer) {
    wait_for(copy);
    int status = 0;
    rcp_code code = hear(copy->fd, answer);
    close(copy->fd);
    if (rcp_process_await(copy->pid, &status) && status && code == RCP_OK) /* all that it said may not have come */
        code = rcp_fail(RCP_SYSTEM, "a process that was to work beside this one has died");
    return code;
}

rcp_code rcp_process_ask_copy(rcp_process_work *work, void *context, rcp_text *answer) {
    rcp_process_copy copy;
    RCP_TRY(rcp_process_begin_copy(work, context, &copy));
    return rcp_process_hear_copy(&copy, answer);
}
