/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/text_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ctype.h asks the locale; the format does not. */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int hex_of(char c) {
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
static bool is_word_char(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '[' || c == ']'; }
static bool is_file_char(char c) { return is_word_char(c) || c == '/' || c == '-' || c == '+' || c == '~'; }

void rcp_scan_init(rcp_scan *scan, const char *name, const char *text, size_t len) {
    *scan = (rcp_scan){.name = name, .at = text, .end = text + len, .line_begin = text, .line = 1};
}

rcp_code rcp_scan_fail(const rcp_scan *scan, const char *at, const char *format, ...) {
    char reason[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    for (char *c = reason; *c; c++) /* the text's own bytes go to a terminal */
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return rcp_fail(RCP_BAD_INPUT, "%s:%zu:%zu: %s", scan->name, scan->line, (size_t)(at - scan->line_begin) + 1,
                    reason);
}

rcp_code rcp_scan_place(const rcp_scan *scan, const char *at, rcp_code code) {
    char reason[384];
    const char *cause = rcp_borrow_cause(0);
    snprintf(reason, sizeof reason, "%s", cause ? cause : "refused");
    (void)rcp_scan_fail(scan, at, "%s", reason);
    return code;
}

static void pass_blanks(rcp_scan *scan) {
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r'))
        scan->at++;
}

bool rcp_scan_line_ends(rcp_scan *scan) {
    pass_blanks(scan);
    if (scan->at < scan->end && *scan->at == '#') {
        const char *end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = end ? end : scan->end;
    }
    return scan->at == scan->end || *scan->at == '\n';
}

bool rcp_scan_next_line(rcp_scan *scan) {
    if (scan->at == scan->end)
        return false;
    RCP_DCHECK(*scan->at == '\n');
    scan->line_begin = ++scan->at;
    scan->line++;
    return true;
}

bool rcp_scan_take_here(rcp_scan *scan, const char *sign) {
    size_t n = strlen(sign);
    if ((size_t)(scan->end - scan->at) < n || memcmp(scan->at, sign, n))
        return false;
    scan->at += n;
    return true;
}

bool rcp_scan_take(rcp_scan *scan, const char *sign) {
    pass_blanks(scan);
    return rcp_scan_take_here(scan, sign);
}

bool rcp_scan_peek_word(rcp_scan *scan, rcp_text_piece *word) {
    pass_blanks(scan);
    const char *c = scan->at;
    if (c == scan->end || !is_letter(*c))
        return false;
    /* a hyphen belongs to a word only between letters, so that it can't swallow an arrow or a range */
    while (c < scan->end && (is_word_char(*c) || (*c == '-' && c + 1 < scan->end && is_letter(c[1]))))
        c++;
    *word = (rcp_text_piece){.at = scan->at, .len = (size_t)(c - scan->at)};
    return true;
}

bool rcp_scan_word(rcp_scan *scan, rcp_text_piece *word) {
    if (!rcp_scan_peek_word(scan, word))
        return false;
    scan->at += word->len;
    return true;
}

bool rcp_scan_at_digit(rcp_scan *scan) {
    pass_blanks(scan);
    return scan->at < scan->end && is_digit(*scan->at);
}

bool rcp_slice_is(rcp_text_piece slice, const char *string) {
    return strlen(string) == slice.len && !memcmp(slice.at, string, slice.len);
}

rcp_code rcp_scan_number(rcp_scan *scan, uint64_t *number) {
    if (!rcp_scan_at_digit(scan))
        return rcp_scan_fail(scan, scan->at, "a number is missing here");
    const char *begin = scan->at;
    uint64_t sum = 0;
    if (*begin == '0' && scan->end - begin > 2 && begin[1] == 'x' && hex_of(begin[2]) >= 0) {
        for (scan->at += 2; scan->at < scan->end && hex_of(*scan->at) >= 0; scan->at++) {
            if (sum >> 60)
                return rcp_scan_fail(scan, begin, "this number has more than 64 bits");
            sum = sum << 4 | (unsigned)hex_of(*scan->at);
        }
    } else {
        for (; scan->at < scan->end && is_digit(*scan->at); scan->at++) {
            unsigned digit = (unsigned)(*scan->at - '0');
            if (sum > (UINT64_MAX - digit) / 10)
                return rcp_scan_fail(scan, begin, "this number has more than 64 bits");
            sum = sum * 10 + digit;
        }
    }
    if (scan->at < scan->end && is_word_char(*scan->at))
        return rcp_scan_fail(scan, scan->at, "this does not belong to a number");
    *number = sum;
    return RCP_OK;
}

rcp_code rcp_scan_signed(rcp_scan *scan, uint64_t *number, bool *negative) {
    *negative = rcp_scan_take(scan, "-");
    return rcp_scan_number(scan, number);
}

rcp_code rcp_scan_bytes(rcp_scan *scan, rcp_text *bytes) {
    pass_blanks(scan);
    const char *begin = scan->at;
    for (; scan->at < scan->end && hex_of(*scan->at) >= 0; scan->at += 2) {
        if (scan->at + 1 == scan->end || hex_of(scan->at[1]) < 0)
            return rcp_scan_fail(scan, begin, "bytes are pairs of hexadecimal digits; one digit is left over");
        char byte = (char)(hex_of(scan->at[0]) << 4 | hex_of(scan->at[1]));
        rcp_text_add(bytes, &byte, 1);
    }
    if (scan->at < scan->end && is_word_char(*scan->at))
        return rcp_scan_fail(scan, scan->at, "this is no hexadecimal digit");
    return RCP_OK;
}

static rcp_code quoted(rcp_scan *scan, rcp_text *string) {
    const char *begin = scan->at++;
    for (;;) {
        if (scan->at == scan->end || *scan->at == '\n')
            return rcp_scan_fail(scan, begin, "this string is not closed on its line");
        char c = *scan->at++;
        if (c == '"')
            return RCP_OK;
        if (c == '\\') {
            size_t left = (size_t)(scan->end - scan->at);
            char kind = left ? *scan->at : 0;
            if (kind == 'x' && left >= 3 && hex_of(scan->at[1]) >= 0 && hex_of(scan->at[2]) >= 0) {
                c = (char)(hex_of(scan->at[1]) << 4 | hex_of(scan->at[2]));
                scan->at += 3;
            } else if (kind == '"' || kind == '\\') {
                c = kind;
                scan->at++;
            } else if (kind == 'n' || kind == 't') {
                c = kind == 'n' ? '\n' : '\t';
                scan->at++;
            } else {
                return rcp_scan_fail(scan, scan->at - 1, "after '\\' one of \" \\ n t xHH must stand");
            }
        }
        if (!c)
            return rcp_scan_fail(scan, scan->at - 1, "a string can't hold a NUL");
        rcp_text_add(string, &c, 1);
    }
}

rcp_code rcp_scan_string(rcp_scan *scan, const char *what, rcp_text *string) {
    rcp_text_piece word;
    rcp_text_clear(string);
    rcp_text_add(string, "", 0); /* so that an empty one is a string too */
    if (rcp_scan_word(scan, &word)) {
        rcp_text_add(string, word.at, word.len);
        return RCP_OK;
    }
    if (scan->at < scan->end && *scan->at == '"')
        return quoted(scan, string);
    return rcp_scan_fail(scan, scan->at, "%s is missing here: a word, or anything in quotes", what);
}

rcp_code rcp_scan_file(rcp_scan *scan, rcp_text *string) {
    pass_blanks(scan);
    rcp_text_clear(string);
    rcp_text_add(string, "", 0);
    if (scan->at < scan->end && *scan->at == '"')
        return quoted(scan, string);
    const char *begin = scan->at;
    while (scan->at < scan->end && is_file_char(*scan->at))
        scan->at++;
    if (scan->at == begin)
        return rcp_scan_fail(scan, begin, "the name of a source file is missing here");
    rcp_text_add(string, begin, (size_t)(scan->at - begin));
    return RCP_OK;
}

bool rcp_scan_is_word(const char *at, size_t len) {
    if (!len || !is_letter(*at))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!is_word_char(at[i]))
            return false;
    return true;
}

bool rcp_scan_is_file(const char *at, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!is_file_char(at[i]))
            return false;
    return len > 0;
}

void rcp_scan_print_quoted(rcp_text *out, const char *at, size_t len) {
    rcp_text_puts(out, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)at[i];
        if (c == '"' || c == '\\')
            rcp_text_printf(out, "\\%c", c);
        else if (c == '\n')
            rcp_text_puts(out, "\\n");
        else if (c == '\t')
            rcp_text_puts(out, "\\t");
        else if (c < 0x20 || c == 0x7f)
            rcp_text_printf(out, "\\x%02x", c);
        else
            rcp_text_add(out, at + i, 1);
    }
    rcp_text_puts(out, "\"");
}
