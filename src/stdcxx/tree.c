/* SPDX-License-Identifier: Apache-2.0 */
/* std::map, std::set and their kin: a red-black tree (Cormen et al., Introduction to Algorithms, ch. 13), whose leaves
 * are null.
 *
 * The header belongs to the container and is no node of the tree: its parent is the root, its left and right are the
 * first and the last node; it is red, as no root is. The root's parent is the header, which is how one knows both. */
#include "stdcxx/stdcxx.h"

typedef enum colour { RED, BLACK } colour;

typedef struct node {
    colour colour;
    struct node *parent, *left, *right;
} node;

node *increment(node *n) STDCXX(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base);
node *decrement(node *n) STDCXX(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base);
const node *increment_const(const node *n) STDCXX(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base);
const node *decrement_const(const node *n) STDCXX(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base);
void insert(bool left, node *n, node *parent, node *header)
    STDCXX(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_);
node *erase(node *n, node *header) STDCXX(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_);

static node *first_of(node *n) {
    while (n->left)
        n = n->left;
    return n;
}

static node *last_of(node *n) {
    while (n->right)
        n = n->right;
    return n;
}

node *increment(node *n) {
    if (n->right)
        return first_of(n->right);
    node *up = n->parent;
    while (n == up->right) {
        n = up;
        up = up->parent;
    }
    /* The way up from the last node goes over the root to the header; where the root is the last node, once too far:
     * the header's right is the root, too. */
    return n->right == up ? n : up;
}

node *decrement(node *n) {
    if (n->colour == RED && n->parent->parent == n) /* the header: one past the last */
        return n->right;
    if (n->left)
        return last_of(n->left);
    node *up = n->parent;
    while (n == up->left) {
        n = up;
        up = up->parent;
    }
    return up;
}

const node *increment_const(const node *n) { return increment((node *)n); }
const node *decrement_const(const node *n) { return decrement((node *)n); }

/* `n` takes the place of `old` below its parent; NULL: nothing does. */
static void replace(node *old, node *n, node *header) {
    node *parent = old->parent;
    if (parent == header)
        header->parent = n;
    else if (parent->left == old)
        parent->left = n;
    else
        parent->right = n;
    if (n)
        n->parent = parent;
}

/* Its right child comes up in its place. */
static void rotate_left(node *n, node *header) {
    node *up = n->right;
    n->right = up->left;
    if (up->left)
        up->left->parent = n;
    replace(n, up, header);
    up->left = n;
    n->parent = up;
}

static void rotate_right(node *n, node *header) {
    node *up = n->left;
    n->left = up->right;
    if (up->right)
        up->right->parent = n;
    replace(n, up, header);
    up->right = n;
    n->parent = up;
}

static void rotate(bool left, node *n, node *header) {
    if (left)
        rotate_left(n, header);
    else
        rotate_right(n, header);
}

static bool is_red(const node *n) { return n && n->colour == RED; }

/* A red node whose parent is red, too: it goes up until it is none. */
static void mend_red(node *n, node *header) {
    while (n != header->parent && n->parent->colour == RED) {
        node *parent = n->parent, *grand = parent->parent;
        bool on_left = parent == grand->left;
        node *uncle = on_left ? grand->right : grand->left;
        if (is_red(uncle)) {
            parent->colour = uncle->colour = BLACK;
            grand->colour = RED;
            n = grand;
            continue;
        }
        if (n == (on_left ? parent->right : parent->left)) {
            rotate(on_left, parent, header);
            parent = n;
        }
        parent->colour = BLACK;
        grand->colour = RED;
        rotate(!on_left, grand, header);
        break;
    }
    header->parent->colour = BLACK;
}

void insert(bool left, node *n, node *parent, node *header) {
    n->parent = parent;
    n->left = n->right = NULL;
    n->colour = RED;
    if (left) {
        parent->left = n; /* of the header: the first node */
        if (parent == header) {
            header->parent = n;
            header->right = n;
        } else if (parent == header->left)
            header->left = n;
    } else {
        parent->right = n;
        if (parent == header->right)
            header->right = n;
    }
    mend_red(n, header);
}

/* Below `parent`, where `n` is (perhaps none), ways have a black node less than beside it. */
static void mend_black(node *n, node *parent, node *header) {
    while (n != header->parent && !is_red(n)) {
        bool on_left = n == parent->left;
        node *beside = on_left ? parent->right : parent->left;
        if (beside->colour == RED) {
            beside->colour = BLACK;
            parent->colour = RED;
            rotate(on_left, parent, header);
            beside = on_left ? parent->right : parent->left;
        }
        node *outer = on_left ? beside->right : beside->left, *inner = on_left ? beside->left : beside->right;
        if (!is_red(outer) && !is_red(inner)) {
            beside->colour = RED;
            n = parent;
            parent = n->parent;
            continue;
        }
        if (!is_red(outer)) {
            inner->colour = BLACK;
            beside->colour = RED;
            rotate(!on_left, beside, header);
            outer = beside;
            beside = inner;
        }
        beside->colour = parent->colour;
        parent->colour = BLACK;
        outer->colour = BLACK;
        rotate(on_left, parent, header);
        break;
    }
    if (n)
        n->colour = BLACK;
}

/* The first and the last node, when `n`, which has one child at most, goes. */
static void move_ends(const node *n, node *header) {
    if (header->left == n)
        header->left = n->right ? first_of(n->right) : n->parent;
    if (header->right == n)
        header->right = n->left ? last_of(n->left) : n->parent;
}

/* Takes it out, and returns it: nodes never change their places in memory. */
node *erase(node *n, node *header) {
    node *child, *parent;
    colour lost;
    if (!n->left || !n->right) {
        child = n->left ? n->left : n->right;
        parent = n->parent;
        lost = n->colour;
        move_ends(n, header);
        replace(n, child, header);
    } else { /* the next one, which has no left child, comes in its place */
        node *next = first_of(n->right);
        child = next->right;
        lost = next->colour;
        if (next->parent == n)
            parent = next;
        else {
            parent = next->parent;
            replace(next, child, header);
            next->right = n->right;
            next->right->parent = next;
        }
        replace(n, next, header);
        next->left = n->left;
        next->left->parent = next;
        next->colour = n->colour;
    }
    if (lost == BLACK)
        mend_black(child, parent, header);
    return n;
}
