/* SPDX-License-Identifier: Apache-2.0 */
/* exec: first one that fails, then this program again, several ways, in the end with an environment of its own. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void *nothing(void *arg) { return arg; }

int main(int argc, char **argv) {
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    int step = argc > 1 ? atoi(argv[1]) : 0;
    char next[16], self[4096];
    snprintf(next, sizeof next, "%d", step + 1);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    CHECK(n > 0);
    self[n] = 0;
    char *arguments[] = {argv[0], next, NULL}, *bare[] = {"ONLY=this", NULL};
    printf("step %d\n", step);
    fflush(stdout);
    switch (step) {
    case 0:
        CHECK(execl("no/such/program", "no", (char *)NULL) == -1 && errno == ENOENT);
        CHECK(execvp("no-such-program-at-all", arguments) == -1 && errno == ENOENT);
        pthread_create(&t, NULL, nothing, NULL); /* it goes on as before */
        pthread_join(t, NULL);
        execv(self, arguments);
        break;
    case 1: execl(self, argv[0], next, (char *)NULL); break;
    case 2: execlp(self, argv[0], next, (char *)NULL); break;
    case 3: execvp(self, arguments); break;
    case 4: {
        pid_t pid = vfork();
        if (!pid) {
            execve(self, (char *[]){argv[0], "100", NULL}, environ);
            _exit(127);
        }
        int status;
        CHECK(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 4);
        execle(self, argv[0], next, (char *)NULL, bare);
        break;
    }
    case 5: CHECK(getenv("ONLY")); return 3;
    case 100: return 4;
    }
    CHECK(0);
}
