/* SPDX-License-Identifier: Apache-2.0 */
/* A little of everything that a limit bounds, for tests/cli/limits.sh: with a limit at its least value something is
 * left out here. One race, on `late`. walk() is outside.c's, which is not recorded. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
    struct node *next;
    int value;
};
int walk(struct node *list, int (*visit)(struct node *));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stage, total, late, table[8], sum, walked;
static char lines[64];
static struct node nodes[3] = {{&nodes[1], 1}, {NULL, 2}, {NULL, 3}};

static int visit(struct node *node) { return node->value; }

static int way_of(int n) {
    switch (n) {
    case 0: return 3;
    case 1: return 5;
    case 2: return 7;
    case 7: return 9;
    default: return 1;
    }
}

__attribute__((noinline, optnone)) static int deep(int n) { return n ? deep(n - 1) + total : 0; }

/* Where another order leads, and this one did not. */
static void elsewhere(void) {
    char *block = malloc(strlen(lines) + 100);
    block[0] = (char)deep(3);
    sum += block[0];
    free(block);
}

static void *fill(void *unused) {
    (void)unused;
    late = 1;
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        stage++;
        table[i] = 6 - i;
        lines[i] = (char)('a' + stage);
        if (total > 200)
            elsewhere();
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *look(void *unused) {
    (void)unused;
    int own[8], first = late, null = open("/dev/null", O_WRONLY);
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        total += way_of(stage) * 3 + 1;
        if (stage & 1)
            table[stage & 7] = (total ^ stage) + 2;
        if (stage == 3)
            elsewhere();
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    memcpy(own, table, sizeof own);
    if (write(null, lines, 32) < 0)
        abort();
    pthread_mutex_unlock(&lock);
    return first ? &table[own[0] & 1] : NULL;
}

int main(void) {
    pthread_t one, two;
    struct node *more = malloc(sizeof *more);
    *more = (struct node){&nodes[2], 4};
    nodes[1].next = more;
    pthread_create(&one, NULL, fill, NULL);
    pthread_create(&two, NULL, look, NULL);
    walked = walk(nodes, visit);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d %d\n", stage, walked);
    free(more);
    return 0;
}
