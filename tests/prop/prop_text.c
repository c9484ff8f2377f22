/* SPDX-License-Identifier: Apache-2.0 */
/* The text forms lose nothing: a generated trace that is printed and parsed is the same trace, field by field; and what
 * it becomes in STD and in the valued form is parsed and printed to the same again. */
#include "../unit/same_trace.h"

#include "order/engine/engine.h"
#include "order/engine/hb.h"
#include "prop/args.h"
#include "prop/gen.h"
#include "trace/text/std.h"
#include "trace/text/text.h"
#include "trace/text/valued.h"

#include <inttypes.h>
#include <stdlib.h>

typedef rcp_code parser(const char *name, const char *text, size_t len, rcp_trace *trace);
typedef rcp_code printer(rcp_text *out, const rcp_trace *trace, rcp_lowering *notes);

static bool text_round_trip(const rcp_trace *trace, rcp_text *printed) {
    rcp_trace back;
    rcp_trace_init(&back);
    rcp_text_print_trace(printed, trace);
    bool same = rcp_text_parse("printed", printed->at, printed->len, &back) == RCP_OK;
    if (!same)
        rcp_print_causes(stdout);
    same = same && same_trace(trace, &back);
    rcp_trace_finish(&back);
    return same;
}

static void ignore(void *context, const rcp_order_race *race) {
    (void)context;
    (void)race;
}

static uint64_t hb_races(const rcp_trace *trace) {
    rcp_engine *engine = rcp_engine_create(&rcp_rules_hb, &trace->defs, ignore, NULL);
    for (size_t i = 0; i < trace->events.len; i++)
        if (rcp_engine_add(engine, (rcp_eid){i}, &trace->events.at[i]) != RCP_OK)
            abort();
    uint64_t races = rcp_engine_statistics(engine).races;
    rcp_engine_destroy(engine);
    return races;
}

/* An ALLOC comes before the accesses in the life that it begins; the forms have no ALLOC. */
static bool has_lives(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++)
        if (trace->events.at[i].kind == RCP_ALLOC || trace->events.at[i].kind == RCP_FREE)
            return true;
    return false;
}

static bool foreign_round_trip(const rcp_trace *trace, parser *parse, printer *print, bool *held, uint64_t *kept) {
    rcp_text first = {0}, second = {0};
    rcp_lowering notes;
    rcp_trace back;
    rcp_trace_init(&back);
    *held = print(&first, trace, &notes) == RCP_OK && first.len;
    bool same = true;
    if (*held) {
        same = parse("printed", first.at, first.len, &back) == RCP_OK && print(&second, &back, &notes) == RCP_OK;
        if (!same)
            rcp_print_causes(stdout);
        same = same && !strcmp(first.at, second.at);
        uint64_t races = hb_races(&back);
        if (same && races && !has_lives(trace) && !hb_races(trace)) {
            printf("hb finds races in the export alone\n");
            same = false;
        }
        *kept += races != 0;
        if (!same)
            printf("%s\n%s\n", first.at, second.at ? second.at : "");
    }
    rcp_trace_finish(&back);
    rcp_text_finish(&first);
    rcp_text_finish(&second);
    return same;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 10000);
    uint64_t traces = 0, events = 0, terms = 0, std = 0, valued = 0, kept = 0;
    for (uint64_t i = 0; rcp_args_go_on(&args, i); i++) {
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_profile(seed, args.max_events);
        rcp_trace trace;
        rcp_text printed = {0};
        bool held;
        rcp_trace_init(&trace);
        rcp_gen_trace(&trace, &options, seed);
        bool right = text_round_trip(&trace, &printed);
        right = foreign_round_trip(&trace, rcp_std_parse, rcp_std_print, &held, &kept) && right;
        std += held;
        right = foreign_round_trip(&trace, rcp_valued_parse, rcp_valued_print, &held, &kept) && right;
        valued += held;
        traces++;
        events += trace.events.len;
        terms += trace.terms.nodes.len;
        if (!right)
            printf("not the same: --exact --seed %" PRIu64 "\n%s", seed, printed.at);
        rcp_trace_finish(&trace);
        rcp_text_finish(&printed);
        if (!right)
            return 1;
    }
    printf("%" PRIu64 " traces with %" PRIu64 " events and %" PRIu64 " terms; %" PRIu64 " in STD, %" PRIu64
           " valued; %" PRIu64 " of them with races\n",
           traces, events, terms, std, valued, kept);
    return traces && terms && std && valued && kept ? 0 : 1;
}
