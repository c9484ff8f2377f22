// SPDX-License-Identifier: Apache-2.0
// A pipe that was given pages, of memory or of a file, has what is written there until it is read: who reads it comes after
// who wrote to the pages. The twin looks before it reads.
// twin: data
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LETTERS = 64 };
static int memory_pipe[2], file_pipe[2], data[2];
static atomic_char page[4096] __attribute__((aligned(4096)));
static atomic_char *file_page;

static void *writer(void *unused) {
    data[0] = 1;
    for (int i = LETTERS; i--;)
        page[i] = 'w';
    data[1] = 1;
    for (int i = LETTERS; i--;)
        file_page[i] = 'w';
    return unused;
}

static int look(int from, const int *at) {
    char letter = 0;
#ifdef TWIN
    if (*at > 1)
        return 1;
#endif
    for (int i = 0; i < LETTERS; i++) {
        if (read(from, &letter, 1) == 1 && letter == 'w')
            return *at != 1;
        sched_yield();
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    off_t begin = 0;
    int file = memfd_create("pages", 0);
    if (file < 0 || ftruncate(file, sizeof page) || pipe(memory_pipe) || pipe(file_pipe))
        return 1;
    file_page = mmap(NULL, sizeof page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file_page == MAP_FAILED)
        return 1;
    file_page[LETTERS] = page[LETTERS] = 'p'; /* so that there are pages */
    struct iovec part = {(void *)page, LETTERS};
    if (vmsplice(memory_pipe[1], &part, 1, 0) != LETTERS || sendfile(file_pipe[1], file, &begin, LETTERS) != LETTERS ||
        pthread_create(&thread, NULL, writer, NULL))
        return 1;
    int result = look(memory_pipe[0], &data[0]) + look(file_pipe[0], &data[1]);
    pthread_join(thread, NULL);
    return result;
}
