/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/maker/maker.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const rcp_feature_names[RCP_FEATURE_COUNT] = {
#define X(name) [RCP_FEATURE_##name] = #name,
    RCP_FEATURES(X)
#undef X
};

const rcp_ctype_traits rcp_ctypes[RCP_CTYPES] = {
    [RCP_I8] = {"int8_t", "i8", 8, true, false, RCP_U8},
    [RCP_U8] = {"uint8_t", "u8", 8, false, false, RCP_U8},
    [RCP_I16] = {"int16_t", "i16", 16, true, false, RCP_U16},
    [RCP_U16] = {"uint16_t", "u16", 16, false, false, RCP_U16},
    [RCP_I32] = {"int32_t", "i32", 32, true, false, RCP_U32},
    [RCP_U32] = {"uint32_t", "u32", 32, false, false, RCP_U32},
    [RCP_I64] = {"int64_t", "i64", 64, true, false, RCP_U64},
    [RCP_U64] = {"uint64_t", "u64", 64, false, false, RCP_U64},
    [RCP_I128] = {"__int128", "i128", 128, true, false, RCP_U128},
    [RCP_U128] = {"unsigned __int128", "u128", 128, false, false, RCP_U128},
    [RCP_BOOLEAN] = {"bool", "u8", 8, false, false, RCP_BOOLEAN},
    [RCP_F32] = {"float", "f32", 32, true, true, RCP_U32},
    [RCP_F64] = {"double", "f64", 64, true, true, RCP_U64},
};

rcp_size rcp_size_default(void) {
    return (rcp_size){.functions = 3, .function_statements = 3, .thread_statements = 6, .cost = 1500};
}

void rcp_maker_init(rcp_maker *m, uint64_t seed, rcp_size size) {
    *m = (rcp_maker){.random = {rcp_hash_join(seed, 0x6d616b65)}, .size = size};
    rcp_arena_init(&m->arena);
}

void rcp_maker_finish(rcp_maker *m) {
    for (size_t i = 0; i < m->records.len; i++) {
        rcp_vec_finish(&m->records.at[i].fields);
        rcp_vec_finish(&m->records.at[i].values);
    }
    for (size_t i = 0; i < m->callees.len; i++)
        rcp_vec_finish(&m->callees.at[i].parameters);
    rcp_vec_finish(&m->places);
    rcp_vec_finish(&m->arrays);
    rcp_vec_finish(&m->records);
    rcp_vec_finish(&m->callees);
    rcp_vec_finish(&m->atomics);
    rcp_vec_finish(&m->shared);
    rcp_vec_finish(&m->pointers);
    rcp_text_finish(&m->out);
    rcp_arena_finish(&m->arena);
}

char *rcp_say(rcp_maker *m, const char *format, ...) {
    va_list first, second;
    va_start(first, format);
    va_copy(second, first);
    int n = vsnprintf(NULL, 0, format, first);
    char *to = rcp_arena_alloc(&m->arena, (size_t)n + 1);
    vsnprintf(to, (size_t)n + 1, format, second);
    va_end(first);
    va_end(second);
    return to;
}

static void line(rcp_maker *m, const char *format, va_list arguments) {
    char text[16384];
    int n = vsnprintf(text, sizeof text, format, arguments);
    RCP_CHECK(n >= 0 && (size_t)n < sizeof text);
    rcp_text_printf(&m->out, "%*s%s", (int)(4 * m->indent), "", text);
}

void rcp_line(rcp_maker *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    line(m, format, arguments);
    va_end(arguments);
    rcp_text_puts(&m->out, "\n");
}

void rcp_open(rcp_maker *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    line(m, format, arguments);
    va_end(arguments);
    rcp_text_puts(&m->out, " {\n");
    m->indent++;
}

void rcp_block(rcp_maker *m) {
    rcp_line(m, "{");
    m->indent++;
}

void rcp_close(rcp_maker *m, const char *behind) {
    m->indent--;
    rcp_line(m, "}%s", behind);
}

const char *rcp_name(rcp_maker *m, const char *stem) { return rcp_say(m, "%s%u", stem, m->names++); }

void rcp_note(rcp_maker *m, rcp_feature feature) { m->has[feature] = true; }

rcp_ctype rcp_any_type(rcp_maker *m) {
    static const rcp_feature features[RCP_CTYPES] = {
        [RCP_I8] = RCP_FEATURE_INT_8,     [RCP_U8] = RCP_FEATURE_INT_8,     [RCP_I16] = RCP_FEATURE_INT_16,
        [RCP_U16] = RCP_FEATURE_INT_16,   [RCP_I32] = RCP_FEATURE_INT_32,   [RCP_U32] = RCP_FEATURE_INT_32,
        [RCP_I64] = RCP_FEATURE_INT_64,   [RCP_U64] = RCP_FEATURE_INT_64,   [RCP_I128] = RCP_FEATURE_INT_128,
        [RCP_U128] = RCP_FEATURE_INT_128, [RCP_BOOLEAN] = RCP_FEATURE_BOOL, [RCP_F32] = RCP_FEATURE_FLOAT,
        [RCP_F64] = RCP_FEATURE_DOUBLE,
    };
    rcp_ctype type = rcp_chance(m, 40) ? (rcp_ctype)(RCP_I32 + rcp_pick(m, 4)) : (rcp_ctype)rcp_pick(m, RCP_CTYPES);
    rcp_note(m, features[type]);
    return type;
}

rcp_ctype rcp_any_integer(rcp_maker *m) { return (rcp_ctype)rcp_pick(m, RCP_U64 + 1); }
