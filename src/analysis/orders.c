/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/orders.h"

#include "analysis/make_race.h"
#include "base/limits.h"

/* The orders have a part of the budget; a part of that is for the pass, at most, the rest for loading and proofs. */
rcp_code rcp_orders_find(rcp_study *study, uint32_t models, rcp_order_report *report) {
    const double began = rcp_seconds_now();
    const double share = rcp_budget_left(&study->budget) * (double)rcp_limit(RCP_LIMIT_ORDERS_SHARE) / 100;
    const double pass = share * (double)rcp_limit(RCP_LIMIT_ORDERS_PASS_SHARE) / 100;
    RCP_TRY(rcp_order_flag(study->run.reader, models, study->checked, pass, report));
    const double start = rcp_seconds_now();
    const double least = start + (share - pass), end = share <= 0 ? 0 : began + share > least ? began + share : least;
    uint64_t needed = rcp_order_needs(report);
    if (needed) {
        RCP_TRY(rcp_subject_load(&study->run, needed));
        RCP_TRY(rcp_subject_make_checker(&study->run));
        report->analysis.seconds += rcp_seconds_now() - start;
        RCP_TRY(rcp_order_prove(&study->run.trace, study->run.checker, study->options->proof_limit, end, report));
    }
    if (report->seen < report->events)
        rcp_notices_say(
            study->notices,
            "the budget of %.0f seconds ends the partial orders at event %llu of %llu, the first of them at %llu: what "
            "they would flag after that is not known",
            study->budget.seconds, (unsigned long long)report->seen, (unsigned long long)report->events,
            (unsigned long long)report->first_seen);
    if (study->notices->verbose && report->unordered)
        rcp_notices_say(study->notices,
                        "hb leaves %llu pairs of places unordered; %llu of them were asked about, within %.1f s after "
                        "the events were there",
                        (unsigned long long)report->unordered, (unsigned long long)report->asked,
                        report->asked_at - study->told_at);
    return RCP_OK;
}

static rcp_code keep_model(const rcp_study *study, rcp_model model, const rcp_engine_stats *stats) {
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_ORDER_FLAGGED, (double)stats->flagged},
        {RCP_STATISTIC_ORDER_RACES, (double)stats->races},
        {RCP_STATISTIC_ORDER_CLOCK_COPIES, (double)stats->clock_copies},
        {RCP_STATISTIC_ORDER_CLOCK_JOINS, (double)stats->clock_joins},
        {RCP_STATISTIC_ORDER_CLOCK_BYTES, (double)stats->clock_bytes},
        {RCP_STATISTIC_ORDER_HISTORY_BYTES, (double)stats->history_bytes},
        {RCP_STATISTIC_ORDER_REDUNDANT_ACCESSES, (double)stats->redundant_accesses},
        {RCP_STATISTIC_ORDER_REDUNDANT_BRANCHES, (double)stats->redundant_branches},
        {RCP_STATISTIC_ORDER_SECTIONS, (double)stats->sections},
        {RCP_STATISTIC_ORDER_SECTIONS_PEAK, (double)stats->sections_peak},
        {RCP_STATISTIC_ORDER_SECTIONS_SPILLED, (double)stats->sections_spilled},
        {RCP_STATISTIC_ORDER_FORGOTTEN, (double)stats->forgotten},
    };
    return rcp_results_put_statistics(study->results, rcp_model_name(model), rows, sizeof rows / sizeof *rows);
}

static rcp_code keep_vindication(const rcp_study *study, const rcp_order_report *report) {
    for (unsigned o = 0; o < RCP_VINDICATIONS; o++) {
        rcp_statistic_value outcome = {(rcp_statistic_id)(RCP_STATISTIC_VINDICATION_RACES + o), 0};
        for (int by = 0; by < RCP_BY_COUNT; by++)
            outcome.value += (double)report->vindicated[o][by];
        if (outcome.value > 0)
            RCP_TRY(rcp_results_put_statistics(study->results, NULL, &outcome, 1));
    }
    return RCP_OK;
}

rcp_code rcp_orders_keep(rcp_study *study, rcp_order_report *report) {
    bool kept;
    for (size_t i = 0; i < report->races.len; i++)
        RCP_TRY(rcp_make_race(study, &study->run, &report->races.at[i], &kept));
    for (unsigned m = 0; m < RCP_MODELS; m++)
        if (report->analysis.models & RCP_MODEL_BIT(m))
            RCP_TRY(keep_model(study, (rcp_model)m, &report->stats[m]));
    const rcp_statistic_value seen[] = {{RCP_STATISTIC_ORDERS_SEEN, (double)report->seen},
                                        {RCP_STATISTIC_ORDERS_FIRST_SEEN, (double)report->first_seen}};
    if (report->seen < report->events)
        RCP_TRY(rcp_results_put_statistics(study->results, NULL, seen, sizeof seen / sizeof *seen));
    const rcp_statistic_value asked[] = {{RCP_STATISTIC_ORDERS_UNORDERED, (double)report->unordered},
                                         {RCP_STATISTIC_ORDERS_ASKED, (double)report->asked},
                                         {RCP_STATISTIC_ORDERS_ASKED_SECONDS, report->asked_at - study->told_at}};
    if (report->analysis.models & RCP_MODEL_BIT(RCP_MODEL_HB))
        RCP_TRY(rcp_results_put_statistics(study->results, NULL, asked, report->asked_at > 0 ? 3 : 2));
    return keep_vindication(study, report);
}
