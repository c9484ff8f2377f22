/* SPDX-License-Identifier: Apache-2.0 */
#include "report/places_of_waits.h"

#include "base/json.h"
#include "base/text.h"

#include <string.h>

/* Where a wait is in the program: its `stack`, as it stands there. */
static void find_stack(const char *wait, rcp_text *stack) {
    rcp_arena arena;
    const rcp_json *object;
    rcp_arena_init(&arena);
    rcp_text_clear(stack);
    if (rcp_json_parse("a wait", wait, strlen(wait), &arena, &object) != RCP_OK)
        rcp_clear_causes();
    else if (rcp_json_member(object, "stack"))
        rcp_text_add(stack, rcp_json_member(object, "stack")->raw, rcp_json_member(object, "stack")->raw_len);
    rcp_arena_finish(&arena);
}

bool rcp_places_of_waits_are_among(char *const *waits, size_t n, char *const *all, size_t n_all) {
    rcp_text one = {0}, other = {0};
    bool is = n > 0;
    for (size_t i = 0; is && i < n; i++) {
        find_stack(waits[i], &one);
        is = false;
        for (size_t k = 0; !is && one.len && k < n_all; k++) {
            find_stack(all[k], &other);
            is = one.len == other.len && !memcmp(one.at, other.at, one.len);
        }
    }
    rcp_text_finish(&one);
    rcp_text_finish(&other);
    return is;
}
