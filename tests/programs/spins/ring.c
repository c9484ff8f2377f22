/* A ring of items between one that writes and one that reads, both of which wait in loops. With -DCOND, on a condition. The twin's
 * reader takes an item before it is told to be there. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
enum { ITEMS = 40, ROOM = 4 };
static int ring[ROOM], sum;
static atomic_uint head, tail;
#ifdef COND
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
#define AWAIT(condition)                                                                                               \
    pthread_mutex_lock(&mutex);                                                                                        \
    while (!(condition))                                                                                               \
        pthread_cond_wait(&cond, &mutex);                                                                              \
    pthread_mutex_unlock(&mutex)
#define TELL(word)                                                                                                     \
    pthread_mutex_lock(&mutex);                                                                                        \
    word++;                                                                                                            \
    pthread_cond_broadcast(&cond);                                                                                     \
    pthread_mutex_unlock(&mutex)
#else
#define AWAIT(condition)                                                                                               \
    while (!(condition))                                                                                               \
    ;
#define TELL(word) word++
#endif
static void *read_all(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
#ifdef TWIN
        sum += ring[tail % ROOM];
        AWAIT(head != tail);
#else
        AWAIT(head != tail);
        sum += ring[tail % ROOM];
#endif
        TELL(tail);
    }
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, read_all, NULL);
    for (int i = 0; i < ITEMS; i++) {
        AWAIT(head - tail < ROOM);
        ring[head % ROOM] = i;
        TELL(head);
    }
    pthread_join(t, NULL);
    printf("%d\n", sum);
}
