/* SPDX-License-Identifier: Apache-2.0 */
/* The child of vfork tells its parent why exec failed, through a variable on the stack, a global one and memory of the
 * heap; other threads run on meanwhile. And the parent goes on only when the child has ended or executed a program. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int global_error;
static volatile int tries;
static atomic_int is_over;

struct answer {
    int code;
    char words[40];
};

static void *meanwhile(void *count) {
    while (!is_over)
        ++*(int *)count;
    return NULL;
}

/* Which error: from a frame that is gone when the parent goes on. */
static __attribute__((noinline)) int attempt(const char *path) {
    char *arguments[] = {(char *)path, NULL};
    volatile int mine = 7;
    execv(path, arguments);
    mine = errno;
    return mine;
}

static void fails(const char *path, int why) {
    volatile int error = 0;
    struct answer *answer = calloc(1, sizeof *answer);
    pid_t pid = vfork();
    if (!pid) {
        for (int i = 0; i < 3000; i++)
            tries++;
        error = attempt(path);
        global_error = error;
        answer->code = -error;
        memset(answer->words, 'x', sizeof answer->words - 1);
        _exit(127);
    }
    int status;
    CHECK(pid > 0 && error == why && global_error == why && answer->code == -why);
    CHECK(strlen(answer->words) == sizeof answer->words - 1);
    CHECK(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 127);
    free(answer);
}

int main(void) {
    int count = 0;
    pthread_t t;
    pthread_create(&t, NULL, meanwhile, &count);
    fails("no/such/program", ENOENT);
    fails("/", EACCES);
    CHECK(tries == 6000);
    volatile int error = 0, before = 0;
    pid_t pid = vfork();
    if (!pid) {
        before = 5; /* seen by the parent, too */
        execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
        error = errno;
        _exit(127);
    }
    int status;
    CHECK(before == 5 && !error);
    CHECK(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 3);
    is_over = 1;
    pthread_join(t, NULL);
    puts("told");
    return 0;
}
