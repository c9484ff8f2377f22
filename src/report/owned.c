/* SPDX-License-Identifier: Apache-2.0 */
#include "report/owned.h"

#include <string.h>

static size_t find(const rcp_owned_list *locks, rcp_obj object) {
    size_t i = 0;
    while (i < locks->len && locks->at[i].object.v != object.v)
        i++;
    return i;
}

static void take(rcp_owned_list *locks, rcp_obj object, const rcp_event *event) {
    size_t i = find(locks, object);
    const uint8_t mode = event->kind == RCP_ACQUIRE ? event->mode : RCP_EXCLUSIVE; /* a wake's is a mutex */
    if (i < locks->len)
        locks->at[i].levels++;
    else
        rcp_vec_push(locks, ((rcp_owned){object, mode, 1, event->loc, event->stack}));
}

static void let_go(rcp_owned_list *locks, rcp_obj object) {
    size_t i = find(locks, object);
    if (i == locks->len || --locks->at[i].levels)
        return;
    memmove(&locks->at[i], &locks->at[i + 1], (locks->len - i - 1) * sizeof *locks->at);
    locks->len--;
}

void rcp_owned_follow(rcp_owned_list *locks, const rcp_event *event) {
    if (event->kind == RCP_ACQUIRE && event->outcome != RCP_FAILED)
        take(locks, event->object, event);
    else if (event->kind == RCP_WAKE)
        take(locks, event->lock, event);
    else if (event->kind == RCP_RELEASE)
        let_go(locks, event->object);
    else if (event->kind == RCP_WAIT)
        let_go(locks, event->lock);
}
