/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/trace.h"

/* What a term's slot asks of it: one of the two markers, or a real term of this width (0: any). */
static rcp_code term_fits(const rcp_terms *terms, const char *slot, rcp_term term, bool used, unsigned width) {
    if (!rcp_term_is_real(term)) {
        if (term.v && !used)
            return rcp_fail(RCP_BAD_INPUT, "this kind of event has no %s term", slot);
        return RCP_OK;
    }
    if (!used)
        return rcp_fail(RCP_BAD_INPUT, "this kind of event has no %s term", slot);
    if (term.v - RCP_TERM_FIRST >= rcp_terms_count(terms))
        return rcp_fail(RCP_BAD_INPUT, "%s term %u does not exist", slot, term.v);
    unsigned have = rcp_term_borrow(terms, term)->width;
    if (width && have != width)
        return rcp_fail(RCP_BAD_INPUT, "%s term has %u bits where %u are needed", slot, have, width);
    return RCP_OK;
}

static bool wider_than(uint64_t value, uint32_t bytes) { return bytes < 8 && value >> (8 * bytes); }

rcp_code rcp_event_validate(const rcp_defs *defs, const rcp_terms *terms, const rcp_event *e) {
    if (e->kind >= RCP_KINDS)
        return rcp_fail(RCP_BAD_INPUT, "no event has kind %u", e->kind);
    const rcp_traits *traits = rcp_event_traits(e->kind);
    uint32_t uses = traits->uses;
    if (e->outcome >= RCP_OUTCOMES || !(traits->outcomes >> e->outcome & 1))
        return rcp_fail(RCP_BAD_INPUT, "'%s' can't have outcome %u", traits->name, e->outcome);
    if (e->mode >= (uses & RCP_USES_ORDER ? RCP_ORDERS : uses & RCP_USES_MODE ? RCP_MODES : 1))
        return rcp_fail(RCP_BAD_INPUT, "'%s' can't have mode %u", traits->name, e->mode);
    if (e->tid.v >= defs->threads.len)
        return rcp_fail(RCP_BAD_INPUT, "thread %u does not exist", e->tid.v);
    if (e->loc.v >= defs->locations.len)
        return rcp_fail(RCP_BAD_INPUT, "source location %u does not exist", e->loc.v);
    if (e->stack.v >= defs->stacks.len)
        return rcp_fail(RCP_BAD_INPUT, "stack %u does not exist", e->stack.v);
    if (e->valued > (uses & RCP_USES_VALUE ? 1 : 0))
        return rcp_fail(RCP_BAD_INPUT, "'%s' has no value", traits->name);

    if (uses & RCP_USES_CHILD && e->child.v >= defs->threads.len)
        return rcp_fail(RCP_BAD_INPUT, "thread %u does not exist", e->child.v);
    if (uses & RCP_USES_OBJECT) {
        if (e->object.v >= defs->objects.len)
            return rcp_fail(RCP_BAD_INPUT, "object %u does not exist", e->object.v);
        const rcp_object *object = &defs->objects.at[e->object.v];
        if (!(traits->objects >> object->kind & 1))
            return rcp_fail(RCP_BAD_INPUT, "'%s' is not for a %s", traits->name, rcp_object_kind_name(object->kind));
        if (uses & RCP_USES_MODE && e->mode == RCP_SHARED && object->kind != RCP_RWLOCK)
            return rcp_fail(RCP_BAD_INPUT, "only a rwlock can be held in shared mode");
    }
    if (uses & RCP_USES_LOCK) {
        if (e->lock.v >= defs->objects.len)
            return rcp_fail(RCP_BAD_INPUT, "object %u does not exist", e->lock.v);
        uint8_t kind = defs->objects.at[e->lock.v].kind;
        if (kind != RCP_MUTEX && kind != RCP_RECURSIVE)
            return rcp_fail(RCP_BAD_INPUT, "'%s' needs a mutex, not a %s", traits->name, rcp_object_kind_name(kind));
    }
    if (uses & RCP_USES_REACH) {
        if (e->reach.v >= defs->reaches.len)
            return rcp_fail(RCP_BAD_INPUT, "reach %u does not exist", e->reach.v);
        if (e->callee.v >= defs->strings.len)
            return rcp_fail(RCP_BAD_INPUT, "string %u does not exist", e->callee.v);
    }
    if (uses & RCP_USES_ADDR) {
        uint64_t extent = rcp_event_extent(e);
        if (uses & RCP_USES_SIZE && !extent)
            return rcp_fail(RCP_BAD_INPUT, "an access of 0 bytes");
        if (uses & RCP_USES_SIZE && extent > RCP_ACCESS_MAX)
            return rcp_fail(RCP_BAD_INPUT, "an access of %u bytes; one has at most %u: divide it", e->size,
                            RCP_ACCESS_MAX);
        if (extent && e->addr > UINT64_MAX - extent)
            return rcp_fail(RCP_BAD_INPUT, "the range reaches past the end of the address space");
    }
    if (uses & RCP_USES_SIZE && e->valued && e->size <= 8) {
        if (wider_than(e->value, e->size) || (e->kind == RCP_RMW && wider_than(e->written, e->size)))
            return rcp_fail(RCP_BAD_INPUT, "the value is wider than the %u bytes of the access", e->size);
    }
    if (e->kind == RCP_RMW && e->mode == RCP_PLAIN)
        return rcp_fail(RCP_BAD_INPUT, "an rmw is atomic: its order can't be plain");

    /* A value wider than 64 bits has no term of its own: CONST or ALL. */
    unsigned bits = e->size <= 8 ? 8 * e->size : 0;
    bool wide = uses & RCP_USES_SIZE && e->size > 8;
    RCP_TRY(
        term_fits(terms, "value", e->value_term, uses & RCP_USES_VALUE_TERM && !(wide && e->value_term.v > 1), bits));
    RCP_TRY(term_fits(terms, "address", e->addr_term, uses & RCP_USES_ADDR_TERM, 64));
    return term_fits(terms, "condition", e->cond, uses & RCP_USES_COND, e->kind == RCP_BRANCH ? 0 : 1);
}
