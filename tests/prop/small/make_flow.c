/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/maker.h"

enum { NAME = RCP_MAKE_NAME, LOOP_MAX = 3 };

static uint16_t branch_on(rcp_maker *m, rcp_small_expression condition) {
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = condition});
    return (uint16_t)(rcp_make_here(m) - 1);
}

static uint16_t jump(rcp_maker *m) {
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_JUMP});
    return (uint16_t)(rcp_make_here(m) - 1);
}

static void side(rcp_maker *m) {
    m->depth++;
    rcp_make_block(m, 1 + rcp_make_below(m, 2));
    m->depth--;
}

void rcp_make_branch(rcp_maker *m, rcp_small_expression condition, bool both) {
    char text[NAME];
    rcp_make_say(m, "if (%s) {", rcp_make_value_text(condition, text));
    uint16_t branch = branch_on(m, condition);
    side(m);
    if (both) {
        rcp_make_say(m, "} else {");
        uint16_t over = jump(m);
        rcp_make_land(m, branch);
        side(m);
        rcp_make_land(m, over);
    } else
        rcp_make_land(m, branch);
    rcp_make_say(m, "}");
}

/* Two conditions, both of which must hold. */
static void branch_on_both(rcp_maker *m, rcp_small_expression a, rcp_small_expression b) {
    char text[NAME], other[NAME];
    rcp_make_say(m, "if ((%s) && (%s)) {", rcp_make_value_text(a, text), rcp_make_value_text(b, other));
    uint16_t first = branch_on(m, a), second = branch_on(m, b);
    side(m);
    rcp_make_land(m, first);
    rcp_make_land(m, second);
    rcp_make_say(m, "}");
}

void rcp_make_decide(rcp_maker *m) {
    uint8_t r = rcp_make_guarded_load(m);
    if (r == RCP_MAKE_COUNTER)
        return;
    if (rcp_make_percent(m, 10))
        branch_on_both(m, rcp_make_condition(m, r), rcp_make_condition(m, rcp_make_register(m)));
    else
        rcp_make_branch(m, rcp_make_condition(m, r), rcp_make_percent(m, 50));
}

void rcp_make_switch(rcp_maker *m) {
    enum { CASES = 2 };
    uint8_t r = rcp_make_guarded_load(m);
    uint16_t over[CASES];
    if (r == RCP_MAKE_COUNTER)
        return;
    rcp_make_say(m, "switch (r%d) {", r);
    for (int i = 0; i < CASES; i++) {
        rcp_make_say(m, "case %d:", i);
        uint16_t branch = branch_on(m, (rcp_small_expression){RCP_SMALL_EQUAL, r, 0, i});
        side(m);
        rcp_make_say(m, "    break;");
        over[i] = jump(m);
        rcp_make_land(m, branch);
    }
    rcp_make_say(m, "default:;");
    side(m);
    for (int i = 0; i < CASES; i++)
        rcp_make_land(m, over[i]);
    rcp_make_say(m, "}");
}

void rcp_make_loop(rcp_maker *m) {
    const unsigned counter = RCP_MAKE_COUNTER;
    if (m->frozen >> counter & 1)
        return;
    uint8_t r = rcp_make_register(m);
    bool is_fixed = m->frozen >> r & 1 || rcp_make_percent(m, 50);
    rcp_small_expression bound = {RCP_SMALL_BELOW, (uint8_t)counter, 0, 2};
    char text[NAME];
    if (!is_fixed) {
        bound = (rcp_small_expression){RCP_SMALL_LESS, (uint8_t)counter, r, 0};
        rcp_small_expression low = {RCP_SMALL_AND, r, 0, LOOP_MAX};
        rcp_make_say(m, "r%d = %s;", r, rcp_make_value_text(low, text));
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = r, .value = low});
    }
    rcp_make_say(m, "for (r%u = 0; %s; r%u++) {", counter, rcp_make_value_text(bound, text), counter);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = (uint8_t)counter});
    uint16_t top = branch_on(m, bound);
    unsigned frozen = m->frozen;
    m->frozen |= 1u << counter | (is_fixed ? 0 : 1u << r);
    m->depth++;
    rcp_make_block(m, 1);
    m->depth--;
    m->frozen = frozen;
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET,
                                   .to = (uint8_t)counter,
                                   .value = {RCP_SMALL_ADD, (uint8_t)counter, 0, 1}});
    uint16_t back = jump(m);
    m->code.at[back].target = top;
    rcp_make_land(m, top);
    rcp_make_say(m, "}");
}

void rcp_make_compute(rcp_maker *m) {
    uint8_t to = rcp_make_free_register(m);
    char text[NAME];
    if (to == RCP_MAKE_COUNTER)
        return;
    rcp_small_expression value = rcp_make_value(m);
    rcp_make_say(m, "r%d = %s;", to, rcp_make_value_text(value, text));
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = to, .value = value});
}

/* r = c ? a : b */
void rcp_make_choose(rcp_maker *m) {
    uint8_t to = rcp_make_free_register(m);
    char c[NAME], a[NAME], b[NAME];
    if (to == RCP_MAKE_COUNTER)
        return;
    rcp_small_expression condition = rcp_make_condition(m, rcp_make_register(m));
    rcp_small_expression values[2] = {rcp_make_value(m), rcp_make_value(m)};
    rcp_make_say(m, "r%d = %s ? %s : %s;", to, rcp_make_value_text(condition, c), rcp_make_value_text(values[0], a),
                 rcp_make_value_text(values[1], b));
    uint16_t branch = branch_on(m, condition);
    m->code.at[branch].is_select = values[0].what == RCP_SMALL_CONST && values[1].what == RCP_SMALL_CONST;
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = to, .value = values[0]});
    uint16_t over = jump(m);
    rcp_make_land(m, branch);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = to, .value = values[1]});
    rcp_make_land(m, over);
}

/* --- functions --- */

static rcp_small_expression shifted(rcp_small_expression e) {
    bool is_address = e.what == RCP_SMALL_POINTS || e.what == RCP_SMALL_POINTS_TO;
    e.r = (uint8_t)(e.r + (is_address ? RCP_SMALL_ADDRESS_BANK : RCP_SMALL_BANK));
    e.s = (uint8_t)(e.s + RCP_SMALL_BANK);
    return e;
}

/* The function's operations, with registers of its own: its argument is its first one. */
static void inline_function(rcp_maker *m, unsigned which, rcp_small_expression argument) {
    for (uint8_t i = 0; i < RCP_SMALL_BANK; i++)
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET,
                                       .to = (uint8_t)(RCP_SMALL_BANK + i),
                                       .value = i ? (rcp_small_expression){0} : argument});
    uint16_t base = rcp_make_here(m);
    for (size_t i = 0; i < m->functions[which].len; i++) {
        rcp_small_op op = m->functions[which].at[i];
        op.target = (uint16_t)(op.target + base);
        op.to = (uint8_t)(op.to + (op.kind == RCP_SMALL_LOAD_POINTER ? RCP_SMALL_ADDRESS_BANK : RCP_SMALL_BANK));
        op.value = shifted(op.value);
        op.place.index = shifted(op.place.index);
        if (op.place.where == RCP_SMALL_THROUGH)
            op.place.cell += RCP_SMALL_ADDRESS_BANK;
        if (op.is_chosen)
            op.object += RCP_SMALL_BANK;
        rcp_make_put(m, op);
    }
}

void rcp_make_call(rcp_maker *m) {
    uint8_t to = rcp_make_free_register(m), r = rcp_make_register(m);
    if (m->in_function || m->made_functions < RCP_MAKE_FUNCTIONS || to == RCP_MAKE_COUNTER)
        return;
    rcp_small_expression argument = rcp_make_value(m);
    rcp_small_expression result = {RCP_SMALL_REGISTER, RCP_SMALL_BANK + 1, 0, 0};
    unsigned which = rcp_make_below(m, RCP_MAKE_FUNCTIONS);
    bool is_indirect = rcp_make_percent(m, 30);
    if (m->held && (is_indirect ? m->locks[0] || m->locks[1] : m->locks[which]))
        return;
    char text[NAME];
    rcp_make_value_text(argument, text);
    if (is_indirect) {
        rcp_make_say(m, "r%d = functions[r%d & 1](%s);", to, r, text);
        uint16_t branch = branch_on(m, (rcp_small_expression){RCP_SMALL_AND, r, 0, 1});
        inline_function(m, 1, argument);
        uint16_t over = jump(m);
        rcp_make_land(m, branch);
        inline_function(m, 0, argument);
        rcp_make_land(m, over);
    } else {
        rcp_make_say(m, "r%d = function%u(%s);", to, which, text);
        inline_function(m, which, argument);
    }
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = to, .value = result});
    for (uint8_t i = 0; i < RCP_SMALL_BANK; i++) /* who has them no more does not tell states apart */
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = (uint8_t)(RCP_SMALL_BANK + i)});
}

void rcp_make_return(rcp_maker *m) {
    if (m->depth < 2 || m->held || !m->may_return)
        return;
    if (m->in_function)
        rcp_make_say(m, "return r1;");
    else
        rcp_make_say(m, "return RESULT;");
    uint16_t to_end = jump(m);
    rcp_vec_push(&m->returns, to_end);
}

void rcp_make_exit(rcp_maker *m) {
    int code = 1 + (int)rcp_make_below(m, 3);
    if (m->depth < 2)
        return;
    uint16_t line = rcp_make_below(m, 2) ? rcp_make_say(m, "exit(%d);", code) : rcp_make_say(m, "_exit(%d);", code);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_EXIT, .object = (int16_t)code, .line = line});
}
