/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures (tests/golden/figures): hb and shb flag, in the observed order, exactly the variables that each
 * file expects. What the files say of predictable races is compared with the oracle by prop_figures. */
#include "../figure.h"

#include "order/engine.h"
#include "order/hb.h"
#include "order/shb.h"
#include "suite.h"
#include "trace/text.h"

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
    ck_assert_msg(figure_expects(text, word, expected, sizeof expected), "%s says nothing of %s", path, word);
    findings f = {.trace = trace};
    rcp_text_puts(&f.names, " ");
    rcp_engine *engine = rcp_engine_create(rules, &trace->defs, find, &f);
    for (size_t i = 0; i < trace->events.len; i++)
        ck_assert_int_eq(rcp_engine_add(engine, (rcp_eid){i}, &trace->events.at[i]), RCP_OK);
    rcp_engine_destroy(engine);
    ck_assert_msg(figure_agrees(&trace->defs, expected, f.names.at), "%s: %s expected:%s; found:%s", path, word,
                  expected, f.names.len == 1 ? " none" : f.names.at);
    rcp_text_finish(&f.names);
}

START_TEST(hb_and_shb) {
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
        judge(path, text.at, &trace, "hb", &rcp_rules_hb);
        judge(path, text.at, &trace, "shb", &rcp_rules_shb);
        rcp_trace_finish(&trace);
        rcp_text_finish(&text);
    }
    globfree(&files);
}
END_TEST

int main(void) { return rcp_suite_run("figures", hb_and_shb, NULL); }
