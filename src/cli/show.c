/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show.h"

#include "cli/output.h"
#include "cli/processes.h"
#include "cli/progress.h"
#include "report/excerpts.h"
#include "trace/text/witness_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Has the program left a line open there? Of a pipe or a terminal nobody can tell: `otherwise`. */
static bool is_line_open(int fd, bool otherwise) {
    struct stat is;
    char last = '\n';
    if (fstat(fd, &is) || !S_ISREG(is.st_mode))
        return otherwise;
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    bool is_read = file >= 0 && (!is.st_size || pread(file, &last, 1, is.st_size - 1) == 1);
    if (file >= 0)
        close(file);
    return is_read ? last != '\n' : otherwise;
}

/* What the program shares with the report; -1: nothing. */
static int shared_with_program(const rcp_show *what) {
    if (!what->after_program)
        return -1;
    return what->path == rcp_output_to_stderr ? STDERR_FILENO : !strcmp(what->path, "-") ? STDOUT_FILENO : -1;
}

bool rcp_show_is_coloured(const char *path, rcp_color color) {
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    const int fd = path == rcp_output_to_stderr ? STDERR_FILENO : !path || !strcmp(path, "-") ? STDOUT_FILENO : -1;
    if (color != RCP_COLOR_AUTO)
        return color == RCP_COLOR_ALWAYS;
    return fd >= 0 && isatty(fd) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool is_coloured(const rcp_show *what) { return rcp_show_is_coloured(what->path, what->color); }

/* Whoever watches 'run' need not open the file to know how it went. */
static void say_summary(const rcp_findings *findings) {
    rcp_text text = {0};
    if (is_line_open(STDERR_FILENO, false))
        rcp_text_puts(&text, "\n");
    rcp_report_summary(&text, findings);
    fputs(text.at, stderr);
    rcp_text_finish(&text);
}

static rcp_code no_race(const rcp_findings *findings, const rcp_show *what, uint64_t id) {
    return rcp_fail(RCP_BAD_INPUT, "%s: there is no race %llu; the report has %zu", what->directory,
                    (unsigned long long)id, findings->proven.len);
}

static rcp_code print(const rcp_findings *findings, const rcp_show *what) {
    if (what->into) {
        what->form(what->into, findings);
        return RCP_OK;
    }
    if (what->race > findings->proven.len)
        return no_race(findings, what, what->race);
    rcp_text text = {0};
    rcp_report_form *form = what->form ? what->form : rcp_report_text;
    const bool is_text = form == rcp_report_text;
    form = is_text && what->is_brief ? rcp_report_brief : form;
    int shared = shared_with_program(what);
    if (shared >= 0 && is_line_open(shared, !is_text)) /* a blank line is no part of JSON; people need not see it */
        rcp_text_puts(&text, "\n");
    if (what->race)
        rcp_report_race(&text, &findings->proven.at[what->race - 1], what->has_full_names, is_coloured(what));
    else
        form(&text, findings);
    rcp_progress_clear();
    rcp_code code = rcp_output_all(what->path, &text);
    if (code == RCP_OK && what->after_program && shared < 0)
        say_summary(findings);
    rcp_text_finish(&text);
    return code;
}

/* `of`: the directory of the process that the race is of. */
static rcp_code print_witness(const rcp_findings *findings, const rcp_show *what, const char *of) {
    if (what->witness > findings->proven.len)
        return no_race(findings, what, what->witness);
    rcp_text text = {0};
    rcp_trace trace;
    rcp_trace_init(&trace);
    const rcp_race *race = findings->proven.at[what->witness - 1].race;
    char *directory = rcp_race_take_directory(race, of);
    rcp_code code = rcp_trace_load(&trace, directory);
    rcp_release(directory);
    if (code == RCP_OK) {
        rcp_witness_print(&text, &trace, &race->witness);
        code = rcp_output_all(what->path, &text);
    }
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
    return code;
}

static void print_statistics(const rcp_summary *summary) {
    for (rcp_statistic_id s = RCP_STATISTIC_CANDIDATES; s <= RCP_STATISTIC_SECONDS; s++)
        fprintf(stderr, "%-32s %.*f\n", rcp_statistic_borrow_row(s)->label, s == RCP_STATISTIC_SECONDS ? 3 : 0,
                rcp_summary_statistic(summary, s));
    for (size_t i = 0; i < summary->statistics.len; i++)
        fprintf(stderr, "%-32s %.10g\n", summary->statistics.at[i].key, summary->statistics.at[i].value);
}

static rcp_exit outcome_of(const rcp_findings *findings, const rcp_show *what) {
    bool is_strict = what->strict != RCP_STRICT_NOT;
    return rcp_findings_races(findings) || findings->deadlocks.len || findings->crashes.len || findings->parted.len ||
                   (what->count_unconfirmed && rcp_findings_unconfirmed(findings))
               ? RCP_EXIT_RACES
           : is_strict && rcp_gaps_matter(&findings->gaps, what->strict == RCP_STRICT_ALL) ? RCP_EXIT_LIMIT
                                                                                           : RCP_EXIT_CLEAN;
}

/* How it is to be printed. JUnit's form has the text in it, where colours are no use. */
static void dress(rcp_findings *findings, const rcp_show *what) {
    findings->has_full_names = what->has_full_names;
    findings->is_coloured = (!what->form || what->form == rcp_report_text) && is_coloured(what);
}

static rcp_code show(const rcp_show *what, rcp_reader *reader, const rcp_summary *summary, rcp_exit *outcome) {
    rcp_findings findings;
    rcp_code code = rcp_findings_collect(&findings, reader, summary, what->directory);
    dress(&findings, what);
    if (code == RCP_OK && what->asides)
        rcp_asides_apply(what->asides, &findings);
    if (code == RCP_OK && !what->is_silent)
        code = what->witness ? print_witness(&findings, what, what->directory) : print(&findings, what);
    if (code == RCP_OK && what->statistics)
        print_statistics(summary);
    *outcome = outcome_of(&findings, what);
    rcp_findings_finish(&findings);
    return code;
}

/* Of several processes: what all of them have, as one. */
static rcp_code show_several(const rcp_show *what, rcp_exit *outcome) {
    rcp_processes all;
    rcp_code code = rcp_processes_open(&all, what->directory, what->is_judged);
    rcp_findings *findings = &all.together.all;
    dress(findings, what);
    if (code == RCP_OK && what->asides)
        rcp_asides_apply(what->asides, findings);
    if (code == RCP_OK && what->witness) {
        bool is_there = what->witness <= findings->proven.len;
        const char *of = is_there ? all.parts.at[all.together.part.at[what->witness - 1]]->directory : what->directory;
        code = print_witness(findings, what, of);
    } else if (code == RCP_OK) {
        code = print(findings, what);
    }
    if (code == RCP_OK && what->statistics)
        print_statistics(&all.together.summary);
    if (code == RCP_OK)
        *outcome = outcome_of(findings, what);
    rcp_processes_close(&all);
    return code;
}

rcp_color rcp_color_of(const char *word) {
    return !strcmp(word, "always") ? RCP_COLOR_ALWAYS : !strcmp(word, "never") ? RCP_COLOR_NEVER : RCP_COLOR_AUTO;
}

bool rcp_show_is_brief_wrong(const rcp_arguments *arguments, int row, const char *form) {
    return arguments->option[row] && arguments->source[row] == RCP_SOURCE_LINE && strcmp(form, "text") != 0;
}

rcp_strict rcp_strict_of(const char *given) { return !given ? RCP_STRICT_NOT : *given ? RCP_STRICT_ALL : RCP_STRICT; }

rcp_code rcp_show_report(const rcp_show *what, rcp_exit *outcome) {
    rcp_reader *reader;
    rcp_results *results;
    rcp_excerpts_look_in(what->directory);
    if (!what->is_alone && rcp_processes_are_several(what->directory))
        return show_several(what, outcome);
    RCP_TRY(rcp_reader_open(what->directory, &reader));
    rcp_code code = rcp_results_open_readonly(what->directory, &results);
    if (code == RCP_OK) {
        rcp_summary summary;
        code = rcp_results_load(results, rcp_results_key(reader), &summary);
        rcp_results_close(results);
        for (size_t i = 0; what->is_judged && i < summary.races.len; i++)
            if (summary.races.at[i].status == RCP_RACE_PREDICTED)
                summary.races.at[i].status = RCP_RACE_NOT_TRIED;
        if (code == RCP_OK)
            code = show(what, reader, &summary, outcome);
        rcp_summary_finish(&summary);
    }
    rcp_reader_close(reader);
    return code;
}
