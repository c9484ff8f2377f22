/* SPDX-License-Identifier: Apache-2.0 */
#include "record/launch.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- finding the program --- */

/* 0: can be executed; else why not. */
static int executable(const char *path) {
    struct stat is;
    if (stat(path, &is))
        return errno;
    if (S_ISDIR(is.st_mode))
        return EISDIR;
    if (!S_ISREG(is.st_mode))
        return EACCES;
    return access(path, X_OK) ? errno : 0;
}

static char *copy(const char *string) {
    rcp_text text = {0};
    rcp_text_puts(&text, string);
    return text.at;
}

char *rcp_launch_take_path(const char *name, int *error) {
    if (strchr(name, '/')) {
        *error = executable(name);
        if (*error == ENOTDIR)
            *error = ENOENT;
        return *error ? NULL : copy(name);
    }
    const char *list = getenv("PATH");
    rcp_text path = {0};
    *error = ENOENT;
    for (const char *p = list ? list : "/bin:/usr/bin";; p++) {
        size_t n = strcspn(p, ":");
        rcp_text_clear(&path);
        rcp_text_add(&path, n ? p : ".", n ? n : 1); /* an empty entry is the current directory */
        rcp_text_printf(&path, "/%s", name);
        int why = executable(path.at);
        if (!why)
            return path.at;
        if (why == EACCES && *error == ENOENT)
            *error = why; /* remembered, as shells do, unless a later directory has one */
        p += n;
        if (!*p)
            break;
    }
    rcp_text_finish(&path);
    return NULL;
}

/* --- signals --- */

static const int handed_on[] = {SIGHUP,  SIGINT,   SIGQUIT, SIGTERM, SIGUSR1,
                                SIGUSR2, SIGWINCH, SIGCONT, SIGTSTP, SIGALRM};
enum { HANDED_ON = sizeof handed_on / sizeof *handed_on };

static struct sigaction child_was; /* SIGCHLD ignored by whoever started us would take the program's status away */

void rcp_launch_block(rcp_launch *launch) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < HANDED_ON; i++)
        sigaddset(&set, handed_on[i]);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &launch->mask_before);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &plain, &child_was);
}

void rcp_launch_unblock(rcp_launch *launch) { sigprocmask(SIG_SETMASK, &launch->mask_before, NULL); }

struct sentry {
    pid_t pid;
    int ask, answer;
    pid_t waker; /* who continued us last, where that was our own: wake() */
};

/* Asked for a signal, it takes it from what waits for it and says whether it was there. It ends when we do: the pipe is
 * closed then. Only what a child of fork may call. */
static _Noreturn void stand_watch(int ask, int answer) {
    unsigned char signal_number;
    int high = fcntl(answer, F_DUPFD, 2); /* where we were started with 0 or 1 closed, they are in use here */
    ask = dup2(ask, 0);
    answer = dup2(high, 1);
    close_range(2, ~0u, 0); /* who reads from a pipe of ours waits for us, not for the sentry */
    while (read(ask, &signal_number, 1) == 1) {
        sigset_t one;
        struct timespec now = {0};
        sigemptyset(&one);
        sigaddset(&one, signal_number);
        char was_there = sigtimedwait(&one, NULL, &now) == signal_number;
        if (write(answer, &was_there, 1) != 1)
            break;
    }
    _exit(0); /* of the child alone */
}

static bool post(struct sentry *watch) {
    int question[2], reply[2];
    *watch = (struct sentry){.pid = -1};
    if (pipe2(question, O_CLOEXEC))
        return false;
    if (pipe2(reply, O_CLOEXEC)) {
        close(question[0]), close(question[1]);
        return false;
    }
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* from its first instruction */
    watch->pid = fork();
    if (!watch->pid)
        stand_watch(question[0], reply[1]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(question[0]), close(reply[1]);
    watch->ask = question[1];
    watch->answer = reply[0];
    return watch->pid > 0;
}

static void relieve(struct sentry *watch) {
    close(watch->ask), close(watch->answer);
    if (watch->pid > 0)
        rcp_process_await(watch->pid, NULL);
}

/* The kernel signals the youngest of a group first, so the sentry has it by the time that we do. */
static bool was_for_group(const struct sentry *watch, int signal_number) {
    unsigned char question = (unsigned char)signal_number;
    char there = 0;
    return write(watch->ask, &question, 1) == 1 && read(watch->answer, &there, 1) == 1 && there;
}

/* --- the program --- */

struct report { /* from the child, through a pipe that its execution closes */
    int exec_error, addresses_error;
};

/* What the child exits with where it can't say more: as env(1) and timeout(1) have them. */
enum { FAILED = 125, CANT_RUN = 126 };

static _Noreturn void become(const rcp_launch *launch, pid_t parent, int to) {
    struct report report = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(FAILED); /* of the child alone */
    if (launch->keep_addresses) {
        int is = personality(0xffffffff);
        if (is < 0 || personality((unsigned long)is | ADDR_NO_RANDOMIZE) < 0)
            report.addresses_error = errno;
    }
    sigaction(SIGCHLD, &child_was, NULL);
    if (launch->restore)
        launch->restore();
    sigprocmask(SIG_SETMASK, &launch->mask_before, NULL);
    if (report.addresses_error && write(to, &report, sizeof report) != sizeof report)
        _exit(FAILED); /* of the child alone */
    execve(launch->path, launch->argv, launch->environment);
    report.exec_error = errno;
    _exit(write(to, &report, sizeof report) == sizeof report ? CANT_RUN : FAILED); /* of the child alone */
}

/* --- stops of the program become ours, so that a shell has its terminal again --- */

/* Whoever stopped the program alone knows of nobody else to continue: once it goes on, so do we. Only what a child of
 * fork may call. */
static _Noreturn void wake(pid_t parent, pid_t pid) {
    const struct timespec while_it_stands = {.tv_nsec = 20000000};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent && rcp_process_is_stopped(pid))
        nanosleep(&while_it_stands, NULL);
    kill(parent, SIGCONT);
    _exit(0); /* of the child alone */
}

static void stop(struct sentry *watch, pid_t pid) {
    const pid_t self = getpid();
    watch->waker = fork();
    if (!watch->waker)
        wake(self, pid);
    kill(self, SIGSTOP); /* not SIGTSTP: an orphaned group would ignore it */
    if (watch->waker > 0) {
        kill(watch->waker, SIGKILL);
        rcp_process_await(watch->waker, NULL);
    }
}

/* The program's status, once it has ended; stops of it become ours. False: it goes on. */
static bool look_after(rcp_launch *launch, struct sentry *watch, pid_t pid) {
    struct rusage usage;
    for (;;) {
        int status;
        pid_t got = wait4(pid, &status, WNOHANG | WUNTRACED, launch->usage ? launch->usage : &usage);
        if (got != pid)
            return false;
        if (!WIFSTOPPED(status)) {
            launch->status = status;
            return true;
        }
        stop(watch, pid);
    }
}

/* What is due beside the program. Returns as `attend` does. */
static double do_what_is_due(rcp_launch *launch, pid_t pid, double ran) {
    double next = launch->attend ? launch->attend(launch->context, pid, ran) : -1;
    if (launch->seconds <= 0 || launch->asked == SIGKILL)
        return next;
    double due = launch->seconds + (launch->asked ? launch->grace : 0);
    if (ran >= due) {
        launch->asked = launch->asked ? SIGKILL : SIGTERM;
        kill(pid, launch->asked);
        return 0;
    }
    return next < 0 || due - ran < next ? due - ran : next;
}

static int await_signal(const sigset_t *set, double seconds, siginfo_t *from) {
    struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    return seconds < 0 ? sigwaitinfo(set, from) : sigtimedwait(set, from, &time);
}

static void accompany(rcp_launch *launch, pid_t pid, struct sentry *watch) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < HANDED_ON; i++)
        sigaddset(&set, handed_on[i]);
    sigaddset(&set, SIGCHLD);
    const double began = rcp_seconds_now();
    while (!look_after(launch, watch, pid)) {
        siginfo_t from;
        int signal_number = await_signal(&set, do_what_is_due(launch, pid, rcp_seconds_now() - began), &from);
        bool is_own = signal_number == SIGCONT && watch->waker > 0 && from.si_pid == watch->waker;
        if (signal_number > 0 && signal_number != SIGCHLD && !is_own && !was_for_group(watch, signal_number))
            kill(pid, signal_number);
    }
}

rcp_code rcp_launch_run(rcp_launch *launch) {
    int from_child[2];
    struct sentry watch;
    if (pipe2(from_child, O_CLOEXEC))
        return rcp_fail(RCP_SYSTEM, "no pipe could be made: %s", strerror(errno));
    pid_t parent = getpid(), pid = post(&watch) ? fork() : -1;
    int error = errno;
    if (!pid)
        become(launch, parent, from_child[1]);
    close(from_child[1]);
    if (pid < 0) {
        if (watch.pid > 0)
            relieve(&watch);
        close(from_child[0]);
        return rcp_fail(RCP_SYSTEM, "no process could be made: %s", strerror(error));
    }
    struct report report;
    for (ssize_t n; (n = read(from_child[0], &report, sizeof report)) != 0;) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n != sizeof report)
            break;
        launch->exec_error = report.exec_error;
        launch->addresses_error = report.addresses_error;
    }
    close(from_child[0]);
    accompany(launch, pid, &watch);
    relieve(&watch);
    return RCP_OK;
}

int rcp_launch_end_alike(const rcp_launch *launch) {
    if (WIFEXITED(launch->status))
        return WEXITSTATUS(launch->status);
    int signal_number = WTERMSIG(launch->status);
    if (signal_number == launch->asked)
        return 0;
    struct rlimit none = {0};
    setrlimit(RLIMIT_CORE, &none); /* the program's own core is the one to look at */
    signal(signal_number, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    fflush(NULL);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(signal_number);
    return 128 + signal_number; /* a signal that ends nothing by default can't have ended the program */
}
