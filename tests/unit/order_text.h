/* SPDX-License-Identifier: Apache-2.0 */
/* What an order flags in a trace that is written in the text form, as a string: "T2.0~T1.3" says that event 0 of T2
 * races with the earlier event 3 of T1; several are separated by blanks. Threads T1, T2, T3 are declared already. */
#ifndef RECIPE_TESTS_ORDER_TEXT_H
#define RECIPE_TESTS_ORDER_TEXT_H

#include "order/engine/engine.h"
#include "parse_text.h"

static inline void parse_trace(rcp_trace *trace, const char *lines) {
    rcp_text text = {0};
    rcp_text_printf(&text, "recipe trace 1\nthread T1\nthread T2\nthread T3\n%s", lines);
    parse_text(trace, text.at);
    rcp_trace_index(trace);
    rcp_text_finish(&text);
}

static inline void add_race(void *context, const rcp_order_race *race) {
    rcp_text_printf(context, "%sT%u.%u~T%u.%u", ((rcp_text *)context)->len ? " " : "", race->later.tid.v + 1,
                    race->later.position, race->earlier.tid.v + 1, race->earlier.position);
}

static inline rcp_text flagged(rcp_model model, const char *lines) {
    rcp_trace trace;
    rcp_text out = {0};
    parse_trace(&trace, lines);
    rcp_text_puts(&out, "");
    rcp_engine *engine = rcp_engine_create(rcp_rules_of(model), &trace.defs, add_race, &out);
    for (size_t i = 0; i < trace.events.len; i++)
        ck_assert_int_eq(rcp_engine_add(engine, (rcp_eid){i}, &trace.events.at[i]), RCP_OK);
    rcp_engine_destroy(engine);
    rcp_trace_finish(&trace);
    return out;
}

static inline void expect(rcp_model model, const char *lines, const char *races) {
    rcp_text got = flagged(model, lines);
    ck_assert_msg(!strcmp(got.at ? got.at : "", races), "%s flags '%s', not '%s', in\n%s", rcp_model_name(model),
                  got.at ? got.at : "", races, lines);
    rcp_text_finish(&got);
}

static inline void expect_hb(const char *lines, const char *races) { expect(RCP_MODEL_HB, lines, races); }
static inline void expect_shb(const char *lines, const char *races) { expect(RCP_MODEL_SHB, lines, races); }
static inline void expect_both(const char *lines, const char *races) {
    expect_hb(lines, races);
    expect_shb(lines, races);
}

#endif
