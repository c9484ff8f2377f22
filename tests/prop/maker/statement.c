/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: assignments, control, atomics. What a program costs is counted while it is made: `factor` is how often
 * the place runs at most, so loops and calls stop nesting when the budget is spent. */
#include "prop/maker/maker.h"

bool rcp_affords(const rcp_maker *m, uint64_t cost) { return m->cost + m->factor * cost <= m->budget; }

static void statement(rcp_maker *m);

void rcp_statements(rcp_maker *m, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        statement(m);
}

void rcp_body(rcp_maker *m, unsigned n) {
    size_t places = m->places.len, arrays = m->arrays.len, pointers = m->pointers.len, values[16];
    for (size_t i = 0; i < m->records.len; i++)
        values[i] = m->records.at[i].values.len;
    m->depth++;
    rcp_statements(m, n);
    m->depth--;
    m->places.len = places;
    m->arrays.len = arrays;
    m->pointers.len = pointers;
    for (size_t i = 0; i < m->records.len; i++)
        m->records.at[i].values.len = values[i];
}

static unsigned few(rcp_maker *m) { return 1 + rcp_pick(m, m->depth ? 2 : 3); }

/* An assignment to `text`, of whatever form the type has. */
static void assign(rcp_maker *m, const char *text, rcp_ctype type) {
    const rcp_ctype_traits *t = &rcp_ctypes[type];
    if (type != RCP_BOOLEAN && rcp_chance(m, 25)) {
        rcp_note(m, RCP_FEATURE_INCREMENT);
        rcp_line(m, rcp_chance(m, 50) ? "%s++;" : "--%s;", text);
        return;
    }
    if (type != RCP_BOOLEAN && rcp_chance(m, 40)) {
        static const char *const ops[] = {"+=", "-=", "*=", "^=", "|=", "&="};
        rcp_note(m, RCP_FEATURE_COMPOUND);
        if (!t->is_float && rcp_chance(m, 20))
            rcp_line(m, "%s %s= (%s & %u);", text, rcp_chance(m, 50) ? "<<" : ">>", rcp_expression(m, RCP_U8, 1),
                     t->bits - 1);
        else if (rcp_chance(m, 15))
            rcp_line(m, "%s %s= %u;", text, t->is_float || rcp_chance(m, 50) ? "/" : "%", 2 + rcp_pick(m, 30));
        else
            rcp_line(m, "%s %s %s;", text, ops[rcp_pick(m, t->is_float ? 3 : 6)], rcp_expression(m, type, 2));
        return;
    }
    rcp_line(m, "%s = %s;", text, rcp_expression(m, type, 3));
}

static void assign_place(rcp_maker *m) {
    const rcp_place *place = rcp_any_place(m, true);
    if (place)
        assign(m, place->text, place->type);
}

static void assign_element(rcp_maker *m) {
    if (!m->arrays.len)
        return;
    rcp_array array = m->arrays.at[rcp_pick(m, (uint32_t)m->arrays.len)];
    assign(m, rcp_element(m, &array), array.type);
}

static void declare_scalar(rcp_maker *m) {
    rcp_ctype type = rcp_any_type(m);
    const char *name = rcp_name(m, "v"), *kind = "";
    rcp_feature feature = RCP_FEATURE_COMPOUND;
    if (rcp_chance(m, 10)) {
        kind = "volatile ";
        feature = RCP_FEATURE_VOLATILE;
    } else if (rcp_chance(m, 8)) { /* shared: it is one for all threads */
        kind = "static ";
        feature = RCP_FEATURE_STATIC_LOCAL;
    }
    rcp_line(m, "%s%s %s = %s;", kind, rcp_ctypes[type].name, name, *kind == 's' ? "1" : rcp_expression(m, type, 2));
    rcp_note(m, feature);
    rcp_vec_push(&m->places, ((rcp_place){.text = name, .type = type, .feature = feature}));
}

static void declare_array(rcp_maker *m) {
    rcp_ctype type = rcp_any_type(m);
    const char *name = rcp_name(m, "l");
    uint32_t n = 2 + rcp_pick(m, 7);
    if (!rcp_affords(m, n))
        return;
    m->cost += m->factor * n;
    rcp_line(m, "%s %s[%u];", rcp_ctypes[type].name, name, n);
    rcp_line(m, "for (unsigned i = 0; i < %u; i++)", n);
    rcp_line(m, "    %s[i] = %s;", name, rcp_expression(m, type, 1));
    rcp_note(m, RCP_FEATURE_ARRAY_LOCAL);
    rcp_vec_push(&m->arrays, ((rcp_array){name, type, 0, n, true}));
}

static void declare_record(rcp_maker *m) {
    rcp_record *record = &m->records.at[rcp_pick(m, (uint32_t)m->records.len)];
    const char *name = rcp_name(m, "r"), *from = record->values.at[rcp_pick(m, (uint32_t)record->values.len)];
    rcp_line(m, "%s %s = %s;", record->name, name, from);
    rcp_note(m, RCP_FEATURE_STRUCT_LOCAL);
    rcp_vec_push(&record->values, name);
    for (size_t i = 0; i < record->fields.len; i++) {
        rcp_place field = record->fields.at[i];
        field.text = rcp_say(m, "%s%s", name, field.text);
        rcp_vec_push(&m->places, field);
    }
}

static void assign_record(rcp_maker *m) {
    const rcp_record *record = &m->records.at[rcp_pick(m, (uint32_t)m->records.len)];
    rcp_note(m, RCP_FEATURE_STRUCT_ASSIGN);
    rcp_line(m, "%s = %s;", record->values.at[rcp_pick(m, (uint32_t)record->values.len)],
             record->values.at[rcp_pick(m, (uint32_t)record->values.len)]);
}

static void choose(rcp_maker *m) {
    rcp_open(m, "if (%s)", rcp_condition(m, 2));
    rcp_body(m, few(m));
    if (rcp_chance(m, 50)) {
        m->indent--;
        rcp_open(m, "} else");
        rcp_body(m, few(m));
    }
    rcp_close(m, "");
}

static void loop(rcp_maker *m) {
    uint32_t times = 1 + rcp_pick(m, 6);
    if (!rcp_affords(m, times * 3))
        return;
    const char *name = rcp_name(m, "i");
    size_t places = m->places.len;
    bool was_in_loop = m->in_loop;
    uint64_t factor = m->factor;
    unsigned kind = rcp_pick(m, 3);
    if (was_in_loop)
        rcp_note(m, RCP_FEATURE_LOOP_NESTED);
    rcp_note(m, kind == 0 ? RCP_FEATURE_LOOP_FOR : kind == 1 ? RCP_FEATURE_LOOP_WHILE : RCP_FEATURE_LOOP_DO);
    m->factor *= times;
    m->in_loop = true;
    rcp_place counter = {.text = name, .type = RCP_U32, .is_constant = true, .feature = RCP_FEATURE_LOOP_FOR};
    if (kind == 0) {
        rcp_open(m, "for (uint32_t %s = 0; %s < %u; %s++)", name, name, times, name);
        rcp_vec_push(&m->places, counter);
        rcp_body(m, few(m) + 1);
        rcp_close(m, "");
    } else {
        rcp_block(m);
        rcp_line(m, "uint32_t %s = 0;", name);
        rcp_vec_push(&m->places, counter);
        if (kind == 1)
            rcp_open(m, "while (%s++ < %u && %s)", name, times, rcp_condition(m, 1));
        else
            rcp_open(m, "do");
        rcp_body(m, few(m));
        rcp_close(m, kind == 1 ? "" : rcp_say(m, " while (++%s < %u && %s);", name, times, rcp_condition(m, 1)));
        rcp_close(m, "");
    }
    m->places.len = places;
    m->factor = factor;
    m->in_loop = was_in_loop;
}

static void select_case(rcp_maker *m) {
    bool dense = rcp_chance(m, 50);
    unsigned n = 2 + rcp_pick(m, 3);
    rcp_note(m, dense ? RCP_FEATURE_SWITCH_DENSE : RCP_FEATURE_SWITCH_SPARSE);
    rcp_ctype type = rcp_any_integer(m);
    if (dense)
        rcp_open(m, "switch (%s)", rcp_index(m, n + 1));
    else
        rcp_open(m, "switch (%s)", rcp_expression(m, type, 2));
    uint64_t key = 0;
    for (unsigned i = 0; i < n; i++) {
        /* Sparse ones are small and ascending, so that they fit each type. */
        key += dense ? i > 0 : 1 + rcp_pick(m, 20);
        rcp_open(m, "case %u:", (unsigned)key);
        rcp_body(m, few(m));
        bool falls = rcp_chance(m, 20);
        if (falls)
            rcp_note(m, RCP_FEATURE_FALL_THROUGH);
        rcp_close(m, falls ? "" : " break;");
    }
    if (rcp_chance(m, 70)) {
        rcp_open(m, "default:");
        rcp_body(m, few(m));
        rcp_close(m, "");
    }
    rcp_close(m, "");
}

static void jump(rcp_maker *m) {
    const char *label = rcp_name(m, "L");
    switch (rcp_pick(m, 3)) {
    case 0:
        rcp_note(m, RCP_FEATURE_GOTO);
        rcp_line(m, "if (%s) goto %s;", rcp_condition(m, 1), label);
        rcp_block(m);
        rcp_body(m, few(m));
        rcp_close(m, "");
        rcp_line(m, "%s:;", label);
        break;
    case 1: {
        if (!rcp_affords(m, 9))
            return;
        uint64_t factor = m->factor;
        m->factor *= 3;
        rcp_note(m, RCP_FEATURE_GOTO_BACK);
        rcp_block(m);
        rcp_line(m, "unsigned again%s = 0;", label);
        rcp_line(m, "%s:;", label);
        rcp_block(m);
        rcp_body(m, few(m));
        rcp_close(m, "");
        rcp_line(m, "if (++again%s < 3 && %s) goto %s;", label, rcp_condition(m, 1), label);
        rcp_close(m, "");
        m->factor = factor;
        break;
    }
    default: {
        unsigned n = 2 + rcp_pick(m, 3);
        rcp_note(m, RCP_FEATURE_GOTO_COMPUTED);
        rcp_text list = {0};
        for (unsigned i = 0; i < n; i++)
            rcp_text_printf(&list, "%s&&%s_%u", i ? ", " : "", label, i);
        rcp_block(m);
        rcp_line(m, "static void *const way%s[] = {%s};", label, list.at);
        rcp_text_finish(&list);
        rcp_line(m, "goto *way%s[%s];", label, rcp_index(m, n));
        for (unsigned i = 0; i < n; i++) {
            rcp_line(m, "%s_%u:;", label, i);
            rcp_block(m);
            rcp_body(m, few(m));
            rcp_close(m, "");
            if (rcp_chance(m, 70))
                rcp_line(m, "goto %s_end;", label);
        }
        rcp_line(m, "%s_end:;", label);
        rcp_close(m, "");
        break;
    }
    }
}

static void leave(rcp_maker *m) {
    if (m->in_loop && rcp_chance(m, 60)) {
        bool breaks = rcp_chance(m, 50);
        rcp_note(m, breaks ? RCP_FEATURE_BREAK : RCP_FEATURE_CONTINUE);
        rcp_line(m, "if (%s) %s;", rcp_condition(m, 1), breaks ? "break" : "continue");
    } else if (m->may_return && m->depth > 1) {
        rcp_note(m, RCP_FEATURE_EARLY_RETURN);
        const char *condition = rcp_condition(m, 1);
        if (m->result_record >= 0) {
            const rcp_record *record = &m->records.at[m->result_record];
            rcp_line(m, "if (%s) return %s;", condition, record->values.at[rcp_pick(m, (uint32_t)record->values.len)]);
        } else
            rcp_line(m, "if (%s) return %s;", condition, rcp_expression(m, m->result, 1));
    }
}

static void atomic(rcp_maker *m) {
    static const char *const orders[] = {"__ATOMIC_RELAXED", "__ATOMIC_RELEASE", "__ATOMIC_SEQ_CST", "__ATOMIC_ACQUIRE",
                                         "__ATOMIC_ACQ_REL"};
    if (rcp_chance(m, 10)) {
        rcp_note(m, RCP_FEATURE_ATOMIC_FLOAT);
        rcp_line(m, "atomic_real %s %s;", rcp_chance(m, 50) ? "+=" : "=", rcp_expression(m, RCP_F64, 1));
        return;
    }
    if (rcp_chance(m, 10)) {
        rcp_note(m, RCP_FEATURE_ATOMIC_FENCE);
        rcp_line(m, "__atomic_thread_fence(%s);", orders[1 + rcp_pick(m, 4)]);
        return;
    }
    const rcp_place *place = &m->atomics.at[rcp_pick(m, (uint32_t)m->atomics.len)];
    const char *type = rcp_ctypes[place->type].name, *value = rcp_expression(m, place->type, 2);
    const rcp_place *to = rcp_any_place(m, true);
    switch (rcp_pick(m, 4)) {
    case 0:
        rcp_note(m, RCP_FEATURE_ATOMIC_STORE);
        rcp_line(m, "__atomic_store_n(&%s, %s, %s);", place->text, value, orders[rcp_pick(m, 3)]);
        break;
    case 1: {
        static const char *const ops[] = {"fetch_add",  "fetch_sub", "fetch_and", "fetch_or",  "fetch_xor",
                                          "fetch_nand", "add_fetch", "xor_fetch", "fetch_min", "fetch_max"};
        rcp_note(m, RCP_FEATURE_ATOMIC_RMW);
        const char *text =
            rcp_say(m, "__atomic_%s(&%s, %s, %s)", ops[rcp_pick(m, 10)], place->text, value, orders[rcp_pick(m, 5)]);
        if (to && rcp_chance(m, 60))
            rcp_line(m, "%s = %s;", to->text, rcp_cast(m, place->type, to->type, text));
        else
            rcp_line(m, "%s;", text);
        break;
    }
    case 2:
        rcp_note(m, RCP_FEATURE_ATOMIC_EXCHANGE);
        if (to)
            rcp_line(
                m, "%s = %s;", to->text,
                rcp_cast(m, place->type, to->type,
                         rcp_say(m, "__atomic_exchange_n(&%s, %s, %s)", place->text, value, orders[rcp_pick(m, 5)])));
        break;
    default: {
        const char *name = rcp_name(m, "c");
        rcp_note(m, RCP_FEATURE_ATOMIC_CAS);
        rcp_block(m);
        rcp_line(m, "%s %s = %s;", type, name,
                 rcp_chance(m, 60) ? rcp_say(m, "__atomic_load_n(&%s, __ATOMIC_RELAXED)", place->text)
                                   : rcp_literal(m, place->type));
        rcp_open(m, "if (__atomic_compare_exchange_n(&%s, &%s, %s, 0, %s, %s))", place->text, name, value,
                 orders[rcp_pick(m, 5)], rcp_chance(m, 50) ? "__ATOMIC_RELAXED" : "__ATOMIC_ACQUIRE");
        rcp_body(m, few(m));
        rcp_close(m, "");
        rcp_close(m, "");
        break;
    }
    }
}

static void point(rcp_maker *m) {
    const rcp_place *target = &m->shared.at[rcp_pick(m, (uint32_t)m->shared.len)];
    if (rcp_chance(m, 50)) { /* a pointer that all threads have goes elsewhere */
        for (size_t i = 0; i < m->pointers.len; i++)
            if (m->pointers.at[i].type == target->type && m->pointers.at[i].feature == RCP_FEATURE_POINTER_SHARED) {
                rcp_line(m, "%s = &%s;", m->pointers.at[i].text, target->text);
                return;
            }
    }
    const char *name = rcp_name(m, "p");
    rcp_note(m, RCP_FEATURE_POINTER);
    rcp_line(m, "volatile %s *%s = &%s;", rcp_ctypes[target->type].name, name, target->text);
    rcp_vec_push(&m->pointers, ((rcp_place){.text = name, .type = target->type, .feature = RCP_FEATURE_POINTER}));
}

static void through_pointer(rcp_maker *m) {
    if (!m->pointers.len)
        return;
    const rcp_place *pointer = &m->pointers.at[rcp_pick(m, (uint32_t)m->pointers.len)];
    rcp_note(m, pointer->feature);
    assign(m, rcp_say(m, "(*%s)", pointer->text), pointer->type);
}

static void comma(rcp_maker *m) {
    const rcp_place *a = rcp_any_place(m, true), *b = rcp_any_place(m, true);
    if (!a || !b)
        return;
    rcp_note(m, RCP_FEATURE_COMMA);
    rcp_line(m, "%s = (%s = %s, %s);", a->text, b->text, rcp_expression(m, b->type, 1), rcp_expression(m, a->type, 1));
}

static void statement(rcp_maker *m) {
    m->cost += m->factor;
    bool deep = m->depth > 1 + rcp_pick(m, 2) || !rcp_affords(m, 4);
    unsigned kind = rcp_pick(m, deep ? 34 : m->in_thread ? 76 : 68);
    if (kind < 14)
        assign_place(m);
    else if (kind < 20)
        assign_element(m);
    else if (kind < 24)
        declare_scalar(m);
    else if (kind < 26)
        assign_record(m);
    else if (kind < 28)
        point(m);
    else if (kind < 30)
        through_pointer(m);
    else if (kind < 33)
        leave(m);
    else if (kind < 34)
        comma(m);
    else if (kind < 36)
        declare_array(m);
    else if (kind < 38)
        declare_record(m);
    else if (kind < 44)
        choose(m);
    else if (kind < 49)
        loop(m);
    else if (kind < 52)
        select_case(m);
    else if (kind < 55)
        jump(m);
    else if (kind < 59)
        atomic(m);
    else if (kind < 68)
        rcp_idiom(m);
    else
        rcp_synchronise(m);
}
