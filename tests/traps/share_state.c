// SPDX-License-Identifier: Apache-2.0
// Threads that know of each other by what the system keeps for all of them, and by nothing else: who calls rand() first gets
// the first number, who opens a file gets the lowest number that is free, whoever asks is told what another has set. The twin's
// writer does such things after its write, and its reader reads a file before it looks: nothing tells one of the other.
// (Numbers of drand48() and its kin are none of these: two calls that are not ordered race, tests/programs/calls/random.c.)
// twin: raced
// exact: what the calls share is known, so nothing has to be guessed
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NUMBER, DESCRIPTOR, KEY, MASK, DIRECTORY, HANDLER, NAME, CASES };
static int file, second, sum;
static pthread_key_t key;

static void ignored(int number) { (void)number; }

#ifdef TWIN
static int raced;

static void *writer(void *unused) {
    struct sigaction action = {.sa_handler = ignored};
    struct timespec now;
    pthread_key_t other;
    raced = 1;
    sum += rand() + (int)lrand48() + (int)getuid() + (int)sysconf(_SC_NPROCESSORS_ONLN);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    pthread_key_create(&other, NULL);
    pthread_setname_np(pthread_self(), "writer");
    sigaction(SIGUSR1, &action, NULL);
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? &file : unused;
}

static void *reader(void *unused) {
    char byte;
    long n = pread(file, &byte, 1, 0) + lseek(file, 0, SEEK_SET);
    return n || raced ? unused : NULL;
}
#else
static int data[CASES];

static void *writer(void *main_thread) {
    struct sigaction action = {.sa_handler = ignored};
    data[NUMBER] = 1;
    sum += rand();
    data[DESCRIPTOR] = 1;
    close(file);
    data[KEY] = 1;
    pthread_key_delete(key);
    data[MASK] = 1;
    umask(0);
    data[DIRECTORY] = 1;
    if (chdir("/"))
        return &file;
    data[HANDLER] = 1;
    sigaction(SIGUSR1, &action, NULL);
    data[NAME] = 1;
    pthread_setname_np(*(pthread_t *)main_thread, "named");
    return NULL;
}

static void *reader(void *main_thread) {
    char text[4096] = "";
    struct sigaction action = {.sa_handler = SIG_DFL};
    pthread_key_t mine;
    int found = 0;
    for (int i = 0; i < 300; i++) /* most likely the other one has come so far; if not, nothing is found */
        sched_yield();
    if (rand() == second)
        found += data[NUMBER];
    if (open("/dev/null", O_RDONLY) == file)
        found += data[DESCRIPTOR];
    if (!pthread_key_create(&mine, NULL) && mine == key)
        found += data[KEY];
    if (!umask(022))
        found += data[MASK];
    if (getcwd(text, sizeof text) && !strcmp(text, "/"))
        found += data[DIRECTORY];
    if (!sigaction(SIGUSR1, NULL, &action) && action.sa_handler == ignored)
        found += data[HANDLER];
    if (!pthread_getname_np(*(pthread_t *)main_thread, text, sizeof text) && !strcmp(text, "named"))
        found += data[NAME];
    printf("%d\n", found);
    return NULL;
}
#endif

int main(void) {
    pthread_t self = pthread_self(), threads[2];
    file = open("/dev/null", O_RDONLY);
    umask(022);
    rand();
    second = rand();
    srand(1);
    if (file < 0 || pthread_key_create(&key, NULL))
        return 1;
    if (pthread_create(&threads[0], NULL, writer, &self) || pthread_create(&threads[1], NULL, reader, &self))
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return sum == -1;
}
