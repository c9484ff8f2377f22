/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures (tests/golden/figures): every order flags, in the observed order, exactly the variables that each
 * file expects of it. What the files say of predictable races is compared with the oracle by prop_figures. */
#include "../figure.h"

#include "order/engine/engine.h"
#include "order/engine/dc.h"
#include "order/engine/hb.h"
#include "order/engine/sdp.h"
#include "order/engine/shb.h"
#include "order/engine/wcp.h"
#include "order/engine/wdp.h"
#include "suite.h"
#include "trace/text/text.h"

#include <glob.h>
#include <stdlib.h>

typedef struct findings {
    const rcp_trace *trace;
    rcp_text names; /* " x y " */
} findings;

static void find(void *context, const rcp_order_race *race) {
    findings *f = context;
    const rcp_variable *v = rcp_defs_find_variable(&f->trace->defs, race->lo);
    ck_assert_ptr_nonnull(v);
    const char *name = rcp_defs_borrow_string(&f->trace->defs, v->name);
    if (!figure_lists(f->names.at, name))
        rcp_text_printf(&f->names, "%s ", name);
}

static void judge(const char *path, const char *text, const rcp_trace *trace, const char *word,
                  const rcp_rules *rules) {
    char expected[256];
    if (!figure_expects(text, word, expected, sizeof expected)) {
        /* only seed 002 speaks of all orders */
        ck_assert_msg(!strstr(path, "/002-") && strcmp(word, "hb"), "%s says nothing of %s", path, word);
        return;
    }
    findings f = {.trace = trace};
    rcp_text_puts(&f.names, " ");
    rcp_order_facts facts;
    rcp_order_facts_init(&facts);
    rcp_order_facts_add(&facts, trace->events.at, trace->events.len);
    rcp_engine *engine = rcp_engine_create(rules, &trace->defs, find, &f);
    rcp_engine_inform(engine, &trace->terms, &facts);
    for (size_t i = 0; i < trace->events.len; i++)
        ck_assert_int_eq(rcp_engine_add(engine, (rcp_eid){i}, &trace->events.at[i]), RCP_OK);
    rcp_engine_destroy(engine);
    rcp_order_facts_finish(&facts);
    ck_assert_msg(figure_agrees(&trace->defs, expected, f.names.at), "%s: %s expected:%s; found:%s", path, word,
                  expected, f.names.len == 1 ? " none" : f.names.at);
    rcp_text_finish(&f.names);
}

static const struct {
    const char *word;
    const rcp_rules *rules;
} orders[] = {
    {"hb", &rcp_rules_hb},   {"shb", &rcp_rules_shb}, {"wcp", &rcp_rules_wcp},
    {"dc", &rcp_rules_dc},   {"sdp", &rcp_rules_sdp}, {"sdp-published", &rcp_rules_sdp_published},
    {"wdp", &rcp_rules_wdp},
};

START_TEST(every_order) {
    const char *root = getenv("RECIPE_SOURCE_DIR");
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/tests/golden/figures/*.txt", root ? root : ".");
    glob_t files;
    ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
    ck_assert_uint_ge(files.gl_pathc, 20);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        rcp_text text = {0};
        rcp_trace trace;
        rcp_trace_init(&trace);
        const char *path = files.gl_pathv[i];
        if (rcp_text_read_file(&text, path) != RCP_OK || rcp_text_parse(path, text.at, text.len, &trace) != RCP_OK)
            ck_abort_msg("%s", rcp_borrow_cause(0));
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
            judge(path, text.at, &trace, orders[k].word, orders[k].rules);
        rcp_trace_finish(&trace);
        rcp_text_finish(&text);
    }
    globfree(&files);
}
END_TEST

int main(void) { return rcp_suite_run("figures", every_order, NULL); }
