/* SPDX-License-Identifier: Apache-2.0 */
/* recipe pack, recipe unpack: a trace directory as one file, for another machine. */
#include "base/file.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/entry.h"
#include "cli/output.h"
#include "cli/packed.h"
#include "cli/processes.h"
#include "cli/scratch.h"
#include "cli/show.h"
#include "report/excerpts.h"
#include "trace/store/pack.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".rcpack";

/* The last word of a path, without slashes at its end and without `suffix`. */
static void put_base(rcp_text *to, const char *path, const char *suffix) {
    size_t n = strlen(path), from;
    while (n > 1 && path[n - 1] == '/')
        n--;
    for (from = n; from && path[from - 1] != '/';)
        from--;
    const size_t cut = strlen(suffix);
    if (n - from > cut && !memcmp(path + n - cut, suffix, cut))
        n -= cut;
    rcp_text_add(to, path + from, n - from);
}

/* --- pack --- */

enum { PACK_OUTPUT, WITHOUT_SOURCES };

static const rcp_option pack_options[] = {
    [PACK_OUTPUT] =
        {"output", 'o', "FILE", RCP_OPTION_PATH, "write to FILE",
         "Else DIR's name without .recipe and with .rcpack, in the directory in hand. FILE appears when it is "
         "complete; one that is there before is replaced then.",
         .otherwise = "DIR's name, with .rcpack", .writes_there = true},
    [WITHOUT_SOURCES] = {"without-sources", 0, NULL, RCP_OPTION_FLAG, "leave the source out",
                         "Else the lines that the report and its page show are packed, and no others."},
};

static size_t kept_files;

static void keep_sources(rcp_text *to, const rcp_findings *findings) {
    kept_files = rcp_report_keep_sources(to, findings, RCP_PACK_ROOT);
}

/* Those that a directory has with it, because it was packed before, are packed with it. */
static rcp_code add_sources(const char *directory, rcp_text *members) {
    char *own = rcp_file_take_path(directory, RCP_EXCERPTS_KEPT);
    const bool has_own = rcp_file_is_there(own);
    rcp_release(own);
    if (has_own)
        return RCP_OK;
    rcp_processes_list analysed = {0};
    rcp_code code = rcp_processes_analysed(directory, &analysed);
    const bool is_analysed = analysed.len || (code == RCP_OK && rcp_results_exist(directory));
    for (size_t i = 0; i < analysed.len; i++)
        rcp_release(analysed.at[i]);
    rcp_vec_finish(&analysed);
    rcp_exit outcome;
    const rcp_show what = {.directory = directory, .form = keep_sources, .into = members};
    if (code == RCP_OK && is_analysed)
        code = rcp_show_report(&what, &outcome);
    else if (code == RCP_OK)
        rcp_say("%s: was not analysed; a report has nothing to show, and no source is packed", directory);
    return code;
}

static bool put(void *output, rcp_text *bytes) { return rcp_output_put(output, bytes); }

static rcp_exit pack(const rcp_arguments *arguments) {
    const char *directory = arguments->operand[0];
    rcp_text path = {0}, sources = {0};
    rcp_output output;
    struct stat is;
    if (arguments->option[PACK_OUTPUT]) {
        rcp_text_puts(&path, arguments->option[PACK_OUTPUT]);
    } else {
        put_base(&path, directory, ".recipe");
        rcp_text_puts(&path, ending);
    }
    rcp_code code = stat(directory, &is) || !S_ISDIR(is.st_mode)
                        ? rcp_fail(RCP_BAD_INPUT, "%s: is no trace directory", directory)
                        : RCP_OK;
    if (code == RCP_OK && !arguments->option[WITHOUT_SOURCES])
        code = add_sources(directory, &sources);
    if (code == RCP_OK)
        code = rcp_output_open(&output, path.at);
    if (code == RCP_OK) {
        code = rcp_pack_write(directory, RCP_PACKED_MARK, &sources, put, &output);
        rcp_code closed = rcp_output_close(&output, code == RCP_OK);
        code = code == RCP_OK ? closed : code;
    }
    if (code == RCP_OK)
        rcp_say("%s: %zu source file%s; has the program's input, memory and environment in it, as a core dump does",
                path.at, kept_files, kept_files == 1 ? "" : "s");
    rcp_text_finish(&path);
    rcp_text_finish(&sources);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_pack = {
    .name = "pack",
    .operands = "DIR",
    .summary = "Makes one file of a trace directory, for another machine.",
    .about = "The file has all that the directory has, and the lines of the source that its report shows. Where a "
             "command only reads a trace directory (report, trace …) it takes the file in its place, on a machine of "
             "either architecture, without the program or its source; 'recipe unpack' makes a directory of it.\n\n"
             "What the program read, its memory and its environment are in a recording, and so in the file: give it "
             "to those whom you would give a core dump. A page by 'recipe report --format html' has none of that.",
    .options = pack_options,
    .n_options = sizeof pack_options / sizeof *pack_options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_WORK,
    .run = pack,
};

/* --- unpack --- */

enum { UNPACK_OUTPUT };

static const rcp_option unpack_options[] = {
    [UNPACK_OUTPUT] =
        {"output", 'o', "DIR", RCP_OPTION_PATH, "make DIR, which must not be there",
         "Else FILE's name without .rcpack and with .recipe, in the directory in hand. DIR appears when it is "
         "complete.",
         .otherwise = "FILE's name, with .recipe", .writes_there = true},
};

static rcp_exit unpack(const rcp_arguments *arguments) {
    const char *file = arguments->operand[0], *scratch;
    rcp_text path = {0};
    struct stat is;
    if (arguments->option[UNPACK_OUTPUT]) {
        rcp_text_puts(&path, arguments->option[UNPACK_OUTPUT]);
    } else {
        put_base(&path, file, ending);
        rcp_text_puts(&path, ".recipe");
    }
    while (path.len > 1 && path.at[path.len - 1] == '/')
        path.at[--path.len] = 0;
    if (!lstat(path.at, &is)) {
        rcp_exit wrong = rcp_usage(&rcp_cmd_unpack, "%s is there already; -o DIR makes another", path.at);
        rcp_text_finish(&path);
        return wrong;
    }
    rcp_code code = rcp_scratch_make(path.at, &scratch);
    if (code == RCP_OK)
        code = rcp_packed_unpack(file, scratch);
    if (code == RCP_OK)
        code = rcp_enter(scratch, RCP_ENTRY_READ);
    if (code == RCP_OK)
        code = rcp_scratch_keep(path.at);
    rcp_scratch_remove();
    if (code == RCP_OK)
        rcp_say("%s", path.at);
    rcp_text_finish(&path);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_unpack = {
    .name = "unpack",
    .operands = "FILE",
    .summary = "Makes a trace directory of what 'recipe pack' wrote.",
    .about = "For commands that work in a directory: analyze, replay. A replay runs the program, which must be there "
             "as it was recorded; --force says that you trust who packed it.\n\n"
             "Exit codes: 0 done, 3 the file is damaged, or has something in it that no pack has: then nothing is "
             "left of it.",
    .options = unpack_options,
    .n_options = sizeof unpack_options / sizeof *unpack_options,
    .least = 1,
    .most = 1,
    .run = unpack,
};
