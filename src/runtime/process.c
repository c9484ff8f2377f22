/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/linger.h"
#include "runtime/process.h"

#include "abi/run.h"
#include "runtime/block.h"
#include "runtime/logging.h"
#include "runtime/streams.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

RCP_REAL_DEFINE(fork)
RCP_REAL_DEFINE(clone)
RCP_REAL_DEFINE(posix_spawn)
RCP_REAL_DEFINE(posix_spawnp)
RCP_REAL_DEFINE(system)
RCP_REAL_DEFINE(_Fork)
RCP_REAL_DEFINE(popen)
RCP_REAL_DEFINE(wordexp)
RCP_REAL_DEFINE(pclose)
RCP_REAL_DEFINE(_exit)
RCP_REAL_DEFINE(quick_exit)

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);
int __cxa_at_quick_exit(void (*function)(void *), void *object);

static char variable[4200];

/* fork: the baton is held from after the program's handlers in the parent until before those in the child and after. */
static __thread rcp_thread *forking __attribute__((tls_model("initial-exec")));

/* A process that another thread than the main one makes may ask to be told of that thread's end (PR_SET_PDEATHSIG). */
static void makes_process(void) {
    rcp_world_meets(RCP_WORLD_PROCESSES, "the program makes a process");
    if (rcp_self && rcp_self->number)
        rcp_log_unseen(RCP_UNSEEN_ENDS);
}

static void before_fork(void) {
    makes_process();
    forking = rcp_inside();
    if (!forking)
        return;
    rcp_shared_divide();
    rcp_process_divides();
}

static void go_on(void) {
    if (forking)
        rcp_outside(forking);
    forking = NULL;
}

static void after_fork_in_parent(void) {
    if (forking)
        rcp_process_divided();
    go_on();
}

static void after_fork_in_child(void) {
    rcp_restart_in_child();
    go_on();
}

static pid_t log_fork(pid_t pid) {
    rcp_thread *self = pid > 0 ? rcp_inside() : NULL;
    if (self) {
        rcp_log_fork((uint32_t)pid);
        rcp_outside(self);
    }
    return pid;
}

RCP_INTERCEPT pid_t fork(void) { return log_fork(RCP_REAL(fork)()); }

/* Without the program's handlers; ours count. */
RCP_INTERCEPT pid_t _Fork(void) {
    before_fork();
    pid_t pid = RCP_REAL(_Fork)();
    if (pid)
        after_fork_in_parent();
    else
        after_fork_in_child();
    return log_fork(pid);
}

/* libc's, with a parent that ends in the trace too. */
RCP_INTERCEPT int daemon(int keep_directory, int keep_files) {
    switch (fork()) {
    case -1: return -1;
    case 0: break;
    default: _exit(0);
    }
    if (setsid() < 0)
        return -1;
    if (!keep_directory && chdir("/"))
        return -1;
    if (keep_files)
        return 0;
    int fd = open("/dev/null", O_RDWR);
    if (fd < 0)
        return -1;
    dup2(fd, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
    return 0;
}

struct cloned {
    int (*function)(void *);
    void *argument;
};

static int run_cloned(void *data) {
    struct cloned what = *(struct cloned *)data; /* in a copy of the parent's memory */
    rcp_restart_in_child();
    return what.function(what.argument);
}

RCP_INTERCEPT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
    va_list rest;
    va_start(rest, argument);
    pid_t *parent_tid = va_arg(rest, pid_t *);
    void *tls = va_arg(rest, void *);
    pid_t *child_tid = va_arg(rest, pid_t *);
    va_end(rest);
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(clone)(function, stack, flags, argument, parent_tid, tls, child_tid);
    int pid;
    makes_process();
    if (flags & CLONE_VM) {
        rcp_wakes_unseen(); /* it may be a process, which nobody sees among the threads */
        rcp_shared_divide_all();
        rcp_log_note(
            "clone: a thread that pthread_create did not make; what it does outside instrumented code, and what "
            "orders it, is not in the trace");
        rcp_block_leave(self, false);
        pid = RCP_REAL(clone)(function, stack, flags, argument, parent_tid, tls, child_tid);
        rcp_block_return(self);
    } else {
        struct cloned what = {function, argument};
        rcp_shared_divide();
        rcp_process_divides();
        pid = RCP_REAL(clone)(run_cloned, stack, flags, &what, parent_tid, tls, child_tid);
        rcp_process_divided();
        if (pid > 0)
            rcp_log_fork((uint32_t)pid);
    }
    rcp_outside(self);
    return pid;
}

char *const *rcp_process_environment(char *const *environment, char **room) {
    size_t n = 0, name = strlen(RCP_RUN_VARIABLE "=");
    if (!*variable || !environment)
        return environment;
    for (; environment[n]; n++) {
        if (!strncmp(environment[n], variable, name))
            return environment;
        room[n] = environment[n];
    }
    room[n] = variable;
    room[n + 1] = NULL;
    return room;
}

static size_t count(char *const *list) {
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

static int spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                 const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment, bool search) {
    char *room[count(environment) + 2];
    rcp_thread *self = rcp_inside();
    if (self) {
        makes_process();
        rcp_block_leave(self, false);
    }
    char *const *e = rcp_process_environment(environment, room);
    pid_t child = 0;
    int result = search ? RCP_REAL(posix_spawnp)(&child, path, files, attributes, arguments, e)
                        : RCP_REAL(posix_spawn)(&child, path, files, attributes, arguments, e);
    if (!result && pid)
        *pid = child;
    if (self) {
        rcp_block_return(self);
        if (!result && pid)
            rcp_effect(pid, sizeof *pid);
        rcp_outside(self);
    }
    return result;
}

RCP_INTERCEPT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                              const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
    return spawn(pid, path, files, attributes, arguments, environment, false);
}
RCP_INTERCEPT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *files,
                               const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
    return spawn(pid, file, files, attributes, arguments, environment, true);
}

RCP_INTERCEPT int system(const char *command) {
    makes_process();
    return RCP_BLOCK_CALL(true, system, command);
}

RCP_INTERCEPT FILE *popen(const char *command, const char *mode) {
    makes_process();
    return RCP_REAL(popen)(command, mode);
}

/* What it puts in the place of a command a shell says. */
RCP_INTERCEPT int wordexp(const char *restrict words, wordexp_t *restrict expanded, int flags) {
    if (!(flags & WRDE_NOCMD))
        makes_process();
    return RCP_BLOCK_CALL(true, wordexp, words, expanded, flags);
}

RCP_INTERCEPT int pclose(FILE *stream) {
    rcp_streams_answered();
    return RCP_BLOCK_CALL(true, pclose, stream);
}

/* exit() is linger.c's. abort() raises a signal: signal.c's. */
RCP_INTERCEPT void _exit(int status) {
    rcp_linger();
    rcp_finish(RCP_ENDED_EXIT, status);
    for (;;)
        RCP_REAL(_exit)(status);
}
RCP_INTERCEPT void _Exit(int status) { _exit(status); }

static int quick_status;
static void at_quick_end(void *unused) {
    (void)unused;
    rcp_finish(RCP_ENDED_EXIT, quick_status);
}

RCP_INTERCEPT void quick_exit(int status) {
    rcp_linger();
    quick_status = status;
    for (;;)
        RCP_REAL(quick_exit)(status);
}

void rcp_process_name(const char *trace) {
    strcpy(variable, RCP_RUN_VARIABLE "=");
    strncat(variable, trace, sizeof variable - strlen(variable) - 1);
}

void rcp_process_start(void) {
    __register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, NULL);
    __cxa_at_quick_exit(at_quick_end, NULL); /* the first to be registered is the last to run */
}
