/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace import: a text becomes a trace directory, which appears whole or not at all. */
#include "cli/command.h"
#include "cli/formats.h"
#include "cli/output.h"
#include "cli/temporary.h"
#include "trace/store/writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT, OUTPUT };

static const rcp_option options[] = {
    [FORMAT] = {"format", 0, RCP_FORMATS, RCP_OPTION_CHOICE, "what FILE holds",
                "text is recipe's own lossless form, std RAPID's format, valued its cousin with values.",
                .otherwise = "guessed"},
    [OUTPUT] = {"output", 'o', "DIR", RCP_OPTION_PATH, "the trace directory to make",
                "Default: FILE's name with .recipe for its extension, in the current directory; where that exists, "
                ".recipe.1 and so on. A directory that is not empty is never written to.",
                .writes_there = true},
};

/* The first free name of FILE's, and so on. */
static void default_directory(const char *file, rcp_text *directory) {
    const char *slash = strrchr(file, '/');
    const char *name = !strcmp(file, "-") ? "stdin" : slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    int stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    rcp_text_printf(directory, "%.*s.recipe", stem, name);
    size_t len = directory->len;
    struct stat is;
    for (unsigned n = 1; lstat(directory->at, &is) == 0; n++) {
        directory->at[directory->len = len] = 0;
        rcp_text_printf(directory, ".%u", n);
    }
}

/* Why nothing can be made under this name; NULL: it can, or making it will say why not. */
static const char *borrow_objection(const char *directory) {
    struct stat is;
    if (stat(directory, &is) == 0 && !S_ISDIR(is.st_mode))
        return "exists and is not a directory; nothing is overwritten";
    DIR *open = opendir(directory);
    if (!open)
        return NULL;
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(open));)
        found = strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(open);
    return found ? "exists and is not empty; nothing is overwritten" : NULL;
}

static void remove_directory(const char *directory) {
    DIR *open = opendir(directory);
    if (!open)
        return;
    for (struct dirent *entry; (entry = readdir(open));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            unlinkat(dirfd(open), entry->d_name, 0);
    closedir(open);
    rmdir(directory);
}

/* Saved under another name and renamed: renaming onto a directory that is not empty fails, so that nothing is lost even
 * where somebody made it meanwhile. */
static rcp_code save(const rcp_trace *trace, const char *directory) {
    rcp_text temporary = {0};
    size_t len = strlen(directory);
    while (len > 1 && directory[len - 1] == '/')
        len--;
    rcp_text_printf(&temporary, "%.*s.XXXXXX", (int)len, directory);
    rcp_code code = RCP_OK;
    if (!rcp_temporary_directory(temporary.at)) {
        code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", directory, strerror(errno));
        rcp_text_finish(&temporary);
        return code;
    }
    mode_t mask = umask(0);
    umask(mask);
    code = rcp_trace_save(trace, temporary.at);
    if (code == RCP_OK && (chmod(temporary.at, 0777 & ~mask) || rename(temporary.at, directory)))
        code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", directory, strerror(errno));
    if (code != RCP_OK)
        remove_directory(temporary.at);
    rcp_temporary_forget();
    rcp_text_finish(&temporary);
    return code;
}

/* Which file the trace came from is what a report calls the program, unless the text says better. */
static void remember_source(rcp_defs *defs, const char *file) {
    if (!rcp_defs_borrow_fact(defs, "program") && !rcp_defs_borrow_fact(defs, "source") && strcmp(file, "-"))
        rcp_defs_fact(defs, "source", file);
}

/* Facts that say what was not taken as it stands (trace/text/std.h). */
static const char *const notes[] = {"note names", "note forks", "note requests"};

static rcp_code import(const rcp_arguments *arguments, const char *file, const char *directory) {
    rcp_text text = {0};
    rcp_trace trace;
    rcp_trace_init(&trace);
    const rcp_format *format = NULL;
    const char *guessed = NULL;
    rcp_code code = rcp_text_read_file(&text, file);
    if (code == RCP_OK) {
        format = arguments->option[FORMAT] ? rcp_format_find(arguments->option[FORMAT])
                                           : rcp_format_guess(file, text.at, text.len, &guessed);
        const char *name = !strcmp(file, "-") ? "stdin" : file;
        if (format)
            code = format->parse(name, text.at, text.len, &trace);
        else if (!text.len)
            code = rcp_fail(RCP_BAD_INPUT, "%s: the file is empty", name);
        else
            code = rcp_fail(
                RCP_BAD_INPUT,
                "%s: neither its name nor its first line says which format it has; say --format " RCP_FORMATS, name);
    }
    rcp_text_finish(&text);
    if (code == RCP_OK) {
        remember_source(&trace.defs, file);
        code = save(&trace, directory);
    }
    for (size_t i = 0; code == RCP_OK && i < sizeof notes / sizeof *notes; i++)
        if (rcp_defs_borrow_fact(&trace.defs, notes[i]))
            rcp_say("%s: %s", file, rcp_defs_borrow_fact(&trace.defs, notes[i]));
    if (code == RCP_OK && guessed)
        rcp_say("%s: taken as %s (%s)", file, format->name, guessed);
    if (code == RCP_OK)
        rcp_say("%s: %zu event%s of %zu thread%s", directory, trace.events.len, trace.events.len == 1 ? "" : "s",
                trace.defs.threads.len, trace.defs.threads.len == 1 ? "" : "s");
    rcp_trace_finish(&trace);
    return code;
}

static rcp_exit run(const rcp_arguments *arguments) {
    const char *file = arguments->operand[0];
    rcp_text directory = {0};
    if (arguments->option[OUTPUT])
        rcp_text_puts(&directory, arguments->option[OUTPUT]);
    else
        default_directory(file, &directory);
    const char *objection = borrow_objection(directory.at);
    if (objection) {
        rcp_exit wrong = rcp_usage(&rcp_cmd_trace_import, "-o '%s': %s", directory.at, objection);
        rcp_text_finish(&directory);
        return wrong;
    }
    rcp_code code = import(arguments, file, directory.at);
    if (code == RCP_OK) {
        rcp_text_puts(&directory, "\n");
        code = rcp_output_all(NULL, &directory);
    }
    rcp_text_finish(&directory);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_trace_import = {
    .name = "trace import",
    .operands = "FILE",
    .summary = "Makes a trace directory from a text.",
    .about = "Reads FILE ('-': standard input), writes a trace directory, and prints the directory's name on standard "
             "output. A line that the format does not allow is an error with its place and the reason; then nothing is "
             "made.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = run,
};
