/* SPDX-License-Identifier: Apache-2.0 */
/* recipe doctor: can this machine build, record and replay? Each row of `checks` is asked in turn; the last one does it
 * all to a program of a few lines. */
#include "base/workers.h"
#include "cli/command.h"
#include "cli/output.h"
#include "instrument/parts.h"
#include "instrument/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

typedef enum verdict {
    FINE,
    WORSE, /* it works, but for something */
    BAD
} verdict;

/* --- what there is --- */

static verdict look_at_machine(rcp_text *to) {
    struct utsname is;
    if (uname(&is)) {
        rcp_text_puts(to, strerror(errno));
        return BAD;
    }
    rcp_text_printf(to, "%s %s on %s, %u processors", is.sysname, is.release, is.machine, rcp_workers_cores());
    if (!strcmp(is.machine, "aarch64") || !strcmp(is.machine, "x86_64"))
        return FINE;
    rcp_text_puts(to, "; recipe records programs for Linux on aarch64 and x86_64");
    return BAD;
}

static verdict say_causes(rcp_text *to) {
    rcp_text_puts(to, rcp_borrow_cause(0));
    rcp_clear_causes();
    return BAD;
}

static verdict look_at_compiler(rcp_text *to) {
    rcp_text path = {0}, said = {0}, scratch = {0};
    rcp_words words = {0};
    rcp_tool_end end = 1;
    rcp_code code = rcp_parts_find_clang(&path);
    if (code == RCP_OK)
        code = rcp_tool_make_scratch(&scratch);
    if (code == RCP_OK) {
        rcp_words_add(&words, path.at);
        rcp_words_add_all(&words, (const char *const[]){"-v", NULL}); /* standard error has it */
        rcp_words_end(&words);
        code = rcp_tool_ask(&words, "clang", scratch.at, &said, &end);
        rcp_tool_remove_scratch(scratch.at);
    }
    static const char before[] = "clang version ";
    const char *version = code == RCP_OK && said.at ? strstr(said.at, before) : NULL;
    verdict is = FINE;
    if (code != RCP_OK) {
        is = say_causes(to);
    } else if (!version || strncmp(version + sizeof before - 1, "19.", 3) != 0) {
        rcp_text_printf(to, "%s is no clang 19; install clang-19, or name it in RECIPE_CLANG", path.at);
        is = BAD;
    } else {
        rcp_text_printf(to, "%s, %.*s", path.at, (int)strcspn(version, "\n"), version);
    }
    rcp_vec_finish(&words);
    rcp_text_finish(&path);
    rcp_text_finish(&said);
    rcp_text_finish(&scratch);
    return is;
}

static verdict look_at_parts(rcp_text *to) {
    static const char *const parts[][2] = {{"librecipe_rt-", ".a"}, {"librecipe_cxx-", ".a"}, {"inline-", ".bc"}};
    struct utsname is;
    rcp_text name = {0}, path = {0};
    rcp_code code = uname(&is) ? rcp_fail(RCP_SYSTEM, "uname: %s", strerror(errno)) : RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < sizeof parts / sizeof *parts; i++) {
        rcp_text_clear(&name);
        rcp_text_printf(&name, "%s%s%s", parts[i][0], is.machine, parts[i][1]);
        code = rcp_parts_find(name.at, &path);
    }
    rcp_text_finish(&name);
    if (code == RCP_OK)
        rcp_text_printf(to, "in %.*s", (int)(strrchr(path.at, '/') - path.at), path.at);
    rcp_text_finish(&path);
    return code == RCP_OK ? FINE : say_causes(to);
}

/* --- what the system lets us do --- */

static verdict look_at_addresses(rcp_text *to) {
    struct rlimit space, stack;
    unsigned overcommit = 0;
    FILE *file = fopen("/proc/sys/vm/overcommit_memory", "re");
    if (file && fscanf(file, "%u", &overcommit) != 1)
        overcommit = 0;
    if (file)
        fclose(file);
    if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY)
        rcp_text_printf(
            to,
            "address space is limited to %llu kB (`ulimit -v`), and recording needs terabytes of addresses, "
            "of which it uses little memory: `ulimit -v unlimited`",
            (unsigned long long)(space.rlim_cur >> 10));
    else if (overcommit == 2)
        rcp_text_puts(to, "vm.overcommit_memory is 2, by which the shadow of values can't be mapped: set it to 0 or 1");
    else if (!getrlimit(RLIMIT_STACK, &stack) && stack.rlim_cur == RLIM_INFINITY)
        rcp_text_puts(to, "the stack has no limit, by which libraries lie where the shadow of values must be: "
                          "`ulimit -s 8192`");
    else {
        rcp_text_puts(to, "unlimited");
        return FINE;
    }
    return BAD;
}

static verdict look_at_placement(rcp_text *to) {
    const int is = personality(0xffffffff);
    if (is >= 0 && personality((unsigned long)is | ADDR_NO_RANDOMIZE) >= 0) {
        (void)personality((unsigned long)is);
        rcp_text_puts(to, "programs can be started where they were");
        return FINE;
    }
    rcp_text_printf(to,
                    "personality(ADDR_NO_RANDOMIZE): %s; replays of programs that look at their own addresses may be "
                    "lost, and where vm.mmap_rnd_bits is large nothing is recorded: allow it (a container's seccomp "
                    "profile forbids it)",
                    strerror(errno));
    return WORSE;
}

static verdict look_at_room(rcp_text *to) {
    enum { LEAST = 200 };
    const char *place = getenv("TMPDIR");
    struct statvfs is;
    place = place && *place ? place : "/tmp";
    if (statvfs(place, &is) || access(place, W_OK | X_OK)) {
        rcp_text_printf(to, "%s: %s; name another directory in TMPDIR", place, strerror(errno));
        return BAD;
    }
    const uint64_t megabytes = (uint64_t)is.f_bavail * is.f_frsize >> 20;
    rcp_text_printf(to, "%llu MB in %s", (unsigned long long)megabytes, place);
    if (megabytes >= LEAST)
        return FINE;
    rcp_text_puts(to, "; that is little");
    return WORSE;
}

static verdict look_at_debugger(rcp_text *to) {
    const char *list = getenv("PATH");
    rcp_text path = {0};
    bool is_there = false;
    for (const char *at = list; at && *at && !is_there;) {
        const size_t n = strcspn(at, ":");
        rcp_text_clear(&path);
        rcp_text_printf(&path, "%.*s/gdb", (int)n, at);
        is_there = !access(path.at, X_OK);
        at += n + (at[n] == ':');
    }
    rcp_text_puts(to, is_there ? path.at : "none; 'recipe replay --gdb' needs it (Debian: gdb), nothing else does");
    rcp_text_finish(&path);
    return is_there ? FINE : WORSE;
}

/* --- all of it, once --- */

/* Two threads count without a lock; the twin has one. */
static const char program[] = "#include <pthread.h>\n"
                              "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
                              "static int count;\n"
                              "static void *work(void *arg) {\n"
                              "#ifdef CLEAN\n"
                              "    pthread_mutex_lock(&lock);\n"
                              "#endif\n"
                              "    count++;\n"
                              "#ifdef CLEAN\n"
                              "    pthread_mutex_unlock(&lock);\n"
                              "#endif\n"
                              "    return arg;\n"
                              "}\n"
                              "int main(void) {\n"
                              "    pthread_t one, other;\n"
                              "    (void)lock;\n"
                              "    pthread_create(&one, 0, work, 0);\n"
                              "    pthread_create(&other, 0, work, 0);\n"
                              "    pthread_join(one, 0);\n"
                              "    pthread_join(other, 0);\n"
                              "    return 0;\n"
                              "}\n";

/* Runs recipe with these words, in the scratch directory's way: false, and `to` says it, where it ends otherwise. */
static bool does(rcp_text *to, const char *scratch, int wanted, const char *const *more) {
    static const char self[] = "/proc/self/exe";
    rcp_words words = {0};
    rcp_text said = {0};
    rcp_tool_end end = -1;
    rcp_words_add(&words, self);
    rcp_words_add_all(&words, more);
    rcp_words_end(&words);
    rcp_code code = rcp_tool_ask(&words, "recipe", scratch, &said, &end);
    if (code == RCP_OK && end != wanted)
        rcp_text_printf(to, "'recipe %s' ended with %d, not %d: %s", more[0], end, wanted, said.at ? said.at : "");
    if (code != RCP_OK)
        (void)say_causes(to);
    rcp_vec_finish(&words);
    rcp_text_finish(&said);
    return code == RCP_OK && end == wanted;
}

static bool is_written(const char *path) {
    FILE *file = fopen(path, "we");
    bool written = file && fputs(program, file) >= 0;
    return file && !fclose(file) && written;
}

static verdict try_it(rcp_text *to) {
    rcp_text scratch = {0}, source = {0}, binary[2] = {0}, recording[2] = {0};
    if (rcp_tool_make_scratch(&scratch) != RCP_OK) {
        rcp_text_finish(&scratch);
        return say_causes(to);
    }
    rcp_text_printf(&source, "%s/program.c", scratch.at);
    bool is_fine = is_written(source.at);
    if (!is_fine)
        rcp_text_printf(to, "%s: %s", source.at, strerror(errno));
    for (int i = 0; i < 2 && is_fine; i++) {
        rcp_text_printf(&binary[i], "%s/program%d", scratch.at, i);
        rcp_text_printf(&recording[i], "--output=%s/recording%d", scratch.at, i);
        const char *const builds[] = {"cc",       "-g", i ? "-DCLEAN" : "-UCLEAN", source.at, "-o", binary[i].at,
                                      "-pthread", NULL};
        const char *const runs[] = {"run", "--budget=10", recording[i].at, binary[i].at, NULL};
        is_fine = does(to, scratch.at, 0, builds) && does(to, scratch.at, i ? RCP_EXIT_CLEAN : RCP_EXIT_RACES, runs);
    }
    if (is_fine)
        rcp_text_puts(to, "a race was found and shown on the program, and none in its twin with a lock");
    rcp_tool_remove_scratch(scratch.at);
    rcp_text_finish(&scratch);
    rcp_text_finish(&source);
    for (int i = 0; i < 2; i++)
        rcp_text_finish(&binary[i]), rcp_text_finish(&recording[i]);
    return is_fine ? FINE : BAD;
}

static const struct {
    const char *what;
    verdict (*ask)(rcp_text *to);
} checks[] = {
    {"machine", look_at_machine},     {"compiler", look_at_compiler},
    {"parts", look_at_parts},         {"addresses", look_at_addresses},
    {"placement", look_at_placement}, {"room", look_at_room},
    {"debugger", look_at_debugger},   {"self-test", try_it},
};

static rcp_exit examine(const rcp_arguments *arguments) {
    static const char *const words[] = {[FINE] = "ok", [WORSE] = "note", [BAD] = "BAD"};
    bool is_bad = false;
    (void)arguments;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        rcp_text said = {0};
        const verdict is = checks[i].ask(&said);
        is_bad |= is == BAD;
        printf("%-4s  %-10s %s\n", words[is], checks[i].what, said.at ? said.at : "");
        fflush(stdout);
        rcp_text_finish(&said);
    }
    if (is_bad)
        puts("What is BAD keeps recipe from working here.");
    return is_bad ? RCP_EXIT_BAD_INPUT : RCP_EXIT_CLEAN;
}

const rcp_command rcp_cmd_doctor = {
    .name = "doctor",
    .operands = "",
    .summary = "Says whether this machine can build, record and replay.",
    .about = "Looks for the compiler and for recipe's own parts, asks what the system allows, and builds, records and "
             "replays a program of a few lines with a race, and its twin without one, in a temporary directory. A line "
             "each: ok; note, where something is missing that not all need; BAD, with what to do.\n\n"
             "Exit codes: 0 all works, 3 something is BAD.",
    .least = 0,
    .most = 0,
    .run = examine,
};
