/* SPDX-License-Identifier: Apache-2.0 */
/* Other programs: posix_spawn, system, popen, while a thread of our own computes. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile int stop;
static void *busy(void *arg) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        ;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, busy, NULL);
    pid_t pid;
    char *arguments[] = {"sh", "-c", "exit 6", NULL};
    int status;
    CHECK(!posix_spawnp(&pid, "sh", NULL, NULL, arguments, environ));
    CHECK(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 6);
    CHECK(!posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ));
    siginfo_t info;
    CHECK(!waitid(P_PID, (id_t)pid, &info, WEXITED) && info.si_pid == pid && info.si_status == 6);
    CHECK(posix_spawn(&pid, "/no/such/program", NULL, NULL, arguments, environ) != 0);

    status = system("exit 5");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5 && system(NULL));

    FILE *f = popen("echo one; echo two", "r");
    char line[64];
    CHECK(f && fgets(line, sizeof line, f) && !strcmp(line, "one\n") && fgets(line, sizeof line, f));
    CHECK(!strcmp(line, "two\n") && !fgets(line, sizeof line, f) && pclose(f) == 0);
    f = popen("cat >/dev/null; exit 3", "w");
    CHECK(f && fputs("some text", f) >= 0);
    status = pclose(f);
    CHECK(WEXITSTATUS(status) == 3);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(t, NULL);
    puts("spawn: fine");
}
