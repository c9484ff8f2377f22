/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code allocates within its calls, and fills unseen what it has allocated: a list whose nodes are zeroed first, an
 * array that realloc moves, a block of a function that it calls itself, one that it frees and gets again. Both threads
 * read all of it, the second one frees it: an execution, whose race is beside that.
 * expect: X */
#include "threads.h"
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
    char name[12];
};
struct shelf {
    struct node *list, *nested;
    int *array, *again;
};

int X, sums[2];
static struct shelf shelf;
static sem_t full;

OUTSIDE void m_list(struct node **list, int n) {
    *list = NULL;
    for (int i = 0; i < n; i++) {
        struct node *node = calloc(1, sizeof *node);
        node->value = 'x' + i;
        strcpy(node->name, "filled");
        node->next = *list;
        *list = node;
    }
}

OUTSIDE int *m_array(int n) {
    int *array = calloc(1, sizeof *array);
    array[0] = 7;
    for (int i = 1; i < n; i++) {
        array = realloc(array, (size_t)(i + 1) * sizeof *array);
        array[i] = 7 * i + 7;
    }
    return array;
}

OUTSIDE struct node *m_new(void) { return calloc(1, sizeof(struct node)); }

OUTSIDE struct node *m_nested(void) {
    struct node *node = m_new();
    node->value = 9;
    return node;
}

OUTSIDE int *m_again(void) {
    int *block = calloc(4, sizeof *block);
    block[0] = 1;
    free(block);
    block = calloc(4, sizeof *block);
    block[0] = 5;
    return block;
}

static int sum_of(const struct shelf *s) {
    int sum = s->nested->value + s->again[0] + s->again[1];
    for (const struct node *node = s->list; node; node = node->next)
        sum += node->value + node->name[0];
    for (int i = 0; i < 40; i++)
        sum += s->array[i];
    return sum;
}

static void *first(void *unused) {
    m_list(&shelf.list, 3);
    shelf.array = m_array(40);
    shelf.nested = m_nested();
    shelf.again = m_again();
    sums[0] = sum_of(&shelf);
    sem_post(&full);
    X = 1;
    return unused;
}

static void *second(void *unused) {
    sem_wait(&full);
    sums[1] = sum_of(&shelf);
    for (struct node *node = shelf.list, *next; node; node = next) {
        next = node->next;
        free(node);
    }
    free(shelf.array);
    free(shelf.nested);
    free(shelf.again);
    X = 2;
    return unused;
}

int main(void) {
    sem_init(&full, 0, 0);
    run((void *(*const[])(void *)){first, second}, 2);
    return sums[0] != sums[1];
}
