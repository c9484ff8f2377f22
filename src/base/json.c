/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

typedef struct input {
    const char *name, *begin, *at, *end;
    rcp_arena *arena;
    unsigned depth;
} input;

static rcp_code wrong(const input *in, const char *at, const char *what) {
    unsigned line = 1, column = 1;
    for (const char *p = in->begin; p < at; p++, column++)
        if (*p == '\n')
            line++, column = 0;
    return rcp_fail(RCP_BAD_INPUT, "%s:%u:%u: %s", in->name, line, column, what);
}

static void skip_blanks(input *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        in->at++;
}

static bool is_next(const input *in, char c) { return in->at < in->end && *in->at == c; }

static bool is_digit(const input *in) { return in->at < in->end && *in->at >= '0' && *in->at <= '9'; }

/* Four hexadecimal digits; false: there are none. */
static bool take_unit(input *in, uint32_t *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++, in->at++) {
        char c = in->at < in->end ? *in->at : 0;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return false;
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

static void put_code_point(rcp_text *to, uint32_t c) {
    char bytes[4];
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(lead[n] | c);
    rcp_text_add(to, bytes, n);
}

/* After "\u": one unit of UTF-16, or the two that make a character. */
static rcp_code take_character(input *in, rcp_text *to) {
    const char *began = in->at - 2;
    uint32_t c, low;
    if (!take_unit(in, &c))
        return wrong(in, began, "\\u wants four hexadecimal digits");
    if (!c)
        return wrong(in, began, "a string with U+0000");
    if (c >= 0xd800 && c < 0xe000) {
        bool paired = c < 0xdc00 && in->end - in->at > 2 && in->at[0] == '\\' && in->at[1] == 'u';
        in->at += paired ? 2 : 0;
        if (!paired || !take_unit(in, &low) || low < 0xdc00 || low >= 0xe000)
            return wrong(in, began, "half of a surrogate pair");
        c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
    }
    put_code_point(to, c);
    return RCP_OK;
}

static rcp_code take_escape(input *in, rcp_text *to) {
    static const char escaped[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    char c = ++in->at < in->end ? *in->at : 0;
    const char *found = c ? strchr(escaped, c) : NULL;
    in->at += c != 0;
    if (found)
        rcp_text_add(to, &means[found - escaped], 1);
    else if (c == 'u')
        return take_character(in, to);
    else
        return wrong(in, in->at, "no such escape");
    return RCP_OK;
}

static rcp_code take_string(input *in, const char **string) {
    const char *began = in->at++;
    rcp_text text = {0};
    rcp_code code = RCP_OK;
    rcp_text_puts(&text, "");
    while (code == RCP_OK && in->at < in->end && *in->at != '"') {
        size_t n = rcp_utf8_sequence(in->at, (size_t)(in->end - in->at));
        if (*in->at == '\\') {
            code = take_escape(in, &text);
        } else if (!n || (unsigned char)*in->at < 0x20) {
            code = wrong(in, in->at, n ? "a control character in a string" : "a string that is no UTF-8");
        } else {
            rcp_text_add(&text, in->at, n);
            in->at += n;
        }
    }
    if (code == RCP_OK && in->at == in->end)
        code = wrong(in, began, "a string without an end");
    if (code == RCP_OK) {
        in->at++;
        *string = rcp_arena_copy(in->arena, text.at, text.len + 1);
    }
    rcp_text_finish(&text);
    return code;
}

static bool take_digits(input *in) {
    const char *began = in->at;
    while (is_digit(in))
        in->at++;
    return in->at > began;
}

static rcp_code take_number(input *in, rcp_json *value) {
    const char *began = in->at;
    in->at += is_next(in, '-');
    bool good = true;
    if (is_next(in, '0'))
        in->at++;
    else
        good = take_digits(in);
    if (good && is_next(in, '.')) {
        in->at++;
        good = take_digits(in);
    }
    if (good && (is_next(in, 'e') || is_next(in, 'E'))) {
        in->at++;
        in->at += is_next(in, '+') || is_next(in, '-');
        good = take_digits(in);
    }
    if (!good)
        return wrong(in, began, "no value begins like this");
    size_t n = (size_t)(in->at - began);
    char *copy = rcp_arena_alloc(in->arena, n + 1); /* the text may end here, without a NUL */
    memcpy(copy, began, n);
    copy[n] = 0;
    value->kind = RCP_JSON_NUMBER;
    value->number = strtod(copy, NULL);
    return isfinite(value->number) ? RCP_OK : wrong(in, began, "a number that is too large");
}

static rcp_code take_value(input *in, rcp_json **value);

static rcp_code take_member(input *in, bool is_object, rcp_json **member) {
    const char *key = NULL;
    skip_blanks(in);
    if (is_object) {
        if (!is_next(in, '"'))
            return wrong(in, in->at, "the key of a member is wanted");
        RCP_TRY(take_string(in, &key));
        skip_blanks(in);
        if (!is_next(in, ':'))
            return wrong(in, in->at, "':' is wanted");
        in->at++;
    }
    RCP_TRY(take_value(in, member));
    (*member)->key = key;
    return RCP_OK;
}

static rcp_code take_members(input *in, rcp_json *value) {
    bool is_object = *in->at == '{';
    char end = is_object ? '}' : ']';
    rcp_json **last = &value->first;
    value->kind = is_object ? RCP_JSON_OBJECT : RCP_JSON_LIST;
    if (in->depth++ == RCP_JSON_DEPTH)
        return wrong(in, in->at, "too many values within each other");
    in->at++;
    skip_blanks(in);
    for (bool more = !is_next(in, end); more;) {
        RCP_TRY(take_member(in, is_object, last));
        last = &(*last)->next;
        skip_blanks(in);
        more = is_next(in, ',');
        in->at += more;
    }
    if (!is_next(in, end))
        return wrong(in, in->at, is_object ? "',' or '}' is wanted" : "',' or ']' is wanted");
    in->at++;
    in->depth--;
    return RCP_OK;
}

static bool take_word(input *in, const char *word) {
    size_t n = strlen(word);
    bool found = (size_t)(in->end - in->at) >= n && !memcmp(in->at, word, n);
    in->at += found ? n : 0;
    return found;
}

static rcp_code take_value(input *in, rcp_json **taken) {
    skip_blanks(in);
    rcp_json *value = rcp_arena_alloc(in->arena, sizeof *value);
    *value = (rcp_json){.raw = in->at};
    rcp_code code = RCP_OK;
    if (is_next(in, '{') || is_next(in, '[')) {
        code = take_members(in, value);
    } else if (is_next(in, '"')) {
        value->kind = RCP_JSON_STRING;
        code = take_string(in, &value->string);
    } else if (take_word(in, "true")) {
        value->kind = RCP_JSON_TRUE;
    } else if (take_word(in, "false")) {
        value->kind = RCP_JSON_FALSE;
    } else if (!take_word(in, "null")) {
        code = take_number(in, value);
    }
    value->raw_len = (size_t)(in->at - value->raw);
    *taken = value;
    return code;
}

rcp_code rcp_json_parse(const char *name, const char *text, size_t n, rcp_arena *arena, const rcp_json **value) {
    input in = {.name = name, .begin = text, .at = text, .end = text + n, .arena = arena};
    rcp_json *whole;
    RCP_TRY(take_value(&in, &whole));
    skip_blanks(&in);
    if (in.at < in.end)
        return wrong(&in, in.at, "more than one value");
    *value = whole;
    return RCP_OK;
}

const rcp_json *rcp_json_member(const rcp_json *object, const char *key) {
    if (!object || object->kind != RCP_JSON_OBJECT)
        return NULL;
    const rcp_json *member = object->first;
    while (member && strcmp(member->key, key))
        member = member->next;
    return member;
}

const char *rcp_json_string(const rcp_json *value) { return value ? value->string : NULL; }

double rcp_json_number(const rcp_json *value) { return value ? value->number : 0; }

/* --- writing --- */

void rcp_json_quote(rcp_text *to, const char *string) {
    size_t left = strlen(string);
    rcp_text_puts(to, "\"");
    for (size_t n; left; string += n, left -= n) {
        size_t valid = rcp_utf8_sequence(string, left);
        n = valid ? valid : 1;
        if (!valid)
            rcp_text_puts(to, "\\ufffd");
        else if (*string == '"' || *string == '\\')
            rcp_text_printf(to, "\\%c", *string);
        else if (*string == '\n')
            rcp_text_puts(to, "\\n");
        else if (*string == '\t')
            rcp_text_puts(to, "\\t");
        else if ((unsigned char)*string < 0x20 || *string == 0x7f)
            rcp_text_printf(to, "\\u%04x", (unsigned char)*string);
        else
            rcp_text_add(to, string, n);
    }
    rcp_text_puts(to, "\"");
}

void rcp_json_put_string(rcp_text *to, const char *key, const char *string) {
    rcp_text_printf(to, "\"%s\": ", key);
    rcp_json_quote(to, string);
}

void rcp_json_put_strings(rcp_text *to, const char *key, char *const *strings, size_t n) {
    rcp_text_printf(to, "\"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        rcp_text_puts(to, i ? ", " : "");
        rcp_json_quote(to, strings[i]);
    }
    rcp_text_puts(to, "]");
}

void rcp_json_put_number(rcp_text *to, const char *key, unsigned long long number) {
    rcp_text_printf(to, "\"%s\": %llu", key, number);
}
