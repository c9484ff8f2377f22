/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/maker.h"

#include <stdio.h>

enum { NAME = RCP_MAKE_NAME };

/* --- values and places --- */

const char *rcp_make_value_text(rcp_small_expression e, char to[NAME]) {
    static const char *const binary[] = {
        [RCP_SMALL_ADD] = "+",    [RCP_SMALL_XOR] = "^",      [RCP_SMALL_AND] = "&",   [RCP_SMALL_TIMES] = "*",
        [RCP_SMALL_EQUAL] = "==", [RCP_SMALL_DIFFERS] = "!=", [RCP_SMALL_BELOW] = "<", [RCP_SMALL_ABOVE] = ">"};
    switch ((rcp_small_value)e.what) {
    case RCP_SMALL_CONST: snprintf(to, NAME, "%d", e.c); break;
    case RCP_SMALL_REGISTER: snprintf(to, NAME, "r%d", e.r); break;
    case RCP_SMALL_SUM: snprintf(to, NAME, "r%d + r%d", e.r, e.s); break;
    case RCP_SMALL_SAME: snprintf(to, NAME, "r%d == r%d", e.r, e.s); break;
    case RCP_SMALL_LESS: snprintf(to, NAME, "r%d < r%d", e.r, e.s); break;
    case RCP_SMALL_POINTS: snprintf(to, NAME, "q%d", e.r); break;
    case RCP_SMALL_POINTS_TO:
        snprintf(to, NAME, e.c < RCP_SMALL_VARIABLES ? "q%d == &x%d" : "q%d == &a[%d]", e.r,
                 e.c < RCP_SMALL_VARIABLES ? e.c : e.c - RCP_SMALL_VARIABLES);
        break;
    default: snprintf(to, NAME, "r%d %s %d", e.r, binary[e.what], e.c); break;
    }
    return to;
}

const char *rcp_make_place_text(rcp_small_place place, char to[NAME]) {
    char index[NAME];
    if (place.where == RCP_SMALL_THROUGH)
        snprintf(to, NAME, "*q%d", place.cell);
    else if (place.where == RCP_SMALL_INDEXED)
        snprintf(to, NAME, "a[(%.40s) & %d]", rcp_make_value_text(place.index, index), RCP_SMALL_ELEMENTS - 1);
    else if (place.byte)
        snprintf(to, NAME, "((unsigned char *)&x%d)[%d]", place.cell, place.byte - 1);
    else if (place.cell < RCP_SMALL_VARIABLES)
        snprintf(to, NAME, "x%d", place.cell);
    else
        snprintf(to, NAME, "a[%d]", place.cell - RCP_SMALL_VARIABLES);
    return to;
}

uint8_t rcp_make_register(rcp_maker *m) { return (uint8_t)rcp_make_below(m, RCP_MAKE_COUNTER); }

uint8_t rcp_make_free_register(rcp_maker *m) {
    uint8_t r = rcp_make_register(m);
    for (unsigned i = 0; i < RCP_MAKE_COUNTER; i++, r = (uint8_t)((r + 1) % RCP_MAKE_COUNTER))
        if (!(m->frozen >> r & 1))
            return r;
    return RCP_MAKE_COUNTER;
}

rcp_small_expression rcp_make_value(rcp_maker *m) {
    static const uint8_t what[] = {RCP_SMALL_REGISTER, RCP_SMALL_ADD,   RCP_SMALL_XOR,
                                   RCP_SMALL_AND,      RCP_SMALL_TIMES, RCP_SMALL_SUM};
    rcp_small_expression e = {.what = RCP_SMALL_CONST, .c = (int32_t)rcp_make_below(m, 4)};
    if (rcp_make_percent(m, 60))
        return e;
    e.what = what[rcp_make_below(m, sizeof what)];
    e.r = rcp_make_register(m);
    e.s = rcp_make_register(m);
    e.c = 1 + (int32_t)rcp_make_below(m, 3);
    return e;
}

rcp_small_expression rcp_make_condition(rcp_maker *m, uint8_t r) {
    static const uint8_t what[] = {RCP_SMALL_EQUAL, RCP_SMALL_DIFFERS, RCP_SMALL_BELOW,
                                   RCP_SMALL_ABOVE, RCP_SMALL_AND,     RCP_SMALL_SAME};
    rcp_small_expression e = {.what = what[rcp_make_below(m, sizeof what)], .r = r, .s = rcp_make_register(m)};
    e.c = (int32_t)rcp_make_below(m, 4);
    if (e.what == RCP_SMALL_AND)
        e.c = 1 + (int32_t)rcp_make_below(m, 2);
    else if (e.what == RCP_SMALL_BELOW)
        e.c = 1 + (int32_t)rcp_make_below(m, 3);
    return e;
}

/* Some of the array's are enough: threads should meet there. */
uint8_t rcp_make_cell(rcp_maker *m) { return (uint8_t)rcp_make_below(m, RCP_SMALL_VARIABLES + 2); }

static rcp_small_place any_place(rcp_maker *m) {
    rcp_small_place place = {.where = RCP_SMALL_AT, .cell = rcp_make_cell(m)};
    if (rcp_make_percent(m, 12)) {
        place.where = RCP_SMALL_INDEXED;
        place.cell = RCP_SMALL_VARIABLES;
        place.index = (rcp_small_expression){rcp_make_percent(m, 60) ? RCP_SMALL_REGISTER : RCP_SMALL_ADD,
                                             rcp_make_register(m), 0, 1};
    } else if (place.cell < RCP_SMALL_VARIABLES && rcp_make_percent(m, 6))
        place.byte = (uint8_t)(1 + rcp_make_below(m, 2));
    return place;
}

/* --- accesses --- */

void rcp_make_load(rcp_maker *m, rcp_small_place place, uint8_t to, bool atomically) {
    char name[NAME];
    rcp_make_place_text(place, name);
    uint16_t line = atomically ? rcp_make_say(m, "r%d = __atomic_load_n(&%s, __ATOMIC_SEQ_CST);", to, name)
                               : rcp_make_say(m, "r%d = %s;", to, name);
    uint8_t kind = atomically ? RCP_SMALL_ATOMIC_LOAD : RCP_SMALL_LOAD;
    rcp_make_put(m, (rcp_small_op){.kind = kind, .to = to, .place = place, .line = line});
}

void rcp_make_store(rcp_maker *m, rcp_small_place place, rcp_small_expression value, bool atomically) {
    char name[NAME], text[NAME];
    rcp_make_place_text(place, name);
    rcp_make_value_text(value, text);
    uint16_t line = atomically ? rcp_make_say(m, "__atomic_store_n(&%s, %s, __ATOMIC_SEQ_CST);", name, text)
                               : rcp_make_say(m, "%s = %s;", name, text);
    uint8_t kind = atomically ? RCP_SMALL_ATOMIC_STORE : RCP_SMALL_STORE;
    rcp_make_put(m, (rcp_small_op){.kind = kind, .place = place, .value = value, .line = line});
}

static void fetch_add(rcp_maker *m, rcp_small_place place, uint8_t to) {
    char name[NAME];
    rcp_make_place_text(place, name);
    rcp_small_op op = {.kind = RCP_SMALL_FETCH_ADD, .to = to, .place = place, .value = {RCP_SMALL_CONST, 0, 0, 1}};
    op.line = rcp_make_say(m, "r%d = __atomic_fetch_add(&%s, 1, __ATOMIC_SEQ_CST);", to, name);
    rcp_make_put(m, op);
}

/* Under the lock that the location has, as a careful programmer would; not always. Which it took; below 0: none. */
static int take_guard(rcp_maker *m, unsigned location, bool *atomically) {
    int guard = m->guard[location];
    *atomically = guard == RCP_MAKE_ATOMIC && rcp_make_percent(m, 85);
    if (guard < 0 || !rcp_make_may_lock(m, guard) || rcp_make_percent(m, 12))
        return RCP_MAKE_UNGUARDED;
    rcp_make_lock(m, guard);
    return guard;
}

static void leave_guard(rcp_maker *m, int guard) {
    if (guard >= 0)
        rcp_make_unlock(m, guard);
}

uint8_t rcp_make_guarded_load(rcp_maker *m) {
    uint8_t to = rcp_make_free_register(m);
    if (to == RCP_MAKE_COUNTER)
        return to;
    rcp_small_place place = any_place(m);
    bool atomically;
    int guard = take_guard(m, place.cell, &atomically);
    rcp_make_load(m, place, to, atomically);
    leave_guard(m, guard);
    return to;
}

void rcp_make_fetch(rcp_maker *m) { rcp_make_guarded_load(m); }

void rcp_make_guarded_store(rcp_maker *m) {
    rcp_small_place place = any_place(m);
    bool atomically;
    int guard = take_guard(m, place.cell, &atomically);
    uint8_t to = rcp_make_free_register(m);
    if (atomically && rcp_make_percent(m, 30) && to != RCP_MAKE_COUNTER)
        fetch_add(m, place, to);
    else
        rcp_make_store(m, place, rcp_make_value(m), atomically);
    leave_guard(m, guard);
}

/* A read and a write of one line. */
void rcp_make_increase(rcp_maker *m) {
    rcp_small_place place = {.where = RCP_SMALL_AT, .cell = rcp_make_cell(m)};
    bool atomically;
    int guard = take_guard(m, place.cell, &atomically);
    char name[NAME];
    uint16_t line = rcp_make_say(m, "%s += 1;", rcp_make_place_text(place, name));
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_LOAD, .to = RCP_MAKE_HIDDEN, .place = place, .line = line});
    rcp_make_put(
        m, (rcp_small_op){
               .kind = RCP_SMALL_STORE, .place = place, .line = line, .value = {RCP_SMALL_ADD, RCP_MAKE_HIDDEN, 0, 1}});
    /* who has it no more does not tell states apart */
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = RCP_MAKE_HIDDEN});
    leave_guard(m, guard);
}

void rcp_make_swap(rcp_maker *m) {
    uint8_t to = rcp_make_free_register(m);
    if (to == RCP_MAKE_COUNTER)
        return;
    rcp_small_place place = {.where = RCP_SMALL_AT, .cell = rcp_make_cell(m)};
    rcp_small_op op = {.kind = RCP_SMALL_SWAP, .to = to, .place = place, .expected = (int16_t)rcp_make_below(m, 2)};
    op.value = (rcp_small_expression){RCP_SMALL_CONST, 0, 0, op.expected + 1};
    char name[NAME];
    op.line = rcp_make_say(m, "{ int o = %d; r%d = __atomic_compare_exchange_n(&%s, &o, %d, 0, 5, 5); }", op.expected,
                           to, rcp_make_place_text(place, name), op.expected + 1);
    rcp_make_put(m, op);
    if (rcp_make_percent(m, 50))
        rcp_make_branch(m, (rcp_small_expression){RCP_SMALL_DIFFERS, to, 0, 0}, rcp_make_percent(m, 30));
}

void rcp_make_pointer_store(rcp_maker *m) {
    uint8_t p = (uint8_t)rcp_make_below(m, RCP_SMALL_POINTERS);
    rcp_small_place place = {.where = RCP_SMALL_AT, .cell = rcp_make_cell(m)};
    char name[NAME];
    bool atomically;
    if (rcp_make_percent(m, 15))
        place.where = RCP_SMALL_NOWHERE;
    int guard = take_guard(m, RCP_SMALL_CELLS + p, &atomically);
    uint16_t line = place.where == RCP_SMALL_NOWHERE
                        ? rcp_make_say(m, "p%d = 0;", p)
                        : rcp_make_say(m, "p%d = &%s;", p, rcp_make_place_text(place, name));
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_STORE_POINTER, .object = p, .place = place, .line = line});
    leave_guard(m, guard);
}

/* A block of the heap, for all who have the pointer. Each call of malloc is executed once at most. */
void rcp_make_publish(rcp_maker *m) {
    if (m->in_function || m->frozen >> RCP_MAKE_COUNTER & 1 || m->blocks == RCP_SMALL_BLOCKS)
        return;
    uint8_t p = (uint8_t)rcp_make_below(m, RCP_SMALL_POINTERS), q = (uint8_t)rcp_make_below(m, RCP_SMALL_ADDRESS_BANK);
    rcp_small_place place = {.where = RCP_SMALL_THROUGH, .cell = q};
    rcp_make_say(m, "q%d = malloc(sizeof(int));", q);
    rcp_make_put(
        m, (rcp_small_op){.kind = RCP_SMALL_ALLOCATE, .to = q, .object = (int16_t)(RCP_SMALL_STATIC + m->blocks++)});
    rcp_make_store(m, place, rcp_make_value(m), false);
    bool atomically;
    int guard = take_guard(m, RCP_SMALL_CELLS + p, &atomically);
    uint16_t line = rcp_make_say(m, "p%d = q%d;", p, q);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_STORE_POINTER, .object = p, .place = place, .line = line});
    leave_guard(m, guard);
    if (rcp_make_percent(m, 40))
        rcp_make_store(m, place, rcp_make_value(m), false);
}

/* Most programmers look whether it is NULL. */
void rcp_make_dereference(rcp_maker *m) {
    uint8_t p = (uint8_t)rcp_make_below(m, RCP_SMALL_POINTERS);
    uint8_t q = (uint8_t)rcp_make_below(m, RCP_SMALL_ADDRESS_BANK), to = rcp_make_free_register(m);
    bool atomically, careful = rcp_make_percent(m, 75);
    int guard = take_guard(m, RCP_SMALL_CELLS + p, &atomically);
    uint16_t line = rcp_make_say(m, "q%d = p%d;", q, p);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_LOAD_POINTER, .to = q, .object = p, .line = line});
    if (guard >= 0 && rcp_make_percent(m, 70)) {
        rcp_make_unlock(m, guard);
        guard = RCP_MAKE_UNGUARDED;
    }
    rcp_small_expression condition = {rcp_make_percent(m, 85) ? RCP_SMALL_POINTS : RCP_SMALL_POINTS_TO, q, 0,
                                      rcp_make_cell(m)};
    uint16_t branch = rcp_make_here(m);
    char text[NAME];
    if (careful) {
        rcp_make_say(m, "if (%s) {", rcp_make_value_text(condition, text));
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = condition});
        m->depth++;
    }
    rcp_small_place place = {.where = RCP_SMALL_THROUGH, .cell = q};
    if (to != RCP_MAKE_COUNTER && rcp_make_percent(m, 50))
        rcp_make_load(m, place, to, false);
    else
        rcp_make_store(m, place, rcp_make_value(m), false);
    if (careful) {
        m->depth--;
        rcp_make_land(m, branch);
        rcp_make_say(m, "}");
    }
    leave_guard(m, guard);
}
