/* SPDX-License-Identifier: Apache-2.0 */
/* The letters of the text form: a cursor over one text, and what it takes to read words, numbers and strings from it.
 * Shared by the parsers of text_parse.c and text_term.c; the printer asks here which words can stand unquoted.
 *
 * Invariant: begin <= at <= end; nothing at or past `end` is read. The scan borrows the text.
 */
#ifndef RECIPE_TRACE_TEXT_TEXT_SCAN_H
#define RECIPE_TRACE_TEXT_TEXT_SCAN_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rcp_scan {
    const char *name; /* of the file, for messages */
    const char *at, *end, *line_begin;
    size_t line; /* from 1 */
} rcp_scan;

typedef struct rcp_text_piece {
    const char *at;
    size_t len;
} rcp_text_piece;

void rcp_scan_init(rcp_scan *scan, const char *name, const char *text, size_t len);

/* `name:line:column: reason`, the column being that of `at`. */
rcp_code rcp_scan_fail(const rcp_scan *scan, const char *at, const char *format, ...) RCP_PRINTF(3, 4);
/* Gives the failure that has just happened a place in the text. */
rcp_code rcp_scan_place(const rcp_scan *scan, const char *at, rcp_code code);

/* Passes blanks and a comment; true at the end of the line. */
bool rcp_scan_line_ends(rcp_scan *scan);
/* On to the next line; call at the end of one. False at the end of the text. */
bool rcp_scan_next_line(rcp_scan *scan);
/* Passes blanks, then `sign` if it stands there. */
bool rcp_scan_take(rcp_scan *scan, const char *sign);
/* `sign` right here, without blanks before it. */
bool rcp_scan_take_here(rcp_scan *scan, const char *sign);
/* Passes blanks, then a word if one stands there. */
bool rcp_scan_word(rcp_scan *scan, rcp_text_piece *word);
/* The same, but only looks. */
bool rcp_scan_peek_word(rcp_scan *scan, rcp_text_piece *word);
bool rcp_scan_at_digit(rcp_scan *scan);
bool rcp_slice_is(rcp_text_piece slice, const char *string);

/* Decimal, or hexadecimal with 0x. */
rcp_code rcp_scan_number(rcp_scan *scan, uint64_t *number) RCP_MUST_USE;
/* As number, but a '-' may stand before it; *negative says so. */
rcp_code rcp_scan_signed(rcp_scan *scan, uint64_t *number, bool *negative) RCP_MUST_USE;
/* Pairs of hexadecimal digits, in memory order, appended to `bytes`. */
rcp_code rcp_scan_bytes(rcp_scan *scan, rcp_text *bytes) RCP_MUST_USE;
/* A quoted string, or else a word; into `string`. */
rcp_code rcp_scan_string(rcp_scan *scan, const char *what, rcp_text *string) RCP_MUST_USE;
/* The same where a bare name of a file may stand: no blanks, no ':' in it. */
rcp_code rcp_scan_file(rcp_scan *scan, rcp_text *string) RCP_MUST_USE;

/* Can it stand unquoted? */
bool rcp_scan_is_word(const char *at, size_t len);
bool rcp_scan_is_file(const char *at, size_t len);
void rcp_scan_print_quoted(rcp_text *out, const char *at, size_t len);

#endif
