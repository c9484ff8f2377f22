/* SPDX-License-Identifier: Apache-2.0 */
#include "record/left.h"

#include "base/file.h"
#include "base/vec.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static char state_of(const char *path) {
    struct stat is;
    if (!strcmp(path, "more"))
        return '?';
    return lstat(path, &is) ? '-' : S_ISREG(is.st_mode) && !is.st_size ? '0' : '+';
}

rcp_code rcp_left_keep(const char *directory) {
    rcp_text names = {0}, lines = {0};
    RCP_TRY(rcp_file_read_if_there(directory, "names", &names));
    for (char *rest = names.at, *name; rest && (name = strsep(&rest, "\n"));)
        if (*name)
            rcp_text_printf(&lines, "%c %s\n", state_of(name), name);
    char *path = rcp_file_take_path(directory, "left");
    rcp_code code = lines.len ? rcp_file_replace(path, lines.at, lines.len) : RCP_OK;
    rcp_release(path);
    rcp_text_finish(&names);
    rcp_text_finish(&lines);
    return code;
}

static rcp_code compare(const char *directory, rcp_text *what) {
    rcp_text names = {0}, lines = {0};
    RCP_TRY(rcp_file_read_if_there(directory, "names", &names));
    RCP_TRY(rcp_file_read_if_there(directory, "left", &lines));
    if (names.len && !lines.len && !what->len)
        rcp_text_puts(what, "something: its recording was cut off");
    for (char *rest = lines.at, *line; rest && !what->len && (line = strsep(&rest, "\n"));)
        if (*line == '?')
            rcp_text_puts(what, "one of too many names");
        else if (*line && line[1] && state_of(line + 2) != *line)
            rcp_text_puts(what, line + 2);
    rcp_text_finish(&names);
    rcp_text_finish(&lines);
    return RCP_OK;
}

rcp_code rcp_left_compare(const char *directory, rcp_text *what) {
    DIR *all = opendir(directory);
    rcp_code code = compare(directory, what);
    for (struct dirent *entry; code == RCP_OK && all && (entry = readdir(all));)
        if (!strncmp(entry->d_name, "process.", 8)) {
            char *process = rcp_file_take_path(directory, entry->d_name);
            code = compare(process, what);
            rcp_release(process);
        }
    if (all)
        closedir(all);
    return code;
}
