/* SPDX-License-Identifier: Apache-2.0 */
/* dlopen LIBRARY…: each is loaded while a thread runs, calls back, has variables, is closed and loaded again. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>

static volatile int stop;
static int calls;
static void *busy(void *arg) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        ;
    return arg;
}

static int add(int n) {
    calls++;
    return n + 1;
}

typedef int applier(int (*)(int), int);
struct job {
    applier *apply;
    int result;
};
static void *apply_in_thread(void *arg) {
    struct job *job = arg;
    for (int i = 0; i < 10; i++)
        job->result = job->apply(add, job->result);
    return NULL;
}

static int use(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
        fprintf(stderr, "%s\n", dlerror());
    CHECK(library);
    applier *apply = (applier *)dlsym(library, "apply");
    int *shared = dlsym(library, "shared"), (*own)(void) = (int (*)(void))dlsym(library, "own");
    CHECK(apply && shared && own);
    CHECK(*shared == 42); /* its constructor has run */
    *shared = 1;
    int n = apply(add, 0);
    CHECK(*shared == 2 && own() == 1 && own() == 2);
    struct job jobs[2] = {{apply, 0}, {apply, 0}};
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, apply_in_thread, &jobs[i]);
        pthread_join(t[i], NULL); /* the library's variables have no lock */
    }
    CHECK(own() == 3);
    n += jobs[0].result + jobs[1].result;
    CHECK(!dlclose(library));
    return n;
}

int main(int argc, char **argv) {
    pthread_t t;
    pthread_create(&t, NULL, busy, NULL);
    for (int round = 0; round < 2; round++)
        for (int i = 1; i < argc; i++)
            printf("%s: %d\n", i == 1 ? "recorded" : "opaque", use(argv[i]));
    CHECK(!dlopen("no-such-library.so", RTLD_NOW) && dlerror());
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(t, NULL);
    printf("dlopen: %d calls\n", calls);
}
