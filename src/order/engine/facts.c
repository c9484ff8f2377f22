/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/facts.h"

void rcp_order_facts_init(rcp_order_facts *facts) { *facts = (rcp_order_facts){0}; }

void rcp_order_facts_finish(rcp_order_facts *facts) {
    for (size_t i = 0; i < facts->objects.len; i++)
        rcp_vec_finish(&facts->objects.at[i].entrants);
    rcp_vec_finish(&facts->objects);
}

static rcp_object_facts *object_at(rcp_order_facts *facts, rcp_obj object) {
    while (facts->objects.len <= object.v)
        rcp_vec_push(&facts->objects, (rcp_object_facts){0});
    return &facts->objects.at[object.v];
}

static void enter(rcp_object_facts *barrier, uint32_t tid) {
    for (size_t i = 0; i < barrier->entrants.len; i++)
        if (barrier->entrants.at[i] == tid)
            return;
    rcp_vec_push(&barrier->entrants, tid);
}

void rcp_order_facts_add(rcp_order_facts *facts, const rcp_event *events, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const rcp_event *e = &events[i];
        switch (e->kind) {
        case RCP_SIGNAL:
        case RCP_BROADCAST:
        case RCP_SEM_POST: {
            rcp_object_facts *object = object_at(facts, e->object);
            object->several |= object->giver && object->giver != e->tid.v + 1;
            object->giver = e->tid.v + 1;
            break;
        }
        case RCP_BARRIER_ENTER: enter(object_at(facts, e->object), e->tid.v); break;
        default: break;
        }
    }
}
