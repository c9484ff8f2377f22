/* SPDX-License-Identifier: Apache-2.0 */
/* exec: the trace ends, the variable that names it stays in the environment, so that a program built by recipe goes on
 * in one of its own. Where exec fails the recording goes on. */
#include "runtime/block.h"
#include "runtime/logging.h"
#include "runtime/process.h"
#include "runtime/world.h"

#include <stdarg.h>
#include <unistd.h>

RCP_REAL_DEFINE(execve)
RCP_REAL_DEFINE(execvpe)
RCP_REAL_DEFINE(fexecve)
RCP_REAL_DEFINE(execveat)

/* How the new program is named. */
enum way { BY_PATH, BY_SEARCH, BY_DESCRIPTOR, BY_DESCRIPTOR_AND_PATH };

static int call(enum way way, int fd, const char *path, char *const *arguments, char *const *environment, int flags) {
    switch (way) {
    case BY_PATH: return RCP_REAL(execve)(path, arguments, environment);
    case BY_SEARCH: return RCP_REAL(execvpe)(path, arguments, environment);
    case BY_DESCRIPTOR: return RCP_REAL(fexecve)(fd, arguments, environment);
    default: return RCP_REAL(execveat)(fd, path, arguments, environment, flags);
    }
}

static size_t count(char *const *list) {
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

/* The real call is made outside: a signal that were deferred at this moment would leave its mask to the new program. */
static int execute(enum way way, int fd, const char *path, char *const *arguments, char *const *environment,
                   int flags) {
    char *room[count(environment) + 2];
    char *const *e = rcp_process_environment(environment, room);
    rcp_thread *self = rcp_inside();
    if (!self)
        return call(way, fd, path, arguments, e, flags);
    rcp_world_meets(RCP_WORLD_PROCESSES, "the program becomes another");
    rcp_finish(RCP_ENDED_EXEC, 0);
    rcp_block_leave(self, false);
    int result = call(way, fd, path, arguments, e, flags);
    rcp_block_return(self);
    rcp_log_say_ended(RCP_ENDED_NOT);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int execve(const char *path, char *const arguments[], char *const environment[]) {
    return execute(BY_PATH, -1, path, arguments, environment, 0);
}
RCP_INTERCEPT int execv(const char *path, char *const arguments[]) {
    return execute(BY_PATH, -1, path, arguments, environ, 0);
}
RCP_INTERCEPT int execvpe(const char *file, char *const arguments[], char *const environment[]) {
    return execute(BY_SEARCH, -1, file, arguments, environment, 0);
}
RCP_INTERCEPT int execvp(const char *file, char *const arguments[]) {
    return execute(BY_SEARCH, -1, file, arguments, environ, 0);
}
RCP_INTERCEPT int fexecve(int fd, char *const arguments[], char *const environment[]) {
    return execute(BY_DESCRIPTOR, fd, NULL, arguments, environment, 0);
}
RCP_INTERCEPT int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags) {
    return execute(BY_DESCRIPTOR_AND_PATH, fd, path, arguments, environment, flags);
}

/* The list of execl and kin: first `argument`, then the rest up to NULL. */
static size_t length_of(const char *argument, va_list rest) {
    size_t n = 0;
    for (const char *a = argument; a; a = va_arg(rest, const char *))
        n++;
    return n;
}

static void collect(char **list, const char *argument, va_list *rest) {
    size_t n = 0;
    for (const char *a = argument; a; a = va_arg(*rest, const char *))
        list[n++] = (char *)a;
    list[n] = NULL;
}

#define LIST(list, last)                                                                                               \
    va_list rest, again;                                                                                               \
    va_start(rest, last);                                                                                              \
    va_copy(again, rest);                                                                                              \
    char *list[length_of(last, again) + 1];                                                                            \
    va_end(again);                                                                                                     \
    collect(list, last, &rest)

RCP_INTERCEPT int execl(const char *path, const char *argument, ...) {
    LIST(list, argument);
    va_end(rest);
    return execute(BY_PATH, -1, path, list, environ, 0);
}
RCP_INTERCEPT int execlp(const char *file, const char *argument, ...) {
    LIST(list, argument);
    va_end(rest);
    return execute(BY_SEARCH, -1, file, list, environ, 0);
}
RCP_INTERCEPT int execle(const char *path, const char *argument, ...) {
    LIST(list, argument);
    char *const *environment = va_arg(rest, char *const *);
    va_end(rest);
    return execute(BY_PATH, -1, path, list, environment, 0);
}
