// SPDX-License-Identifier: Apache-2.0
// A child reads the file that standard output is, and answers by a file of its own.
// twin: data
// args: said
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int data, seen;
static const char answer[] = "print_answered.answer";

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

static int answers(const char *path, pid_t parent) {
    struct stat is;
    while (!stat(path, &is) && !is.st_size && getppid() == parent)
        usleep(1000);
    return open(answer, O_WRONLY | O_CREAT, 0600) < 0;
}

int main(int argc, char **argv) {
    unlink(answer);
    pid_t parent = getpid(), child = fork();
    if (!child)
        _exit(answers(argv[argc - 1], parent));
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    while (access(answer, F_OK))
        usleep(100);
    seen += data;
    pthread_join(thread, NULL);
    waitpid(child, NULL, 0);
    unlink(answer);
    return seen < 1;
}
