/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/opaque_file.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static bool is_word(const char *at, size_t n, const char *word) { return strlen(word) == n && !memcmp(at, word, n); }

/* One word of a rule; `lists`: numbers may follow. */
static bool take(rcp_opaque_rule *rule, const char *at, size_t n, bool *lists) {
    if (isdigit((unsigned char)*at)) {
        unsigned number = 0;
        for (size_t i = 0; i < n; i++) {
            if (!isdigit((unsigned char)at[i]) || number > 31)
                return false;
            number = 10 * number + (unsigned)(at[i] - '0');
        }
        if (!*lists || number > 31)
            return false;
        rule->arguments |= UINT32_C(1) << number;
        return true;
    }
    *lists = is_word(at, n, "reads") || is_word(at, n, "writes") || is_word(at, n, "on");
    if (is_word(at, n, "none") || is_word(at, n, "pure"))
        rule->is_harmless = true;
    else if (is_word(at, n, "everything"))
        rule->is_everything = true;
    else if (is_word(at, n, "blocks"))
        rule->blocks = true;
    else if (is_word(at, n, "keeps"))
        rule->keeps = true;
    else
        return *lists;
    return true;
}

static bool take_barriers(rcp_opaque_file *file, const char *at, size_t n) {
    file->is_simple = is_word(at, n, "simple");
    file->is_off = is_word(at, n, "off");
    file->has_trees = is_word(at, n, "trees");
    return file->has_trees || file->is_simple || file->is_off || is_word(at, n, "pairs");
}

/* Lines that speak of no function: `what` of the first word. */
static bool take_setting(rcp_opaque_file *file, const char *what, const char *at, size_t n) {
    if (!strcmp(what, "barriers"))
        return take_barriers(file, at, n);
    file->is_volatile_atomic = is_word(at, n, "atomic");
    return file->is_volatile_atomic || is_word(at, n, "plain");
}

static rcp_code parse_line(rcp_opaque_file *file, const char *name, size_t number, const char *at, const char *end) {
    static const char *const blanks = " \t\r,";
    rcp_opaque_rule rule = {0};
    bool lists = false, is_setting = false;
    size_t words = 0;
    for (;; words++) {
        while (at < end && strchr(blanks, *at))
            at++;
        if (at == end || *at == '#')
            break;
        const char *begin = at;
        while (at < end && !strchr(blanks, *at) && *at != '#')
            at++;
        if (!words) {
            rule.pattern = rcp_copy(begin, (size_t)(at - begin) + 1);
            rule.pattern[at - begin] = 0;
            is_setting = !strcmp(rule.pattern, "barriers") || !strcmp(rule.pattern, "volatile");
        } else if (is_setting && take_setting(file, rule.pattern, begin, (size_t)(at - begin))) {
            continue;
        } else if (!take(&rule, begin, (size_t)(at - begin), &lists)) {
            rcp_code code = rcp_fail(RCP_BAD_INPUT,
                                     "%s:%zu: '%.*s' says nothing of a function; there are none, pure, reads, writes, "
                                     "on (each with numbers of arguments, from 0), blocks, keeps and everything",
                                     name, number, (int)(at - begin), begin);
            rcp_release(rule.pattern);
            return code;
        }
    }
    if (!words)
        return RCP_OK;
    if (is_setting) {
        rcp_release(rule.pattern);
        return RCP_OK;
    }
    rcp_vec_push(&file->rules, rule);
    if (words == 1)
        return rcp_fail(RCP_BAD_INPUT, "%s:%zu: nothing is said of '%s'", name, number, rule.pattern);
    return RCP_OK;
}

rcp_code rcp_opaque_file_parse(rcp_opaque_file *file, const char *name, const char *text) {
    size_t number = 1;
    for (const char *at = text; *at; number++) {
        size_t n = strcspn(at, "\n");
        RCP_TRY(parse_line(file, name, number, at, at + n));
        at += n + (at[n] == '\n');
    }
    return RCP_OK;
}

rcp_code rcp_opaque_file_read(rcp_opaque_file *file, const char *directory) {
    rcp_text path = {0}, text = {0};
    rcp_text_printf(&path, "%s/opaque", directory);
    FILE *from = fopen(path.at, "rb");
    rcp_code code = RCP_OK;
    if (!from && errno != ENOENT)
        code = rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", path.at, strerror(errno));
    for (char bytes[4096]; from && !feof(from) && !ferror(from);)
        rcp_text_add(&text, bytes, fread(bytes, 1, sizeof bytes, from));
    if (from)
        fclose(from);
    if (code == RCP_OK && text.len)
        code = rcp_opaque_file_parse(file, path.at, text.at);
    rcp_text_finish(&path);
    rcp_text_finish(&text);
    return code;
}

void rcp_opaque_file_finish(rcp_opaque_file *file) {
    for (size_t i = 0; i < file->rules.len; i++)
        rcp_release(file->rules.at[i].pattern);
    rcp_vec_finish(&file->rules);
}

const rcp_opaque_rule *rcp_opaque_file_find(const rcp_opaque_file *file, const char *name) {
    for (size_t i = file ? file->rules.len : 0; i-- > 0;)
        if (!fnmatch(file->rules.at[i].pattern, name, 0))
            return &file->rules.at[i];
    return NULL;
}
