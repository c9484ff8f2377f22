/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code shows a block that it has allocated before its call is over, waits for the answer in it, and shows that to
 * a third thread: what the second one did before it answered comes before what the third does.
 * expect: Y */
#include "threads.h"
#include <semaphore.h>
#include <stdlib.h>

struct request {
    int number, answer;
};
struct box {
    struct request *request;
    volatile int last;
};

int X, Y, seen;
static struct box box;
static sem_t asked, answered, shown, over;

OUTSIDE void m_serve(struct box *b) {
    struct request *request = calloc(1, sizeof *request);
    request->number = 5;
    b->request = request;
    sem_post(&asked);
    sem_wait(&answered);
    b->last = request->answer;
    sem_post(&shown);
    sem_wait(&over);
    free(request);
}

static void *serve(void *unused) {
    Y = 1;
    m_serve(&box);
    return unused;
}

static void *answer(void *unused) {
    Y = 2;
    sem_wait(&asked);
    struct request *request = box.request;
    X = request->number;
    request->answer = request->number + 1;
    sem_post(&answered);
    return unused;
}

static void *look(void *unused) {
    sem_wait(&shown);
    if (box.last == 6)
        seen = X;
    sem_post(&over);
    return unused;
}

int main(void) {
    sem_init(&asked, 0, 0);
    sem_init(&answered, 0, 0);
    sem_init(&shown, 0, 0);
    sem_init(&over, 0, 0);
    run((void *(*const[])(void *)){serve, answer, look}, 3);
    return seen != 5;
}
