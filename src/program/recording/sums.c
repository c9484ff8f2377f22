/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/sums.h"

#include "abi/sum.h"
#include "base/file.h"
#include "base/vec.h"
#include "program/recording/mapped.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 16 + 1 + 20 + 1 };

void rcp_sums_add(rcp_text *list, const char *name, const void *bytes, size_t n) {
    rcp_text_printf(list, "%016" PRIx64 " %zu %s\n", rcp_sum(bytes, n), n, name);
}

static bool is_there(const char *directory, const char *name) {
    char *path = rcp_file_take_path(directory, name);
    bool there = rcp_file_is_there(path);
    rcp_release(path);
    return there;
}

rcp_code rcp_sums_add_file(rcp_text *list, const char *directory, const char *name) {
    char *path = rcp_file_take_path(directory, name);
    rcp_mapped file;
    bool is;
    rcp_code code = rcp_file_find(path, &is);
    if (code == RCP_OK && is)
        code = rcp_mapped_open(path, &file);
    if (code == RCP_OK && is) {
        rcp_sums_add(list, name, file.at, file.size);
        rcp_mapped_close(&file);
    }
    rcp_release(path);
    return code;
}

rcp_code rcp_sums_add_files(rcp_text *list, const char *directory, const char *name) {
    char *path = rcp_file_take_path(directory, name);
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    rcp_code code = n < 0 ? rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", path, strerror(errno)) : RCP_OK;
    for (int i = 0; i < n; i++) {
        char *file = rcp_file_take_path(name, entries[i]->d_name);
        if (code == RCP_OK && entries[i]->d_name[0] != '.')
            code = rcp_sums_add_file(list, directory, file);
        rcp_release(file);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    rcp_release(path);
    return code;
}

rcp_code rcp_sums_write(rcp_text *list, const char *directory, const char *name) {
    rcp_sums_add(list, "", list->at, list->len);
    char *path = rcp_file_take_path(directory, name);
    rcp_code code = rcp_file_replace(path, list->at, list->len);
    rcp_release(path);
    return code;
}

/* The line as it must be, for the file that its name is of, is one of the list's. */
static rcp_code check_file(const char *directory, const rcp_text *list, const char *name) {
    rcp_text is = {0};
    rcp_code code = rcp_sums_add_file(&is, directory, name);
    if (code == RCP_OK && !is.len)
        code = rcp_fail(RCP_BAD_INPUT, "%s/%s: is not there, though the recording has its checksum", directory, name);
    const char *found = code == RCP_OK ? strstr(list->at, is.at) : NULL;
    if (code == RCP_OK && (!found || (found > list->at && found[-1] != '\n')))
        code = rcp_fail(RCP_BAD_INPUT, "%s/%s: damaged: its checksum is not the one that was written with it",
                        directory, name);
    rcp_text_finish(&is);
    return code;
}

static rcp_code check_lines(const char *directory, const rcp_text *list, const char *last) {
    for (const char *at = list->at; at < last; at = strchr(at, '\n') + 1) {
        char name[256];
        if (sscanf(at, "%*16[0-9a-f] %*u %255[^\n]", name) != 1 || strstr(name, ".."))
            return rcp_fail(RCP_BAD_INPUT, "%s: a list of checksums that makes no sense", directory);
        RCP_TRY(check_file(directory, list, name));
    }
    return RCP_OK;
}

static rcp_code check_list(const char *directory, const char *name) {
    rcp_text list = {0}, end = {0};
    rcp_code code = rcp_file_read_if_there(directory, name, &list);
    size_t n = list.len;
    while (n && (n == list.len || list.at[n - 1] != '\n'))
        n--;
    rcp_sums_add(&end, "", list.at, n);
    bool there = list.len || is_there(directory, name);
    if (code == RCP_OK && there && (end.len != list.len - n || memcmp(list.at + n, end.at, end.len)))
        code =
            rcp_fail(RCP_BAD_INPUT, "%s/%s: damaged: the checksum of this list itself does not match", directory, name);
    if (code == RCP_OK && list.len)
        code = check_lines(directory, &list, list.at + n);
    rcp_text_finish(&list);
    rcp_text_finish(&end);
    return code;
}

rcp_code rcp_sums_check(const char *directory) {
    if (is_there(directory, "command") && !is_there(directory, "sums"))
        return rcp_fail(RCP_BAD_INPUT,
                        "%s/sums: is not there: an older recipe recorded this, or it has lost files; "
                        "record the program again",
                        directory);
    RCP_TRY(check_list(directory, "sums"));
    return is_there(directory, "events.rcp") ? check_list(directory, "events.sums") : RCP_OK;
}
