/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/tool.h"

#include "base/file.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Well below the system's limit for arguments and environment together (2 MiB as a rule). */
enum { LONGEST_LINE = 512 << 10 };

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof *ends };

static volatile sig_atomic_t came;
static volatile pid_t step; /* that runs; 0: none */

static void on_signal(int number) {
    came = number;
    if (step > 0)
        kill(step, number);
}

void rcp_tool_watch(void) {
    struct sigaction ours = {.sa_handler = on_signal}, is;
    for (int i = 0; i < ENDS; i++)
        if (!sigaction(ends[i], NULL, &is) && is.sa_handler == SIG_DFL)
            sigaction(ends[i], &ours, NULL);
}

int rcp_tool_interrupted(void) { return came; }

/* Blocked from before the step exists until it is known, so that the handler never misses it. */
static void block(sigset_t *before) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ENDS; i++)
        sigaddset(&set, ends[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

static rcp_code await(pid_t pid, const sigset_t *mask, rcp_tool_end *end) {
    step = pid;
    if (came) /* between two steps */
        kill(pid, came);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int status;
    if (!rcp_process_await(pid, &status))
        return rcp_fail(RCP_SYSTEM, "waiting for a compiler step: %s", strerror(errno));
    step = 0;
    *end = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    return RCP_OK;
}

/* What a response file needs: clang and the linkers read it as GNU tools do, backslash before anything special. */
static rcp_code write_response_file(const rcp_words *words, size_t from, const char *path) {
    rcp_text text = {0};
    for (size_t i = from; i < words->len; i++) {
        rcp_text_puts(&text, "\"");
        for (const char *c = words->at[i]; *c; c++) {
            if (*c == '"' || *c == '\\')
                rcp_text_puts(&text, "\\");
            rcp_text_add(&text, c, 1);
        }
        rcp_text_puts(&text, "\"\n");
    }
    rcp_code code = rcp_file_replace(path, text.at, text.len);
    rcp_text_finish(&text);
    return code;
}

static rcp_code shorten(const rcp_words *words, const char *scratch, rcp_arena *arena, rcp_words *shorter) {
    size_t bytes = 0;
    for (size_t i = 0; i < words->len; i++)
        bytes += strlen(words->at[i]) + 1;
    size_t keep = words->len;
    if (bytes > LONGEST_LINE) {
        char *path = rcp_words_format(arena, "%s/long-line", scratch);
        keep = words->len > 1 && rcp_words_begins(words->at[1], "-cc1")
                   ? 2
                   : 1; /* clang looks at it before it reads files */
        RCP_TRY(write_response_file(words, keep, path));
    }
    for (size_t i = 0; i < keep; i++)
        rcp_words_add(shorter, words->at[i]);
    if (keep < words->len)
        rcp_words_add(shorter, rcp_words_format(arena, "@%s/long-line", scratch));
    rcp_words_end(shorter);
    return RCP_OK;
}

static rcp_code spawn(const rcp_words *words, const char *name, const char *scratch,
                      posix_spawn_file_actions_t *actions, char **environment, pid_t *pid, sigset_t *mask) {
    rcp_arena arena;
    rcp_words shorter = {0};
    posix_spawnattr_t attributes;
    rcp_arena_init(&arena);
    rcp_code code = shorten(words, scratch, &arena, &shorter);
    if (code == RCP_OK) {
        block(mask);
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setsigmask(&attributes, mask);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        if (name)
            shorter.at[0] = (char *)name;
        int error = posix_spawn(pid, words->at[0], actions, &attributes, shorter.at, environment);
        posix_spawnattr_destroy(&attributes);
        if (error) {
            sigprocmask(SIG_SETMASK, mask, NULL);
            code = rcp_fail(RCP_SYSTEM, "%s can't be run: %s", words->at[0], strerror(error));
        }
    }
    rcp_vec_finish(&shorter);
    rcp_arena_finish(&arena);
    return code;
}

rcp_code rcp_tool_run(const rcp_words *words, const char *name, const char *scratch, rcp_tool_end *end) {
    pid_t pid;
    sigset_t mask;
    RCP_TRY(spawn(words, name, scratch, NULL, environ, &pid, &mask));
    return await(pid, &mask, end);
}

static void read_all(int from, rcp_text *to) {
    char buffer[16384];
    ssize_t n;
    while ((n = read(from, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            rcp_text_add(to, buffer, (size_t)n);
    rcp_text_add(to, "", 0);
}

rcp_code rcp_tool_ask(const rcp_words *words, const char *name, const char *scratch, rcp_text *said,
                      rcp_tool_end *end) {
    int ends_of_pipe[2];
    if (pipe(ends_of_pipe))
        return rcp_fail(RCP_SYSTEM, "a pipe to %s: %s", words->at[0], strerror(errno));
    rcp_words environment = {0};
    rcp_text directory = {0};
    rcp_text_printf(&directory, "TMPDIR=%s", scratch);
    for (char **e = environ; *e; e++)
        if (!rcp_words_begins(*e, "TMPDIR="))
            rcp_words_add(&environment, *e);
    rcp_words_add(&environment, directory.at);
    rcp_words_end(&environment);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends_of_pipe[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends_of_pipe[0]);
    posix_spawn_file_actions_addclose(&actions, ends_of_pipe[1]);
    pid_t pid;
    sigset_t mask;
    rcp_code code = spawn(words, name, scratch, &actions, environment.at, &pid, &mask);
    posix_spawn_file_actions_destroy(&actions);
    close(ends_of_pipe[1]);
    if (code == RCP_OK) {
        read_all(ends_of_pipe[0], said);
        code = await(pid, &mask, end);
    }
    close(ends_of_pipe[0]);
    rcp_text_finish(&directory);
    rcp_vec_finish(&environment);
    return code;
}

rcp_code rcp_tool_call(int (*what)(void *), void *with, rcp_tool_end *end) {
    sigset_t mask;
    block(&mask);
    pid_t pid = rcp_process_fork();
    if (pid < 0) {
        int error = errno;
        sigprocmask(SIG_SETMASK, &mask, NULL);
        return rcp_fail(RCP_SYSTEM, "no further process can be made: %s", strerror(error));
    }
    if (!pid) {
        for (int i = 0; i < ENDS; i++) {
            struct sigaction is;
            if (!sigaction(ends[i], NULL, &is) && is.sa_handler == on_signal)
                signal(ends[i], SIG_DFL);
        }
        sigprocmask(SIG_SETMASK, &mask, NULL);
        int code = what(with);
        fflush(NULL);
        _exit(code); /* of the child alone */
    }
    return await(pid, &mask, end);
}

rcp_code rcp_tool_make_scratch(rcp_text *path) {
    const char *below = getenv("TMPDIR");
    rcp_text_printf(path, "%s/recipe-cc-XXXXXX", below && *below ? below : P_tmpdir);
    if (!mkdtemp(path->at))
        return rcp_fail(RCP_SYSTEM, "%s: %s (TMPDIR says where temporary files go)", path->at, strerror(errno));
    return RCP_OK;
}

void rcp_tool_remove_scratch(const char *path) { rcp_file_remove_tree(path); }
