/* SPDX-License-Identifier: Apache-2.0 */
#include "record/command.h"

#include "abi/run.h"
#include "base/file.h"
#include "program/recording/embedded.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { PADDED = 512 };
#define PADDING "RECIPE_PADDING"

void rcp_command_describe_input(rcp_text *to) {
    struct stat is;
    char path[4096];
    if (fstat(0, &is)) {
        rcp_text_puts(to, "closed");
    } else if (S_ISREG(is.st_mode)) {
        ssize_t n = readlink("/proc/self/fd/0", path, sizeof path - 1);
        path[n > 0 ? n : 0] = 0;
        rcp_text_printf(to, "file %s %lld", path, (long long)lseek(0, 0, SEEK_CUR));
    } else if (S_ISCHR(is.st_mode) && is.st_rdev == makedev(1, 3)) {
        rcp_text_puts(to, "null");
    } else {
        rcp_text_puts(to, "kept");
    }
}

static void put(rcp_text *to, const char *string) { rcp_text_add(to, string, strlen(string) + 1); }

static void put_all(rcp_text *to, char *const *strings) {
    size_t n = 0;
    char number[24];
    while (strings[n])
        n++;
    snprintf(number, sizeof number, "%zu", n);
    put(to, number);
    for (size_t i = 0; i < n; i++)
        put(to, strings[i]);
}

void rcp_command_print(rcp_text *to, const char *program, const char *through, const char *directory, const char *input,
                       char *const *argv, char *const *environment, char *const *clients) {
    static char *const none[] = {NULL};
    put(to, program);
    put(to, through);
    put(to, directory);
    put(to, input);
    rcp_text build = {0};
    rcp_elf elf;
    if (rcp_elf_open(program, &elf) == RCP_OK) {
        rcp_elf_print_build(&elf, &build);
        rcp_elf_close(&elf);
    } else {
        rcp_clear_causes(); /* whoever starts it says why it can't be read */
    }
    put(to, build.at ? build.at : "");
    rcp_text_finish(&build);
    put_all(to, argv);
    put_all(to, environment);
    put_all(to, clients ? clients : none);
}

/* The next string; NULL: there is none. */
static char *take(rcp_recorded_command *command, size_t *at) {
    char *string = command->bytes.at + *at;
    if (*at >= command->bytes.len)
        return NULL;
    *at += strlen(string) + 1;
    return *at <= command->bytes.len ? string : NULL;
}

#define TAKE_ALL(command, at, strings)                                                                                 \
    ({                                                                                                                 \
        const char *number_ = take(command, at);                                                                       \
        size_t n_ = number_ ? strtoul(number_, NULL, 10) : 0;                                                          \
        char *string_ = number_ ? (char *)(uintptr_t)number_ : NULL;                                                   \
        for (size_t i_ = 0; string_ && i_ < n_; i_++) {                                                                \
            string_ = take(command, at);                                                                               \
            rcp_vec_push(strings, string_);                                                                            \
        }                                                                                                              \
        rcp_vec_push(strings, NULL);                                                                                   \
        string_ != NULL;                                                                                               \
    })

rcp_code rcp_command_read(rcp_recorded_command *command, const char *directory) {
    *command = (rcp_recorded_command){0};
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/command", directory);
    rcp_code code = RCP_OK;
    if (!rcp_file_is_there(path.at))
        code = rcp_fail(RCP_BAD_INPUT,
                        "%s: is not there, so nobody knows how the program was started: only what 'recipe "
                        "record' has recorded can be replayed",
                        path.at);
    if (code == RCP_OK)
        code = rcp_text_read_file(&command->bytes, path.at);
    if (code == RCP_OK) {
        size_t at = 0;
        command->program = take(command, &at);
        command->through = take(command, &at);
        command->directory = take(command, &at);
        command->input = take(command, &at);
        command->build = take(command, &at);
        bool good = command->build && TAKE_ALL(command, &at, &command->argv);
        good = good && TAKE_ALL(command, &at, &command->environment);
        good = good && (at == command->bytes.len || TAKE_ALL(command, &at, &command->clients));
        if (!good)
            code = rcp_fail(RCP_BAD_INPUT, "%s: is damaged", path.at);
    }
    rcp_text_finish(&path);
    return code;
}

void rcp_command_finish(rcp_recorded_command *command) {
    rcp_vec_finish(&command->argv);
    rcp_vec_finish(&command->environment);
    rcp_vec_finish(&command->clients);
    rcp_text_finish(&command->bytes);
}

rcp_code rcp_command_check_program(const rcp_recorded_command *command) {
    rcp_elf elf;
    rcp_text build = {0};
    rcp_code code = rcp_elf_open(command->program, &elf);
    if (code != RCP_OK)
        return rcp_because(code, "the recorded program is not there to be run");
    rcp_elf_print_build(&elf, &build);
    if (!rcp_embedded_is_recorded(&elf))
        code = rcp_fail(RCP_BAD_INPUT, "%s: was not built by recipe, so it is not what was recorded, and is not run",
                        command->program);
    else if (strcmp(build.at, command->build))
        code = rcp_fail(RCP_BAD_INPUT,
                        "%s: is another build (%s) than the one that was recorded (%s), and is not run: build it as it "
                        "was, or record it again",
                        command->program, build.at, command->build);
    rcp_elf_close(&elf);
    rcp_text_finish(&build);
    return code;
}

/* A word in quotes where a shell would make more of it; control characters become question marks. */
static void show_word(rcp_text *to, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    bool quoted = !*word || word[strspn(word, plain)];
    rcp_text_puts(to, quoted ? "'" : "");
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            rcp_text_puts(to, "'\\''");
        else
            rcp_text_printf(to, "%c", (unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
    }
    rcp_text_puts(to, quoted ? "'" : "");
}

void rcp_command_show_words(rcp_text *to, char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        rcp_text_puts(to, i ? " " : "");
        show_word(to, words[i]);
    }
}

void rcp_command_show_input(rcp_text *to, const char *input) {
    static const char before[] = "file ", after[] = " 0";
    const size_t n = input ? strlen(input) : 0, around = sizeof before + sizeof after - 2;
    if (n <= around || strncmp(input, before, sizeof before - 1) || strcmp(input + n - (sizeof after - 1), after))
        return;
    rcp_text path = {0};
    rcp_text_add(&path, input + sizeof before - 1, n - around);
    rcp_text_puts(to, " <");
    show_word(to, path.at);
    rcp_text_finish(&path);
}

void rcp_command_show(rcp_text *to, const rcp_recorded_command *command) {
    rcp_text_puts(to, "cd ");
    show_word(to, command->directory);
    rcp_text_puts(to, " && ");
    for (size_t i = 0; i + 1 < command->environment.len; i++)
        if (!strncmp(command->environment.at[i], "LD_", 3)) {
            show_word(to, command->environment.at[i]);
            rcp_text_puts(to, " ");
        }
    if (*command->through) {
        show_word(to, command->through);
        rcp_text_puts(to, " ");
    }
    show_word(to, command->program);
    rcp_text_puts(to, command->argv.len > 2 ? " " : "");
    if (command->argv.len > 2)
        rcp_command_show_words(to, command->argv.at + 1, command->argv.len - 2);
    for (size_t i = 0; i + 1 < command->clients.len; i++) {
        rcp_text_puts(to, " & sh -c ");
        show_word(to, command->clients.at[i]);
    }
}

/* --- the environment --- */

static bool is_ours(const char *variable) {
    return !strncmp(variable, RCP_RUN_VARIABLE "=", sizeof RCP_RUN_VARIABLE) ||
           !strncmp(variable, PADDING "=", sizeof PADDING);
}

void rcp_environment_make(rcp_environment *to, char *const *base, const char *directory) {
    *to = (rcp_environment){0};
    rcp_text_printf(&to->trace, RCP_RUN_VARIABLE "=%s", directory);
    size_t whole = (strlen(directory) / PADDED + 1) * PADDED;
    rcp_text_printf(&to->padding, PADDING "=%*s", (int)(whole - strlen(directory)), "");
    for (char *const *at = base; *at; at++)
        if (!is_ours(*at))
            rcp_vec_push(&to->at, *at);
    rcp_vec_push(&to->at, to->padding.at);
    rcp_vec_push(&to->at, to->trace.at);
    rcp_vec_push(&to->at, NULL);
}

void rcp_environment_make_for_client(rcp_environment *to, char *const *base, pid_t program) {
    static const char pid[] = "RECIPE_PID=";
    *to = (rcp_environment){0};
    rcp_text_printf(&to->trace, "%s%d", pid, (int)program);
    for (char *const *at = base; *at; at++)
        if (!is_ours(*at) && strncmp(*at, pid, sizeof pid - 1))
            rcp_vec_push(&to->at, *at);
    rcp_vec_push(&to->at, to->trace.at);
    rcp_vec_push(&to->at, NULL);
}

void rcp_environment_finish(rcp_environment *environment) {
    rcp_vec_finish(&environment->at);
    rcp_text_finish(&environment->trace);
    rcp_text_finish(&environment->padding);
}
