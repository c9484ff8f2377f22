/* SPDX-License-Identifier: Apache-2.0 */
#include "record/record.h"

#include "base/limits.h"
#include "base/process.h"
#include "program/recording/embedded.h"
#include "program/recording/recording.h"
#include "record/family.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static rcp_record_end refuse(rcp_record_end end, rcp_code code) {
    (void)code; /* the causes have it */
    return end;
}

static rcp_record_end not_found(const char *name, int error) {
    if (error == ENOENT)
        return refuse(RCP_RECORD_NOT_FOUND,
                      rcp_fail(RCP_BAD_INPUT, "%s: %s", name,
                               strchr(name, '/') ? "there is no such program" : "is not found in PATH"));
    return refuse(RCP_RECORD_CANT_RUN, rcp_fail(RCP_BAD_INPUT, "%s: can't be executed: %s", name, strerror(error)));
}

static rcp_record_end not_executed(const rcp_record *record) {
    int error = record->launch.exec_error;
    if (error == ENOENT) /* the file itself is there: its interpreter, the dynamic linker, is not */
        return refuse(
            RCP_RECORD_NOT_FOUND,
            rcp_fail(RCP_BAD_INPUT, "%s: can't be executed: its dynamic linker is not there", record->program));
    if (error == ENOEXEC)
        return refuse(RCP_RECORD_CANT_RUN,
                      rcp_fail(RCP_BAD_INPUT,
                               "%s: can't be executed: it is not of this machine (for another machine's: --through "
                               "EMULATOR)",
                               record->program));
    return refuse(RCP_RECORD_CANT_RUN,
                  rcp_fail(RCP_BAD_INPUT, "%s: can't be executed: %s", record->launch.path, strerror(error)));
}

/* Is the file a program that was built by recipe? Else says what it is and what to do. */
static rcp_record_end must_be_built(const char *path) {
    char head[2] = "";
    rcp_elf elf;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0)
        return refuse(RCP_RECORD_FAILED, rcp_fail(RCP_SYSTEM, "%s: can't be read, so its code can't be recorded: %s",
                                                  path, strerror(error)));
    if (n == 2 && !memcmp(head, "#!", 2))
        return refuse(RCP_RECORD_FAILED,
                      rcp_fail(RCP_BAD_INPUT,
                               "%s: is a script; name the program that it starts, built with CC=\"recipe cc\" or "
                               "CXX=\"recipe c++\" (for a wrapper of libtool: libtool --mode=execute recipe record %s)",
                               path, path));
    rcp_code code = rcp_elf_open(path, &elf);
    if (code != RCP_OK)
        return code == RCP_BAD_INPUT ? RCP_RECORD_CANT_RUN : RCP_RECORD_FAILED;
    bool built = rcp_embedded_is_recorded(&elf);
    rcp_elf_close(&elf);
    if (built)
        return RCP_RECORDED;
    return refuse(RCP_RECORD_FAILED,
                  rcp_fail(RCP_BAD_INPUT,
                           "%s: was not built by recipe, so there is nothing to record it with; build it again with "
                           "CC=\"recipe cc\" CXX=\"recipe c++\" (one file: recipe cc -g -pthread FILE.c; CMake: "
                           "-DCMAKE_C_COMPILER=recipe-cc -DCMAKE_CXX_COMPILER=recipe-c++)",
                           path));
}

/* Does it run as it is, because recipe has no part in it? What can't be read can't be recorded either, and what is no
 * program at all is for must_be_built() to say. */
static bool is_foreign(const char *path) {
    char head[2] = "";
    rcp_elf elf;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    if (fd < 0 || (n == 2 && !memcmp(head, "#!", 2)))
        return true;
    if (rcp_elf_open(path, &elf) != RCP_OK) {
        rcp_clear_causes();
        return false;
    }
    bool built = rcp_embedded_is_recorded(&elf);
    rcp_elf_close(&elf);
    return !built;
}

/* PROG ARGS becomes EMULATOR PROG ARGS. */
static rcp_record_end emulate(rcp_record *record, const rcp_record_options *options) {
    int error;
    record->emulator = rcp_launch_take_path(options->through, &error);
    if (!record->emulator)
        return not_found(options->through, error);
    rcp_vec_push(&record->emulated, record->emulator);
    rcp_vec_push(&record->emulated, record->program);
    for (int i = 1; i <= options->words; i++) /* the NULL behind the last one, too */
        rcp_vec_push(&record->emulated, i < options->words ? options->command[i] : NULL);
    record->launch.path = record->run.through = record->emulator;
    record->launch.argv = record->emulated.at;
    return RCP_RECORDED;
}

static rcp_code read_schedule(rcp_recorded_run *run, rcp_schedule *schedule) {
    rcp_text text = {0};
    rcp_code code;
    if (rcp_recording_is_there(run->schedule_source))
        code = rcp_recording_schedule(run->schedule_source, schedule);
    else if ((code = rcp_text_read_file(&text, run->schedule_source)) == RCP_OK)
        code = rcp_schedule_parse(run->schedule_source, text.at, text.len, schedule);
    rcp_text_finish(&text);
    run->config.steps = schedule->steps.len;
    return code;
}

/* What its other processes have left. What those that run still have so far is put beside where somebody looks at it at
 * once (`parts`); else their recordings are whole when they end. */
static rcp_code settle(rcp_record *record, bool parts) {
    rcp_family family;
    rcp_code code = rcp_family_read(&family, record->run.absolute);
    for (size_t i = 0; code == RCP_OK && i < family.processes.len; i++)
        if (rcp_family_runs(&family.processes.at[i])) {
            record->outliving++;
            code = parts ? rcp_family_part(&family.processes.at[i]) : RCP_OK;
        }
    if (code == RCP_OK)
        code = rcp_recorded_run_end(&record->run);
    if (code == RCP_OK)
        code = rcp_family_settle(&family);
    rcp_family_finish(&family);
    return code;
}

static double attend_clients(void *clients, pid_t pid, double ran) { return rcp_clients_look(clients, pid, ran); }

/* From here on signals are the program's. */
static rcp_record_end run_program(rcp_record *record, const rcp_record_options *options) {
    rcp_recorded_run *run = &record->run;
    rcp_launch *launch = &record->launch;
    if (rcp_recorded_run_make(run, options->output) != RCP_OK)
        return RCP_RECORD_FAILED;
    rcp_environment_make(&record->environment, environ, run->absolute);
    launch->environment = record->environment.at.at;
    record->clients.recorded = run->absolute;
    rcp_code code = rcp_recorded_run_begin(run);
    rcp_process_adopt(options->takes_commands); /* who outlives whoever started it may start more */
    if (code == RCP_OK)
        code = rcp_launch_run(launch);
    rcp_clients_end(&record->clients, true);
    if (code == RCP_OK && !launch->exec_error && launch->asked && options->takes_commands)
        code = rcp_family_end(run->absolute, launch->grace); /* its time is over, so that of what it started is */
    else if (code == RCP_OK && !launch->exec_error && options->outlive > 0)
        code = rcp_family_await(run->absolute, true, options->outlive);
    rcp_process_adopt(false);
    if (code == RCP_OK && !launch->exec_error)
        return settle(record, options->takes_commands) == RCP_OK ? RCP_RECORDED : RCP_RECORD_FAILED;
    rcp_recorded_run_discard(run);
    return code == RCP_OK ? not_executed(record) : RCP_RECORD_FAILED;
}

rcp_record_end rcp_record_program(const rcp_record_options *options, rcp_record *record) {
    *record = (rcp_record){
        .run = {.config = options->config,
                .schedule_source = options->schedule,
                .command = options->command,
                .words = options->words,
                .clients = options->clients},
        .launch = {.argv = options->command,
                   .keep_addresses = true,
                   .restore = options->restore,
                   .seconds = options->seconds,
                   .grace = (double)rcp_limit(RCP_LIMIT_END_GRACE),
                   .attend = attend_clients,
                   .context = &record->clients},
        .clients = {.commands = options->clients,
                    .environment = environ,
                    .mask = &record->launch.mask_before,
                    .restore = options->restore},
    };
    record->launch.usage = &record->run.usage;
    record->run.launch = &record->launch;
    record->run.schedule = &record->schedule;
    rcp_schedule_init(&record->schedule);
    int error;
    record->program = rcp_launch_take_path(options->command[0], &error);
    if (!record->program)
        return not_found(options->command[0], error);
    record->run.program = record->launch.path = record->program;
    bool is_command = options->takes_commands && is_foreign(record->program);
    if (is_command)
        record->run.config.flags |= RCP_RUN_TREE;
    rcp_record_end end = is_command ? RCP_RECORDED : must_be_built(record->program);
    if (is_command && options->schedule)
        end = refuse(RCP_RECORD_FAILED,
                     rcp_fail(RCP_BAD_INPUT, "%s: was not built by recipe; a schedule from a file is one program's",
                              record->program));
    if (end == RCP_RECORDED && options->through)
        end = emulate(record, options);
    if (end == RCP_RECORDED && options->schedule && read_schedule(&record->run, &record->schedule) != RCP_OK)
        end = RCP_RECORD_FAILED;
    if (end != RCP_RECORDED)
        return end;
    rcp_launch_block(&record->launch);
    end = run_program(record, options);
    record->ran = record->run.ended;
    if (!record->ran)
        rcp_launch_unblock(&record->launch); /* else what comes now comes too late: the program has ended */
    return end;
}

void rcp_record_finish(rcp_record *record) {
    rcp_recorded_run_finish(&record->run);
    rcp_environment_finish(&record->environment);
    rcp_schedule_finish(&record->schedule);
    rcp_clients_finish(&record->clients);
    rcp_vec_finish(&record->emulated);
    rcp_release(record->emulator);
    rcp_release(record->program);
}
