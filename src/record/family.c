/* SPDX-License-Identifier: Apache-2.0 */
#include "record/family.h"

#include "abi/log.h"
#include "abi/run.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/process.h"
#include "program/recording/log_reader.h"
#include "program/recording/recording.h"
#include "record/command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 20 };

/* --- who they are --- */

/* The next string; NULL: there is none. */
static char *take(rcp_family_process *p, size_t *at) {
    if (*at >= p->bytes.len)
        return NULL;
    char *string = p->bytes.at + *at;
    *at += strlen(string) + 1;
    return *at <= p->bytes.len ? string : NULL;
}

static bool take_number(rcp_family_process *p, size_t *at, uint64_t *n) {
    const char *word = take(p, at);
    *n = word ? strtoull(word, NULL, 10) : 0;
    return word;
}

#define TAKE_ALL(process, at, strings)                                                                                 \
    ({                                                                                                                 \
        uint64_t n_;                                                                                                   \
        bool whole_ = take_number(process, at, &n_);                                                                   \
        for (uint64_t i_ = 0; whole_ && i_ < n_; i_++) {                                                               \
            char *string_ = take(process, at);                                                                         \
            whole_ = string_;                                                                                          \
            rcp_vec_push(strings, string_);                                                                            \
        }                                                                                                              \
        rcp_vec_push(strings, NULL);                                                                                   \
        whole_;                                                                                                        \
    })

/* `started`; what is not whole says nothing. */
static rcp_code read_started(rcp_family_process *p, uint64_t *maker) {
    size_t at = 0;
    RCP_TRY(rcp_file_read_if_there(p->directory, "started", &p->bytes));
    const char *how = take(p, &at);
    bool whole = how && take_number(p, &at, &p->pid);
    *maker = 0;
    p->is_forked = how && !strcmp(how, "forked");
    if (p->is_forked) {
        const char *name = whole ? take(p, &at) : NULL;
        whole = name && take_number(p, &at, &p->nth);
        if (whole && *name && sscanf(name, "process.%" SCNu64, maker) != 1)
            whole = false;
    } else if (whole) {
        p->program = take(p, &at);
        p->place = take(p, &at);
        p->input = take(p, &at);
        whole = p->input && TAKE_ALL(p, &at, &p->argv) && TAKE_ALL(p, &at, &p->environment);
    }
    p->is_known = whole;
    return RCP_OK;
}

/* Of the first process the recorder has written it. */
static rcp_code read_first(rcp_family_process *p) {
    rcp_recorded_command command;
    rcp_code code = rcp_command_read(&command, p->directory);
    if (code != RCP_OK) {
        rcp_command_finish(&command);
        return code;
    }
    p->is_known = true;
    p->program = command.program;
    p->place = command.directory;
    p->input = command.input;
    for (size_t i = 0; i < command.argv.len; i++)
        rcp_vec_push(&p->argv, command.argv.at[i]);
    for (size_t i = 0; i < command.environment.len; i++)
        rcp_vec_push(&p->environment, command.environment.at[i]);
    p->bytes = command.bytes;
    command.bytes = (rcp_text){0};
    rcp_command_finish(&command);
    return RCP_OK;
}

/* Who made it began before it, so it is in the family already. */
static void find_maker(rcp_family *family, size_t i, uint64_t maker) {
    rcp_family_process *p = &family->processes.at[i];
    p->root = i;
    if (!p->is_known || !p->is_forked)
        return;
    p->is_known = false;
    for (size_t k = 0; k < i; k++)
        if (family->processes.at[k].number == maker && family->processes.at[k].is_known) {
            p->maker = k;
            p->root = family->processes.at[k].root;
            p->is_known = true;
        }
}

static void count_like(rcp_family *family) {
    rcp_map like;
    rcp_map_init(&like);
    for (size_t i = 0; i < family->processes.len; i++) {
        rcp_family_process *p = &family->processes.at[i];
        if (!p->is_known || p->is_forked)
            continue;
        uint32_t *n = rcp_map_at(&like, rcp_run_identity(p->place, p->argv.at));
        *n = *n == RCP_MAP_NONE ? 1 : *n + 1;
        p->occurrence = *n;
    }
    rcp_map_finish(&like);
}

rcp_code rcp_family_read(rcp_family *family, const char *directory) {
    *family = (rcp_family){0};
    for (unsigned n = 0;; n++) {
        rcp_text path = {0};
        rcp_text_puts(&path, directory);
        if (n)
            rcp_text_printf(&path, "/process.%u", n);
        if (n ? !rcp_file_is_there(path.at) : !rcp_recording_is_there(path.at)) {
            rcp_text_finish(&path);
            if (n)
                break;
            continue;
        }
        rcp_vec_push(&family->processes, ((rcp_family_process){.number = n, .directory = path.at}));
        uint64_t maker = 0;
        rcp_family_process *p = &family->processes.at[family->processes.len - 1];
        RCP_TRY(n ? read_started(p, &maker) : read_first(p));
        find_maker(family, family->processes.len - 1, maker);
    }
    count_like(family);
    return RCP_OK;
}

void rcp_family_finish(rcp_family *family) {
    for (size_t i = 0; i < family->processes.len; i++) {
        rcp_family_process *p = &family->processes.at[i];
        rcp_release(p->directory);
        rcp_vec_finish(&p->argv);
        rcp_vec_finish(&p->environment);
        rcp_text_finish(&p->bytes);
    }
    rcp_vec_finish(&family->processes);
}

void rcp_family_name(rcp_text *to, const rcp_family_process *process) {
    if (process->number)
        rcp_text_printf(to, "process.%u", process->number);
    else
        rcp_text_puts(to, "the first process");
}

void rcp_family_show(rcp_text *to, const rcp_family *family, const rcp_family_process *process) {
    const rcp_family_process *root = &family->processes.at[process->root];
    if (process->is_known && root->argv.len) {
        rcp_command_show_words(to, root->argv.at, root->argv.len - 1);
        rcp_command_show_input(to, root->input);
    } else {
        rcp_text_puts(to, "?");
    }
}

/* --- those that run still --- */

bool rcp_family_runs(const rcp_family_process *p) {
    if (!p->number || !rcp_recording_is_there(p->directory))
        return false;
    char *path = rcp_file_take_path(p->directory, "log");
    bool ended = true;
    if (rcp_log_has_ended(path, &ended) != RCP_OK) { /* whoever wants to read it says what is wrong */
        rcp_clear_causes();
        ended = true;
    }
    rcp_release(path);
    return !ended && rcp_process_is_there((pid_t)p->pid);
}

size_t rcp_family_alive(const rcp_family *family) {
    size_t n = 0;
    for (size_t i = 0; i < family->processes.len; i++)
        n += rcp_family_runs(&family->processes.at[i]);
    return n;
}

/* Signals wait while a program is recorded: whoever sends one now does not want to wait. */
static bool is_interrupted(void) {
    sigset_t pending;
    return !sigpending(&pending) && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}

rcp_code rcp_family_await(const char *directory, bool all, double seconds) {
    const double end = rcp_seconds_now() + seconds;
    for (;;) {
        rcp_family family; /* read each time: who runs may start others */
        rcp_code code = rcp_family_read(&family, directory);
        size_t alive = code == RCP_OK ? rcp_family_alive(&family) : 0;
        rcp_family_finish(&family);
        bool has_children = rcp_process_has_children(), is_awaited = alive || (all && has_children);
        if (code != RCP_OK || !is_awaited || rcp_seconds_now() >= end || is_interrupted())
            return code;
        nanosleep(&(struct timespec){0, LOOK_MILLISECONDS * 1000000L}, NULL);
    }
}

static rcp_code signal_all(const char *directory, int signal_number) {
    rcp_family family;
    rcp_code code = rcp_family_read(&family, directory);
    for (size_t i = 0; code == RCP_OK && i < family.processes.len; i++)
        if (rcp_family_runs(&family.processes.at[i]))
            kill((pid_t)family.processes.at[i].pid, signal_number);
    rcp_family_finish(&family);
    return code;
}

rcp_code rcp_family_end(const char *directory, double grace) {
    RCP_TRY(signal_all(directory, SIGTERM));
    RCP_TRY(rcp_family_await(directory, false, grace));
    RCP_TRY(signal_all(directory, SIGKILL));
    return rcp_family_await(directory, false, grace);
}

/* Records are added and never changed, and the header's mark says up to where they are whole: so it is read first. */
static rcp_code copy_log(int from, const char *path, const char *to) {
    struct rcp_log_header header;
    uint64_t size = 0;
    if (pread(from, &header, sizeof header, 0) == (ssize_t)sizeof header)
        size = RCP_LOG_HEADER_SIZE + RCP_LOG_MARK_LENGTH(header.mark);
    if (!size || size > (uint64_t)lseek(from, 0, SEEK_END))
        return rcp_fail(RCP_BAD_INPUT, "%s: has no whole beginning", path);
    char *bytes = rcp_alloc(size);
    for (uint64_t n = 0; n < size;) {
        ssize_t got = pread(from, bytes + n, size - n, (off_t)n);
        if (got <= 0 && errno != EINTR) {
            rcp_release(bytes);
            return rcp_fail(RCP_SYSTEM, "%s: %s", path, strerror(errno));
        }
        n += got > 0 ? (uint64_t)got : 0;
    }
    memcpy(bytes, &header, sizeof header);
    rcp_code code = rcp_file_replace(to, bytes, size);
    rcp_release(bytes);
    return code;
}

rcp_code rcp_family_part(const rcp_family_process *process) {
    char *path = rcp_file_take_path(process->directory, "log");
    int from = open(path, O_RDONLY | O_CLOEXEC);
    rcp_code code = from < 0 ? rcp_fail(RCP_SYSTEM, "%s: %s", path, strerror(errno)) : copy_log(from, path, path);
    if (from >= 0)
        close(from);
    rcp_release(path);
    return code;
}

/* --- what was recorded --- */

rcp_code rcp_family_is_threaded(const rcp_family_process *process, bool *is_threaded) {
    char *path = rcp_file_take_path(process->directory, "log");
    rcp_log *log;
    rcp_log_record record;
    bool has_begun = false;
    *is_threaded = false;
    rcp_code code = rcp_log_open(path, &log);
    rcp_release(path);
    RCP_TRY(code);
    while ((code = rcp_log_next(log, &record)) == RCP_OK && record.tag != RCP_LOG_END) {
        bool creates = record.tag == RCP_LOG_SYNC && record.op == RCP_SYNC_CREATE;
        *is_threaded |= creates || (record.tag == RCP_LOG_THREAD && has_begun);
        has_begun |= record.tag == RCP_LOG_THREAD;
        if (record.tag == RCP_LOG_FORK && !record.value) /* of all threads this one is left */
            *is_threaded = false;
    }
    rcp_log_close(log);
    return code;
}

rcp_code rcp_meant_read(rcp_meant *meant, const char *directory, bool *there) {
    rcp_text text = {0};
    *meant = (rcp_meant){0};
    rcp_code code = rcp_file_read_if_there(directory, "meant", &text);
    *there = text.len;
    char *at = text.at;
    if (code == RCP_OK && *there) {
        meant->identity = strtoull(at, &at, 16);
        meant->occurrence = strtoull(at, &at, 10);
        for (char *end; strtoull(at, &end, 10) && end != at; at = end)
            rcp_vec_push(&meant->forks, strtoull(at, NULL, 10));
        if (!meant->identity || !meant->occurrence)
            code = rcp_fail(RCP_BAD_INPUT, "%s/meant: is damaged", directory);
    }
    rcp_text_finish(&text);
    return code;
}

void rcp_meant_finish(rcp_meant *meant) { rcp_vec_finish(&meant->forks); }
