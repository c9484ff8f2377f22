// SPDX-License-Identifier: Apache-2.0
// A pipe of the program's own is its child's, too, however that was made: by wordexp(), of which nobody sees that it makes one, and
// by _Fork(), which calls no handlers. Each child waits at a pipe that has a name, and passes on what comes there. The twin's
// reader looks before anything has come.
// twin: data
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

enum { HERE = 7 };
static int own[2], data[2];

static void pass_on(const char *name, int *what) {
    *what = 1;
    int to = open(name, O_WRONLY);
    if (to < 0 || write(to, "x\n", 2) != 2)
        exit(3);
    close(to);
}

static void *writer(void *unused) {
    pass_on("first", &data[0]);
    pass_on("second", &data[1]);
    return unused;
}

static void *reader(void *unused) {
    static int sum;
    char word[2];
#ifdef TWIN
    sum += data[0];
#endif
    for (int i = 0; i < 2; i++) {
        if (read(own[0], word, 2) != 2)
            exit(4);
        sum += data[i];
    }
    return sum < 2 ? NULL : unused;
}

int main(void) {
    pthread_t threads[2];
    wordexp_t words;
    remove("first");
    remove("second");
    if (pipe(own) || dup2(own[1], HERE) != HERE || mkfifo("first", 0600) || mkfifo("second", 0600) ||
        wordexp("$(sh -c '(read word <first; echo $word >&7) >/dev/null 2>&1 &')", &words, 0))
        return 1;
    if (!_Fork())
        execl("/bin/sh", "sh", "-c", "read word <second; echo $word >&7", (char *)NULL);
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
