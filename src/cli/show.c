/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show.h"

#include "cli/output.h"
#include "report/report.h"

#include <stdio.h>

static rcp_code print(const rcp_findings *findings, bool json, const char *path) {
    rcp_text text = {0};
    if (json)
        rcp_report_json(&text, findings);
    else
        rcp_report_text(&text, findings);
    rcp_code code = rcp_output_all(path, &text);
    rcp_text_finish(&text);
    return code;
}

static void print_statistics(const rcp_summary *summary) {
    const rcp_analysis *work = &summary->work;
    fprintf(stderr, "%-32s %llu\n%-32s %llu\n%-32s %llu\n%-32s %llu\n%-32s %.3f\n", "candidates",
            (unsigned long long)work->candidates, "pruned", (unsigned long long)work->pruned, "solved",
            (unsigned long long)work->solved, "unknown", (unsigned long long)work->unknown, "seconds", work->seconds);
    for (size_t i = 0; i < summary->statistics.len; i++)
        fprintf(stderr, "%-32s %.10g\n", summary->statistics.at[i].key, summary->statistics.at[i].value);
}

static rcp_code show(rcp_reader *reader, rcp_results *results, const char *directory, bool json, bool statistics,
                     const char *path, rcp_exit *outcome) {
    rcp_summary summary = {0};
    rcp_findings findings = {0};
    rcp_code code = rcp_results_load(results, &summary);
    if (code == RCP_OK) {
        code = rcp_findings_collect(&findings, reader, &summary, directory);
        if (code == RCP_OK)
            code = print(&findings, json, path);
        if (code == RCP_OK && statistics)
            print_statistics(&summary);
        *outcome = findings.races.len ? RCP_EXIT_RACES : RCP_EXIT_CLEAN;
        rcp_findings_finish(&findings);
    }
    rcp_summary_finish(&summary);
    return code;
}

rcp_code rcp_show_report(const char *directory, bool json, bool statistics, const char *path, rcp_exit *outcome) {
    rcp_reader *reader;
    rcp_results *results;
    RCP_TRY(rcp_reader_open(directory, &reader));
    rcp_code code = rcp_results_open_readonly(directory, &results);
    if (code == RCP_OK) {
        code = show(reader, results, directory, json, statistics, path, outcome);
        rcp_results_close(results);
    }
    rcp_reader_close(reader);
    return code;
}
