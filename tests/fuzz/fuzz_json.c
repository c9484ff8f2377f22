/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON: refused with its place, or a value of which every part is read alone from where it stands. */
#include "base/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A string is written and read to the same, whatever is in it. */
static void must_survive(const char *string, rcp_arena *arena) {
    rcp_text quoted = {0};
    const rcp_json *again = NULL;
    rcp_json_quote(&quoted, string);
    if (rcp_json_parse("quoted", quoted.at, quoted.len, arena, &again) != RCP_OK || strcmp(again->string, string))
        abort();
    rcp_text_finish(&quoted);
}

static void must_stand_alone(const rcp_json *value, rcp_arena *arena) {
    const rcp_json *again = NULL;
    if (rcp_json_parse("part", value->raw, value->raw_len, arena, &again) != RCP_OK || again->kind != value->kind ||
        !isfinite(value->number) || again->number != value->number || again->raw_len != value->raw_len)
        abort();
    if (value->kind == RCP_JSON_STRING)
        must_survive(value->string, arena);
    if (value->key)
        must_survive(value->key, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { LARGEST = 4096 }; /* each part is parsed once more per value that it is in */
    rcp_arena arena;
    const rcp_json *value = NULL;
    rcp_arena_init(&arena);
    if (size <= LARGEST && rcp_json_parse("input", (const char *)data, size, &arena, &value) == RCP_OK) {
        must_stand_alone(value, &arena);
        for (const rcp_json *one = value->first; one; one = one->next)
            must_stand_alone(one, &arena);
    } else if (size <= LARGEST && !rcp_borrow_cause(0)) {
        abort();
    }
    rcp_arena_finish(&arena);
    return 0;
}
