/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/scratch.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rcp_text name;
static pid_t keeper;
static int tells = -1; /* the keeper: a byte, where the directory stays */

/* Whatever ends us, by the terminal or the whole session, does not end it. */
static _Noreturn void keep(int heard) {
    char stays;
    ssize_t n;
    setsid();
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_IGN);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        close(fd);
    while ((n = read(heard, &stays, 1)) < 0 && errno == EINTR) {
    }
    if (n != 1 || !stays)
        rcp_file_remove_tree(name.at);
    _exit(0);
}

static void end(char stays) {
    if (tells < 0)
        return;
    if (write(tells, &stays, 1) != 1)
        rcp_file_remove_tree(name.at); /* nobody is there */
    close(tells);
    rcp_process_await(keeper, NULL);
    tells = -1;
    rcp_text_finish(&name);
}

rcp_code rcp_scratch_make(const char *wanted, const char **path) {
    const char *temporary = getenv("TMPDIR");
    int ends[2];
    RCP_CHECK(tells < 0);
    if (wanted)
        rcp_text_printf(&name, "%s.XXXXXX", wanted);
    else
        rcp_text_printf(&name, "%s/recipe.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (pipe2(ends, O_CLOEXEC))
        return rcp_fail(RCP_SYSTEM, "a pipe can't be made: %s", strerror(errno));
    sigset_t all, before; /* between the directory and its keeper nothing ends us */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    bool is_made = mkdtemp(name.at);
    const int error = errno;
    keeper = is_made ? fork() : -1;
    if (!keeper) {
        close(ends[1]);
        keep(ends[0]);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[0]);
    if (keeper > 0) {
        tells = ends[1];
        *path = name.at;
        return RCP_OK;
    }
    close(ends[1]);
    rcp_code code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", name.at, strerror(is_made ? errno : error));
    if (is_made)
        rmdir(name.at);
    rcp_text_finish(&name);
    return code;
}

void rcp_scratch_remove(void) { end(false); }

rcp_code rcp_scratch_keep(const char *path) {
    struct stat is;
    rcp_code code = RCP_OK;
    RCP_CHECK(tells >= 0);
    if (!lstat(path, &is)) /* an empty directory would be replaced */
        code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", path, strerror(EEXIST));
    else if (chmod(name.at, rcp_file_default_mode() | (rcp_file_default_mode() & 0444) >> 2) || rename(name.at, path))
        code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", path, strerror(errno));
    end(code == RCP_OK);
    return code;
}
