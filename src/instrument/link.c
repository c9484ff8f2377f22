/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/link.h"

#include <string.h>

static bool is_among(const char *word, const char *const *list) {
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

static bool have_one_of(const rcp_words *job, const char *const *list) {
    for (size_t i = 1; i < job->len; i++)
        if (is_among(job->at[i], list))
            return true;
    return false;
}

bool rcp_link_is_link(const rcp_words *job) {
    static const char *const others[] = {"as", "objcopy", "dsymutil", "ar", NULL};
    if (job->len < 2 || rcp_words_begins(job->at[1], "-cc1"))
        return false;
    const char *name = rcp_words_base_name(job->at[0]), *last = strrchr(name, '-');
    return !is_among(name, others) && !is_among(last ? last + 1 : name, others) && !rcp_words_begins(name, "clang") &&
           !rcp_words_begins(name, "llvm-");
}

bool rcp_link_makes_program(const rcp_words *job) {
    static const char *const others[] = {"-shared", "--shared", "-Bshareable", "-r", "--relocatable", "-i", NULL};
    return !have_one_of(job, others);
}

rcp_code rcp_link_refuse(const rcp_words *job) {
    static const struct {
        const char *part, *option;
    } runtimes[] = {{"asan", "address"},   {"hwasan", "hwaddress"},     {"msan", "memory"}, {"lsan", "leak"},
                    {"dfsan", "dataflow"}, {"safestack", "safe-stack"}, {"scudo", "scudo"}, {"fuzzer", "fuzzer"}};
    for (size_t i = 1; i < job->len; i++) {
        const char *name = rcp_words_base_name(job->at[i]);
        if (rcp_words_begins(job->at[i], "-plugin-opt="))
            return rcp_fail(RCP_BAD_INPUT, "-flto: recipe records object files, not link-time code; link without it");
        if (!rcp_words_begins(name, "libclang_rt."))
            continue;
        name += strlen("libclang_rt.");
        for (size_t k = 0; k < sizeof runtimes / sizeof *runtimes; k++)
            if (rcp_words_begins(name, runtimes[k].part))
                return rcp_fail(RCP_BAD_INPUT,
                                "-fsanitize=%s and recipe both take over the program's memory; link without it",
                                runtimes[k].option);
    }
    if (rcp_link_makes_program(job) && !rcp_words_have(job, "-dynamic-linker") &&
        !rcp_words_have(job, "--dynamic-linker"))
        return rcp_fail(RCP_BAD_INPUT,
                        "-static: a recorded program finds the C library's own functions through the dynamic "
                        "loader; link without -static and -static-pie");
    return RCP_OK;
}

/* What the runtime needs, where the user's -nostdlib leaves it out. */
static const char *const system_libraries[] = {"--push-state", "-Bdynamic", "--as-needed", "-lc",
                                               "-lgcc",        "-lgcc_s",   "--pop-state", NULL};

/* How many words from here on are TSan's: -fsanitize=thread is for the source alone (instrument/compile.c). */
static size_t names_tsan(const rcp_words *job, size_t at) {
    static const char archive[] = "libclang_rt.tsan";
    if (rcp_words_begins(job->at[at], "--dynamic-list=") && strstr(job->at[at], archive))
        return 1;
    if (at + 2 < job->len && !strcmp(job->at[at], "--whole-archive") &&
        !strcmp(job->at[at + 2], "--no-whole-archive") &&
        rcp_words_begins(rcp_words_base_name(job->at[at + 1]), archive))
        return 3;
    return rcp_words_begins(rcp_words_base_name(job->at[at]), archive);
}

/* Libraries that clang adds at the end, and that users name there too. They stay behind the runtime: so what they
 * define does not come before it, and what the runtime needs of their archives is found. */
static size_t place(const rcp_words *job) {
    static const char *const system[] = {"-lgcc",         "-lgcc_s",     "-lgcc_eh", "-lc",         "-lm",
                                         "-lstdc++",      "-lc++",       "-lc++abi", "-lunwind",    "-lpthread",
                                         "-ldl",          "-lrt",        "-latomic", "--as-needed", "--no-as-needed",
                                         "--start-group", "--end-group", "-Bstatic", "-Bdynamic",   "--push-state",
                                         "--pop-state",   NULL};
    size_t at = job->len;
    /* A runtime of clang's (UBSan's) that starts in .preinit_array calls functions of ours: ours must have started. */
    for (size_t i = 1; i < job->len; i++)
        if (!strcmp(job->at[i - 1], "--whole-archive") && !names_tsan(job, i) &&
            rcp_words_begins(rcp_words_base_name(job->at[i]), "libclang_rt."))
            return i - 1;
    while (at > 1 && rcp_words_begins(rcp_words_base_name(job->at[at - 1]), "crt"))
        at--;
    while (at > 1 && (is_among(job->at[at - 1], system) ||
                      rcp_words_begins(rcp_words_base_name(job->at[at - 1]), "libclang_rt.")))
        at--;
    return at;
}

/* How many words from here on demand that nothing is undefined; 0: they say something else. */
static size_t demands_definitions(const rcp_words *job, size_t at) {
    static const char *const alone[] = {"-zdefs", "--no-undefined", "-no-undefined", "--unresolved-symbols=report-all",
                                        NULL};
    if (is_among(job->at[at], alone))
        return 1;
    return !strcmp(job->at[at], "-z") && at + 1 < job->len && !strcmp(job->at[at + 1], "defs") ? 2 : 0;
}

static bool is_shared(const rcp_words *job) {
    static const char *const shared[] = {"-shared", "--shared", "-Bshareable", NULL};
    return have_one_of(job, shared);
}

bool rcp_link_wants_check(const rcp_words *job) {
    for (size_t i = 1; is_shared(job) && i < job->len; i++)
        if (demands_definitions(job, i))
            return true;
    return false;
}

void rcp_link_check_words(const rcp_words *job, const char *runtime, const char *output, rcp_words *words) {
    /* As a program, since the runtime can be in nothing else; it needs no beginning, and what other libraries leave
     * undefined is their own. */
    static const char *const program[] = {"-pie", "-e", "0", "--allow-shlib-undefined", NULL};
    static const char *const shared[] = {"-shared", "--shared", "-Bshareable", NULL};
    size_t at = place(job);
    for (size_t i = 0; i <= job->len; i++) {
        if (i == at)
            rcp_words_add(words, runtime);
        if (i < job->len && is_among(job->at[i], shared))
            rcp_words_add_all(words, program);
        else if (i < job->len)
            rcp_words_add(words, i && !strcmp(job->at[i - 1], "-o") ? output : job->at[i]);
    }
    rcp_words_add_all(words, system_libraries);
}

static void add_runtime(rcp_words *words, const char *runtime) {
    /* __recipe_*: for libraries that are loaded later; the others: a program that has no such library itself may load
     * one that does. */
    static const char *const exports[] = {"--export-dynamic-symbol=__recipe_*", "--export-dynamic-symbol=__cxa_guard_*",
                                          "--export-dynamic-symbol=__atomic_*", NULL};
    rcp_words_add_all(words, exports);
    rcp_words_add_all(words, (const char *const[]){"--push-state", "--whole-archive", runtime, "--pop-state", NULL});
}

/* How many words from here on hide what archives define. For a program that is the hooks, which its libraries call. */
static size_t hides_archives(const rcp_words *job, size_t at) {
    if (rcp_words_begins(job->at[at], "--exclude-libs="))
        return 1;
    return !strcmp(job->at[at], "--exclude-libs") && at + 1 < job->len ? 2 : 0;
}

static bool is_cxx_library(const char *word) { return !strcmp(word, "-lstdc++") || !strcmp(word, "-lc++"); }

/* -static-libstdc++: the runtime's functions for static guards call those of the shared library, which must be there.
 */
static bool is_static_cxx(const rcp_words *job, size_t at) {
    return at + 2 < job->len && !strcmp(job->at[at], "-Bstatic") && is_cxx_library(job->at[at + 1]) &&
           !strcmp(job->at[at + 2], "-Bdynamic");
}

bool rcp_link_uses_stdcxx(const rcp_words *job) {
    bool is_used = false;
    for (size_t i = 1; i < job->len; i++)
        is_used |= is_cxx_library(job->at[i]);
    return is_used && (rcp_link_makes_program(job) || is_shared(job));
}

void rcp_link_words(const rcp_words *job, const char *runtime, const char *stdcxx, rcp_words *words) {
    size_t at = place(job);
    bool libc = false, shared = is_shared(job);
    for (size_t i = 0; i <= job->len; i++) {
        if (i == at && runtime)
            add_runtime(words, runtime);
        if (i == job->len)
            break;
        /* Where it is named first: whatever names it again has its objects before that. */
        bool static_cxx = is_static_cxx(job, i);
        if (stdcxx && (static_cxx || is_cxx_library(job->at[i]))) {
            rcp_words_add(words, stdcxx);
            stdcxx = NULL;
        }
        size_t drop = shared ? demands_definitions(job, i) : runtime ? hides_archives(job, i) : 0;
        drop = drop ? drop : names_tsan(job, i);
        if (drop)
            i += drop - 1;
        else if (static_cxx)
            rcp_words_add(words, job->at[i + 1]), i += 2;
        else if (strcmp(rcp_words_base_name(job->at[i]), "crtfastmath.o")) /* flushes denormals, unlike re-execution */
            rcp_words_add(words, job->at[i]);
        libc |= i >= at && !strcmp(job->at[i], "-lc");
    }
    if (runtime && !libc) /* -nostdlib: the runtime needs it all the same */
        rcp_words_add_all(words, system_libraries);
    if (rcp_words_have(job, "--gc-sections")) /* the tables of abi/module.h are kept */
        rcp_words_add_all(words, (const char *const[]){"-z", "nostart-stop-gc", NULL});
}
