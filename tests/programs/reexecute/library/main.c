/* SPDX-License-Identifier: Apache-2.0 */
/* A program that calls into two libraries, one of them loaded while it runs, and is called back. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
long twice(long);
long call(long (*)(long), long);
char *text(int);
extern _Thread_local long mine;
extern long shared_counter;
static long own(long x) { return x + 1; }
static void *work(void *a) {
    long h = 0;
    for (int i = 0; i < 50; i++) {
        h += call(i & 1 ? own : twice, i);
        char *t = text(i);
        h += t[i / 2];
        free(t);
    }
    return (void *)(h + mine);
}
int main(void) {
    pthread_t t[2];
    void *r;
    long h = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], &r);
        h += (long)r;
    }
    void *l = dlopen("./libplug.so", RTLD_NOW);
    long (*f)(long) = (long (*)(long))dlsym(l, "plug");
    for (int i = 0; i < 10; i++)
        h += f(i);
    printf("%ld %ld\n", h, shared_counter);
    return 0;
}
