/* SPDX-License-Identifier: Apache-2.0 */
/* A list in the heap: where its nodes are depends on who allocates first. */
#include "threads.h"

#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static int length;

static void *push(void *value) {
    struct node *n = malloc(sizeof *n);
    n->value = *(int *)value;
    pthread_mutex_lock(&mutex);
    n->next = list;
    list = n;
    pthread_mutex_unlock(&mutex);
    length++;
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a = begin(push, &one), b = begin(push, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = 0;
    for (struct node *n = list, *next; n; n = next) {
        next = n->next;
        sum = sum * 10 + n->value;
        free(n);
    }
    printf("%d %d\n", length, sum);
    return 0;
}
