/* SPDX-License-Identifier: Apache-2.0 */
/* What `recipe record` adds to the directory of each further process, when the run is over. */
#include "record/family.h"

#include "abi/run.h"
#include "base/file.h"
#include "base/json.h"
#include "program/recording/recording.h"
#include "program/recording/sums.h"
#include "record/command.h"
#include "record/ctest.h"
#include "record/inputs.h"
#include "record/left.h"
#include "record/recorded_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static rcp_code write_file(const rcp_family_process *p, const char *name, const rcp_text *bytes) {
    char *path = rcp_file_take_path(p->directory, name);
    rcp_code code = rcp_file_replace(path, bytes->at, bytes->len);
    rcp_release(path);
    return code;
}

static rcp_code write_command(const rcp_family_process *p, const rcp_family_process *root) {
    rcp_text bytes = {0};
    rcp_command_print(&bytes, root->program, "", root->place, root->input, root->argv.at, root->environment.at, NULL);
    rcp_code code = write_file(p, "command", &bytes);
    rcp_text_finish(&bytes);
    return code;
}

/* From the one that was executed down. */
static void print_forks(rcp_text *to, const rcp_family *family, const rcp_family_process *p) {
    if (!p->is_forked)
        return;
    print_forks(to, family, &family->processes.at[p->maker]);
    rcp_text_printf(to, " %" PRIu64, p->nth);
}

static rcp_code write_meant(const rcp_family *family, const rcp_family_process *p, const rcp_family_process *root) {
    rcp_text text = {0};
    rcp_text_printf(&text, "%016" PRIx64 " %" PRIu64, rcp_run_identity(root->place, root->argv.at), root->occurrence);
    print_forks(&text, family, p);
    rcp_text_puts(&text, "\n");
    rcp_code code = write_file(p, "meant", &text);
    rcp_text_finish(&text);
    return code;
}

static void put_line(rcp_text *to, const char *key, const char *value) {
    rcp_text_puts(to, "  ");
    rcp_json_put_string(to, key, value);
    rcp_text_puts(to, ",\n");
}

/* The log is written to its last moment, so its time of change is the process's end. */
static double lasted(const rcp_family_process *p, const struct rcp_log_header *header) {
    char *path = rcp_file_take_path(p->directory, "log");
    struct stat is = {0};
    double end = stat(path, &is) ? 0 : (double)is.st_mtim.tv_sec + (double)is.st_mtim.tv_nsec / 1e9;
    rcp_release(path);
    double seconds = end - (double)header->began.wall / 1e9;
    return seconds > 0 ? seconds : 0;
}

/* How somebody ended it, whom nobody has asked, is not known. */
static const char *end_of(const rcp_family_process *p, const struct rcp_log_header *header) {
    switch (header->ended) {
    case RCP_ENDED_EXIT: return "exit";
    case RCP_ENDED_EXEC: return "exec";
    case RCP_ENDED_REFUSED: return "refused";
    case RCP_ENDED_SIGNAL: return "signal";
    default: return rcp_family_runs(p) ? "runs" : "killed";
    }
}

static void put_test(rcp_text *to, const rcp_family_process *root) {
    rcp_text name = {0};
    if (rcp_ctest_is_there(root->environment.at))
        rcp_ctest_name_in(&name, root->place, root->argv.at);
    if (name.len)
        put_line(to, "test", name.at);
    rcp_text_finish(&name);
}

static void print_run(rcp_text *to, const rcp_family *family, const rcp_family_process *p,
                      const rcp_family_process *root, const struct rcp_log_header *header) {
    rcp_text_puts(to, "{ \"version\": 1,\n");
    put_line(to, "recipe", RECIPE_VERSION);
    put_line(to, "program", root->program);
    rcp_text_puts(to, "  ");
    rcp_json_put_strings(to, "command", root->argv.at, root->argv.len - 1);
    rcp_text_puts(to, ",\n");
    put_line(to, "directory", root->place);
    put_test(to, root);
    put_line(to, "policy", rcp_policy_names[header->policy < RCP_POLICIES ? header->policy : RCP_POLICY_RR]);
    rcp_text_printf(to, "  \"seed\": %" PRIu64 ",\n  \"quantum\": %" PRIu64 ",\n", header->seed, header->quantum);
    rcp_text_printf(to, "  \"pid\": %" PRIu64 ",\n", p->pid);
    if (p->is_forked && family->processes.at[p->maker].number)
        rcp_text_printf(to, "  \"forked\": {\"by\": \"process.%u\", \"nth\": %" PRIu64 "},\n",
                        family->processes.at[p->maker].number, p->nth);
    else if (p->is_forked)
        rcp_text_printf(to, "  \"forked\": {\"by\": \"\", \"nth\": %" PRIu64 "},\n", p->nth);
    rcp_text_printf(to, "  \"ended\": {\"how\": \"%s\"},\n", end_of(p, header));
    rcp_text_printf(to, "  \"seconds\": {\"wall\": %.3f} }\n", lasted(p, header));
}

static rcp_code write_run(const rcp_family *family, const rcp_family_process *p, const rcp_family_process *root) {
    static const char *const names[] = {"config", "command", "inputs", "left", "stdin", "pieces", "meant", "started"};
    rcp_recording recording;
    rcp_text json = {0}, list = {0};
    rcp_code code = rcp_recording_read(p->directory, &recording);
    if (code != RCP_OK) { /* whoever analyses it says what is wrong */
        rcp_clear_causes();
        code = RCP_OK;
    }
    print_run(&json, family, p, root, &recording.header);
    rcp_recording_finish(&recording);
    for (size_t i = 0; code == RCP_OK && i < sizeof names / sizeof *names; i++)
        code = rcp_sums_add_file(&list, p->directory, names[i]);
    rcp_sums_add(&list, "run.json", json.at, json.len);
    if (code == RCP_OK)
        code = rcp_sums_write(&list, p->directory, "sums");
    if (code == RCP_OK)
        code = write_file(p, "run.json", &json);
    rcp_text_finish(&json);
    rcp_text_finish(&list);
    return code;
}

/* One that had no room, say, is left as it is: whoever reports says what is wrong with it. */
static bool is_whole(const rcp_family_process *p) {
    bool whole = rcp_recording_is_there(p->directory) && rcp_recording_check(p->directory) == RCP_OK;
    if (!whole)
        rcp_clear_causes();
    return whole;
}

rcp_code rcp_family_settle(const rcp_family *family) {
    for (size_t i = 0; i < family->processes.len; i++) {
        const rcp_family_process *p = &family->processes.at[i], *root = &family->processes.at[p->root];
        if (!p->number || !p->is_known || !is_whole(p))
            continue;
        RCP_TRY(write_command(p, root));
        RCP_TRY(write_meant(family, p, root));
        if (!p->is_forked)
            RCP_TRY(rcp_inputs_keep(p->directory, p->program, p->input));
        RCP_TRY(rcp_left_keep(p->directory));
        RCP_TRY(write_run(family, p, root));
    }
    return RCP_OK;
}
