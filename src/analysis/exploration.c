/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/exploration.h"

#include "analysis/opinion.h"
#include "analysis/variants.h"
#include "base/limits.h"
#include "program/recording/plain_name.h"

#include <stdlib.h>

/* What was not looked at, by the reason: docs/report.md lists them. */
static rcp_code keep_exploration(const rcp_study *study, const rcp_variants_report *report) {
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_EXPLORATION_BRANCHES, (double)report->branches},
        {RCP_STATISTIC_EXPLORATION_ASKED, (double)report->asked},
        {RCP_STATISTIC_EXPLORATION_SETTLED, (double)report->settled},
        {RCP_STATISTIC_EXPLORATION_VARIANTS, (double)report->made},
        {RCP_STATISTIC_EXPLORATION_AGAIN, (double)report->again},
    };
    RCP_TRY(rcp_results_put_statistics(study->results, NULL, rows, sizeof rows / sizeof *rows));
    const rcp_statistic_value rejected[] = {
        {RCP_STATISTIC_REJECTED_UNDECIDED, (double)report->undecided},
        {RCP_STATISTIC_REJECTED_NOT_ASKED, (double)report->left},
        {RCP_STATISTIC_REJECTED_OTHER_WAY, (double)report->strayed},
        {RCP_STATISTIC_REJECTED_NO_EXECUTION, (double)report->refused},
        {RCP_STATISTIC_REJECTED_WITNESS, (double)report->not_judged},
        {RCP_STATISTIC_REJECTED_CUT_OFF, (double)report->cut_off},
        {RCP_STATISTIC_REJECTED_INSTANCES, (double)report->instances},
        {RCP_STATISTIC_REJECTED_OUTCOMES, (double)report->outcomes},
    };
    for (int e = RCP_EXPLORE_GOES_ON + 1; e < RCP_EXPLORE_ENDS; e++) {
        const rcp_statistic_value end = {RCP_STATISTIC_REJECTED_END, (double)report->rejected[e]};
        RCP_TRY(rcp_results_put_statistics(study->results, rcp_explore_end_name((rcp_explore_end)e), &end, 1));
    }
    for (size_t i = 0; i < report->calls.n; i++) {
        bool is_input = report->calls.at[i].end == RCP_EXPLORE_INPUT;
        const rcp_statistic_value times = {is_input ? RCP_STATISTIC_REJECTED_INTO : RCP_STATISTIC_REJECTED_AT,
                                           (double)report->calls.at[i].times};
        char *name = rcp_take_plain_name(report->calls.at[i].name);
        rcp_code code = rcp_results_put_statistics(study->results, name, &times, 1);
        free(name);
        RCP_TRY(code);
    }
    return rcp_results_put_statistics(study->results, NULL, rejected, sizeof rejected / sizeof *rejected);
}

/* The same by the guarded formula. */
static rcp_code form_opinion(rcp_study *study, const rcp_variants_options *how) {
    rcp_opinion_report report;
    RCP_TRY(rcp_opinion_explore(study, how, &report));
    RCP_TRY(keep_exploration(study, &report.variants));
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_GUARDED_PAIRS, (double)report.pairs},
        {RCP_STATISTIC_GUARDED_RACES, (double)report.races},
        {RCP_STATISTIC_GUARDED_NONE, (double)report.none},
        {RCP_STATISTIC_GUARDED_UNKNOWN, (double)report.unknown},
        {RCP_STATISTIC_GUARDED_REFUSED, (double)report.refused},
        {RCP_STATISTIC_GUARDED_FORMULAS, (double)report.formulas},
    };
    RCP_TRY(rcp_results_put_statistics(study->results, NULL, rows, sizeof rows / sizeof *rows));
    rcp_text why = {0};
    for (int c = 0; c < RCP_CUTS; c++) {
        const rcp_statistic_value cut = {RCP_STATISTIC_GUARDED_CUT, (double)report.cuts[c]};
        RCP_TRY(rcp_results_put_statistics(study->results, rcp_ways_cut_name((rcp_ways_cut)c), &cut, 1));
        if (report.cuts[c])
            rcp_text_printf(&why, "%s%llu at %s", why.len ? ", " : "", (unsigned long long)report.cuts[c],
                            rcp_ways_cut_name((rcp_ways_cut)c));
    }
    if (report.is_too_large)
        rcp_notices_say(study->notices,
                        "the guarded formula does not know what other runs have: they have more than %llu events, or "
                        "their formula more than %llu subformulas",
                        (unsigned long long)rcp_limit(RCP_LIMIT_GUARDED_EVENTS),
                        (unsigned long long)rcp_limit(RCP_LIMIT_Z3_FORMULAS));
    if (report.unknown)
        rcp_notices_say(study->notices, "of %llu pairs the guarded formula does not know whether they race%s%s",
                        (unsigned long long)report.unknown,
                        why.len ? "; threads that it does not follow to their ends: " : "", why.len ? why.at : "");
    else if (report.cuts[RCP_CUT_OTHERWISE]) /* a side that it has turned to, and has nothing of */
        rcp_notices_say(study->notices,
                        "the guarded formula does not know what threads do that it does not follow to their ends: %s",
                        why.at);
    rcp_text_finish(&why);
    return RCP_OK;
}

/* They get a part of the budget, or, where there is none, so many seconds: how long the analysis before them took says
 * nothing about them. */
rcp_code rcp_explore_neighbours(rcp_study *study) {
    double budget = study->budget.seconds;
    rcp_limit_name time = budget > 0 ? RCP_LIMIT_EXPLORE_SHARE : RCP_LIMIT_EXPLORE_SECONDS;
    double seconds = budget > 0 ? budget * (double)rcp_limit(time) / 100 : (double)rcp_limit(time);
    rcp_variants_report report;
    const rcp_variants_options how = {.models = study->options->models & RCP_EXPLORING_MODELS,
                                      .depth = (unsigned)rcp_limit(RCP_LIMIT_EXPLORE_DEPTH),
                                      .most = (size_t)rcp_limit(RCP_LIMIT_EXPLORE_RUNS),
                                      .seconds = seconds,
                                      .time = time,
                                      .budget = rcp_budget_left(&study->budget)};
    if (study->options->predict.z3)
        return form_opinion(study, &how);
    RCP_TRY(rcp_variants_explore(study, &how, &report));
    return keep_exploration(study, &report);
}
