/* SPDX-License-Identifier: Apache-2.0 */
/* JSON (RFC 8259), read and written.
 *
 * Read strictly: nothing after the value, no comments, no comma too many, no control character in a string, strings in
 * UTF-8 and without U+0000, so that they are C strings; at most RCP_JSON_DEPTH values within each other. What breaks a
 * rule is refused with its line and column.
 *
 * Invariant: a value that was read never changes. It lives in the caller's arena, but for its `raw`, which borrows the
 * text. The functions that ask take NULL for a value that is not there, so that questions can be chained.
 */
#ifndef RECIPE_BASE_JSON_H
#define RECIPE_BASE_JSON_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

enum { RCP_JSON_DEPTH = 64 };

typedef enum rcp_json_kind {
    RCP_JSON_NULL,
    RCP_JSON_FALSE,
    RCP_JSON_TRUE,
    RCP_JSON_NUMBER,
    RCP_JSON_STRING,
    RCP_JSON_LIST,
    RCP_JSON_OBJECT,
} rcp_json_kind;

typedef struct rcp_json {
    rcp_json_kind kind;
    double number;
    const char *string; /* without quotes and escapes */
    const char *key;    /* of a member of an object */
    const char *raw;    /* as it stands in the text */
    size_t raw_len;
    struct rcp_json *first, *next; /* the members of a list or an object, in the text's order */
} rcp_json;

/* `name` is for what is said of a mistake. */
rcp_code rcp_json_parse(const char *name, const char *text, size_t n, rcp_arena *arena,
                        const rcp_json **value) RCP_MUST_USE;

/* The member of an object; the first where several have the key. NULL: there is none, or it is no object. */
const rcp_json *rcp_json_member(const rcp_json *object, const char *key);
/* NULL, or 0: it is none. */
const char *rcp_json_string(const rcp_json *value);
double rcp_json_number(const rcp_json *value);

/* --- writing: what stands between values is the caller's --- */

/* `string` in quotes, with what JSON wants escaped; bytes that are no UTF-8 become U+FFFD. */
void rcp_json_quote(rcp_text *to, const char *string);
/* "key": "string" */
void rcp_json_put_string(rcp_text *to, const char *key, const char *string);
/* "key": ["one", "two"] */
void rcp_json_put_strings(rcp_text *to, const char *key, char *const *strings, size_t n);
/* "key": 12 */
void rcp_json_put_number(rcp_text *to, const char *key, unsigned long long number);

#endif
