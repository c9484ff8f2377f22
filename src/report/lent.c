/* SPDX-License-Identifier: Apache-2.0 */
#include "report/lent.h"

#include "report/excerpts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Takes that '&' an address, or is it an operator between two operands? */
static bool takes_address(const char *line, const char *at) {
    const char *before = at;
    while (before > line && isspace((unsigned char)before[-1]))
        before--;
    const char last = before > line ? before[-1] : '=';
    return at[1] != '&' && at[1] != '=' && !is_of_name(last) && !strchr(")]&", last);
}

/* The one name whose address the line takes, with its length; NULL: there is none, or there are several. */
static const char *only_name(const char *line, size_t *n) {
    const char *found = NULL;
    for (const char *at = line; (at = strchr(at, '&')); at++) {
        if (!takes_address(line, at))
            continue;
        const char *name = at + 1 + strspn(at + 1, " \t");
        size_t length = 0;
        while (is_of_name(name[length]))
            length++;
        const bool is_part = name[length] && strchr("(.[-:", name[length]);
        if (found || !length || isdigit((unsigned char)name[0]) || is_part)
            return NULL;
        found = name;
        *n = length;
    }
    return found;
}

/* --- as it is declared --- */

enum { KIND, NAME, FILE_NAME, LINE, STORED_IN, STORED_LINE, STORED_COLUMN, WORDS };

static bool split(const char *said, const char *word[WORDS], size_t len[WORDS]) {
    for (int i = 0; i < WORDS; i++) {
        word[i] = said;
        len[i] = strcspn(said, "\t");
        said += len[i];
        if (i + 1 < WORDS && !*said++)
            return false;
    }
    return true;
}

static bool is_same(const rcp_lent_variable *a, const rcp_lent_variable *b) {
    return a->line == b->line && a->is_thread_local == b->is_thread_local && a->name_len == b->name_len &&
           !memcmp(a->name, b->name, a->name_len) && a->file_len == b->file_len &&
           !memcmp(a->file, b->file, a->file_len);
}

bool rcp_lent_find(const rcp_finding *finding, rcp_lent_variable *to) {
    const rcp_defs *defs = finding->defs;
    const rcp_location *at = &defs->locations.at[finding->lent.v];
    const char *file = rcp_defs_borrow_string(defs, at->file), *word[WORDS];
    size_t len[WORDS];
    *to = (rcp_lent_variable){0};
    for (size_t i = 0; finding->lent.v && i < defs->facts.len; i++) {
        if (strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), RCP_LENT_FACT) != 0 ||
            !split(rcp_defs_borrow_string(defs, defs->facts.at[i].value), word, len))
            continue;
        if (strtoul(word[STORED_LINE], NULL, 10) != at->line || strtoul(word[STORED_COLUMN], NULL, 10) != at->column ||
            strlen(file) != len[STORED_IN] || memcmp(file, word[STORED_IN], len[STORED_IN]) != 0)
            continue;
        const rcp_lent_variable is = {.name = word[NAME],
                                      .name_len = len[NAME],
                                      .file = word[FILE_NAME],
                                      .file_len = len[FILE_NAME],
                                      .line = (uint32_t)strtoul(word[LINE], NULL, 10),
                                      .is_thread_local = *word[KIND] == 't'};
        if (to->name && !is_same(to, &is)) /* a template's, or a macro's: which of them is not known */
            return false;
        *to = is;
    }
    return to->name != NULL;
}

void rcp_lent_line(rcp_text *to, const rcp_lent_variable *lent) {
    const char *last = memrchr(lent->file, '/', lent->file_len);
    last = last ? last + 1 : lent->file;
    rcp_text_add(to, last, (size_t)(lent->file + lent->file_len - last));
    rcp_text_printf(to, ":%u", lent->line);
}

/* --- by the line that stored the address --- */

bool rcp_lent_name(rcp_text *to, const rcp_finding *finding) {
    rcp_lent_variable declared;
    if (rcp_lent_find(finding, &declared)) {
        rcp_text_add(to, declared.name, declared.name_len);
        return true;
    }
    const rcp_location *at = &finding->defs->locations.at[finding->lent.v];
    rcp_text line = {0};
    const char *name = NULL;
    size_t n = 0;
    if (finding->lent.v &&
        rcp_excerpts_line(&line, rcp_defs_borrow_string(finding->defs, at->file), at->line, finding->recorded_at))
        name = only_name(line.at, &n);
    if (name)
        rcp_text_add(to, name, n);
    rcp_text_finish(&line);
    return name != NULL;
}
