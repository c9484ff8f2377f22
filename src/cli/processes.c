/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/processes.h"

#include "base/file.h"
#include "program/recording/log_reader.h"
#include "program/recording/recording.h"
#include "program/recording/run_json.h"
#include "record/command.h"

#include <string.h>
#include <unistd.h>

bool rcp_processes_are_several(const char *directory) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/process.1", directory);
    bool are = rcp_file_is_there(path.at);
    rcp_text_finish(&path);
    return are;
}

static char *copy(const char *string) { return strcpy(rcp_alloc(strlen(string) + 1), string); }

/* --- lists --- */

void rcp_processes_list_finish(rcp_processes_list *list) {
    for (size_t i = 0; i < list->len; i++)
        rcp_release(list->at[i]);
    rcp_vec_finish(list);
}

static bool is_deadlocked(const rcp_family_process *process) {
    struct rcp_log_deadlock deadlock;
    char *log = rcp_file_take_path(process->directory, "log");
    if (rcp_log_deadlock(log, &deadlock) != RCP_OK)
        rcp_clear_causes();
    rcp_release(log);
    return deadlock.listed;
}

/* Nothing to report of. What can't be read may have threads: whoever analyses it says what is wrong. */
static bool is_single(const rcp_family_process *process) {
    bool is_threaded = true;
    if (rcp_family_is_threaded(process, &is_threaded) != RCP_OK) {
        rcp_clear_causes();
        return false;
    }
    return !is_threaded && !is_deadlocked(process);
}

rcp_code rcp_processes_threaded(const char *directory, rcp_processes_list *list) {
    rcp_family family;
    rcp_code code = rcp_family_read(&family, directory);
    for (size_t i = 0; code == RCP_OK && i < family.processes.len; i++) {
        const rcp_family_process *p = &family.processes.at[i];
        if (rcp_recording_is_there(p->directory) && !is_single(p))
            rcp_vec_push(list, copy(p->directory));
    }
    rcp_family_finish(&family);
    return code;
}

rcp_code rcp_processes_analysed(const char *directory, rcp_processes_list *list) {
    rcp_family family;
    rcp_code code = rcp_family_read(&family, directory);
    for (size_t i = 0; code == RCP_OK && i < family.processes.len; i++)
        if (rcp_results_exist(family.processes.at[i].directory))
            rcp_vec_push(list, copy(family.processes.at[i].directory));
    rcp_family_finish(&family);
    return code;
}

/* --- all of them, opened --- */

static rcp_code open_part(rcp_processes *all, size_t i, bool is_judged) {
    rcp_processes_part *part = rcp_alloc_zero(1, sizeof *part);
    rcp_results *results;
    part->directory = all->family.processes.at[i].directory;
    rcp_vec_push(&all->parts, part);
    RCP_TRY(rcp_reader_open(part->directory, &part->reader));
    RCP_TRY(rcp_results_open_readonly(part->directory, &results));
    rcp_code code = rcp_results_load(results, rcp_results_key(part->reader), &part->summary);
    rcp_results_close(results);
    for (size_t k = 0; is_judged && k < part->summary.races.len; k++)
        if (part->summary.races.at[k].status == RCP_RACE_PREDICTED)
            part->summary.races.at[k].status = RCP_RACE_NOT_TRIED;
    if (code == RCP_OK)
        code = rcp_findings_collect(&part->findings, part->reader, &part->summary, part->directory);
    if (code == RCP_OK) {
        rcp_vec_push(&all->joined, ((rcp_together_part){&part->findings, i}));
        all->words.at[i].threads = part->findings.counts.threads;
        all->words.at[i].events = part->findings.counts.events;
    }
    return code;
}

static void describe(rcp_processes *all, const rcp_family_process *p) {
    const rcp_family_process *root = &all->family.processes.at[p->root];
    rcp_process words = {.pid = p->pid, .place = copy(p->is_known && root->place ? root->place : "?")};
    rcp_text name = {0}, line = {0}, maker = {0};
    rcp_text_puts(&name, "");
    if (p->number)
        rcp_family_name(&name, p);
    rcp_family_show(&line, &all->family, p);
    if (p->is_known && p->is_forked) {
        rcp_text_puts(&maker, "");
        rcp_family_name(&maker, &all->family.processes.at[p->maker]);
        words.maker = maker.at;
    }
    words.name = name.at;
    words.line = line.at;
    for (size_t i = 0; p->is_known && i + 1 < root->argv.len; i++)
        rcp_vec_push(&words.command, copy(root->argv.at[i]));
    words.is_single = rcp_recording_is_there(p->directory) && is_single(p);
    rcp_vec_push(&all->words, words);
}

/* Other processes may end after the first one, so they are asked now. What one could not record it has lost for
 * everybody. */
static void add_refused(rcp_processes *all) {
    rcp_gap *gap = NULL;
    rcp_text why = {0}, name = {0};
    for (size_t i = 0; i < all->family.processes.len; i++) {
        const rcp_family_process *p = &all->family.processes.at[i];
        if (!p->number)
            continue;
        char *log = rcp_file_take_path(p->directory, "log");
        rcp_text_clear(&why);
        if (!rcp_recording_is_there(p->directory))
            rcp_text_puts(&why, "it has no log");
        else if (rcp_log_refusal(log, &why) != RCP_OK) {
            rcp_text_puts(&why, rcp_borrow_cause(0));
            rcp_clear_causes();
        }
        rcp_release(log);
        if (!why.len)
            continue;
        if (gap)
            gap->count++;
        else
            gap = rcp_gaps_add(&all->together.all.gaps, RCP_GAP_CUT, 1,
                               "Processes that the program started could not be recorded to their ends.");
        rcp_text_clear(&name);
        rcp_text_printf(&name, "process.%u: %s", p->number, why.at);
        rcp_gap_name(gap, name.at);
    }
    rcp_text_finish(&why);
    rcp_text_finish(&name);
}

static void add_not_analysed(rcp_processes *all) {
    uint64_t n = 0;
    for (size_t i = 0; i < all->words.len; i++)
        n += !all->words.at[i].is_single && !all->words.at[i].events &&
             rcp_recording_is_there(all->family.processes.at[i].directory);
    rcp_gap *gap = rcp_gaps_add(&all->together.all.gaps, RCP_GAP_CUT, n, "Processes were recorded and not analysed.");
    for (size_t i = 0; gap && i < all->words.len; i++)
        if (!all->words.at[i].is_single && !all->words.at[i].events &&
            rcp_recording_is_there(all->family.processes.at[i].directory))
            rcp_gap_name(gap, *all->words.at[i].name ? all->words.at[i].name : "the first process");
}

/* What the command is called. */
static rcp_code name_command(rcp_processes *all, const char *directory, rcp_run_json *run) {
    RCP_TRY(rcp_run_json_read(directory, run));
    const char *program = rcp_json_string(rcp_json_member(run->all, "program"));
    rcp_text_puts(&all->program, program ? program : directory);
    return RCP_OK;
}

rcp_code rcp_processes_open(rcp_processes *all, const char *directory, bool is_judged) {
    *all = (rcp_processes){0};
    rcp_code code = rcp_family_read(&all->family, directory);
    for (size_t i = 0; code == RCP_OK && i < all->family.processes.len; i++)
        describe(all, &all->family.processes.at[i]);
    for (size_t i = 0; code == RCP_OK && i < all->family.processes.len; i++)
        if (rcp_results_exist(all->family.processes.at[i].directory))
            code = open_part(all, i, is_judged);
    rcp_run_json run = {0};
    if (code == RCP_OK)
        code = name_command(all, directory, &run);
    if (code == RCP_OK) {
        rcp_together_join(&all->together, all->program.at, all->words.at, all->words.len, all->joined.at,
                          all->joined.len);
        const rcp_json *words = rcp_json_member(run.all, "command");
        for (const rcp_json *word = words ? words->first : NULL; word; word = word->next)
            rcp_vec_push(&all->together.command, copy(rcp_json_string(word) ? rcp_json_string(word) : ""));
        add_refused(all);
        add_not_analysed(all);
    }
    rcp_run_json_finish(&run);
    return code;
}

void rcp_processes_close(rcp_processes *all) {
    for (size_t i = 0; i < all->together.command.len; i++)
        rcp_release(all->together.command.at[i]);
    rcp_together_finish(&all->together);
    for (size_t i = 0; i < all->parts.len; i++) {
        rcp_processes_part *part = all->parts.at[i];
        rcp_findings_finish(&part->findings);
        rcp_summary_finish(&part->summary);
        if (part->reader)
            rcp_reader_close(part->reader);
        rcp_release(part);
    }
    rcp_vec_finish(&all->parts);
    rcp_vec_finish(&all->joined);
    for (size_t i = 0; i < all->words.len; i++) {
        rcp_process *words = &all->words.at[i];
        rcp_release(words->name);
        rcp_release(words->line);
        rcp_release(words->place);
        rcp_release(words->maker);
        for (size_t k = 0; k < words->command.len; k++)
            rcp_release(words->command.at[k]);
        rcp_vec_finish(&words->command);
    }
    rcp_vec_finish(&all->words);
    rcp_text_finish(&all->program);
    rcp_family_finish(&all->family);
}
