/* SPDX-License-Identifier: Apache-2.0 */
/* recipe cc, recipe c++: drop-in compilers. Every word is clang's: no table of options here. */
#include "cli/compiler.h"

#include "instrument/driver.h"
#include "instrument/tool.h"
#include "instrument/words.h"

#include <signal.h>
#include <string.h>

static int compile(bool cxx, int argc, char **argv) {
    int end = 1;
    rcp_code code = rcp_driver_run(cxx, argc, argv, &end);
    int interrupted = rcp_tool_interrupted();
    if (interrupted) {
        signal(interrupted, SIG_DFL);
        raise(interrupted);
    }
    if (code == RCP_OK)
        return end;
    fprintf(stderr, "recipe %s: error: ", cxx ? "c++" : "cc");
    rcp_print_causes(stderr);
    return 1; /* as compilers do */
}

bool rcp_compiler_is_meant(int argc, char **argv, int *end) {
    const char *name = argc > 0 ? rcp_words_base_name(argv[0]) : "";
    int words = 1;
    if (!strcmp(name, "recipe-cc") || !strcmp(name, "recipe-c++"))
        name += strlen("recipe-");
    else if (argc > 1)
        name = argv[words++];
    bool cxx = !strcmp(name, "c++");
    if (!cxx && strcmp(name, "cc"))
        return false;
    *end = compile(cxx, argc - words, argv + words);
    return true;
}

/* For the help alone: main() never gets here with them. */
static rcp_exit never(const rcp_arguments *arguments) {
    (void)arguments;
    return RCP_EXIT_INTERNAL;
}

#define ABOUT(compiler, variable, word)                                                                                \
    "Takes every option that " compiler                                                                                \
    " takes and does what it does, with code inside that lets 'recipe record' record "                                 \
    "the program: " variable "=\"recipe " word "\" or, where one word is wanted, " variable "=recipe-" word            \
    ". Compiling, "                                                                                                    \
    "linking and every combination of them go through it; objects and libraries from other compilers link and run, "   \
    "and "                                                                                                             \
    "calls of their functions are opaque. Refused, each with a word on why: -flto, -static, -fsanitize=address and "   \
    "its "                                                                                                             \
    "kin, -fprofile-generate, -fsemantic-interposition. -Wrecipe says what can't be recorded; "                        \
    "--log-values=FUNCTION[,FUNCTION…] (patterns with * and ?) leaves functions as they are: their results and what "  \
    "they leave in memory are taken from the log; "                                                                    \
    "--exclude=PATTERN[,PATTERN…] does the same for functions and, with a pattern that has a dot or a slash, for "     \
    "all functions of files; a project's recipe.opts may have both. -v and RECIPE_CC_VERBOSE=1 "                       \
    "show the steps; RECIPE_CLANG names the clang to use. See docs/building.md."

const rcp_command rcp_cmd_cc = {
    .name = "cc",
    .operands = "ARGS…",
    .summary = "Compiles and links C programs that can be recorded.",
    .about = ABOUT("clang 19", "CC", "cc"),
    .most = -1,
    .run = never,
};

const rcp_command rcp_cmd_cxx = {
    .name = "c++",
    .operands = "ARGS…",
    .summary = "The same for C++.",
    .about = ABOUT("clang++ 19", "CXX", "c++"),
    .most = -1,
    .run = never,
};
