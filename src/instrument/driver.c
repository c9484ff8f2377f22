/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/driver.h"

#include "base/opts.h"
#include "instrument/compile.h"
#include "instrument/instrument.h"
#include "instrument/link.h"
#include "instrument/parts.h"
#include "instrument/tool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct driver {
    bool cxx;
    bool verbose; /* -v: says what is run */
    bool dry;     /* -###: says it and runs nothing */
    bool notes;   /* -Wrecipe: what can't be recorded */
    bool log_branches;
    const char *log_values; /* --log-values: functions to leave as they are */
    const char *exclude;    /* --exclude: functions and files, likewise */
    rcp_arena arena;
    rcp_text clang, scratch, hooks, headers;
    char *arch; /* of what is made; NULL: not known */
    RCP_VEC(rcp_words) jobs;
    rcp_words failed; /* outputs that did not come to be */
    int end;
} driver;

static const char *name_of(const driver *d) { return d->cxx ? "recipe c++" : "recipe cc"; }

/* Asking clang. */

static bool is_terminal(void) {
    const char *kind = getenv("TERM");
    return isatty(2) && kind && *kind && strcmp(kind, "dumb");
}

bool rcp_driver_knows(const char *word) {
    return !strcmp(word, "-Wrecipe") || !strcmp(word, "-Wno-recipe") || !strcmp(word, "-frecipe-log-branches") ||
           rcp_words_begins(word, "--log-values=") || rcp_words_begins(word, "--exclude=");
}

static void take_ours(driver *d, const char *word) {
    if (word[1] == 'f')
        d->log_branches = true;
    else if (word[1] == 'W')
        d->notes = word[2] == 'r';
    else { /* each adds to those before */
        const char *list = strchr(word, '=') + 1, **to = word[2] == 'e' ? &d->exclude : &d->log_values;
        *to = *to ? rcp_words_format(&d->arena, "%s,%s", *to, list) : list;
    }
}

/* What the project's recipe.opts has for compilers, and the user's RECIPE_OPTIONS. */
static void take_opts(driver *d) {
    rcp_text path = {0}, text = {0};
    const char *end, *user = getenv("RECIPE_OPTIONS");
    if (rcp_opts_find(&path, &text)) {
        const char *at = text.at;
        for (const char *begin; (begin = rcp_opts_next(&at, &end));) {
            char *word = rcp_words_format(&d->arena, "%.*s", (int)(end - begin), begin);
            if (rcp_driver_knows(word))
                take_ours(d, word);
        }
    }
    rcp_text_clear(&text);
    while (user && rcp_opts_next_word(&user, &text))
        if (rcp_driver_knows(text.at))
            take_ours(d, rcp_words_format(&d->arena, "%s", text.at));
    rcp_text_finish(&path);
    rcp_text_finish(&text);
}

/* `clang -### …`: the user's words, and before them, so that the user's win, what clang would see if it wrote to our
 * standard error and not to a pipe. */
static void make_question(driver *d, int argc, char **argv, rcp_words *words) {
    rcp_words_add(words, d->clang.at);
    rcp_words_add(words, d->cxx ? "--driver-mode=g++" : "--driver-mode=gcc");
    rcp_words_add(words, "-###");
    struct winsize size;
    if (is_terminal())
        rcp_words_add(words, "-fcolor-diagnostics");
    if (isatty(2) && !ioctl(2, TIOCGWINSZ, &size) && size.ws_col)
        rcp_words_add(words, rcp_words_format(&d->arena, "-fmessage-length=%u", size.ws_col));
    for (int i = 0; i < argc; i++) {
        if (rcp_driver_knows(argv[i])) {
            take_ours(d, argv[i]);
            continue;
        }
        d->dry |= !strcmp(argv[i], "-###");
        if (rcp_words_begins(argv[i], "-MJ")) /* clang writes it while it plans, but not under -### */
            fprintf(stderr, "%s: warning: -MJ: recipe writes no compilation database\n", name_of(d));
        d->verbose |= !strcmp(argv[i], "-v") || !strcmp(argv[i], "--verbose");
        rcp_words_add(words, argv[i]);
    }
    rcp_words_end(words);
}

/* Is it one of the lines by which `clang -###` introduces itself? Plain clang does not say them. */
static bool is_introduction(const char *line, size_t n) {
    static const char *const begins[] = {
        "Target: ",           "Thread model: ", "InstalledDir: ", "Configuration file", "System configuration",
        "User configuration", "Build config: ", " (in-process)"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (rcp_words_begins(line, begins[i]))
            return true;
    const char *version = strstr(line, "clang version ");
    return version && version < line + n;
}

static bool has_jobs(const char *answer) { return rcp_words_begins(answer, " \"") || strstr(answer, "\n \""); }

static char *first_word(driver *d, const char *at, const char *end) {
    size_t n = strcspn(at, end);
    char *to = rcp_arena_copy(&d->arena, at, n + 1);
    to[n] = 0;
    return to;
}

/* The jobs go into the list, what clang said to the user goes to standard error. */
static rcp_code read_answer(driver *d, const rcp_text *answer) {
    const char *version = NULL;
    for (const char *at = answer->at; *at;) {
        rcp_words job = {0};
        if (rcp_words_parse(&at, &d->arena, &job)) {
            rcp_vec_push(&d->jobs, job);
            continue;
        }
        rcp_vec_finish(&job);
        size_t n = strcspn(at, "\n");
        if (rcp_words_begins(at, "Target: "))
            d->arch = first_word(d, at + 8, "-\n");
        const char *is = strstr(at, "clang version ");
        if (is && is < at + n && !version)
            version = first_word(d, is + 14, " \n");
        if (d->verbose || d->dry || !is_introduction(at, n))
            fprintf(stderr, "%.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    if (d->jobs.len && (!version || !rcp_words_begins(version, "19.")))
        return rcp_fail(RCP_SYSTEM, "%s is clang %s; recipe needs clang 19 (RECIPE_CLANG names another)", d->clang.at,
                        version ? version : "of an unknown version");
    return RCP_OK;
}

/* No job, or a command line that clang refuses: it answers itself (--version, -print-…, no input at all), without -###.
 */
static rcp_code let_clang_answer(driver *d, int argc, char **argv) {
    rcp_words words = {0};
    rcp_words_add(&words, d->clang.at);
    rcp_words_add(&words, d->cxx ? "--driver-mode=g++" : "--driver-mode=gcc");
    for (int i = 0; i < argc; i++)
        if (!rcp_driver_knows(argv[i]))
            rcp_words_add(&words, argv[i]);
    rcp_words_end(&words);
    rcp_code code = rcp_tool_run(&words, d->cxx ? "clang++" : "clang", d->scratch.at, &d->end);
    rcp_vec_finish(&words);
    return code;
}

static rcp_code ask_clang(driver *d, int argc, char **argv) {
    rcp_words question = {0};
    rcp_text answer = {0};
    make_question(d, argc, argv, &question);
    rcp_code code = rcp_tool_ask(&question, d->cxx ? "clang++" : "clang", d->scratch.at, &answer, &d->end);
    if (code == RCP_OK && (d->end > 0 || (!d->end && !has_jobs(answer.at))))
        code = let_clang_answer(d, argc, argv);
    else if (code == RCP_OK)
        code = read_answer(d, &answer);
    rcp_text_finish(&answer);
    rcp_vec_finish(&question);
    return code;
}

static rcp_code refuse(const driver *d) {
    for (size_t i = 0; i < d->jobs.len; i++) {
        const rcp_words *job = &d->jobs.at[i];
        if (rcp_compile_is_cc1(job))
            RCP_TRY(rcp_compile_refuse(job));
        else if (rcp_link_is_link(job))
            RCP_TRY(rcp_link_refuse(job));
    }
    return RCP_OK;
}

/* Headers of ours are found in front of the C++ library's, by every step that reads source. */
static rcp_code add_headers(driver *d) {
    bool any = false;
    for (size_t i = 0; i < d->jobs.len; i++)
        any |= rcp_compile_is_cc1(&d->jobs.at[i]);
    if (!any || d->dry)
        return RCP_OK;
    RCP_TRY(rcp_parts_find("c++", &d->headers));
    for (size_t i = 0; i < d->jobs.len; i++)
        rcp_compile_add_headers(&d->jobs.at[i], d->headers.at);
    return RCP_OK;
}

/* Running the jobs. */

static void show(const driver *d, const rcp_words *words) {
    if (!d->verbose && !d->dry)
        return;
    rcp_text line = {0};
    rcp_words_print(&line, words, d->dry);
    fputs(line.at, stderr);
    rcp_text_finish(&line);
}

/* The step's own diagnostics are there already; a crash has none. */
static bool has_failed(driver *d, const char *what, const char *source, int end) {
    if (!end)
        return false;
    if (!rcp_tool_interrupted() && end < 0)
        fprintf(stderr, "%s: error: %s of '%s' died: %s\n", name_of(d), what, source, strsignal(-end));
    if (!d->end)
        d->end = end < 0 ? 254 : end;
    return true;
}

static rcp_code run_step(driver *d, const rcp_words *words, const char *what, const char *source, bool *done) {
    int end = 0;
    show(d, words);
    if (!d->dry)
        RCP_TRY(rcp_tool_run(words, NULL, d->scratch.at, &end));
    *done = !has_failed(d, what, source, end);
    return RCP_OK;
}

typedef struct pass_call {
    driver *d;
    const rcp_compile *compile;
} pass_call;

/* In a process of its own. */
static int call_pass(void *with) {
    pass_call *call = with;
    driver *d = call->d;
    rcp_instrument_request request = {.input = call->compile->bitcode,
                                      .output = call->compile->instrumented,
                                      .inline_hooks = d->hooks.at,
                                      .scratch = d->scratch.at,
                                      .verbose = d->verbose,
                                      .log_values = d->log_values,
                                      .exclude = d->exclude,
                                      .log_branches = d->log_branches,
                                      .spares = call->compile->spares,
                                      .is_cxx20 = call->compile->is_cxx20,
                                      .drop_debug = call->compile->drop_debug};
    rcp_instrument_report report = {0};
    rcp_code code = rcp_instrument(&request, &report);
    if (code != RCP_OK) {
        fprintf(stderr, "%s: error: %s: ", name_of(d), call->compile->source);
        rcp_print_causes(stderr);
    }
    for (const char *line = report.notes.at; code == RCP_OK && (d->notes || d->verbose) && line && *line;) {
        size_t n = strcspn(line, "\n"), place = 0;
        const char *text = strstr(line, ": ");
        if (text && text < line + n)
            place = (size_t)(text - line) + 2;
        fprintf(stderr, "%.*swarning: %.*s [-Wrecipe]\n", (int)place, line, (int)(n - place), line + place);
        line += n + (line[n] == '\n');
    }
    if (code == RCP_OK && d->verbose)
        fprintf(stderr,
                "recipe: %s: %u functions recorded, %u left opaque, %u places of events, %u plain copies of loops, "
                "%llu bytes of bitcode\n",
                call->compile->source, report.functions, report.opaque, report.events, report.regions,
                (unsigned long long)report.bitcode);
    rcp_instrument_report_finish(&report);
    return code == RCP_OK ? 0 : 1;
}

static rcp_code run_pass(driver *d, const rcp_compile *compile, bool *done) {
    int end = 0;
    if (d->verbose || d->dry)
        fprintf(stderr, " (recording pass) \"%s\" \"%s\"\n", compile->bitcode, compile->instrumented);
    if (!d->dry)
        RCP_TRY(rcp_tool_call(call_pass, &(pass_call){d, compile}, &end));
    *done = !has_failed(d, "the recording pass", compile->source, end);
    return RCP_OK;
}

static void drop_output(driver *d, const char *output) {
    struct stat is;
    if (!output)
        return;
    rcp_words_add(&d->failed, output);
    if (!d->dry && !lstat(output, &is) && S_ISREG(is.st_mode))
        unlink(output);
}

static rcp_code compile(driver *d, const rcp_words *job, size_t number) {
    if (!d->hooks.at && !d->dry) {
        char *part = rcp_words_format(&d->arena, "inline-%s.bc", d->arch ? d->arch : "unknown");
        RCP_TRY(rcp_parts_find(part, &d->hooks));
    }
    rcp_compile steps;
    bool done = false;
    rcp_compile_init(&steps, job, rcp_words_format(&d->arena, "%s/%zu", d->scratch.at, number), &d->arena);
    rcp_code code = run_step(d, &steps.front, "compilation", steps.source, &done);
    if (code == RCP_OK && done)
        code = run_pass(d, &steps, &done);
    if (code == RCP_OK && done)
        code = run_step(d, &steps.back, "code generation", steps.source, &done);
    if (code == RCP_OK && done && steps.assembly && !d->dry)
        code = rcp_compile_write_assembly(&steps, d->scratch.at);
    if (code != RCP_OK || !done)
        drop_output(d, steps.output);
    if (!d->dry)
        unlink(steps.bitcode), unlink(steps.instrumented);
    rcp_compile_finish(&steps);
    return code;
}

static rcp_code run_linker(driver *d, const rcp_words *words, const char *output, bool *done) {
    int end = 0;
    show(d, words);
    if (!d->dry)
        RCP_TRY(rcp_tool_run(words, NULL, d->scratch.at, &end));
    if (end > 0)
        fprintf(stderr, "%s: error: linker command failed with exit code %d (use -v to see invocation)\n", name_of(d),
                end);
    *done = !has_failed(d, "linking", output, end);
    return RCP_OK;
}

static rcp_code run_link(driver *d, const rcp_words *job) {
    rcp_text runtime = {0}, stdcxx = {0};
    rcp_words words = {0};
    rcp_code code = RCP_OK;
    bool program = rcp_link_makes_program(job), check = rcp_link_wants_check(job), done = true;
    const char *output = rcp_compile_output(job) ? rcp_compile_output(job) : "a.out";
    if (program || check)
        code =
            rcp_parts_find(rcp_words_format(&d->arena, "librecipe_rt-%s.a", d->arch ? d->arch : "unknown"), &runtime);
    if (code == RCP_OK && rcp_link_uses_stdcxx(job))
        code =
            rcp_parts_find(rcp_words_format(&d->arena, "librecipe_cxx-%s.a", d->arch ? d->arch : "unknown"), &stdcxx);
    if (code == RCP_OK && check) {
        rcp_link_check_words(job, runtime.at, rcp_words_format(&d->arena, "%s/check.so", d->scratch.at), &words);
        code = run_linker(d, &words, output, &done);
        words.len = 0;
    }
    if (code == RCP_OK && done) {
        rcp_link_words(job, program ? runtime.at : NULL, stdcxx.at, &words);
        code = run_linker(d, &words, output, &done);
    }
    rcp_vec_finish(&words);
    rcp_text_finish(&runtime);
    rcp_text_finish(&stdcxx);
    return code;
}

static bool is_made_here(const driver *d, const char *file) {
    for (size_t i = 0; i < d->jobs.len; i++) {
        const char *output = rcp_compile_output(&d->jobs.at[i]);
        if (output && !strcmp(output, file))
            return true;
    }
    return false;
}

/* Is its source assembly that the user wrote, to become code? */
static bool is_assembly(const driver *d, const rcp_words *job) {
    const char *language = rcp_words_after(job, "-x"), *output = rcp_compile_output(job);
    if (rcp_compile_is_cc1(job)) /* preprocesses it */
        return language && output && !strcmp(language, "assembler-with-cpp") && rcp_words_begins(output, d->scratch.at);
    return !strcmp(job->at[1], "-cc1as") && !is_made_here(d, job->at[job->len - 1]);
}

/* Everything else is clang's own business: preprocessing, assembling, precompiled headers, dependencies. */
static rcp_code run_other(driver *d, const rcp_words *job) {
    bool done;
    const char *source = job->at[job->len - 1];
    if (d->notes && is_assembly(d, job))
        fprintf(stderr, "%s: warning: assembly is not recorded: calls of its functions are opaque [-Wrecipe]\n",
                source);
    rcp_code code = run_step(d, job, "a step", source, &done);
    if (code == RCP_OK && !done)
        drop_output(d, rcp_compile_output(job));
    return code;
}

static bool has_failed_input(const driver *d, const rcp_words *job) {
    for (size_t i = 1; i < job->len; i++)
        if (rcp_words_have(&d->failed, job->at[i]))
            return true;
    return false;
}

/* As clang does: a source that fails does not keep the others from being compiled, only what needs it. */
static rcp_code run_jobs(driver *d) {
    for (size_t i = 0; i < d->jobs.len && !rcp_tool_interrupted(); i++) {
        const rcp_words *job = &d->jobs.at[i];
        if (has_failed_input(d, job)) {
            if (rcp_compile_output(job))
                rcp_words_add(&d->failed, rcp_compile_output(job));
        } else if (rcp_compile_makes_code(job))
            RCP_TRY(compile(d, job, i));
        else if (rcp_link_is_link(job))
            RCP_TRY(run_link(d, job));
        else
            RCP_TRY(run_other(d, job));
    }
    return RCP_OK;
}

static void finish(driver *d) {
    if (d->scratch.len)
        rcp_tool_remove_scratch(d->scratch.at);
    for (size_t i = 0; i < d->jobs.len; i++)
        rcp_vec_finish(&d->jobs.at[i]);
    rcp_vec_finish(&d->jobs);
    rcp_vec_finish(&d->failed);
    rcp_text_finish(&d->clang);
    rcp_text_finish(&d->scratch);
    rcp_text_finish(&d->hooks);
    rcp_text_finish(&d->headers);
    rcp_arena_finish(&d->arena);
}

rcp_code rcp_driver_run(bool cxx, int argc, char **argv, int *end) {
    const char *say = getenv("RECIPE_CC_VERBOSE");
    driver d = {.cxx = cxx, .verbose = say && *say && strcmp(say, "0")};
    rcp_arena_init(&d.arena);
    rcp_tool_watch();
    take_opts(&d);
    rcp_code code = rcp_parts_find_clang(&d.clang);
    if (code == RCP_OK)
        code = rcp_tool_make_scratch(&d.scratch);
    if (code == RCP_OK)
        code = ask_clang(&d, argc, argv);
    if (code == RCP_OK && !d.end)
        code = refuse(&d);
    if (code == RCP_OK && !d.end)
        code = add_headers(&d);
    if (code == RCP_OK && !d.end)
        code = run_jobs(&d);
    *end = d.end < 0 ? 254 : d.end;
    finish(&d);
    return code;
}
