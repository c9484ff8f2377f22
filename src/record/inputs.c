/* SPDX-License-Identifier: Apache-2.0 */
#include "record/inputs.h"

#include "base/file.h"
#include "base/limits.h"
#include "program/recording/run_json.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { BUFFER = 1 << 16 };

/* "SIZE DIGEST"; false: there is no such file. */
static bool digest(const char *path, char line[64]) {
    struct stat is;
    FILE *from = stat(path, &is) || !S_ISREG(is.st_mode) ? NULL : fopen(path, "re");
    if (!from)
        return false;
    if ((uint64_t)is.st_size > rcp_limit(RCP_LIMIT_INPUT_BYTES)) {
        snprintf(line, 64, "%lld @%lld.%ld", (long long)is.st_size, (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
    } else {
        static char buffer[BUFFER];
        XXH3_state_t *state = XXH3_createState();
        size_t n;
        XXH3_64bits_reset(state);
        while ((n = fread(buffer, 1, sizeof buffer, from)))
            XXH3_64bits_update(state, buffer, n);
        snprintf(line, 64, "%lld %016" PRIx64, (long long)is.st_size, (uint64_t)XXH3_64bits_digest(state));
        XXH3_freeState(state);
    }
    fclose(from);
    return true;
}

static void keep(rcp_text *to, const char *path) {
    char line[64];
    if (digest(path, line))
        rcp_text_printf(to, "%s %s\n", line, path);
}

/* Calls with each line of the text, which is changed. */
#define EACH_LINE(line, text)                                                                                          \
    for (char *rest_ = (text)->at, *line; rest_ && (line = strsep(&rest_, "\n")) && (*line || rest_);)

rcp_code rcp_inputs_keep(const char *directory, const char *program, const char *input) {
    rcp_text files = {0}, lines = {0}, path = {0};
    RCP_TRY(rcp_file_read_if_there(directory, "files", &files));
    char *full = realpath(program, NULL);
    keep(&lines, full ? full : program);
    free(full);
    if (!strncmp(input, "file ", 5)) {
        rcp_text_add(&path, input + 5, (size_t)(strrchr(input, ' ') - input - 5));
        keep(&lines, path.at);
        rcp_text_clear(&path);
    }
    EACH_LINE(file, &files)
    if (*file == '/') /* "more": of further files nothing is known */
        keep(&lines, file);
    rcp_text_printf(&path, "%s/inputs", directory);
    rcp_code code = rcp_file_replace(path.at, lines.at, lines.len);
    rcp_text_finish(&files);
    rcp_text_finish(&lines);
    rcp_text_finish(&path);
    return code;
}

rcp_code rcp_inputs_compare(const char *directory, rcp_text *changed) {
    rcp_text lines = {0};
    RCP_TRY(rcp_file_read_if_there(directory, "inputs", &lines));
    EACH_LINE(line, &lines) {
        char now[64];
        const char *path = strchr(line, ' ');
        path = path ? strchr(path + 1, ' ') : NULL;
        if (!path)
            continue;
        if (!digest(path + 1, now))
            rcp_text_printf(changed, "%s is not there any more\n", path + 1);
        else if (strncmp(now, line, (size_t)(path - line)) || now[path - line])
            rcp_text_printf(changed, "%s has changed since it was recorded\n", path + 1);
    }
    rcp_text_finish(&lines);
    return RCP_OK;
}

/* The number `key` of the member `of` of run.json; 0: it is not there, or run.json can't be read. */
static double number_in_run(const char *directory, const char *of, const char *key) {
    rcp_run_json run;
    if (rcp_run_json_read(directory, &run) != RCP_OK)
        rcp_clear_causes();
    double number = rcp_json_number(rcp_json_member(rcp_json_member(run.all, of), key));
    rcp_run_json_finish(&run);
    return number;
}

/* Of a process that somebody else has waited for nobody knows by what it was ended: what ends most is sent. */
static bool was_killed(const char *directory) {
    rcp_run_json run;
    if (rcp_run_json_read(directory, &run) != RCP_OK)
        rcp_clear_causes();
    const char *how = rcp_json_string(rcp_json_member(rcp_json_member(run.all, "ended"), "how"));
    bool killed = how && (!strcmp(how, "killed") || !strcmp(how, "runs"));
    rcp_run_json_finish(&run);
    return killed;
}

double rcp_inputs_seconds(const char *directory) { return number_in_run(directory, "seconds", "wall"); }

int rcp_inputs_signal(const char *directory) { return (int)number_in_run(directory, "ended", "signal"); }

bool rcp_inputs_prints_to_nobody(const char *directory) {
    rcp_run_json run;
    if (rcp_run_json_read(directory, &run) != RCP_OK)
        rcp_clear_causes();
    const rcp_json *said = rcp_json_member(run.all, "prints_to_nobody");
    const bool does = said && said->kind == RCP_JSON_TRUE;
    rcp_run_json_finish(&run);
    return does;
}

int rcp_inputs_end_signal(const char *directory) {
    static const int of_others[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGKILL, SIGUSR1, SIGUSR2, SIGALRM};
    int signal_number = rcp_inputs_signal(directory);
    if (was_killed(directory))
        return SIGTERM;
    for (size_t i = 0; i < sizeof of_others / sizeof *of_others; i++)
        if (signal_number == of_others[i])
            return signal_number;
    return (int)number_in_run(directory, "ended", "asked");
}
