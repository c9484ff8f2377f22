/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/words.h"

#include <stdarg.h>
#include <string.h>

void rcp_words_add(rcp_words *words, const char *word) {
    rcp_vec_push(words, (char *)word); /* execve wants char * and changes nothing */
}

void rcp_words_add_all(rcp_words *words, const char *const *more) {
    for (; *more; more++)
        rcp_words_add(words, *more);
}

void rcp_words_end(rcp_words *words) {
    rcp_vec_reserve(words, 1);
    words->at[words->len] = NULL;
}

bool rcp_words_have(const rcp_words *words, const char *word) {
    for (size_t i = 0; i < words->len; i++)
        if (!strcmp(words->at[i], word))
            return true;
    return false;
}

char *rcp_words_after(const rcp_words *words, const char *word) {
    for (size_t i = 0; i + 1 < words->len; i++)
        if (!strcmp(words->at[i], word))
            return words->at[i + 1];
    return NULL;
}

void rcp_words_print(rcp_text *to, const rcp_words *words, bool quoted) {
    for (size_t i = 0; i < words->len; i++) {
        if (i && !quoted && !strpbrk(words->at[i], " \"\\$")) {
            rcp_text_printf(to, " %s", words->at[i]);
            continue;
        }
        rcp_text_puts(to, " \"");
        for (const char *c = words->at[i]; *c; c++) {
            if (*c == '"' || *c == '\\' || *c == '$')
                rcp_text_puts(to, "\\");
            rcp_text_add(to, c, 1);
        }
        rcp_text_puts(to, "\"");
    }
    rcp_text_puts(to, "\n");
}

/* A word between quotes, `at` being behind the first; returns what is behind the second, NULL where there is none. */
static const char *parse_word(const char *at, rcp_arena *arena, char **word) {
    size_t n = 0;
    for (const char *c = at; *c != '"'; c++, n++) {
        if (*c == '\\' && c[1])
            c++;
        if (!*c)
            return NULL;
    }
    char *to = *word = rcp_arena_alloc(arena, n + 1);
    for (; *at != '"'; at++) {
        if (*at == '\\')
            at++;
        *to++ = *at;
    }
    *to = 0;
    return at + 1;
}

bool rcp_words_parse(const char **at, rcp_arena *arena, rcp_words *words) {
    const char *c = *at;
    size_t before = words->len;
    while (c[0] == ' ' && c[1] == '"') {
        char *word;
        if (!(c = parse_word(c + 2, arena, &word)))
            break;
        rcp_words_add(words, word);
    }
    if (!c || c == *at || *c != '\n') {
        words->len = before;
        return false;
    }
    *at = c + 1;
    return true;
}

char *rcp_words_format(rcp_arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    RCP_CHECK(n >= 0);
    char *to = rcp_arena_alloc(arena, (size_t)n + 1);
    vsnprintf(to, (size_t)n + 1, format, again);
    va_end(again);
    va_end(arguments);
    return to;
}

bool rcp_words_begins(const char *word, const char *with) { return !strncmp(word, with, strlen(with)); }

const char *rcp_words_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
