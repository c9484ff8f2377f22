/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/compile.h"

#include <errno.h>
#include <string.h>

/* What becomes of a word of cc1's in either step. A row that ends with '=' or '*' stands for all that begin so;
 * `value`: the next word belongs to it. First match. */
typedef struct row {
    const char *word;
    bool value, front, back; /* kept in the front end, in the back end */
} row;

static const row rows[] = {
    /* the action: each step has its own */
    {"-emit-obj", false, false, true},
    {"-S", false, false, true},
    {"-o", true, false, false},
    {"-x", true, true, false},
    /* debug information: see add_debug */
    {"-debug-info-kind=*", false, false, true},
    {"-gno-column-info", false, false, true},
    {"-dwarf-version=*", false, false, true},
    /* what the source alone gives: once is enough */
    {"-dependency-file", true, true, false},
    {"-MT", true, true, false},
    {"-MP", false, true, false},
    {"-MG", false, true, false},
    {"-MV", false, true, false},
    {"-H", false, true, false},
    {"-header-include-file", true, true, false},
    {"-header-include-format=*", false, true, false},
    {"-header-include-filtering=*", false, true, false},
    {"-sys-header-deps", false, true, false},
    {"-module-file-deps", false, true, false},
    {"-include-pch", true, true, false},
    {"-serialize-diagnostic-file", true, true, false},
    {"-diagnostic-log-file", true, true, false},
    {"-verify*", false, true, false},
    {"-v", false, true, false},
    /* The back end sees other code than the user wrote: its frames are larger, its loops resist otherwise. */
    {"-W*", false, true, false},
    {"-R*", false, true, false},
    {"-ftime-trace*", false, false, true},
    {"-opt-record-file", true, false, true},
    /* Re-execution computes as the IR says, in order. The pass takes the front end's fast-math flags out again. */
    {"-ffp-contract=*", false, true, false},
    {"-ffast-math", false, true, false},
    {"-funsafe-math-optimizations", false, true, false},
    {"-ffinite-math-only", false, true, false},
    {"-menable-no-infs", false, true, false},
    {"-menable-no-nans", false, true, false},
    {"-fno-signed-zeros", false, true, false},
    {"-mreassociate", false, true, false},
    {"-freciprocal-math", false, true, false},
    {"-fapprox-func", false, true, false},
    {"-complex-range=*", false, true, false},
    /* Profiles are of other code than what is optimised here. */
    {"-fprofile-instrument-use-path=*", false, false, false},
    {"-fprofile-sample-use=*", false, false, false},
    {"-fmemory-profile-use=*", false, false, false},
};

static bool matches(const char *word, const char *pattern) {
    size_t n = strlen(pattern);
    return pattern[n - 1] == '*' ? !strncmp(word, pattern, n - 1) : !strcmp(word, pattern);
}

static const row *find_row(const char *word) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (matches(word, rows[i].word))
            return &rows[i];
    return NULL;
}

bool rcp_compile_is_cc1(const rcp_words *job) { return job->len > 2 && !strcmp(job->at[1], "-cc1"); }

bool rcp_compile_makes_code(const rcp_words *job) {
    return rcp_compile_is_cc1(job) && (rcp_words_have(job, "-emit-obj") || rcp_words_have(job, "-S"));
}

const char *rcp_compile_output(const rcp_words *job) { return rcp_words_after(job, "-o"); }

static const struct {
    const char *word; /* of cc1 */
    const char *why;
} refused[] = {
    {"-flto*", "-flto: recipe records object files, not link-time code; build without it (-fno-lto)"},
    {"-fwhole-program-vtables", "-fwhole-program-vtables needs link-time optimisation, which recipe can't record"},
    {"-fsemantic-interposition", "-fsemantic-interposition: recipe takes a function that a file defines for the one "
                                 "that is called; build without it"},
    {"-fprofile-instrument=*",
     "-fprofile-generate and -fprofile-instr-generate: profiles of a recorded program would be of "
     "recipe's code; build without them (--coverage works)"},
    {"-femulated-tls", "-femulated-tls: recipe keeps its own thread-local words; build without it"},
    {"-fcuda-is-device", "code for a GPU can't be recorded"},
    {"-fsplit-stack", "-fsplit-stack can't be recorded; build without it"},
};

/* Each owns the memory layout, the allocator or the thread functions, as recipe does. The rest of clang's sanitizers
 * (undefined and its parts) work. `thread` is no more than what it tells the source: see without_thread(). */
static const char *const refused_sanitizers[] = {
    "address", "hwaddress", "kernel-address", "kernel-hwaddress", "memory",         "kernel-memory",
    "leak",    "dataflow",  "safe-stack",     "memtag-stack",     "memtag-heap",    "memtag-globals",
    "fuzzer",  "scudo",     "numerical",      "realtime",         "fuzzer-no-link", "type",
    NULL,
};

static rcp_code refuse_sanitizers(const char *list) {
    while (*list) {
        size_t n = strcspn(list, ",");
        for (const char *const *s = refused_sanitizers; *s; s++)
            if (strlen(*s) == n && !strncmp(*s, list, n))
                return rcp_fail(RCP_BAD_INPUT,
                                "-fsanitize=%s and recipe both take over the program's memory; build without it "
                                "(-fsanitize=undefined works)",
                                *s);
        list += n + (list[n] == ',');
    }
    return RCP_OK;
}

/* -fsanitize=thread: the front end is told, so that the source has its annotations (__has_feature), and functions that
 * are not to be looked at are known by the attribute that they lack; the back end is not, so that none of TSan's code
 * is there. NULL: the word names nothing else. */
static const char *without_thread(const char *word, rcp_arena *arena) {
    rcp_text rest = {0};
    for (const char *at = strchr(word, '=') + 1; *at;) {
        size_t n = strcspn(at, ",");
        if (n != strlen("thread") || strncmp(at, "thread", n) != 0)
            rcp_text_printf(&rest, "%s%.*s", rest.len ? "," : "-fsanitize=", (int)n, at);
        at += n + (at[n] == ',');
    }
    const char *kept = rest.len ? rcp_words_format(arena, "%s", rest.at) : NULL;
    rcp_text_finish(&rest);
    return kept;
}

static bool names_thread(const char *word) {
    if (!rcp_words_begins(word, "-fsanitize="))
        return false;
    for (const char *at = word + strlen("-fsanitize="); at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == strlen("thread") && !strncmp(at, "thread", strlen("thread")))
            return true;
    return false;
}

static rcp_code refuse_target(const char *triple) {
    if (!triple || !strncmp(triple, "aarch64-", 8) || !strncmp(triple, "x86_64-", 7))
        return RCP_OK;
    return rcp_fail(RCP_BAD_INPUT, "the target %s: recipe records 64-bit programs for Linux on aarch64 and x86_64",
                    triple);
}

rcp_code rcp_compile_refuse(const rcp_words *job) {
    for (size_t i = 2; i < job->len; i++) {
        for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
            if (matches(job->at[i], refused[k].word))
                return rcp_fail(RCP_BAD_INPUT, "%s", refused[k].why);
        if (!strncmp(job->at[i], "-fsanitize=", 11))
            RCP_TRY(refuse_sanitizers(job->at[i] + 11));
    }
    return refuse_target(rcp_words_after(job, "-triple"));
}

static bool is_cxx(const rcp_words *job) {
    const char *language = rcp_words_after(job, "-x");
    return language && (rcp_words_begins(language, "c++") || rcp_words_begins(language, "objective-c++"));
}

void rcp_compile_add_headers(rcp_words *job, const char *directory) {
    static const char word[] = "-internal-isystem"; /* the library's and the system's; none: -nostdinc */
    rcp_words with = {0};
    if (!rcp_compile_is_cc1(job) || !is_cxx(job) || !rcp_words_have(job, word))
        return;
    bool added = false;
    for (size_t i = 0; i < job->len; i++) {
        if (!added && !strcmp(job->at[i], word)) {
            added = true;
            rcp_words_add(&with, word), rcp_words_add(&with, directory);
        }
        rcp_words_add(&with, job->at[i]);
    }
    rcp_words_end(&with);
    rcp_vec_finish(job);
    *job = with;
}

/* Clang's own default is older. */
static bool is_cxx20(const rcp_words *job) {
    static const char *const versions[] = {"20", "2a", "23", "2b", "26", "2c"};
    const char *standard = NULL;
    for (size_t i = 2; i < job->len; i++)
        if (rcp_words_begins(job->at[i], "-std="))
            standard = job->at[i] + strlen("-std=");
    const char *version = standard ? strstr(standard, "++") : NULL;
    for (size_t i = 0; version && i < sizeof versions / sizeof *versions; i++)
        if (!strcmp(version + 2, versions[i]))
            return is_cxx(job);
    return false;
}

/* What reports need of the source: types and names of variables, lines, columns. Of a class all that is known here, also
 * where its constructor is elsewhere: what of its copies is padding is seen there. -fstandalone-debug and what the user
 * asked for beyond stays. */
static void add_debug(rcp_compile *c, const rcp_words *job) {
    static const char *const weak[] = {"-debug-info-kind=line-tables-only", "-debug-info-kind=line-directives-only",
                                       "-debug-info-kind=constructor"};
    const char *kind = NULL, *version = NULL;
    bool coverage = false;
    for (size_t i = 0; i < job->len; i++) {
        if (!strncmp(job->at[i], "-debug-info-kind=", 17))
            kind = job->at[i];
        if (!strncmp(job->at[i], "-dwarf-version=", 15))
            version = job->at[i];
        coverage |= rcp_words_begins(job->at[i], "-coverage-notes-file"); /* --coverage works by lines */
    }
    c->drop_debug = !kind && !coverage;
    for (size_t i = 0; kind && i < sizeof weak / sizeof *weak; i++)
        if (!strcmp(kind, weak[i]))
            kind = NULL;
    rcp_words_add(&c->front, kind ? kind : "-debug-info-kind=limited");
    rcp_words_add(&c->front, version ? version : "-dwarf-version=5");
}

void rcp_compile_init(rcp_compile *c, const rcp_words *job, const char *stem, rcp_arena *arena) {
    *c = (rcp_compile){.bitcode = rcp_words_format(arena, "%s.bc", stem),
                       .instrumented = rcp_words_format(arena, "%s.recipe.bc", stem),
                       .source = job->at[job->len - 1],
                       .is_cxx20 = is_cxx20(job),
                       .output = rcp_compile_output(job),
                       .assembly = rcp_words_have(job, "-S") ? rcp_words_format(arena, "%s.s", stem) : NULL};
    const char *language = NULL;
    rcp_words_add(&c->front, job->at[0]), rcp_words_add(&c->front, job->at[1]);
    rcp_words_add(&c->back, job->at[0]), rcp_words_add(&c->back, job->at[1]);
    for (size_t i = 2; i + 1 < job->len; i++) {
        const row *r = find_row(job->at[i]);
        size_t n = r && r->value && i + 2 < job->len ? 2 : 1;
        if (!strcmp(job->at[i], "-x"))
            language = job->at[i + 1];
        for (size_t k = 0; k < n && (!r || r->front) && strcmp(job->at[i], "-x"); k++)
            rcp_words_add(&c->front, job->at[i + k]);
        bool is_thread = names_thread(job->at[i]);
        const char *rest = is_thread ? without_thread(job->at[i], arena) : NULL;
        c->spares |= is_thread;
        if (rest)
            rcp_words_add(&c->back, rest);
        for (size_t k = 0; k < n && (!r || r->back) && !is_thread; k++)
            rcp_words_add(&c->back, job->at[i + k]);
        i += n - 1;
    }
    add_debug(c, job);
    /* -O0 would forbid sroa and all that follows in each function. */
    rcp_words_add_all(&c->front, (const char *const[]){"-emit-llvm-bc", "-disable-llvm-passes", "-disable-O0-optnone",
                                                       "-o", c->bitcode, NULL});
    if (language)
        rcp_words_add(&c->front, "-x"), rcp_words_add(&c->front, language);
    rcp_words_add(&c->front, c->source);
    rcp_words_add_all(&c->back, (const char *const[]){"-w", "-o", c->assembly ? c->assembly : c->output, "-x", "ir",
                                                      c->instrumented, NULL});
}

void rcp_compile_finish(rcp_compile *c) {
    rcp_vec_finish(&c->front);
    rcp_vec_finish(&c->back);
}

static rcp_code put_bytes(rcp_text *to, const char *path) {
    rcp_text bytes = {0};
    RCP_TRY(rcp_text_read_file(&bytes, path));
    for (size_t i = 0; i < bytes.len; i++)
        rcp_text_printf(to, "%s%u%s", i % 32 ? "," : "\t.byte\t", (unsigned)(unsigned char)bytes.at[i],
                        i % 32 == 31 || i + 1 == bytes.len ? "\n" : "");
    rcp_text_finish(&bytes);
    return RCP_OK;
}

static rcp_code inline_files(const rcp_text *from, const char *scratch, rcp_text *to) {
    static const char directive[] = ".incbin";
    for (const char *line = from->at; line && *line;) {
        size_t n = strcspn(line, "\n");
        const char *word = line + strspn(line, " \t");
        const char *open = strchr(word, '"'), *close = open ? strchr(open + 1, '"') : NULL;
        if (!strncmp(word, directive, sizeof directive - 1) && close && close < line + n &&
            rcp_words_begins(open + 1, scratch)) {
            rcp_text path = {0};
            rcp_text_add(&path, open + 1, (size_t)(close - open - 1));
            rcp_code code = put_bytes(to, path.at);
            rcp_text_finish(&path);
            if (code != RCP_OK)
                return code;
        } else {
            rcp_text_add(to, line, n);
            rcp_text_puts(to, "\n");
        }
        line += n + (line[n] == '\n');
    }
    return RCP_OK;
}

static rcp_code write_text(const rcp_text *text, const char *path) {
    FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!file)
        return rcp_fail(RCP_SYSTEM, "%s: %s", path, strerror(errno));
    bool written = fwrite(text->at, 1, text->len, file) == text->len;
    if ((file == stdout ? fflush(file) : fclose(file)) || !written)
        return rcp_fail(RCP_SYSTEM, "%s: %s", path, strerror(errno));
    return RCP_OK;
}

rcp_code rcp_compile_write_assembly(const rcp_compile *c, const char *scratch) {
    rcp_text from = {0}, to = {0};
    rcp_code code = rcp_text_read_file(&from, c->assembly);
    if (code == RCP_OK)
        code = inline_files(&from, scratch, &to);
    if (code == RCP_OK)
        code = write_text(&to, c->output);
    rcp_text_finish(&from);
    rcp_text_finish(&to);
    return code;
}
