/* SPDX-License-Identifier: Apache-2.0 */
#include "record/client.h"

#include "abi/log.h"
#include "base/limits.h"
#include "base/process.h"
#include "record/command.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define LOOK_SECONDS  0.005
#define LEAVE_SECONDS 1.0 /* that a client has to end by itself, and again when it was asked to */

static bool does_listen(const char *directory) {
    rcp_text path = {0};
    uint64_t word = 0;
    rcp_text_printf(&path, "%s/log", directory);
    int fd = open(path.at, O_RDONLY | O_CLOEXEC);
    bool is_read = fd >= 0 && pread(fd, &word, sizeof word, RCP_LOG_LISTENS) == sizeof word;
    if (fd >= 0)
        close(fd);
    rcp_text_finish(&path);
    return is_read && word == RCP_LOG_EIGHT(1);
}

/* In the child. */
static _Noreturn void become(const rcp_clients *c, const char *command, char *const *environment) {
    static const char shell[] = "/bin/sh";
    const char *const argv[] = {"sh", "-c", command, NULL};
    int from = open("/dev/null", O_RDONLY), to = c->output ? open(c->output, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    setpgid(0, 0);
    if (from >= 0)
        dup2(from, 0);
    for (int fd = 1; fd < 3 && to >= 0; fd++)
        dup2(to, fd);
    close_range(3, ~0u, 0);
    if (c->restore)
        c->restore();
    if (c->mask)
        sigprocmask(SIG_SETMASK, c->mask, NULL);
    if (!c->directory || !chdir(c->directory))
        execve(shell, (char *const *)(uintptr_t)argv, environment);
    _exit(127); /* of the child alone; a shell says the same */
}

static void begin(rcp_clients *c, pid_t program) {
    rcp_environment environment;
    rcp_environment_make_for_client(&environment, c->environment, program);
    for (char *const *command = c->commands; *command; command++) {
        pid_t pid = rcp_process_fork();
        if (!pid)
            become(c, *command, environment.at.at);
        if (pid > 0)
            setpgid(pid, pid); /* whoever is first */
        rcp_vec_push(&c->at, ((rcp_client_process){pid > 0 ? pid : 0, pid > 0 ? 0 : 127 << 8}));
    }
    rcp_environment_finish(&environment);
    c->begun = true;
}

double rcp_clients_look(rcp_clients *c, pid_t program, double ran) {
    if (!c->commands || c->begun)
        return -1;
    double left = (double)rcp_limit(RCP_LIMIT_CLIENT_DELAY) / 1000 - ran;
    if (left > 0 && !does_listen(c->recorded))
        return left < LOOK_SECONDS ? left : LOOK_SECONDS;
    begin(c, program);
    return -1;
}

void rcp_clients_end(rcp_clients *c, bool politely) {
    const int signals[] = {0, SIGTERM};
    for (size_t step = 0; step < 2 && politely; step++)
        for (size_t i = 0; i < c->at.len; i++) {
            rcp_client_process *client = &c->at.at[i];
            if (!client->pid)
                continue;
            if (signals[step])
                kill(-client->pid, signals[step]);
            if (rcp_process_await_for(client->pid, LEAVE_SECONDS, &client->status)) {
                kill(-client->pid, SIGKILL); /* what it left behind */
                client->pid = 0;
            }
        }
    for (size_t i = 0; i < c->at.len; i++)
        if (c->at.at[i].pid) {
            kill(-c->at.at[i].pid, SIGKILL);
            rcp_process_await(c->at.at[i].pid, &c->at.at[i].status);
            c->at.at[i].pid = 0;
        }
}

void rcp_clients_finish(rcp_clients *c) { rcp_vec_finish(&c->at); }
