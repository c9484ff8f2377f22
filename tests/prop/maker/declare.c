/* SPDX-License-Identifier: Apache-2.0 */
/* Struct types, variables, functions, and in the end their checksums. What is in a struct's padding is nobody's
 * business: checksums go field by field. */
#include "prop/maker/maker.h"

/* Number 1 has bit-fields, 2 is packed, so that its fields lie anywhere, 3 has another one inside. */
static void declare_record(rcp_maker *m, unsigned number) {
    rcp_record record = {.name = rcp_say(m, "struct s%u", number), .is_packed = number == 2, .has_bits = number == 1};
    rcp_open(m, "struct %ss%u", record.is_packed ? "__attribute__((packed)) " : "", number);
    unsigned bytes = record.is_packed ? 8 : 16;
    if (number == 1) {
        rcp_line(m, "uint32_t low : 5, middle : 11, high : 16;");
        rcp_line(m, "int32_t sign : 3, rest : 29;");
        static const char *const names[] = {".low", ".middle", ".high", ".sign", ".rest"};
        for (unsigned i = 0; i < 5; i++)
            rcp_vec_push(&record.fields, ((rcp_place){.text = names[i],
                                                      .type = i < 3 ? RCP_U32 : RCP_I32,
                                                      .is_bits = true,
                                                      .feature = RCP_FEATURE_BIT_FIELD}));
        bytes = 4;
    }
    for (; bytes; bytes /= 2)
        for (unsigned n = rcp_pick(m, 3); n; n--) {
            rcp_ctype type;
            do
                type = rcp_any_type(m);
            while (rcp_ctypes[type].bits != bytes * 8);
            if (record.is_packed && !record.fields.len) {
                rcp_line(m, "uint8_t first;");
                rcp_vec_push(&record.fields,
                             ((rcp_place){.text = ".first", .type = RCP_U8, .feature = RCP_FEATURE_PACKED}));
            }
            const char *name = rcp_name(m, "f");
            rcp_line(m, "%s %s;", rcp_ctypes[type].name, name);
            rcp_vec_push(&record.fields,
                         ((rcp_place){.text = rcp_say(m, ".%s", name),
                                      .type = type,
                                      .feature = record.is_packed ? RCP_FEATURE_PACKED : RCP_FEATURE_STRUCT_FIELD}));
        }
    if (number == 3) {
        rcp_line(m, "struct s1 in;");
        const rcp_record *inner = &m->records.at[1];
        for (size_t i = 0; i < inner->fields.len; i++) {
            rcp_place field = inner->fields.at[i];
            field.text = rcp_say(m, ".in%s", field.text);
            field.feature = RCP_FEATURE_STRUCT_NESTED;
            rcp_vec_push(&record.fields, field);
        }
        rcp_line(m, "uint32_t last[%u];", 1 + rcp_pick(m, 3));
        rcp_vec_push(&record.fields,
                     ((rcp_place){.text = ".last[0]", .type = RCP_U32, .feature = RCP_FEATURE_STRUCT_NESTED}));
    }
    if (!record.fields.len) {
        rcp_line(m, "int64_t only;");
        rcp_vec_push(&record.fields,
                     ((rcp_place){.text = ".only", .type = RCP_I64, .feature = RCP_FEATURE_STRUCT_FIELD}));
    }
    rcp_close(m, ";");
    rcp_vec_push(&m->records, record);
}

void rcp_declare_records(rcp_maker *m) {
    for (unsigned i = 0; i < 4; i++)
        declare_record(m, i);
    rcp_line(m, "%s", "");
}

static const char *initial(rcp_maker *m, rcp_ctype type) {
    return rcp_chance(m, 50) ? rcp_say(m, " = %s", rcp_literal(m, type)) : "";
}

void rcp_declare_globals(rcp_maker *m) {
    for (unsigned i = 0, n = 5 + rcp_pick(m, 5); i < n; i++) {
        rcp_ctype type = rcp_any_type(m);
        const char *name = rcp_name(m, "g");
        bool is_volatile = rcp_chance(m, 15);
        rcp_line(m, "static %s%s %s%s;", is_volatile ? "volatile " : "", rcp_ctypes[type].name, name, initial(m, type));
        rcp_place place = {
            .text = name, .type = type, .feature = is_volatile ? RCP_FEATURE_VOLATILE : RCP_FEATURE_COMPOUND};
        rcp_vec_push(&m->places, place);
        rcp_vec_push(&m->shared, place);
    }
    for (unsigned i = 0; i < 2; i++) {
        const char *name = rcp_name(m, "mine");
        rcp_ctype type = rcp_any_type(m);
        rcp_line(m, "static _Thread_local %s %s%s;", rcp_ctypes[type].name, name, initial(m, type));
        rcp_vec_push(&m->places, ((rcp_place){.text = name, .type = type, .feature = RCP_FEATURE_THREAD_LOCAL}));
    }
    for (unsigned i = 0, n = 2 + rcp_pick(m, 3); i < n; i++) {
        rcp_array array = {rcp_name(m, "a"), rcp_any_type(m), i == 0 ? 2 + rcp_pick(m, 4) : 0, 2 + rcp_pick(m, 15),
                           false};
        if (i && rcp_chance(m, 30)) /* long enough for a loop to be worth a copy without hooks */
            array.columns += 50 + rcp_pick(m, 100);
        if (array.rows)
            rcp_line(m, "static %s %s[%u][%u];", rcp_ctypes[array.type].name, array.text, array.rows, array.columns);
        else
            rcp_line(m, "static %s %s[%u];", rcp_ctypes[array.type].name, array.text, array.columns);
        rcp_vec_push(&m->arrays, array);
    }
    for (size_t i = 0; i < m->records.len; i++)
        for (unsigned k = 0; k < 2; k++) {
            rcp_record *record = &m->records.at[i];
            const char *name = rcp_name(m, "r");
            rcp_line(m, "static %s %s;", record->name, name);
            rcp_vec_push(&record->values, name);
            for (size_t f = 0; f < record->fields.len; f++) {
                rcp_place field = record->fields.at[f];
                field.text = rcp_say(m, "%s%s", name, field.text);
                rcp_vec_push(&m->places, field);
            }
        }
    for (unsigned i = 0, n = 2 + rcp_pick(m, 2); i < n; i++) {
        rcp_place place = {.text = rcp_name(m, "t"), .type = rcp_any_integer(m), .is_atomic = true};
        rcp_line(m, "static %s %s;", rcp_ctypes[place.type].name, place.text);
        rcp_vec_push(&m->atomics, place);
    }
    for (unsigned i = 0; i < 2; i++) {
        const rcp_place *target = &m->shared.at[rcp_pick(m, (uint32_t)m->shared.len)];
        const char *name = rcp_name(m, "to");
        rcp_line(m, "static volatile %s *%s = &%s;", rcp_ctypes[target->type].name, name, target->text);
        rcp_vec_push(&m->pointers,
                     ((rcp_place){.text = name, .type = target->type, .feature = RCP_FEATURE_POINTER_SHARED}));
    }
    rcp_line(m, "static _Atomic double atomic_real;");
    rcp_line(m, "static lanes shared_lanes = {1, 2, 3, 4};");
    rcp_line(m, "static mixed shared_mixed;");
    rcp_line(m, "static char word[16] = \"recipe\";\n");
}

/* Where each handler is small and calls nothing, any of them can be called anywhere. */
static void declare_handlers(rcp_maker *m) {
    size_t callees = m->callees.len;
    m->callees.len = 0;
    for (unsigned i = 0; i < RCP_HANDLERS; i++) {
        size_t places = m->places.len;
        rcp_open(m, "static int32_t handler%u(int32_t x, uint64_t y)", i);
        rcp_vec_push(&m->places, ((rcp_place){.text = "x", .type = RCP_I32, .feature = RCP_FEATURE_FUNCTION_TABLE}));
        rcp_vec_push(&m->places, ((rcp_place){.text = "y", .type = RCP_U64, .feature = RCP_FEATURE_FUNCTION_TABLE}));
        m->depth = 4;
        rcp_body(m, 1 + rcp_pick(m, 3));
        m->depth = 0;
        rcp_line(m, "return %s;", rcp_expression(m, RCP_I32, 2));
        rcp_close(m, "");
        m->places.len = places;
    }
    m->callees.len = callees;
    m->handlers = RCP_HANDLERS;
    rcp_line(m, "static int32_t (*const handlers[])(int32_t, uint64_t) = {handler0, handler1, handler2, handler3};");
    rcp_line(m, "static int32_t (*handler)(int32_t, uint64_t) = handler%u;\n", rcp_pick(m, RCP_HANDLERS));
}

/* Locals that change between setjmp and longjmp are volatile. */
static void declare_jumper(rcp_maker *m) {
    rcp_open(m, "static int32_t jumper(int32_t x, int depth)");
    rcp_line(m, "jmp_buf there;");
    rcp_line(m, "volatile int32_t sum = x;");
    rcp_line(m, "int times = setjmp(there);");
    rcp_line(m, "sum = sum * 3 + times;");
    rcp_line(m, "if (times < %u)", 1 + rcp_pick(m, 3));
    rcp_line(m, "    leap(&there, times + 1, depth);");
    rcp_line(m, "return sum;");
    rcp_close(m, "\n");
}

static void declare_function(rcp_maker *m, unsigned number) {
    rcp_callee callee = {.name = rcp_say(m, "f%u", number),
                         .result = rcp_any_type(m),
                         .result_record = -1,
                         .is_recursive = rcp_chance(m, 30)};
    if (rcp_chance(m, 25))
        callee.result_record = (int32_t)rcp_pick(m, (uint32_t)m->records.len);
    size_t places = m->places.len;
    size_t values[16];
    for (size_t i = 0; i < m->records.len; i++)
        values[i] = m->records.at[i].values.len;
    rcp_text head = {0};
    rcp_text_printf(&head, "static %s%s %s(%s", rcp_chance(m, 30) ? "__attribute__((noinline)) " : "",
                    callee.result_record >= 0 ? m->records.at[callee.result_record].name
                                              : rcp_ctypes[callee.result].name,
                    callee.name, callee.is_recursive ? "uint32_t fuel" : "");
    for (unsigned i = 0, n = 1 + rcp_pick(m, 4); i < n; i++) {
        const char *name = rcp_name(m, "x");
        int32_t parameter =
            rcp_chance(m, 20) ? -1 - (int32_t)rcp_pick(m, (uint32_t)m->records.len) : (int32_t)rcp_any_type(m);
        rcp_vec_push(&callee.parameters, parameter);
        rcp_text_printf(&head, "%s%s %s", i || callee.is_recursive ? ", " : "",
                        parameter < 0 ? m->records.at[-1 - parameter].name : rcp_ctypes[parameter].name, name);
        if (parameter >= 0) {
            rcp_vec_push(&m->places,
                         ((rcp_place){.text = name, .type = (rcp_ctype)parameter, .feature = RCP_FEATURE_CALL}));
            continue;
        }
        rcp_record *record = &m->records.at[-1 - parameter];
        rcp_vec_push(&record->values, name);
        for (size_t f = 0; f < record->fields.len; f++) {
            rcp_place field = record->fields.at[f];
            field.text = rcp_say(m, "%s%s", name, field.text);
            rcp_vec_push(&m->places, field);
        }
    }
    rcp_text_puts(&head, ")");
    rcp_open(m, "%s", head.at);
    rcp_text_finish(&head);
    m->result = callee.result;
    m->result_record = callee.result_record;
    m->may_return = true;
    m->cost = 0;
    m->factor = 1;
    m->budget = m->size.cost / 8;
    rcp_statements(m, 1 + m->size.function_statements / 2);
    if (callee.is_recursive) {
        rcp_text text = {0};
        rcp_text_printf(&text, "%s(fuel - 1", callee.name);
        for (size_t i = 0; i < callee.parameters.len; i++) {
            int32_t parameter = callee.parameters.at[i];
            rcp_text_printf(&text, ", %s",
                            parameter >= 0 ? rcp_expression(m, (rcp_ctype)parameter, 1)
                                           : m->records.at[-1 - parameter].values.at[0]);
        }
        rcp_line(m, "if (fuel) (void)%s);", text.at);
        rcp_text_finish(&text);
    }
    rcp_statements(m, 1 + rcp_pick(m, m->size.function_statements));
    if (callee.result_record >= 0) {
        const rcp_record *record = &m->records.at[callee.result_record];
        rcp_line(m, "return %s;", record->values.at[rcp_pick(m, (uint32_t)record->values.len)]);
    } else
        rcp_line(m, "return %s;", rcp_expression(m, callee.result, 3));
    rcp_close(m, "\n");
    callee.cost = (m->cost + 2) * (callee.is_recursive ? 4 : 1);
    m->may_return = false;
    m->places.len = places;
    for (size_t i = 0; i < m->records.len; i++)
        m->records.at[i].values.len = values[i];
    rcp_vec_push(&m->callees, callee);
}

void rcp_declare_functions(rcp_maker *m) {
    m->factor = 1;
    m->budget = 30;
    declare_jumper(m);
    declare_handlers(m);
    for (unsigned i = 0; i < m->size.functions; i++) {
        size_t arrays = m->arrays.len, pointers = m->pointers.len;
        declare_function(m, i);
        m->arrays.len = arrays;
        m->pointers.len = pointers;
    }
}

void rcp_fill(rcp_maker *m) {
    for (size_t i = 0; i < m->arrays.len; i++) {
        const rcp_array *array = &m->arrays.at[i];
        const char *type = rcp_ctypes[array->type].name;
        rcp_line(m, "for (unsigned i = 0; i < sizeof %s / sizeof(%s); i++)", array->text, type);
        rcp_line(m, "    ((%s *)%s)[i] = (%s)(i * %u + %u);", type, array->text, type, 3 + 2 * rcp_pick(m, 20),
                 rcp_pick(m, 100));
    }
    for (size_t i = 0; i < m->records.len; i++)
        for (size_t f = 0; f < m->records.at[i].fields.len; f++) {
            const rcp_place *field = &m->records.at[i].fields.at[f];
            rcp_line(m, "%s%s = %s;", m->records.at[i].values.at[0], field->text, rcp_literal(m, field->type));
        }
}

static void checksum(rcp_maker *m, const char *text, rcp_ctype type) {
    if (rcp_ctypes[type].is_float)
        rcp_line(m, "sum = sum_real(sum, (double)%s);", text);
    else
        rcp_line(m, "sum = sum_bytes(sum, &%s, sizeof %s);", text, text);
}

void rcp_checksums(rcp_maker *m) {
    rcp_line(m, "uint64_t sum = 0;");
    for (size_t i = 0; i < m->shared.len; i++) {
        rcp_line(m, "sum = 1;");
        checksum(m, m->shared.at[i].text, m->shared.at[i].type);
        rcp_line(m, "show(\"%s\", sum);", m->shared.at[i].text);
    }
    for (size_t i = 0; i < m->atomics.len; i++)
        rcp_line(m, "show(\"%s\", (uint64_t)%s);", m->atomics.at[i].text, m->atomics.at[i].text);
    for (size_t i = 0; i < m->pointers.len; i++) {
        rcp_line(m, "sum = 1;");
        rcp_block(m);
        rcp_line(m, "%s value = *%s;", rcp_ctypes[m->pointers.at[i].type].name, m->pointers.at[i].text);
        checksum(m, "value", m->pointers.at[i].type);
        rcp_close(m, "");
        rcp_line(m, "show(\"*%s\", sum);", m->pointers.at[i].text);
    }
    for (size_t i = 0; i < m->arrays.len; i++) {
        const rcp_array *array = &m->arrays.at[i];
        rcp_line(m, "sum = 1;");
        if (rcp_ctypes[array->type].is_float) {
            rcp_line(m, "for (unsigned i = 0; i < sizeof %s / sizeof(%s); i++)", array->text,
                     rcp_ctypes[array->type].name);
            rcp_line(m, "    sum = sum_real(sum, (double)((%s *)%s)[i]);", rcp_ctypes[array->type].name, array->text);
        } else
            rcp_line(m, "sum = sum_bytes(sum, %s, sizeof %s);", array->text, array->text);
        rcp_line(m, "show(\"%s\", sum);", array->text);
    }
    for (size_t i = 0; i < m->records.len; i++)
        for (size_t k = 0; k < m->records.at[i].values.len; k++) {
            const rcp_record *record = &m->records.at[i];
            rcp_line(m, "sum = 1;");
            for (size_t f = 0; f < record->fields.len; f++) {
                rcp_block(m);
                rcp_line(m, "%s value = %s%s;", rcp_ctypes[record->fields.at[f].type].name, record->values.at[k],
                         record->fields.at[f].text);
                checksum(m, "value", record->fields.at[f].type);
                rcp_close(m, "");
            }
            rcp_line(m, "show(\"%s\", sum);", record->values.at[k]);
        }
    rcp_line(m, "show(\"real\", sum_real(1, atomic_real));");
    rcp_line(m, "show(\"lanes\", sum_bytes(1, &shared_lanes, sizeof shared_lanes));");
    rcp_line(m, "show(\"mixed\", shared_mixed.word);");
    rcp_line(m, "show(\"word\", sum_bytes(1, word, sizeof word));");
}
