/* SPDX-License-Identifier: Apache-2.0 */
/* clean */
/* Blocks that grow, in their place and elsewhere, between threads that take turns. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *list, length;

static void *work(void *unused) {
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&lock);
        list = realloc(list, (size_t)(length + 1) * sizeof *list);
        list[length] = length ? list[length - 1] + 1 : 0;
        length++;
        void *other = malloc(24 + (size_t)i % 5 * 16);
        pthread_mutex_unlock(&lock);
        free(other);
    }
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    int last = list[length - 1];
    free(list);
    return last != 149;
}
