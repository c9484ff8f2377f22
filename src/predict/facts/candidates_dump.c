/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates for people: `recipe analyze --dump=candidates`. */
#include "predict/facts/candidates.h"

#include <inttypes.h>

static void put_side(rcp_text *to, const rcp_defs *defs, const rcp_pair_side *side) {
    const char *kind = rcp_event_traits((rcp_kind)(side->kind & 255))->name;
    rcp_text_printf(to, "%s%s ", side->kind & 256 ? "atomic " : "", kind);
    if (side->place >= defs->locations.len) {
        rcp_text_printf(to, "at 0x%" PRIx64, side->place & ~(UINT64_C(1) << 63));
        return;
    }
    const rcp_location *at = &defs->locations.at[side->place];
    rcp_text_printf(to, "%s:%u", rcp_defs_borrow_string(defs, at->file), at->line);
    if (*rcp_defs_borrow_string(defs, at->function))
        rcp_text_printf(to, " in %s", rcp_defs_borrow_string(defs, at->function));
}

static void put_rules(rcp_text *to, uint64_t by_lock, uint64_t by_order, uint64_t by_history) {
    rcp_text_printf(to,
                    "ruled out: %" PRIu64 " by a common lock, %" PRIu64 " by must-happen-before, %" PRIu64
                    " by acquisition histories",
                    by_lock, by_order, by_history);
}

void rcp_candidate_pair_dump(rcp_text *to, const rcp_candidates *candidates, const rcp_candidate_pair *pair,
                             const rcp_run_facts *facts, rcp_printer *printer) {
    rcp_text_printf(to, "pair %zu: ", (size_t)(pair - candidates->pairs.at) + 1);
    put_side(to, &facts->trace->defs, &pair->side[0]);
    rcp_text_puts(to, " and ");
    put_side(to, &facts->trace->defs, &pair->side[1]);
    rcp_text_printf(to, "\n  conflicts: %" PRIu64 "; left: %" PRIu64 "; ", pair->conflicts, pair->left);
    put_rules(to, pair->by_lock, pair->by_order, pair->by_history);
    rcp_text_puts(to, pair->by_opaque ? "; one of these only by the order of opaque code\n" : "\n");
    for (uint32_t i = 0; i < pair->n; i++) {
        const uint32_t events[] = {pair->kept[i].a, pair->kept[i].b};
        rcp_text_printf(to, "  %u,%u\n", events[0], events[1]);
        for (int k = 0; k < 2; k++) {
            rcp_text_puts(to, "    ");
            rcp_text_print_excerpt(printer, to, (rcp_eid){events[k]}, rcp_run_facts_event(facts, events[k]));
        }
    }
}

void rcp_candidates_dump(rcp_text *to, const rcp_candidates *candidates, const rcp_run_facts *facts,
                         rcp_printer *printer) {
    uint64_t left = 0, static_left = 0;
    for (size_t i = 0; i < candidates->pairs.len; i++) {
        left += candidates->pairs.at[i].left;
        static_left += candidates->pairs.at[i].n != 0;
    }
    rcp_text_printf(to, "%zu static pairs, %" PRIu64 " left; %" PRIu64 " conflicts, %" PRIu64 " left; ",
                    candidates->pairs.len, static_left, candidates->conflicts, left);
    put_rules(to, candidates->by_lock, candidates->by_order, candidates->by_history);
    rcp_text_printf(to, "; %" PRIu64 " accesses forgotten\n", candidates->forgotten);
    for (size_t i = 0; i < candidates->pairs.len; i++) {
        rcp_text_puts(to, "\n");
        rcp_candidate_pair_dump(to, candidates, &candidates->pairs.at[i], facts, printer);
    }
}
