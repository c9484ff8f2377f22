/* SPDX-License-Identifier: Apache-2.0 */
/* A thread looks over a buffer again and again while the kernel writes into it: another thread's read, a pipe's other
 * end, and a mapping that a child process shares. What it finds decides how many events it has, so that a value that
 * re-execution does not see is noticed. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE   4096
#define ROUNDS 200

static uint8_t buffer[SIZE];
static volatile int done;
static int ends[2];
static volatile unsigned steps;

__attribute__((noinline)) static unsigned sum(const uint8_t *p, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

static void follow(const uint8_t *p) {
    for (unsigned n = sum(p, SIZE) % 13; n; n--)
        steps++;
}

static void *reader(void *unused) {
    for (ssize_t n; (n = read(ends[0], buffer, SIZE)) > 0;)
        ;
    done = 1;
    return unused;
}

static void *writer(void *unused) {
    uint8_t bytes[SIZE];
    for (int i = 0; i < ROUNDS; i++) {
        memset(bytes, i, sizeof bytes);
        write(ends[1], bytes, sizeof bytes);
    }
    close(ends[1]);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pipe(ends))
        return 1;
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    while (!done)
        follow(buffer);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);

    uint8_t *shared = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    volatile uint8_t *last = shared + SIZE - 1;
    pid_t child = fork();
    if (!child) {
        for (int i = 1; i < 256; i++)
            memset(shared, i, SIZE);
        _exit(0);
    }
    while (*last != 255)
        follow(shared);
    waitpid(child, NULL, 0);
    printf("%u\n", sum(shared, SIZE));
    return 0;
}
