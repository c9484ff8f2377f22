/* SPDX-License-Identifier: Apache-2.0 */
#include "report/excerpts.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Lines before and after; bytes of one; bytes of a file that somebody may have written by hand. */
enum { AROUND = 4, LONGEST = 400, LARGEST = 1 << 24 };

void rcp_excerpts_want(rcp_excerpts *excerpts, const char *file, uint32_t line) {
    const rcp_excerpt *last = excerpts->len ? &excerpts->at[excerpts->len - 1] : NULL;
    if (*file && line && !(last && last->file == file && last->line == line))
        rcp_vec_push(excerpts, ((rcp_excerpt){file, line}));
}

static int by_place(const void *x, const void *y) {
    const rcp_excerpt *a = x, *b = y;
    int c = a->file == b->file ? 0 : strcmp(a->file, b->file);
    return c ? c : a->line < b->line ? -1 : a->line > b->line;
}

static bool is_source(const char *file) {
    static const char *const endings[] = {"c",   "cc", "cpp", "cxx", "c++", "C",   "h",   "hh",  "hpp",
                                          "hxx", "H",  "inc", "inl", "ipp", "tcc", "def", "ixx", "cppm"};
    struct stat is;
    const char *dot = strrchr(file, '.');
    bool is_named = false;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        is_named |= !strcmp(dot + 1, endings[i]);
    return is_named && !stat(file, &is) && S_ISREG(is.st_mode) && is.st_size <= LARGEST;
}

static bool read_source(rcp_text *text, const char *file) {
    if (!is_source(file))
        return false;
    bool is_read = rcp_text_read_file(text, file) == RCP_OK;
    if (!is_read)
        rcp_clear_causes();
    return is_read && text->len;
}

/* Of a line that is too long its beginning, up to a whole character. */
static void put_line(rcp_text *to, const char *line, size_t n) {
    rcp_text piece = {0};
    size_t kept = n;
    if (n > LONGEST)
        for (kept = LONGEST; kept && ((unsigned char)line[kept] & 0xc0) == 0x80;)
            kept--;
    rcp_text_add(&piece, line, kept);
    rcp_text_puts(&piece, kept < n ? "…" : "");
    rcp_json_quote(to, piece.at);
    rcp_text_finish(&piece);
}

/* The lines around those that are wanted, n of one file, sorted; where two excerpts meet they are one part. */
static void put_parts(rcp_text *to, const char *source, const rcp_excerpt *wanted, size_t n) {
    uint32_t number = 0;
    size_t parts = 0;
    bool is_in = false;
    for (const char *line = source, *end; *line && n; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        number++;
        while (n && wanted->line + AROUND < number)
            wanted++, n--;
        if (n && number + AROUND >= wanted->line) {
            if (is_in)
                rcp_text_puts(to, ", ");
            else
                rcp_text_printf(to, "%s{ \"from\": %u, \"lines\": [", parts++ ? ", " : "", number);
            put_line(to, line, (size_t)(end - line));
            is_in = true;
        } else if (is_in) {
            rcp_text_puts(to, "] }");
            is_in = false;
        }
    }
    if (is_in)
        rcp_text_puts(to, "] }");
}

void rcp_excerpts_print(rcp_text *to, rcp_excerpts *excerpts) {
    rcp_text source = {0};
    size_t files = 0;
    if (excerpts->len)
        qsort(excerpts->at, excerpts->len, sizeof *excerpts->at, by_place);
    rcp_text_puts(to, "[");
    for (size_t i = 0, first; i < excerpts->len;) {
        const char *file = excerpts->at[i].file;
        for (first = i; i < excerpts->len && !strcmp(excerpts->at[i].file, file);)
            i++;
        rcp_text_clear(&source);
        if (!read_source(&source, file))
            continue;
        rcp_text_puts(to, files++ ? ",\n    { " : "\n    { ");
        rcp_json_put_string(to, "file", file);
        rcp_text_puts(to, ", \"parts\": [");
        put_parts(to, source.at, &excerpts->at[first], i - first);
        rcp_text_puts(to, "] }");
    }
    rcp_text_puts(to, "]");
    rcp_text_finish(&source);
}

bool rcp_excerpts_line(rcp_text *to, const char *file, uint32_t line, int64_t recorded) {
    rcp_text source = {0};
    struct stat is;
    bool is_there = *file && line && !stat(file, &is) && is.st_mtime <= recorded && read_source(&source, file);
    const char *at = is_there ? source.at : "";
    for (; line > 1 && *at; line--) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    is_there = *at && line == 1;
    if (is_there)
        rcp_text_add(to, at, strcspn(at, "\n"));
    rcp_text_finish(&source);
    return is_there;
}
