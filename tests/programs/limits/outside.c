/* SPDX-License-Identifier: Apache-2.0 */
/* Built without recipe: code of which nothing is known, that follows pointers and calls back. */
struct node {
    struct node *next;
    int value;
};
int walk(struct node *list, int (*visit)(struct node *));

int walk(struct node *list, int (*visit)(struct node *)) {
    int sum = 0;
    for (; list; list = list->next)
        sum += visit(list);
    return sum;
}
