/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/debugging.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/output.h"
#include "trace/model/own_place.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Names are strings of Python's and nothing else: no command of gdb's can be made of them. What stands below the
 * access in its thread is the runtime's; the frame that is shown is the program's. */
static const char before[] = "set pagination off\n"
                             "set confirm off\n"
                             "python\n"
                             "recipe_accesses = {\n";
static const char after[] =
    "}\n"
    "def recipe_access(which):\n"
    "    lwp, file, line, says = recipe_accesses[which]\n"
    "    for thread in gdb.selected_inferior().threads():\n"
    "        if thread.ptid[1] == lwp:\n"
    "            thread.switch()\n"
    "    frame = gdb.newest_frame()\n"
    "    while frame:\n"
    "        at = frame.find_sal()\n"
    "        if at.line == line and at.symtab and at.symtab.filename.endswith(file):\n"
    "            frame.select()\n"
    "            break\n"
    "        frame = frame.older()\n"
    "    print('recipe: access %s is next: %s' % (which, says))\n"
    "    gdb.execute('frame')\n"
    "end\n"
    "define access-a\n"
    "python recipe_access('A')\n"
    "end\n"
    "document access-a\n"
    "Selects the thread that is about to make the access that the report names first, and its frame.\n"
    "end\n"
    "define access-b\n"
    "python recipe_access('B')\n"
    "end\n"
    "document access-b\n"
    "Selects the thread that is about to make the access that the report names second, and its frame.\n"
    "end\n"
    "define hook-quit\n"
    "if $_thread\n"
    "kill\n"
    "end\n"
    "end\n"
    "echo recipe: both accesses are next: 'access-a' and 'access-b' select one; quitting ends the program\\n\n"
    "access-b\n"
    "access-a\n";

static void put_access(rcp_text *to, const rcp_finding *finding, int k, uint64_t tid) {
    const rcp_event *access = &finding->access[k];
    const rcp_location *at = &finding->defs->locations.at[rcp_own_place(finding->defs, access).v];
    const char *file = rcp_defs_borrow_string(finding->defs, at->file), *slash = strrchr(file, '/');
    rcp_text says = {0};
    rcp_finding_does(&says, access, &finding->deed[k]);
    rcp_text_puts(&says, " ");
    rcp_finding_frame(&says, finding->defs, access->loc);
    rcp_text_puts(&says, ", ");
    rcp_finding_thread(&says, finding->defs, access->tid);
    rcp_text_printf(to, "    '%c': (%llu, ", "AB"[k], (unsigned long long)tid);
    rcp_json_quote(to, slash ? slash + 1 : file);
    rcp_text_printf(to, ", %u, ", at->line);
    rcp_json_quote(to, says.at);
    rcp_text_puts(to, "),\n");
    rcp_text_finish(&says);
}

static void put_commands(rcp_text *to, const rcp_finding *finding, const rcp_replay *replay) {
    rcp_text_printf(to,
                    "# By 'recipe replay': good as long as process %d stands before both accesses of a race.\n"
                    "attach %d\n",
                    (int)replay->paused.pid, (int)replay->paused.pid);
    rcp_text_puts(to, before);
    for (int k = 0; k < 2; k++)
        put_access(to, finding, k, replay->paused.outcome.met[k].tid);
    rcp_text_puts(to, after);
}

rcp_exit rcp_debugging_run(const rcp_finding *finding, const rcp_replay *replay) {
    rcp_text commands = {0};
    char path[32];
    int status = 0, file = memfd_create("recipe", 0);
    put_commands(&commands, finding, replay);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    pid_t child = file >= 0 && rcp_file_put_at(file, commands.at, commands.len, 0) ? rcp_process_fork() : -1;
    if (!child) {
        execlp("gdb", "gdb", "-q", "-x", path, (char *)NULL);
        fprintf(stderr, "recipe: gdb can't be started: %s\n", strerror(errno));
        _exit(127);
    }
    if (child > 0)
        rcp_process_await(child, &status);
    if (file >= 0)
        close(file);
    rcp_text_finish(&commands);
    return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status) ? RCP_EXIT_CLEAN : RCP_EXIT_RACES;
}

/* What ends us, and the end of the program. */
static sigset_t ends(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    return set;
}

static void await_end(rcp_replay *replay) {
    const sigset_t set = ends();
    int number = SIGCHLD;
    while (number == SIGCHLD && waitpid(replay->paused.pid, NULL, WNOHANG) != replay->paused.pid)
        sigwait(&set, &number);
    if (number == SIGCHLD)
        replay->paused.pid = 0; /* it has ended */
}

rcp_code rcp_debugging_wait(const rcp_finding *finding, rcp_replay *replay, const char *path) {
    rcp_text commands = {0};
    put_commands(&commands, finding, replay);
    const sigset_t set = ends();
    sigset_t was;
    sigprocmask(SIG_BLOCK, &set, &was); /* they wait for await_end() */
    rcp_code code = rcp_output_all(path, &commands);
    if (code == RCP_OK) {
        rcp_say("the program stands there: 'gdb -x %s'; it is ended with gdb, or by Ctrl-C here", path);
        await_end(replay);
        unlink(path); /* its number may be another process's from now on */
    }
    sigprocmask(SIG_SETMASK, &was, NULL);
    rcp_text_finish(&commands);
    return code;
}
