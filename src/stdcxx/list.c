/* SPDX-License-Identifier: Apache-2.0 */
/* std::list: a ring of nodes through a header that belongs to the list itself. */
#include "stdcxx/stdcxx.h"

typedef struct node {
    struct node *next, *prev;
} node;

void hook(node *self, node *at) STDCXX(_ZNSt8__detail15_List_node_base7_M_hookEPS0_);
void unhook(node *self) STDCXX(_ZNSt8__detail15_List_node_base9_M_unhookEv);
void transfer(node *at, node *first, node *last) STDCXX(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_);
void reverse(node *self) STDCXX(_ZNSt8__detail15_List_node_base10_M_reverseEv);
void swap(node *one, node *other) STDCXX(_ZNSt8__detail15_List_node_base4swapERS0_S1_);

static void join(node *before, node *after) {
    before->next = after;
    after->prev = before;
}

/* A node goes in front of another. */
void hook(node *self, node *at) {
    node *before = at->prev;
    join(self, at);
    join(before, self);
}

void unhook(node *self) { join(self->prev, self->next); }

/* [first, last) of this list or another goes in front of `at`. */
void transfer(node *at, node *first, node *last) {
    if (at == last)
        return;
    node *before = at->prev, *end = last->prev;
    join(first->prev, last);
    join(before, first);
    join(end, at);
}

void reverse(node *self) {
    node *n = self;
    do {
        node *next = n->next;
        n->next = n->prev;
        n->prev = next;
        n = next;
    } while (n != self);
}

/* The nodes of a header that was copied as it was; none: it was its own neighbour. */
static void take(node *self, node *was, node *next, node *prev) {
    if (next == was)
        self->next = self->prev = self;
    else {
        join(self, next);
        join(prev, self);
    }
}

void swap(node *one, node *other) {
    if (one == other)
        return;
    node *next = one->next, *prev = one->prev;
    take(one, other, other->next, other->prev);
    take(other, one, next, prev);
}
