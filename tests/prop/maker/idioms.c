/* SPDX-License-Identifier: Apache-2.0 */
/* What programs do in several lines: memory and strings through libraries, allocation, pointers that walk. */
#include "prop/maker/maker.h"

/* Into something of the program's, so that it matters. */
static void keep(rcp_maker *m, rcp_ctype type, const char *text) {
    const rcp_place *to = rcp_any_place(m, true);
    if (to)
        rcp_line(m, "%s = %s;", to->text, rcp_cast(m, type, to->type, text));
}

static const rcp_array *flat_array(rcp_maker *m) {
    for (unsigned i = 0; i < 8 && m->arrays.len; i++) {
        const rcp_array *array = &m->arrays.at[rcp_pick(m, (uint32_t)m->arrays.len)];
        if (!array->rows && array->columns >= 4)
            return array;
    }
    return NULL;
}

static void memory(rcp_maker *m) {
    const rcp_array *a = flat_array(m);
    if (!a)
        return;
    rcp_array array = *a;
    uint32_t half = array.columns / 2;
    switch (rcp_pick(m, 4)) {
    case 0:
        rcp_note(m, RCP_FEATURE_MEMCPY);
        rcp_line(m, "memcpy(&%s[%u], &%s[%s], %s * sizeof *%s);", array.text, half, array.text,
                 rcp_index(m, half / 2 + 1), rcp_chance(m, 50) ? rcp_index(m, half - half / 2 + 1) : "1", array.text);
        break;
    case 1:
        rcp_note(m, RCP_FEATURE_MEMMOVE);
        rcp_line(m, "memmove(&%s[%s], %s, %u * sizeof *%s);", array.text, rcp_index(m, half), array.text, half,
                 array.text);
        break;
    case 2:
        if (rcp_ctypes[array.type].is_float || array.type == RCP_BOOLEAN)
            return;
        rcp_note(m, RCP_FEATURE_MEMSET);
        rcp_line(m, "memset(%s + %s, %s, %s);", array.text, rcp_index(m, half), rcp_expression(m, RCP_U8, 1),
                 rcp_chance(m, 50) ? rcp_say(m, "%u * sizeof *%s", half, array.text) : rcp_index(m, half + 1));
        break;
    default:
        if (rcp_ctypes[array.type].is_float)
            return;
        rcp_note(m, RCP_FEATURE_MEMCMP);
        rcp_block(m);
        rcp_line(m, "int way = memcmp(%s, &%s[%s], %u);", array.text, array.text, rcp_index(m, half), half);
        keep(m, RCP_I32, "((way > 0) - (way < 0))");
        rcp_close(m, "");
        break;
    }
}

static void string(rcp_maker *m) {
    switch (rcp_pick(m, 4)) {
    case 0:
        rcp_note(m, RCP_FEATURE_STRLEN);
        keep(m, RCP_U64, "strlen(word)");
        break;
    case 1:
        rcp_note(m, RCP_FEATURE_STRCMP);
        rcp_block(m);
        rcp_line(m, "int way = strcmp(word, \"recipe\");");
        keep(m, RCP_I32, "((way > 0) - (way < 0))");
        rcp_close(m, "");
        break;
    case 2: rcp_line(m, "word[%s] = (char)('a' + %s);", rcp_index(m, 15), rcp_index(m, 26)); break;
    default:
        rcp_note(m, RCP_FEATURE_STRING_FORMAT);
        rcp_block(m);
        rcp_line(m, "char text[48];");
        rcp_line(m, "snprintf(text, sizeof text, \"%%d %%s\", (int)%s, %s ? \"yes\" : \"no\");",
                 rcp_expression(m, RCP_I16, 1), rcp_condition(m, 1));
        keep(m, RCP_I64, "strtol(text, NULL, 10)");
        keep(m, RCP_U8, rcp_say(m, "(uint8_t)text[%u]", rcp_pick(m, 3)));
        rcp_close(m, "");
        break;
    }
}

static void heap(rcp_maker *m) {
    const char *name = rcp_name(m, "h");
    rcp_ctype type = rcp_any_type(m);
    const char *t = rcp_ctypes[type].name;
    uint32_t n = 2 + rcp_pick(m, 6);
    bool zero = rcp_chance(m, 40);
    m->cost += m->factor * n;
    rcp_note(m, zero ? RCP_FEATURE_CALLOC : RCP_FEATURE_MALLOC);
    rcp_block(m);
    rcp_line(m, zero ? "%s *%s = calloc(%u, sizeof *%s);" : "%s *%s = malloc(%u * sizeof *%s);", t, name, n, name);
    if (!zero) {
        rcp_line(m, "for (unsigned i = 0; i < %u; i++)", n);
        rcp_line(m, "    %s[i] = %s;", name, rcp_expression(m, type, 1));
    }
    rcp_line(m, "%s[%s] = %s;", name, rcp_index(m, n), rcp_expression(m, type, 2));
    if (rcp_chance(m, 50)) {
        rcp_note(m, RCP_FEATURE_REALLOC);
        rcp_line(m, "%s = realloc(%s, %u * sizeof *%s);", name, name, n + 8, name);
        rcp_line(m, "%s[%u] = %s;", name, n + 7, rcp_expression(m, type, 1));
        keep(m, type, rcp_say(m, "%s[%u]", name, n + 7));
    }
    keep(m, type, rcp_say(m, "%s[%s]", name, rcp_index(m, n)));
    rcp_line(m, "free(%s);", name);
    rcp_close(m, "");
}

static void stack(rcp_maker *m) {
    const char *name = rcp_name(m, "s");
    rcp_ctype type = rcp_any_type(m);
    const char *t = rcp_ctypes[type].name;
    bool vla = rcp_chance(m, 60);
    m->cost += m->factor * 8;
    rcp_note(m, vla ? RCP_FEATURE_VLA : RCP_FEATURE_ALLOCA);
    if (!vla && m->in_loop) /* alloca in a loop grows */
        return;
    rcp_block(m);
    rcp_line(m, "unsigned n = 2 + %s;", rcp_index(m, 6));
    if (vla)
        rcp_line(m, "%s %s[n];", t, name);
    else
        rcp_line(m, "%s *%s = alloca(n * sizeof *%s);", t, name, name);
    rcp_line(m, "for (unsigned i = 0; i < n; i++)");
    rcp_line(m, "    %s[i] = %s;", name, rcp_expression(m, type, 1));
    rcp_line(m, "%s[n - 1] = %s;", name, rcp_expression(m, type, 2));
    keep(m, type, rcp_say(m, "%s[%s %% n]", name, rcp_expression(m, RCP_U32, 1)));
    rcp_close(m, "");
}

static void walk(rcp_maker *m) {
    const rcp_array *a = flat_array(m);
    if (!a)
        return;
    rcp_array array = *a;
    const char *p = rcp_name(m, "p");
    uint32_t steps = 1 + rcp_pick(m, array.columns - 2);
    m->cost += m->factor * 2 * steps;
    rcp_note(m, RCP_FEATURE_POINTER_ARITHMETIC);
    rcp_block(m);
    rcp_line(m, "%s *%s = %s + %s, *end_%s = %s + %u;", rcp_ctypes[array.type].name, p, array.text,
             rcp_index(m, array.columns - steps), p, p, steps);
    rcp_line(m, "while (%s < end_%s)", p, p);
    rcp_line(m, "    *%s++ = %s;", p, rcp_expression(m, array.type, 1));
    keep(m, RCP_I64, rcp_say(m, "(%s - %s)", p, array.text));
    keep(m, array.type, rcp_say(m, "%s[-1]", p));
    rcp_close(m, "");
}

/* Loops whose addresses are known in front of them. */
static void sweep(rcp_maker *m) {
    const rcp_array *a = flat_array(m);
    if (!a)
        return;
    rcp_array array = *a, other = *a;
    for (size_t i = 0; i < m->arrays.len; i++)
        if (!m->arrays.at[i].rows && rcp_chance(m, 40))
            other = m->arrays.at[i];
    uint32_t n = array.columns < other.columns ? array.columns : other.columns;
    if (!rcp_affords(m, n))
        return;
    m->cost += m->factor * n;
    rcp_note(m, RCP_FEATURE_SWEEP);
    const char *x = array.text, *t = rcp_ctypes[array.type].name;
    const char *from = rcp_cast(m, other.type, array.type, rcp_say(m, "%s[i]", other.text));
    rcp_block(m);
    rcp_line(m, "uint64_t swept = %s;", rcp_expression(m, RCP_U64, 1));
    switch (rcp_pick(m, 6)) {
    case 0: rcp_line(m, "for (unsigned i = 0; i < %u; i++) %s[i] = %s;", n, x, from); break;
    case 1:
        rcp_line(m, "for (int i = %u; i >= 0; i--) swept = swept * 3 + %s;", array.columns - 1,
                 rcp_cast(m, array.type, RCP_U64, rcp_say(m, "%s[i]", x)));
        break;
    case 2: rcp_line(m, "for (size_t i = 0; i + 1 < %u; i++) %s[i] = %s[i + 1];", array.columns, x, x); break;
    case 3: rcp_line(m, "for (unsigned i = 1; i < %u; i += 2) %s[i] = (%s)(%s[i] * 3);", array.columns, x, t, x); break;
    case 4:
        rcp_line(m, "for (unsigned i = 0, n = 1 + %s; i < n; i++) %s[i] = (%s)(%s + swept);", rcp_index(m, n - 1), x, t,
                 from);
        break;
    default:
        rcp_line(m, "for (%s *p = %s, *end = %s + %u; p != end; p++) swept ^= %s;", t, x, x, array.columns,
                 rcp_cast(m, array.type, RCP_U64, "*p"));
        break;
    }
    keep(m, RCP_U64, "swept");
    rcp_close(m, "");
}

static void sweep_rows(rcp_maker *m) {
    for (size_t i = 0; i < m->arrays.len; i++) {
        rcp_array array = m->arrays.at[i];
        if (!array.rows || !rcp_affords(m, array.rows * array.columns))
            continue;
        m->cost += m->factor * array.rows * array.columns;
        rcp_note(m, RCP_FEATURE_SWEEP_2D);
        rcp_line(m, "for (unsigned i = 0; i < %u; i++)", array.rows);
        rcp_line(m, "    for (unsigned k = 0; k < %u; k++)", array.columns);
        rcp_line(m, "        %s[i][k] = (%s)(%s[%s][k] + i);", array.text, rcp_ctypes[array.type].name, array.text,
                 rcp_chance(m, 50) ? "i" : "0");
        return;
    }
}

static void look_back(rcp_maker *m) {
    const rcp_array *a = flat_array(m);
    if (!a)
        return;
    rcp_array array = *a;
    const char *p = rcp_name(m, "p");
    uint32_t half = array.columns / 2;
    rcp_note(m, RCP_FEATURE_INDEX_NEGATIVE);
    rcp_block(m);
    rcp_line(m, "%s *%s = %s + %u;", rcp_ctypes[array.type].name, p, array.text, half);
    rcp_line(m, "int at = (int)%s - %u;", rcp_index(m, half), half);
    rcp_line(m, "%s[at] = %s;", p, rcp_expression(m, array.type, 1));
    keep(m, array.type, rcp_say(m, "%s[(int16_t)%s - %u]", p, rcp_index(m, half), half));
    rcp_close(m, "");
}

/* Values through bytes that are the thread's own, from anywhere to anywhere. */
static void carry(rcp_maker *m) {
    const rcp_place *from = &m->shared.at[rcp_pick(m, (uint32_t)m->shared.len)];
    rcp_ctype type = rcp_any_integer(m);
    if (rcp_ctypes[from->type].is_float && m->serial) /* a NaN's bits */
        return;
    rcp_note(m, RCP_FEATURE_CARRY);
    rcp_block(m);
    rcp_line(m, "uint8_t first[32] = {0}, second[64] = {0};");
    rcp_line(m, "%s carried = %s;", rcp_ctypes[from->type].name, from->text);
    rcp_line(m, "%s out;", rcp_ctypes[type].name);
    rcp_line(m, "memcpy(first + %s, &carried, sizeof carried);", rcp_index(m, 4));
    rcp_line(m, "mem%s(second + %s, first + %s, 16);", rcp_chance(m, 50) ? "cpy" : "move", rcp_index(m, 4),
             rcp_index(m, 4));
    rcp_line(m, "memcpy(&out, second + %s, sizeof out);", rcp_index(m, 6));
    keep(m, type, "out");
    if (rcp_chance(m, 40)) {
        rcp_line(m, "for (unsigned i = 0; i < 8; i++)");
        rcp_line(m, "    second[i] ^= second[%u - i];", 8 + rcp_pick(m, 10));
        keep(m, RCP_U8, "second[5]");
    }
    rcp_close(m, "");
}

static void sort(rcp_maker *m) {
    if (!rcp_affords(m, 40))
        return;
    m->cost += m->factor * 40;
    const char *name = rcp_name(m, "q");
    rcp_note(m, RCP_FEATURE_CALLBACK);
    rcp_block(m);
    rcp_line(m, "int32_t %s[5] = {%s, %s, %s, 4, -1};", name, rcp_expression(m, RCP_I32, 1),
             rcp_expression(m, RCP_I32, 1), rcp_literal(m, RCP_I32));
    rcp_line(m, "qsort(%s, 5, sizeof *%s, by_value);", name, name);
    keep(m, RCP_I32, rcp_say(m, "%s[%s]", name, rcp_index(m, 5)));
    rcp_close(m, "");
}

static void vary(rcp_maker *m) {
    rcp_note(m, RCP_FEATURE_VARARGS);
    m->cost += m->factor * 10;
    if (rcp_chance(m, 50))
        keep(m, RCP_I64,
             rcp_say(m, "vary(\"ilxdi\", %s, %s, (double)%s, (int)%s)", rcp_expression(m, RCP_I32, 1),
                     rcp_expression(m, RCP_I64, 1), rcp_expression(m, RCP_F32, 1), rcp_expression(m, RCP_I8, 1)));
    else
        keep(m, RCP_I64,
             rcp_say(m, "vary(\"dddlllii\", %s, 2.5, -1.0, %s, %s, INT64_C(-3), 7, (int)%s)",
                     rcp_expression(m, RCP_F64, 1), rcp_expression(m, RCP_I64, 0), rcp_expression(m, RCP_I64, 1),
                     rcp_expression(m, RCP_I32, 1)));
}

static void vector(rcp_maker *m) {
    static const char *const ops[] = {"+", "-", "*", "&", "^", ">"};
    const char *name = rcp_name(m, "w");
    rcp_note(m, RCP_FEATURE_VECTOR);
    rcp_block(m);
    rcp_line(m, "lanes %s = {%s, %s, 3, -4};", name, rcp_expression(m, RCP_I32, 1), rcp_expression(m, RCP_I32, 1));
    rcp_line(m, "shared_lanes = %s %s shared_lanes;", name, ops[rcp_pick(m, 6)]);
    rcp_line(m, "%s[%u] += shared_lanes[%s];", name, rcp_pick(m, 4), rcp_index(m, 4));
    keep(m, RCP_I32, rcp_say(m, "(%s[0] ^ %s[%s])", name, name, rcp_index(m, 4)));
    rcp_close(m, "");
}

static void overlay(rcp_maker *m) {
    static const char *const parts[] = {".word", ".bytes[%s]", ".halves[%s]"};
    unsigned n = rcp_pick(m, 3);
    bool shared = rcp_chance(m, 60);
    const char *name = shared ? "shared_mixed" : rcp_name(m, "u");
    rcp_note(m, RCP_FEATURE_UNION);
    rcp_block(m);
    if (!shared)
        rcp_line(m, "mixed %s = {.word = %s};", name, rcp_expression(m, RCP_U64, 2));
    rcp_ctype type = n == 0 ? RCP_U64 : n == 1 ? RCP_U8 : RCP_U16;
    const char *part = n == 0   ? parts[0]
                       : n == 1 ? rcp_say(m, ".bytes[%s]", rcp_index(m, 8))
                                : rcp_say(m, ".halves[%s]", rcp_index(m, 4));
    rcp_line(m, "%s%s %s %s;", name, part, rcp_chance(m, 50) ? "=" : "^=", rcp_expression(m, type, 2));
    keep(m, RCP_U64, rcp_say(m, "%s.word", name));
    if (!m->serial || rcp_chance(m, 50))
        keep(m, RCP_F64, rcp_say(m, "%s.real", name));
    rcp_close(m, "");
}

static void overflow(rcp_maker *m) {
    rcp_ctype type = rcp_any_integer(m);
    const char *name = rcp_name(m, "o");
    static const char *const ops[] = {"add", "sub", "mul"};
    rcp_note(m, RCP_FEATURE_OVERFLOW);
    rcp_block(m);
    rcp_line(m, "%s %s;", rcp_ctypes[type].name, name);
    rcp_line(m, "if (__builtin_%s_overflow(%s, %s, &%s))", ops[rcp_pick(m, 3)], rcp_expression(m, type, 1),
             rcp_expression(m, type, 1), name);
    rcp_line(m, "    %s ^= 1;", name);
    keep(m, type, name);
    rcp_close(m, "");
}

static void redirect(rcp_maker *m) {
    if (!m->handlers)
        return;
    rcp_note(m, RCP_FEATURE_FUNCTION_POINTER);
    rcp_line(m, "handler = handlers[%s];", rcp_index(m, RCP_HANDLERS));
}

static void leap(rcp_maker *m) {
    if (!rcp_affords(m, 30))
        return;
    m->cost += m->factor * 30;
    rcp_note(m, RCP_FEATURE_SETJMP);
    keep(m, RCP_I32, rcp_say(m, "jumper(%s, %u)", rcp_expression(m, RCP_I32, 1), rcp_pick(m, 4)));
}

void rcp_idiom(rcp_maker *m) {
    static void (*const idioms[])(rcp_maker *) = {memory, memory,     string,    heap,     stack,    walk, sort,
                                                  vary,   vector,     overlay,   overflow, redirect, leap, sweep,
                                                  sweep,  sweep_rows, look_back, carry,    carry};
    idioms[rcp_pick(m, sizeof idioms / sizeof *idioms)](m);
}
