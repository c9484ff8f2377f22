/* Threads that wait in a loop until a word is set, -DWAITERS of them; the word is plain, volatile or atomic (-DWORD). With
 * -DCOND they wait on a condition. The twin's waiters do not wait before they look at the data. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifndef WAITERS
#define WAITERS 1
#endif
#ifndef WORD
#define WORD atomic_int
#endif
static WORD flag;
static int data, seen[WAITERS];
#ifdef COND
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void await(void) {
    pthread_mutex_lock(&mutex);
    while (!flag)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
}
static void set(void) {
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
}
#else
static void await(void) {
    while (!flag)
        ;
}
static void set(void) { flag = 1; }
#endif
static void *work(void *arg) {
    int *mine = arg;
#ifdef TWIN
    *mine = data;
    await();
#else
    await();
    *mine = data;
#endif
    return NULL;
}
int main(void) {
    pthread_t t[WAITERS];
    for (int i = 0; i < WAITERS; i++)
        pthread_create(&t[i], NULL, work, &seen[i]);
    unsigned long x = 1;
    for (int i = 0; i < 3000000; i++)
        x = x * 6364136223846793005u + 1; /* long enough for everybody to wait */
    data = 1 + (x == 7);
    set();
    for (int i = 0; i < WAITERS; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", seen[0]);
}
