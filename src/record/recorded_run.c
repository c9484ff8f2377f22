/* SPDX-License-Identifier: Apache-2.0 */
#include "record/recorded_run.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "program/recording/embedded.h"
#include "program/recording/recording.h"
#include "program/recording/sums.h"
#include "record/command.h"
#include "record/inputs.h"
#include "record/left.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const rcp_policy_names[] = {"rr", "random", "pct", "file"};

void rcp_recorded_run_finish(rcp_recorded_run *run) {
    for (size_t i = 0; i < run->notes.len; i++)
        rcp_release(run->notes.at[i]);
    rcp_vec_finish(&run->notes);
    rcp_text_finish(&run->input);
    rcp_release(run->directory);
    free(run->absolute);
    run->directory = run->absolute = NULL;
}

void rcp_recorded_run_note(rcp_recorded_run *run, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < run->notes.len; i++)
        if (!strcmp(run->notes.at[i], line))
            return; /* once is enough */
    rcp_text text = {0};
    rcp_text_puts(&text, line);
    rcp_vec_push(&run->notes, text.at);
}

/* --- the directory --- */

static rcp_code try_make(rcp_recorded_run *run, const char *name, bool *made) {
    *made = !mkdir(name, 0777);
    if (!*made)
        return errno == EEXIST ? RCP_OK : rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", name, strerror(errno));
    run->absolute = realpath(name, NULL);
    if (!run->absolute)
        return rcp_fail(RCP_SYSTEM, "%s: %s", name, strerror(errno));
    return RCP_OK;
}

rcp_code rcp_recorded_run_make(rcp_recorded_run *run, const char *wanted) {
    const char *slash = strrchr(run->program, '/'), *base = slash ? slash + 1 : run->program;
    rcp_text name = {0};
    bool made = false;
    rcp_code code = RCP_OK;
    for (unsigned n = 0; code == RCP_OK && !made; n++) {
        rcp_text_clear(&name);
        if (wanted)
            rcp_text_puts(&name, wanted);
        else if (!n)
            rcp_text_printf(&name, "%s.recipe", base);
        else
            rcp_text_printf(&name, "%s.recipe.%u", base, n);
        code = try_make(run, name.at, &made);
        if (code == RCP_OK && !made && wanted)
            code = rcp_fail(RCP_SYSTEM, "%s: is there already; name a directory that is not", wanted);
    }
    run->directory = name.at;
    return code;
}

static void path_of(const rcp_recorded_run *run, const char *name, rcp_text *path) {
    rcp_text_clear(path);
    rcp_text_printf(path, "%s/%s", run->absolute, name);
}

static rcp_code write_config(const rcp_recorded_run *run) {
    rcp_text path = {0}, bytes = {0};
    path_of(run, "config", &path);
    rcp_text_add(&bytes, (const char *)&run->config, sizeof run->config);
    if (run->config.steps)
        rcp_text_add(&bytes, (const char *)run->schedule->steps.at,
                     run->config.steps * sizeof *run->schedule->steps.at);
    rcp_code code = rcp_file_make(path.at, bytes.at, bytes.len);
    rcp_text_finish(&bytes);
    rcp_text_finish(&path);
    return code;
}

/* How it is started, for a replay. */
static rcp_code write_command(rcp_recorded_run *run) {
    rcp_text path = {0}, bytes = {0};
    char *here = getcwd(NULL, 0), *program = realpath(run->program, NULL);
    path_of(run, "command", &path);
    rcp_command_describe_input(&run->input);
    rcp_command_print(&bytes, program ? program : run->program, run->through ? run->through : "", here ? here : "",
                      run->input.at, run->command, run->launch->environment, run->clients);
    rcp_code code = rcp_file_make(path.at, bytes.at, bytes.len);
    free(here);
    free(program);
    rcp_text_finish(&bytes);
    rcp_text_finish(&path);
    return code;
}

/* --- run.json (program/recording/run_json.h reads it) --- */

/* A key a line, for people and for grep. */
static void strings(rcp_text *to, const char *key, char *const *at, size_t n) {
    rcp_text_puts(to, "  ");
    rcp_json_put_strings(to, key, at, n);
    rcp_text_puts(to, ",\n");
}

static void string(rcp_text *to, const char *key, const char *value) {
    rcp_text_puts(to, "  ");
    rcp_json_put_string(to, key, value);
    rcp_text_puts(to, ",\n");
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static void print_end(rcp_text *to, const rcp_recorded_run *run) {
    if (!run->ended) {
        rcp_text_puts(to, "  \"ended\": null,\n");
        return;
    }
    int status = run->launch->status;
    if (WIFSIGNALED(status))
        rcp_text_printf(to, "  \"ended\": {\"how\": \"signal\", \"signal\": %d, \"name\": \"%s\"", WTERMSIG(status),
                        rcp_process_signal_name(WTERMSIG(status)));
    else
        rcp_text_printf(to, "  \"ended\": {\"how\": \"exit\", \"code\": %d", WEXITSTATUS(status));
    if (run->launch->asked) /* --for */
        rcp_text_printf(to, ", \"asked\": %d", run->launch->asked);
    rcp_text_puts(to, "},\n");
    rcp_text_printf(to, "  \"seconds\": {\"wall\": %.3f, \"user\": %.3f, \"system\": %.3f},\n",
                    (double)(run->finished.tv_sec - run->started.tv_sec) +
                        (double)(run->finished.tv_nsec - run->started.tv_nsec) / 1e9,
                    seconds(run->usage.ru_utime), seconds(run->usage.ru_stime));
    rcp_text_printf(to, "  \"peak_kilobytes\": %ld,\n", run->usage.ru_maxrss);
}

static void print_run(rcp_text *to, const rcp_recorded_run *run) {
    const struct rcp_run_config *config = &run->config;
    char *here = getcwd(NULL, 0), when[32] = "";
    struct utsname machine = {0};
    struct tm utc;
    size_t n = 0;
    uname(&machine);
    if (gmtime_r(&run->started.tv_sec, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    while (run->launch->environment[n + 2]) /* without our own two, the last */
        n++;
    rcp_text_puts(to, "{ \"version\": 1,\n");
    string(to, "recipe", RECIPE_VERSION);
    string(to, "program", run->program);
    strings(to, "command", run->command, (size_t)run->words);
    string(to, "directory", here ? here : "");
    string(to, "policy", rcp_policy_names[config->policy]);
    if (run->schedule_source)
        string(to, "schedule", run->schedule_source);
    size_t clients = 0;
    while (run->clients && run->clients[clients])
        clients++;
    if (clients)
        strings(to, "clients", run->clients, clients);
    rcp_text_printf(to, "  \"seed\": %llu,\n  \"quantum\": %llu,\n", (unsigned long long)config->seed,
                    (unsigned long long)config->quantum);
    if (config->first_turn < config->quantum)
        rcp_text_printf(to, "  \"first_turn\": %llu,\n  \"turn_growth\": %llu,\n",
                        (unsigned long long)config->first_turn, (unsigned long long)config->growth);
    if (config->policy == RCP_POLICY_PCT)
        rcp_text_printf(to, "  \"depth\": %u,\n  \"length\": %llu,\n", config->depth,
                        (unsigned long long)config->length);
    rcp_text_printf(to, "  \"log_values\": %s,\n", config->flags & RCP_RUN_LOG_VALUES ? "true" : "false");
    const bool is_seen = !rcp_file_leads_nowhere(STDOUT_FILENO) || !rcp_file_leads_nowhere(STDERR_FILENO);
    rcp_text_printf(to, "  \"prints_to_nobody\": %s,\n", is_seen ? "false" : "true");
    rcp_text_puts(to, "  \"machine\": {");
    rcp_json_put_string(to, "architecture", machine.machine);
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "system", machine.sysname);
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "release", machine.release);
    rcp_text_printf(to, ", \"processors\": %ld},\n", sysconf(_SC_NPROCESSORS_ONLN));
    string(to, "started", when);
    print_end(to, run);
    if (run->ended)
        rcp_text_printf(to, "  \"processes\": %u,\n", run->processes);
    strings(to, "notes", run->notes.at, run->notes.len);
    strings(to, "environment", run->launch->environment, n);
    to->len -= 2; /* the last comma */
    rcp_text_puts(to, " }\n");
    free(here);
}

/* The list of checksums first (program/recording/sums.h): it has run.json as it is and as it will be. */
static rcp_code write_sums(const rcp_recorded_run *run, const rcp_text *json) {
    static const char *const names[] = {"config", "command", "inputs", "left", "stdin", "pieces", "run.json"};
    rcp_text list = {0};
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < sizeof names / sizeof *names; i++)
        code = rcp_sums_add_file(&list, run->absolute, names[i]);
    if (code == RCP_OK)
        code = rcp_sums_add_files(&list, run->absolute, "modules");
    rcp_sums_add(&list, "run.json", json->at, json->len);
    if (code == RCP_OK)
        code = rcp_sums_write(&list, run->absolute, "sums");
    rcp_text_finish(&list);
    return code;
}

static rcp_code write_run(const rcp_recorded_run *run) {
    rcp_text path = {0}, json = {0};
    path_of(run, "run.json", &path);
    print_run(&json, run);
    rcp_code code = write_sums(run, &json);
    if (code == RCP_OK)
        code = rcp_file_replace(path.at, json.at, json.len);
    rcp_text_finish(&json);
    rcp_text_finish(&path);
    return code;
}

/* --- the modules --- */

static rcp_code save_modules(rcp_recorded_run *run, const char *object) {
    rcp_text modules = {0};
    size_t saved;
    path_of(run, "modules", &modules);
    rcp_code code = rcp_file_make_directory(modules.at);
    if (code == RCP_OK)
        code = rcp_embedded_save(object, modules.at, &saved);
    rcp_text_finish(&modules);
    return code;
}

/* It only starts programs that record. */
static bool is_command(const rcp_recorded_run *run) { return run->config.flags & RCP_RUN_TREE; }

rcp_code rcp_recorded_run_begin(rcp_recorded_run *run) {
    clock_gettime(CLOCK_REALTIME, &run->started);
    RCP_TRY(write_config(run));
    RCP_TRY(write_command(run));
    if (is_command(run)) {
        rcp_text modules = {0};
        path_of(run, "modules", &modules);
        rcp_code code = rcp_file_make_directory(modules.at);
        rcp_text_finish(&modules);
        RCP_TRY(code);
    } else {
        RCP_TRY(save_modules(run, run->program));
    }
    return write_run(run);
}

void rcp_recorded_run_discard(rcp_recorded_run *run) {
    if (run->absolute)
        rcp_file_remove_tree(run->absolute);
}

/* --- after the program has ended --- */

typedef struct collecting {
    rcp_recorded_run *run;
    const char *directory;
} collecting;

static void collect_note(void *context, const char *note) { rcp_recorded_run_note(context, "%s", note); }

/* A library that can't be read any more costs its modules, not the recording. */
static rcp_code collect_object(void *context, const char *path) {
    const collecting *from = context;
    rcp_code code = save_modules(from->run, path);
    if (code == RCP_OK)
        code = rcp_embedded_notes(path, collect_note, from->run);
    if (code != RCP_OK) {
        rcp_recorded_run_note(from->run, "the bitcode of %s is not there: %s", path, rcp_borrow_cause(0));
        rcp_clear_causes();
    }
    return RCP_OK;
}

/* The objects and the notes of one process. Nothing here is worth failing for: what is missing is noted. */
static void collect(rcp_recorded_run *run, const char *directory, const char *name) {
    collecting from = {run, directory};
    rcp_recording recording;
    if (rcp_recording_objects(directory, collect_object, &from) != RCP_OK) {
        rcp_recorded_run_note(run, "%sthe image is not whole: %s", name, rcp_borrow_cause(0));
        rcp_clear_causes();
    }
    if (rcp_recording_read(directory, &recording) != RCP_OK) {
        rcp_recorded_run_note(run, "%sthe log is not whole: %s", name, rcp_borrow_cause(0));
        rcp_clear_causes();
    }
    for (size_t i = 0; i < recording.notes.len; i++)
        rcp_recorded_run_note(run, "%s%s", name, recording.notes.at[i]);
    if (directory == run->absolute)
        run->log = recording.header, run->log_bytes = recording.bytes;
    rcp_recording_finish(&recording);
}

/* Other processes have directories of their own and share the modules. */
static void collect_processes(rcp_recorded_run *run) {
    rcp_text path = {0};
    for (unsigned n = 1;; n++) {
        char name[32];
        snprintf(name, sizeof name, "process.%u", n);
        path_of(run, name, &path);
        if (access(path.at, F_OK))
            break;
        run->processes = n;
        snprintf(name, sizeof name, "process.%u: ", n);
        if (rcp_recording_is_there(path.at))
            collect(run, path.at, name);
    }
    rcp_text_finish(&path);
}

rcp_code rcp_recorded_run_end(rcp_recorded_run *run) {
    clock_gettime(CLOCK_REALTIME, &run->finished);
    run->ended = true;
    if (run->launch->addresses_error)
        rcp_recorded_run_note(run, "address-space randomisation could not be switched off: %s",
                              strerror(run->launch->addresses_error));
    if (is_command(run)) {
        collect_processes(run);
    } else if (rcp_recording_is_there(run->absolute)) {
        collect(run, run->absolute, "");
        collect_processes(run);
        run->processes++;
    }
    if (!run->processes) {
        rcp_recorded_run_discard(run);
        return is_command(run)
                   ? rcp_fail(RCP_BAD_INPUT,
                              "%s: was not built by recipe, and started no program that was, so nothing was recorded; "
                              "build what it starts with CC=\"recipe cc\" CXX=\"recipe c++\" (one file: recipe cc -g "
                              "-pthread FILE.c; CMake: -DCMAKE_C_COMPILER=recipe-cc -DCMAKE_CXX_COMPILER=recipe-c++)",
                              run->program)
                   : rcp_fail(RCP_BAD_INPUT, "%s: ended before its recording began, so there is none", run->program);
    }
    RCP_TRY(rcp_inputs_keep(run->absolute, run->program, run->input.at));
    RCP_TRY(rcp_left_keep(run->absolute));
    return write_run(run);
}
