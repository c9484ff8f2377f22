/* SPDX-License-Identifier: Apache-2.0 */
#include "record/ctest.h"

#include "base/file.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

bool rcp_ctest_is_there(char *const *environment) {
    static const char variable[] = "CTEST_INTERACTIVE_DEBUG_MODE=";
    for (; *environment; environment++)
        if (!strncmp(*environment, variable, strlen(variable)))
            return true;
    return false;
}

/* Behind `[==[`, of which `at` is the beginning, what ends it; NULL: it is no bracket. */
static const char *bracket_end(const char *at, const char **begin) {
    const size_t equals = strspn(at + 1, "=");
    if (*at != '[' || at[1 + equals] != '[')
        return NULL;
    *begin = at + equals + 2;
    for (const char *end = strchr(*begin, ']'); end; end = strchr(end + 1, ']'))
        if (strspn(end + 1, "=") == equals && end[1 + equals] == ']')
            return end;
    return NULL;
}

/* The next argument of a command in CMake's language, from *at on; false: there is no further one. */
static bool next_argument(const char **at, rcp_text *argument) {
    const char *begin, *end;
    rcp_text_clear(argument);
    rcp_text_puts(argument, "");
    while (isspace((unsigned char)**at))
        ++*at;
    if (!**at || **at == ')')
        return false;
    if ((end = bracket_end(*at, &begin))) {
        rcp_text_add(argument, begin, (size_t)(end - begin));
        *at = end + (begin - *at);
        return true;
    }
    const bool is_quoted = **at == '"';
    for (*at += is_quoted; **at; ++*at) {
        if (is_quoted ? **at == '"' : isspace((unsigned char)**at) || **at == ')')
            break;
        if (**at == '\\' && (*at)[1])
            ++*at;
        rcp_text_add(argument, *at, 1);
    }
    *at += is_quoted && **at;
    return true;
}

/* CTest may have looked for the program: then its path ends with the word; or it has written the path another way. */
static bool is_program(const char *path, const char *word) {
    struct stat a, b;
    if (!stat(path, &a) && !stat(word, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        return true;
    const size_t n = strlen(path), tail = strlen(word);
    return tail && n >= tail && !strcmp(path + n - tail, word) && (n == tail || path[n - tail - 1] == '/');
}

static bool is_command(const char *at, char *const *argv) {
    rcp_text word = {0};
    bool is = next_argument(&at, &word) && *argv && is_program(*argv, word.at);
    while (is && *++argv)
        is = next_argument(&at, &word) && !strcmp(word.at, *argv);
    is = is && !next_argument(&at, &word);
    rcp_text_finish(&word);
    return is;
}

void rcp_ctest_name(rcp_text *to, const char *file, char *const *argv) {
    static const char add_test[] = "add_test(";
    rcp_text name = {0};
    bool is_found = false;
    for (const char *at = file; (at = strstr(at, add_test));) {
        at += strlen(add_test);
        if (!next_argument(&at, &name) || !is_command(at, argv))
            continue;
        rcp_text_clear(to);
        if (!is_found)
            rcp_text_puts(to, name.at);
        if (is_found)
            break;
        is_found = true;
    }
    rcp_text_finish(&name);
}

void rcp_ctest_name_in(rcp_text *to, const char *directory, char *const *argv) {
    rcp_text file = {0};
    if (rcp_file_read_if_there(directory, "CTestTestfile.cmake", &file) != RCP_OK)
        rcp_clear_causes();
    if (file.len)
        rcp_ctest_name(to, file.at, argv);
    rcp_text_finish(&file);
}
