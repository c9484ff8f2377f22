/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/temporary.h"

#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof *ends };

/* Written with the signals blocked, read by their handler; empty: there is none. */
static char path[PATH_MAX], inside[PATH_MAX];

/* Only what a handler may call. A trace directory holds one file. */
static void clean_up(int signal_number) {
    if (*path && unlink(path) && *inside) {
        unlink(inside);
        rmdir(path);
    }
    raise(signal_number); /* the handler is used once: now the default takes place */
}

static void block(sigset_t *before) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ENDS; i++)
        sigaddset(&set, ends[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

static void watch(void) {
    for (int i = 0; i < ENDS; i++) {
        struct sigaction is, ours = {.sa_handler = clean_up, .sa_flags = (int)SA_RESETHAND};
        if (!sigaction(ends[i], NULL, &is) && is.sa_handler == SIG_DFL)
            sigaction(ends[i], &ours, NULL);
    }
}

/* A name that is too long for the copy is one that the system refuses as well. */
static void remember(const char *name, bool directory) {
    RCP_CHECK(!*path);
    snprintf(path, sizeof path, "%s", name);
    if (!directory || snprintf(inside, sizeof inside, "%s/events.rcp", name) >= (int)sizeof inside)
        *inside = 0;
    watch();
}

int rcp_temporary_file(char *pattern) {
    sigset_t before;
    block(&before);
    int file = mkstemp(pattern), error = errno;
    if (file >= 0)
        remember(pattern, false);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return file;
}

bool rcp_temporary_directory(char *pattern) {
    sigset_t before;
    block(&before);
    bool made = mkdtemp(pattern);
    int error = errno;
    if (made)
        remember(pattern, true);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return made;
}

void rcp_temporary_forget(void) {
    sigset_t before;
    block(&before);
    *path = *inside = 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
}
