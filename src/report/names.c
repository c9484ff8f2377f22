/* SPDX-License-Identifier: Apache-2.0 */
#include "report/names.h"

#include <ctype.h>
#include <string.h>

enum { LONG_ARGUMENTS = 32, DEEPEST = 64 };

static bool begins(const char *text, const char *end, const char *with) {
    size_t n = strlen(with);
    return (size_t)(end - text) >= n && !memcmp(text, with, n);
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* What of an operator's name is punctuation; 0: `at` is behind no 'operator'. Those that are parts of others come last.
 */
static size_t operator_length(const char *begin, const char *at, const char *end) {
    static const char *const all[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "<", ">"};
    static const char word[] = "operator";
    size_t n = sizeof word - 1;
    if ((size_t)(at - begin) < n || memcmp(at - n, word, n) || (at - n > begin && is_letter(at[-(ptrdiff_t)n - 1])))
        return 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (begins(at, end, all[i]))
            return strlen(all[i]);
    return 0;
}

/* Where the bracket at `at` is closed; NULL: nowhere, or the name is none that is understood. */
static const char *closing(const char *begin, const char *at, const char *end) {
    char open[DEEPEST];
    size_t depth = 0;
    while (at < end) {
        size_t n = operator_length(begin, at, end);
        if (n) {
            at += n;
            continue;
        }
        char c = *at;
        if (c == '<' || c == '(' || c == '[' || c == '{') {
            if (depth == DEEPEST)
                return NULL;
            open[depth++] = c;
        } else if (c == '>' || c == ')' || c == ']' || c == '}') {
            char wanted = c == '>' ? '<' : c == ')' ? '(' : c == ']' ? '[' : '{';
            if (!depth || open[--depth] != wanted)
                return NULL;
            if (!depth)
                return at;
        }
        at++;
    }
    return NULL;
}

/* What a template of the library's has where nobody says anything. */
static bool is_default(const rcp_text *argument) {
    static const char *const all[] = {"std::allocator<",      "std::char_traits<", "std::less<",
                                      "std::default_delete<", "std::hash<",        "std::equal_to<"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (begins(argument->at, argument->at + argument->len, all[i]))
            return true;
    return false;
}

static void shorten(rcp_text *to, const char *begin, const char *end, unsigned depth);

/* Between '<' and its '>'. */
static void shorten_arguments(rcp_text *to, const char *begin, const char *end, unsigned depth) {
    rcp_text list = {0}, argument = {0};
    const char *from = begin;
    for (const char *at = begin; at <= end; at++) {
        const char *close =
            at < end && strchr("<([{", *at) && !operator_length(begin, at, end) ? closing(begin, at, end) : NULL;
        if (close) {
            at = close;
            continue;
        }
        if (at < end && *at != ',')
            continue;
        rcp_text_clear(&argument);
        while (from < at && *from == ' ')
            from++;
        const char *last = at;
        while (last > from && last[-1] == ' ')
            last--;
        shorten(&argument, from, last, depth + 1);
        if (argument.len && !(list.len && is_default(&argument))) {
            rcp_text_puts(&list, list.len ? ", " : "");
            rcp_text_add(&list, argument.at, argument.len);
        }
        from = at + 1;
    }
    /* std::basic_string<char> is std::string. */
    static const char basic[] = "std::basic_";
    size_t name = to->len;
    while (name && (is_letter(to->at[name - 1]) || to->at[name - 1] == ':'))
        name--;
    size_t n = sizeof basic - 1, prefix = sizeof "std::" - 1;
    if (list.len == 4 && !memcmp(list.at, "char", 4) && to->len - name > n && !memcmp(to->at + name, basic, n)) {
        memmove(to->at + name + prefix, to->at + name + n, to->len - name - n + 1);
        to->len -= n - prefix;
    } else {
        rcp_text_puts(to, "<");
        if (list.len > LONG_ARGUMENTS)
            rcp_text_puts(to, "…");
        else if (list.len)
            rcp_text_add(to, list.at, list.len);
        rcp_text_puts(to, ">");
    }
    rcp_text_finish(&argument);
    rcp_text_finish(&list);
}

/* How much of what is at `at` nobody wrote. */
static size_t noise(const char *begin, const char *at, const char *end) {
    static const char *const inner[] = {"__cxx11::", "__1::", "_V2::"};
    if (begins(at, end, "[abi:")) {
        const char *close = memchr(at, ']', (size_t)(end - at));
        return close ? (size_t)(close - at) + 1 : 0;
    }
    if (at - begin < 2 || at[-1] != ':')
        return 0;
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (begins(at, end, inner[i]))
            return strlen(inner[i]);
    return 0;
}

static void shorten(rcp_text *to, const char *begin, const char *end, unsigned depth) {
    for (const char *at = begin; at < end;) {
        size_t n = noise(begin, at, end);
        if (n) {
            at += n;
            continue;
        }
        n = operator_length(begin, at, end);
        if (n) {
            rcp_text_add(to, at, n);
            at += n;
            if (at + 1 < end && at[0] == ' ' && at[1] == '<') /* "operator<< <char>" */
                rcp_text_add(to, at++, 1);
        }
        bool is_list = at < end && *at == '<' && at > begin && (n || is_letter(at[-1]) || at[-1] == ']');
        const char *close = is_list && depth < DEEPEST ? closing(at, at, end) : NULL;
        if (close) {
            shorten_arguments(to, at + 1, close, depth);
            at = close + 1;
        } else if (at < end && !n)
            rcp_text_add(to, at++, 1);
    }
}

/* Where the lambda begins in "main::$_1::operator()() const", "f()::'lambda'(int)::operator()(int) const"; NULL: it is
 * none, or something within one. */
static const char *lambda_in(const char *name) {
    static const char operator[] = "::operator()(";
    const char *call = NULL, *end = name + strlen(name);
    for (const char *at = name; (at = strstr(at, operator)); at++)
        call = at;
    const char *open = call ? call + sizeof operator- 2 : NULL, *close = open ? closing(open, open, end) : NULL;
    if (!close || (strcmp(close + 1, "") != 0 && strcmp(close + 1, " const") != 0))
        return NULL;
    const char *found = NULL;
    for (const char *at = name; (at = strstr(at, "::")) && at < call; at++)
        if (!strncmp(at, "::$_", 4) || !strncmp(at, "::'lambda", 9))
            found = at;
    const char *inner = found && found[2] == '$' ? strstr(found + 2, "::") : call; /* of a class in it */
    return inner == call ? found : NULL;
}

void rcp_name_shorten(rcp_text *to, const char *name) {
    const char *lambda = lambda_in(name);
    if (lambda) {
        rcp_text_puts(to, "a lambda of ");
        shorten(to, name, lambda, 0);
        return;
    }
    shorten(to, name, name + strlen(name), 0);
}
