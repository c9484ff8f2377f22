/* SPDX-License-Identifier: Apache-2.0 */
/* The generator and the oracle against each other: what was generated did happen, so its own order is feasible; and the
 * rules stand to each other as they should (what races under V1 or V2 does under V3; spurious wake-ups only add). With
 * --stats: what the traces contain and how many of them have races, by rule. */
#include "prop/args.h"
#include "prop/gen.h"
#include "prop/oracle.h"
#include "prop/show.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const rules[] = {"last writer", "same value", "relaxed"};

typedef struct stats {
    uint64_t traces, events, by_kind[RCP_KINDS], with_kind[RCP_KINDS], by_outcome[RCP_OUTCOMES];
    uint64_t real_terms, unvalued, implicit, wide;
    uint64_t with_race[3], pairs[3], states[3], given_up[3];
    uint64_t undefined; /* traces that a rule may refuse as observed, because they read undefined memory */
} stats;

/* Does the trace read memory that an ALLOC or a FREE left undefined, or does it have terms over reads without values?
 * Then no rule can be asked to accept it as observed. */
static bool reads_undefined(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        for (uint64_t addr = e->addr; rcp_event_reads(e) && addr < e->addr + e->size; addr++) {
            bool defined = true;
            for (size_t j = 0; j < i; j++) {
                const rcp_event *w = &trace->events.at[j];
                bool covers = rcp_event_is_opaque(w) ? rcp_defs_reach_holds(&trace->defs, w->reach, addr, addr + 1)
                                                     : addr >= w->addr && addr - w->addr < rcp_event_extent(w);
                if (covers && (w->kind == RCP_ALLOC || w->kind == RCP_FREE))
                    defined = w->outcome == RCP_ZEROED;
                else if (covers && (rcp_event_writes(w) || rcp_event_is_opaque(w)))
                    defined = true;
            }
            if (!defined)
                return true;
        }
    }
    return false;
}

static bool lacks_values(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        if ((rcp_event_is_access(e) || e->kind == RCP_BRANCH) && !e->valued)
            return true;
    }
    return false;
}

static void observed_order(const rcp_trace *trace, rcp_witness *witness) {
    for (size_t i = 0; i < trace->events.len; i++)
        rcp_witness_run(witness, trace->events.at[i].tid, trace->position[i] + 1);
    witness->race[0] = witness->race[1] = RCP_NO_EID;
}

/* An operator that can have no value: under V3, and V3 alone, an execution can't get past it. */
static bool may_be_undefined(const rcp_trace *trace) {
    for (size_t i = 0; i < rcp_terms_count(&trace->terms); i++) {
        uint8_t op = trace->terms.nodes.at[i].op;
        if ((op >= RCP_OP_UDIV && op <= RCP_OP_SREM) || (op >= RCP_OP_SHL && op <= RCP_OP_ASHR))
            return true;
    }
    return false;
}

static rcp_oracle *explored(const rcp_trace *trace, rcp_value_rule values, bool spurious, bool *complete) {
    rcp_oracle *oracle = rcp_oracle_create(trace, values, spurious);
    *complete = rcp_oracle_explore(oracle, 200000);
    return oracle;
}

/* Every pair that races by `few` does by `many`. */
static bool within(const rcp_trace *trace, const rcp_oracle *few, const rcp_oracle *many, const char *what) {
    for (uint64_t a = 0; a < trace->events.len; a++)
        for (uint64_t b = a + 1; b < trace->events.len; b++)
            if (rcp_oracle_races(few, (rcp_eid){a}, (rcp_eid){b}) &&
                !rcp_oracle_races(many, (rcp_eid){a}, (rcp_eid){b})) {
                printf("%s: the pair %" PRIu64 ", %" PRIu64 " does not\n", what, a, b);
                return false;
            }
    return true;
}

static bool rules_agree(const rcp_trace *trace, stats *s) {
    rcp_oracle *by_rule[3], *spurious;
    bool complete[3], right = true;
    for (int v = 0; v < 3; v++) {
        by_rule[v] = explored(trace, (rcp_value_rule)v, false, &complete[v]);
        uint64_t pairs = 0;
        for (uint64_t a = 0; a < trace->events.len; a++)
            for (uint64_t b = a + 1; b < trace->events.len; b++)
                pairs += rcp_oracle_races(by_rule[v], (rcp_eid){a}, (rcp_eid){b});
        s->given_up[v] += !complete[v];
        s->pairs[v] += pairs;
        s->with_race[v] += pairs > 0;
        s->states[v] += rcp_oracle_states(by_rule[v]);
    }
    if (complete[2] && !lacks_values(trace) && !may_be_undefined(trace))
        right = within(trace, by_rule[0], by_rule[2], "what races under V1 races under V3") &&
                within(trace, by_rule[1], by_rule[2], "what races under V2 races under V3");
    spurious = explored(trace, RCP_VALUES_LAST_WRITER, true, &complete[0]);
    if (complete[0])
        right = right && within(trace, by_rule[0], spurious, "spurious wake-ups take no race away");
    rcp_oracle_destroy(spurious);
    for (int v = 0; v < 3; v++)
        rcp_oracle_destroy(by_rule[v]);
    return right;
}

static void count(const rcp_trace *trace, stats *s) {
    bool seen[RCP_KINDS] = {0}, wide = false;
    s->traces++;
    s->events += trace->events.len;
    s->implicit += rcp_defs_implicit_branches(&trace->defs);
    s->undefined += reads_undefined(trace);
    s->unvalued += lacks_values(trace);
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        s->by_kind[e->kind]++;
        s->by_outcome[e->outcome]++;
        seen[e->kind] = true;
        wide |= e->size > 8;
        s->real_terms += rcp_term_is_real(e->value_term) + rcp_term_is_real(e->addr_term) + rcp_term_is_real(e->cond);
    }
    s->wide += wide;
    for (int k = 0; k < RCP_KINDS; k++)
        s->with_kind[k] += seen[k];
}

static void print(const stats *s) {
    printf("%" PRIu64 " traces, %.1f events each; real terms %" PRIu64 "; traces: unvalued %" PRIu64
           ", implicit %" PRIu64 ", 16-byte accesses %" PRIu64 ", undefined reads %" PRIu64 "\n",
           s->traces, (double)s->events / (double)s->traces, s->real_terms, s->unvalued, s->implicit, s->wide,
           s->undefined);
    for (int k = 0; k < RCP_KINDS; k++)
        printf("  %-14s %8" PRIu64 " in %8" PRIu64 " traces\n", rcp_event_traits(k)->name, s->by_kind[k],
               s->with_kind[k]);
    for (int o = 0; o < RCP_OUTCOMES; o++)
        printf("  outcome %-8s %8" PRIu64 "\n", rcp_outcome_name(o), s->by_outcome[o]);
    for (int v = 0; v < 3; v++)
        printf("  %-12s races in %" PRIu64 " traces, %" PRIu64 " pairs; %.0f states per trace, %" PRIu64 " given up\n",
               rules[v], s->with_race[v], s->pairs[v], (double)s->states[v] / (double)s->traces, s->given_up[v]);
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    stats s = {0};
    int failed = 0;
    for (uint64_t i = 0; rcp_args_go_on(&args, i) && !failed; i++) {
        rcp_trace trace;
        rcp_witness observed;
        rcp_trace_init(&trace);
        rcp_witness_init(&observed);
        rcp_gen_options options = rcp_gen_profile(rcp_args_seed(&args, i), args.max_events);
        rcp_gen_trace(&trace, &options, rcp_args_seed(&args, i));
        observed_order(&trace, &observed);
        bool defined = !reads_undefined(&trace);
        for (int v = 0; v < 3; v++) {
            if (!defined || (v == RCP_VALUES_RELAXED && lacks_values(&trace)))
                continue;
            rcp_oracle *oracle = rcp_oracle_create(&trace, (rcp_value_rule)v, false);
            if (!rcp_oracle_feasible(oracle, &observed)) {
                printf("trace %" PRIu64 " (seed %" PRIu64 " --exact): its own order is not feasible under '%s'\n", i,
                       rcp_args_seed(&args, i), rules[v]);
                rcp_show_trace(stdout, &trace);
                failed = 1;
            }
            rcp_oracle_destroy(oracle);
        }
        count(&trace, &s);
        if (!failed && !rules_agree(&trace, &s)) {
            printf("trace %" PRIu64 " (seed %" PRIu64 " --exact)\n", i, rcp_args_seed(&args, i));
            rcp_show_trace(stdout, &trace);
            failed = 1;
        }
        rcp_witness_finish(&observed);
        rcp_trace_finish(&trace);
    }
    if (args.stats && s.traces)
        print(&s);
    if (!failed)
        printf("ok\n");
    return failed;
}
