/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures: what their files say of predictable, same-value and relaxed races must be what the oracle finds.
 * Nothing here is random; the flags of the other property tests are taken and make no difference. */
#include "../figure.h"

#include "prop/args.h"
#include "prop/oracle.h"
#include "trace/text/text.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"predictable", "same-value", "relaxed"}; /* in the order of rcp_value_rule */

/* The variable at the first byte that the two have in common. */
static const char *variable_of(const rcp_trace *trace, uint64_t a, uint64_t b) {
    const rcp_event *x = &trace->events.at[a], *y = &trace->events.at[b];
    const rcp_variable *variable = rcp_defs_find_variable(&trace->defs, x->addr > y->addr ? x->addr : y->addr);
    return variable ? rcp_defs_borrow_string(&trace->defs, variable->name) : "?";
}

static bool judge(const char *path, const rcp_trace *trace, rcp_value_rule values, const char *names) {
    rcp_oracle *oracle = rcp_oracle_create(trace, values, false);
    bool right = rcp_oracle_explore(oracle, 5000000);
    if (!right)
        printf("%s: too many states\n", path);
    rcp_text found = {0};
    rcp_text_puts(&found, " ");
    for (uint64_t a = 0; a < trace->events.len; a++)
        for (uint64_t b = a + 1; b < trace->events.len; b++)
            if (rcp_oracle_races(oracle, (rcp_eid){a}, (rcp_eid){b}) &&
                !figure_lists(found.at, variable_of(trace, a, b)))
                rcp_text_printf(&found, "%s ", variable_of(trace, a, b));
    right = right && !figure_lists(found.at, "?") && figure_agrees(&trace->defs, names, found.at);
    if (!right)
        printf("%s: %s races expected:%s; the oracle finds:%s\n", path, words[values], names,
               found.len == 1 ? " none" : found.at);
    rcp_text_finish(&found);
    rcp_oracle_destroy(oracle);
    return right;
}

int main(int argc, char **argv) {
    rcp_args_parse(argc, argv, 0);
    const char *source = getenv("RECIPE_SOURCE_DIR");
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/tests/golden/figures/*.txt", source ? source : ".");
    glob_t files;
    if (glob(pattern, 0, NULL, &files)) {
        printf("nothing matches %s: set RECIPE_SOURCE_DIR to the root of the source tree\n", pattern);
        return 1;
    }
    bool right = true;
    unsigned judged = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        rcp_text text = {0};
        rcp_trace trace;
        rcp_trace_init(&trace);
        if (rcp_text_read_file(&text, files.gl_pathv[i]) != RCP_OK ||
            rcp_text_parse(files.gl_pathv[i], text.at, text.len, &trace) != RCP_OK) {
            rcp_print_causes(stdout);
            right = false;
        } else {
            rcp_trace_index(&trace);
            char names[512];
            for (int v = 0; v < 3; v++)
                if (figure_expects(text.at, words[v], names, sizeof names)) {
                    right &= judge(files.gl_pathv[i], &trace, (rcp_value_rule)v, names);
                    judged++;
                }
        }
        rcp_trace_finish(&trace);
        rcp_text_finish(&text);
    }
    printf("%zu figures, %u verdicts: %s\n", files.gl_pathc, judged, right && judged ? "ok" : "failed");
    globfree(&files);
    return !right || !judged;
}
