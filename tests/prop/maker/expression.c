/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions. Each is asked for by type; whatever it is made of is converted. Only text is made, and no text occurs
 * twice in another, so that what an expression does it does once. */
#include "prop/maker/maker.h"

#include <inttypes.h>

static const char *order_of(rcp_maker *m, const char *const *orders, unsigned n) { return orders[rcp_pick(m, n)]; }

const char *rcp_cast(rcp_maker *m, rcp_ctype from, rcp_ctype to, const char *text) {
    const rcp_ctype_traits *f = &rcp_ctypes[from], *t = &rcp_ctypes[to];
    if (from == to)
        return text;
    if (f->is_float != t->is_float)
        rcp_note(m, RCP_FEATURE_FLOAT_CONVERT);
    if (to == RCP_BOOLEAN)
        return rcp_say(m, "(%s != 0)", text);
    if (f->is_float && !t->is_float && (m->serial || rcp_chance(m, 50)))
        return rcp_say(m, "to_%s(%s)", t->word, text);
    if (f->is_float && !t->is_float) /* of a constant that does not fit, clang itself would make any value */
        return rcp_say(m, "(%s)as_%s(%s)", t->name, f->word, text);
    return rcp_say(m, "(%s)%s", t->name, text);
}

const char *rcp_literal(rcp_maker *m, rcp_ctype type) {
    static const uint64_t known[] = {0, 1, 2, 3, 7, 8, 10, 31, 63, 100, 127, 128, 255, 256, 1000, 32767, 65535};
    const rcp_ctype_traits *t = &rcp_ctypes[type];
    if (t->is_float) {
        static const char *const reals[] = {"0.0", "1.0", "-1.0", "0.5", "3.25", "-7.75", "1e10", "-0.0", "1e-9"};
        if (rcp_chance(m, 4)) {
            rcp_note(m, RCP_FEATURE_FLOAT_NAN);
            return rcp_say(m, "(%s)NAN", t->name);
        }
        return rcp_say(m, "(%s)%s", t->name, reals[rcp_pick(m, sizeof reals / sizeof *reals)]);
    }
    if (type == RCP_BOOLEAN)
        return rcp_chance(m, 50) ? "true" : "false";
    uint64_t value = rcp_chance(m, 75) ? known[rcp_pick(m, sizeof known / sizeof *known)] : rcp_random_next(&m->random);
    if (rcp_chance(m, 20))
        value = -value;
    if (t->bits == 128 && rcp_chance(m, 50))
        return rcp_say(m, "(%s)(((unsigned __int128)UINT64_C(0x%" PRIx64 ") << 64) + UINT64_C(0x%" PRIx64 "))", t->name,
                       rcp_random_next(&m->random), value);
    return rcp_say(m, "(%s)UINT64_C(0x%" PRIx64 ")", t->name,
                   value & (UINT64_MAX >> (64 - (t->bits < 64 ? t->bits : 64))));
}

const rcp_place *rcp_any_place(rcp_maker *m, bool assigned) {
    for (unsigned i = 0; i < 8 && m->places.len; i++) {
        /* What was declared last is near, and would be used little. */
        size_t n = m->places.len, k = rcp_pick(m, (uint32_t)n);
        if (rcp_chance(m, 40))
            k = n - 1 - rcp_pick(m, (uint32_t)(n < 6 ? n : 6));
        if (assigned && m->places.at[k].is_constant)
            continue;
        rcp_note(m, m->places.at[k].feature);
        return &m->places.at[k];
    }
    return NULL;
}

const char *rcp_index(rcp_maker *m, uint32_t below) {
    rcp_ctype type = rcp_chance(m, 50) ? RCP_U32 : RCP_U8;
    m->nested++;
    const char *text = rcp_expression(m, type, m->nested < 2);
    m->nested--;
    if (!(below & (below - 1)) && rcp_chance(m, 50))
        return rcp_say(m, "(%s & %u)", text, below - 1);
    return rcp_say(m, "(%s %% %u)", text, below);
}

const char *rcp_element(rcp_maker *m, const rcp_array *array) {
    rcp_note(m, array->is_local ? RCP_FEATURE_ARRAY_LOCAL : array->rows ? RCP_FEATURE_ARRAY_2D : RCP_FEATURE_ARRAY);
    if (array->rows)
        return rcp_say(m, "%s[%s][%s]", array->text, rcp_index(m, array->rows), rcp_index(m, array->columns));
    return rcp_say(m, "%s[%s]", array->text, rcp_index(m, array->columns));
}

static const char *atomic_load(rcp_maker *m, rcp_ctype *type) {
    static const char *const orders[] = {"__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_CONSUME",
                                         "__ATOMIC_SEQ_CST"};
    const rcp_place *place = &m->atomics.at[rcp_pick(m, (uint32_t)m->atomics.len)];
    *type = place->type;
    rcp_note(m, RCP_FEATURE_ATOMIC_LOAD);
    return rcp_say(m, "__atomic_load_n(&%s, %s)", place->text, order_of(m, orders, 4));
}

static const char *argument(rcp_maker *m, int32_t parameter, unsigned depth) {
    if (parameter >= 0)
        return rcp_expression(m, (rcp_ctype)parameter, depth);
    const rcp_record *record = &m->records.at[-1 - parameter];
    rcp_note(m, RCP_FEATURE_STRUCT_ARGUMENT);
    return record->values.at[rcp_pick(m, (uint32_t)record->values.len)];
}

static const char *call(rcp_maker *m, rcp_ctype *type, unsigned depth) {
    for (unsigned tries = 0; tries < 4 && m->callees.len; tries++) {
        rcp_callee callee = m->callees.at[rcp_pick(m, (uint32_t)m->callees.len)];
        if (!rcp_affords(m, callee.cost))
            continue;
        m->cost += m->factor * callee.cost;
        rcp_text text = {0};
        rcp_text_printf(&text, "%s(", callee.name);
        if (callee.is_recursive)
            rcp_text_printf(&text, "%u%s", rcp_pick(m, 4), callee.parameters.len ? ", " : "");
        for (size_t i = 0; i < callee.parameters.len; i++)
            rcp_text_printf(&text, "%s%s", i ? ", " : "", argument(m, callee.parameters.at[i], depth));
        rcp_text_puts(&text, ")");
        rcp_note(m, callee.is_recursive ? RCP_FEATURE_RECURSION : RCP_FEATURE_CALL);
        *type = callee.result;
        if (callee.result_record >= 0) { /* one of the result's fields */
            const rcp_record *record = &m->records.at[callee.result_record];
            const rcp_place *field = &record->fields.at[rcp_pick(m, (uint32_t)record->fields.len)];
            rcp_note(m, RCP_FEATURE_STRUCT_RESULT);
            *type = field->type;
            rcp_text_puts(&text, field->text);
        }
        const char *result = rcp_arena_copy(&m->arena, text.at, text.len + 1);
        rcp_text_finish(&text);
        return result;
    }
    return NULL;
}

static const char *handler(rcp_maker *m, rcp_ctype *type) {
    if (!m->handlers || !rcp_affords(m, 12))
        return NULL;
    m->cost += m->factor * 12;
    *type = RCP_I32;
    bool table = rcp_chance(m, 50);
    rcp_note(m, table ? RCP_FEATURE_FUNCTION_TABLE : RCP_FEATURE_FUNCTION_POINTER);
    const char *callee = table ? rcp_say(m, "handlers[%s]", rcp_index(m, RCP_HANDLERS)) : "handler";
    return rcp_say(m, "%s(%s, %s)", callee, rcp_expression(m, RCP_I32, 1), rcp_expression(m, RCP_U64, 0));
}

/* Something that has a value. */
static const char *leaf(rcp_maker *m, rcp_ctype *type, rcp_ctype wanted) {
    switch (rcp_pick(m, 12)) {
    case 0: break;
    case 1:
        if (m->atomics.len)
            return atomic_load(m, type);
        break;
    case 2:
        if (m->pointers.len) {
            const rcp_place *pointer = &m->pointers.at[rcp_pick(m, (uint32_t)m->pointers.len)];
            rcp_note(m, pointer->feature);
            *type = pointer->type;
            return rcp_say(m, "*%s", pointer->text);
        }
        break;
    case 3:
    case 4: {
        if (!m->arrays.len || m->nested > 1)
            break;
        rcp_array array = m->arrays.at[rcp_pick(m, (uint32_t)m->arrays.len)];
        *type = array.type;
        return rcp_element(m, &array);
    }
    default: {
        const rcp_place *place = rcp_any_place(m, false);
        if (!place)
            break;
        *type = place->type;
        return place->text;
    }
    }
    *type = wanted;
    return rcp_literal(m, wanted);
}

static const char *integer(rcp_maker *m, rcp_ctype type, unsigned depth) {
    const rcp_ctype_traits *t = &rcp_ctypes[type];
    const char *a = rcp_expression(m, type, depth - 1), *u = rcp_ctypes[t->unsigned_one].name;
    switch (rcp_pick(m, 16)) {
    case 0:
        rcp_note(m, RCP_FEATURE_DIVIDE);
        return rcp_chance(m, 50) ? rcp_say(m, "(%s)(%s / %u)", t->name, a, 2 + rcp_pick(m, 40))
                                 : rcp_say(m, "div_%s(%s, %s)", t->word, a, rcp_expression(m, type, depth - 1));
    case 1:
        rcp_note(m, RCP_FEATURE_MODULO);
        return rcp_chance(m, 50) ? rcp_say(m, "(%s)(%s %% %u)", t->name, a, 2 + rcp_pick(m, 40))
                                 : rcp_say(m, "mod_%s(%s, %s)", t->word, a, rcp_expression(m, type, depth - 1));
    case 2:
        rcp_note(m, RCP_FEATURE_SHIFT);
        return rcp_say(m, "(%s)((%s)%s << (%s & %u))", t->name, u, a, rcp_expression(m, RCP_U8, depth - 1),
                       t->bits - 1);
    case 3:
        rcp_note(m, RCP_FEATURE_SHIFT);
        return rcp_say(m, "(%s)(%s >> (%s & %u))", t->name, a, rcp_expression(m, RCP_U8, depth - 1), t->bits - 1);
    case 4:
        rcp_note(m, RCP_FEATURE_ROTATE);
        return rcp_say(m, "rol_%s(%s, %s)", t->word, a, rcp_expression(m, RCP_U8, depth - 1));
    case 5: rcp_note(m, RCP_FEATURE_MASK); return rcp_say(m, "(%s)(%s & %s)", t->name, a, rcp_literal(m, type));
    case 6:
        rcp_note(m, RCP_FEATURE_BIT_COUNT);
        switch (rcp_pick(m, 3)) {
        case 0: return rcp_say(m, "(%s)__builtin_popcountll((uint64_t)%s)", t->name, a);
        case 1: return rcp_say(m, "(%s)__builtin_clzll((uint64_t)%s | 1)", t->name, a);
        default: return rcp_say(m, "(%s)__builtin_ctzll((uint64_t)%s | 256)", t->name, a);
        }
    case 7:
        rcp_note(m, RCP_FEATURE_BYTE_SWAP);
        return rcp_chance(m, 50) ? rcp_say(m, "(%s)__builtin_bswap32((uint32_t)%s)", t->name, a)
                                 : rcp_say(m, "(%s)__builtin_bswap64((uint64_t)%s)", t->name, a);
    case 8: return rcp_say(m, "(%s)%s%s", t->name, rcp_chance(m, 50) ? "~" : "-", a);
    default: {
        static const char *const ops[] = {"+", "-", "*", "&", "|", "^"};
        return rcp_say(m, "(%s)(%s %s %s)", t->name, a, ops[rcp_pick(m, 6)], rcp_expression(m, type, depth - 1));
    }
    }
}

static const char *real(rcp_maker *m, rcp_ctype type, unsigned depth) {
    const char *a = rcp_expression(m, type, depth - 1), *f = type == RCP_F32 ? "f" : "";
    switch (rcp_pick(m, 10)) {
    case 0: rcp_note(m, RCP_FEATURE_FLOAT_MATH); return rcp_say(m, "sqrt%s(fabs%s(%s))", f, f, a);
    case 1: {
        static const char *const names[] = {"floor", "ceil", "trunc", "round", "fabs", "rint"};
        rcp_note(m, RCP_FEATURE_FLOAT_MATH);
        return rcp_say(m, "%s%s(%s)", names[rcp_pick(m, 6)], f, a);
    }
    case 2: return rcp_say(m, "(-%s)", a);
    case 3:
        rcp_note(m, RCP_FEATURE_LONG_DOUBLE);
        return rcp_say(m, "(%s)((long double)%s * %s)", rcp_ctypes[type].name, a, rcp_literal(m, type));
    default: {
        static const char *const ops[] = {"+", "-", "*", "/"};
        return rcp_say(m, "(%s %s %s)", a, ops[rcp_pick(m, 4)], rcp_expression(m, type, depth - 1));
    }
    }
}

const char *rcp_expression(rcp_maker *m, rcp_ctype type, unsigned depth) {
    rcp_ctype from = type;
    const char *text = NULL;
    if (depth && rcp_chance(m, 60)) {
        switch (rcp_pick(m, 14)) {
        case 0: text = call(m, &from, depth - 1); break;
        case 1: text = handler(m, &from); break;
        case 2:
            rcp_note(m, RCP_FEATURE_TERNARY);
            return rcp_say(m, "(%s ? %s : %s)", rcp_condition(m, depth - 1), rcp_expression(m, type, depth - 1),
                           rcp_expression(m, type, depth - 1));
        case 3:
            from = RCP_I32;
            text = rcp_condition(m, depth - 1);
            break;
        case 4:
            from = rcp_any_type(m);
            text = rcp_expression(m, from, depth - 1);
            break;
        default:
            if (type == RCP_BOOLEAN)
                return rcp_condition(m, depth);
            return rcp_ctypes[type].is_float ? real(m, type, depth) : integer(m, type, depth);
        }
    }
    if (!text)
        text = leaf(m, &from, type);
    return rcp_cast(m, from, type, text);
}

static const char *comparison(rcp_maker *m, unsigned depth) {
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    rcp_ctype type = rcp_any_type(m);
    const char *op = ops[rcp_pick(m, 6)];
    if (rcp_ctypes[type].is_float)
        rcp_note(m, RCP_FEATURE_FLOAT_COMPARE);
    const char *left = rcp_expression(m, type, depth);
    return rcp_say(m, "(%s %s %s)", left, op,
                   rcp_chance(m, 50) ? rcp_literal(m, type) : rcp_expression(m, type, depth));
}

const char *rcp_condition(rcp_maker *m, unsigned depth) {
    unsigned below = depth ? depth - 1 : 0;
    if (depth)
        switch (rcp_pick(m, 9)) {
        case 0:
            rcp_note(m, RCP_FEATURE_SHORT_CIRCUIT);
            return rcp_say(m, "(%s && %s)", rcp_condition(m, below), rcp_condition(m, below));
        case 1:
            rcp_note(m, RCP_FEATURE_SHORT_CIRCUIT);
            return rcp_say(m, "(%s || %s)", rcp_condition(m, below), rcp_condition(m, below));
        case 2: return rcp_say(m, "!%s", rcp_condition(m, below));
        case 3: return rcp_say(m, "(%s & %u)", rcp_expression(m, rcp_any_integer(m), below), 1u << rcp_pick(m, 7));
        case 4:
            if (m->pointers.len > 1) {
                const rcp_place *a = &m->pointers.at[rcp_pick(m, (uint32_t)m->pointers.len)];
                for (size_t i = 0; i < m->shared.len; i++)
                    if (m->shared.at[i].type == a->type) {
                        rcp_note(m, RCP_FEATURE_POINTER_COMPARE);
                        return rcp_say(m, "(%s %s &%s)", a->text,
                                       rcp_chance(m, 50) ? "==" : "!=", m->shared.at[i].text);
                    }
            }
            break;
        default: break;
        }
    return comparison(m, below);
}
