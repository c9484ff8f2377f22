/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* $1: the directory; then the program's words. `for` has listed these before the first of them goes. A run that fails
 * is one like the others. */
static char by_name[] = "inputs=$1; shift\n"
                        "for input in \"$inputs\"/*; do\n"
                        "    [ -f \"$input\" ] || continue\n"
                        "    (\n"
                        "        for word; do\n"
                        "            shift\n"
                        "            case $word in\n"
                        "            *@@*) set -- \"$@\" \"${word%%@@*}$input${word#*@@}\" ;;\n"
                        "            *) set -- \"$@\" \"$word\" ;;\n"
                        "            esac\n"
                        "        done\n"
                        "        exec \"$@\" </dev/null\n"
                        "    )\n"
                        "done\n"
                        "exit 0";
static char by_input[] = "inputs=$1; shift\n"
                         "for input in \"$inputs\"/*; do\n"
                         "    [ -f \"$input\" ] || continue\n"
                         "    (exec \"$@\" <\"$input\")\n"
                         "done\n"
                         "exit 0";

/* As the shell will find them. */
static bool is_input(int directory, const char *name) {
    struct stat is;
    return name[0] != '.' && !fstatat(directory, name, &is, 0) && S_ISREG(is.st_mode);
}

rcp_code rcp_inputs_command(const char *directory, char *const *words, size_t n, rcp_inputs_words *command) {
    static char shell[] = "sh", script[] = "-c", self[] = "recipe";
    DIR *listing = opendir(directory);
    if (!listing)
        return rcp_fail(RCP_BAD_INPUT, "--inputs: %s: %s", directory, strerror(errno));
    bool has_some = false, is_named = false;
    for (const struct dirent *entry; !has_some && (entry = readdir(listing));)
        has_some = is_input(dirfd(listing), entry->d_name);
    closedir(listing);
    if (!has_some)
        return rcp_fail(RCP_BAD_INPUT, "--inputs: %s has no files: the program is run once for each file there",
                        directory);
    for (size_t i = 0; i < n; i++)
        is_named |= strstr(words[i], "@@") != NULL;
    rcp_vec_push(command, shell);
    rcp_vec_push(command, script);
    rcp_vec_push(command, is_named ? by_name : by_input);
    rcp_vec_push(command, self);
    rcp_vec_push(command, (char *)(uintptr_t)directory);
    for (size_t i = 0; i < n; i++)
        rcp_vec_push(command, words[i]);
    return RCP_OK;
}
