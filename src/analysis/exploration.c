/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/exploration.h"

#include "analysis/opinion.h"
#include "analysis/variants.h"
#include "base/limits.h"

/* What was not looked at, by the reason: docs/report.md lists them. */
static rcp_code keep_exploration(const rcp_study *study, const rcp_variants_report *report) {
    const rcp_study_row rows[] = {
        {"branches", (double)report->branches}, {"asked", (double)report->asked},
        {"settled", (double)report->settled},   {"variants", (double)report->made},
        {"ways again", (double)report->again},
    };
    RCP_TRY(rcp_study_put_rows(study, "exploration", rows, sizeof rows / sizeof *rows));
    const rcp_study_row rejected[] = {
        {"undecided", (double)report->undecided},        {"not asked", (double)report->left},
        {"other way", (double)report->strayed},          {"no execution", (double)report->refused},
        {"witness refused", (double)report->not_judged}, {"cut off", (double)report->cut_off},
        {"other instances", (double)report->instances},  {"other outcomes", (double)report->outcomes},
    };
    for (int e = RCP_EXPLORE_GOES_ON + 1; e < RCP_EXPLORE_ENDS; e++) {
        const rcp_study_row end = {rcp_explore_end_name((rcp_explore_end)e), (double)report->rejected[e]};
        RCP_TRY(rcp_study_put_rows(study, "rejected", &end, 1));
    }
    return rcp_study_put_rows(study, "rejected", rejected, sizeof rejected / sizeof *rejected);
}

/* The same by the guarded formula. */
static rcp_code form_opinion(rcp_study *study, const rcp_variants_options *how) {
    rcp_opinion_report report;
    RCP_TRY(rcp_opinion_explore(study, how, &report));
    RCP_TRY(keep_exploration(study, &report.variants));
    const rcp_study_row rows[] = {
        {"pairs", (double)report.pairs},         {"races", (double)report.races},
        {"without a race", (double)report.none}, {"unknown", (double)report.unknown},
        {"refused", (double)report.refused},     {"formulas", (double)report.formulas},
    };
    RCP_TRY(rcp_study_put_rows(study, "guarded", rows, sizeof rows / sizeof *rows));
    rcp_text why = {0};
    for (int c = 0; c < RCP_CUTS; c++) {
        const rcp_study_row cut = {rcp_ways_cut_name((rcp_ways_cut)c), (double)report.cuts[c]};
        RCP_TRY(rcp_study_put_rows(study, "guarded cut", &cut, 1));
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
