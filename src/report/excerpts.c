/* SPDX-License-Identifier: Apache-2.0 */
#include "report/excerpts.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/ustar.h"

#include <inttypes.h>
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

static char *home; /* the directory that has sources with it: RCP_EXCERPTS_KEPT there; NULL: none */

void rcp_excerpts_look_in(const char *directory) {
    struct stat is;
    rcp_release(home);
    home = directory ? rcp_file_take_path(directory, RCP_EXCERPTS_KEPT) : NULL;
    if (home && (stat(home, &is) || !S_ISDIR(is.st_mode))) {
        rcp_release(home);
        home = NULL;
    }
}

/* What a file is called among those that are kept: whoever lists them can tell which is which. */
static void put_kept_name(rcp_text *to, const char *file) {
    enum { LONGEST_NAME = 100 };
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const size_t n = strlen(base);
    rcp_text_printf(to, "%016" PRIx64 "-", rcp_hash_bytes(file, strlen(file)));
    for (base += n > LONGEST_NAME ? n - LONGEST_NAME : 0; *base; base++)
        rcp_text_add(to, *base > ' ' && *base <= '~' ? base : "_", 1); /* a pack has ASCII in its names */
}

static char *take_path(const char *file) {
    rcp_text path = {0};
    if (home) {
        rcp_text_printf(&path, "%s/", home);
        put_kept_name(&path, file);
    } else {
        rcp_text_puts(&path, file);
    }
    return path.at;
}

static bool has_source_name(const char *file) {
    static const char *const endings[] = {"c",   "cc", "cpp", "cxx", "c++", "C",   "h",   "hh",  "hpp",
                                          "hxx", "H",  "inc", "inl", "ipp", "tcc", "def", "ixx", "cppm"};
    const char *dot = strrchr(file, '.');
    bool is_named = false;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        is_named |= !strcmp(dot + 1, endings[i]);
    return is_named;
}

/* `*changed`: when the file was, last. */
static bool read_source(rcp_text *text, const char *file, int64_t *changed) {
    struct stat is;
    char *path = take_path(file);
    bool is_read = has_source_name(file) && !stat(path, &is) && S_ISREG(is.st_mode) && is.st_size <= LARGEST;
    if (is_read) {
        *changed = is.st_mtime;
        is_read = rcp_text_read_file(text, path) == RCP_OK;
        if (!is_read)
            rcp_clear_causes();
    }
    rcp_release(path);
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

static void sort(rcp_excerpts *excerpts) {
    if (excerpts->len)
        qsort(excerpts->at, excerpts->len, sizeof *excerpts->at, by_place);
}

/* Those of the same file as excerpt `i`, which is the first of them: behind the last one. */
static size_t end_of_file(const rcp_excerpts *excerpts, size_t i) {
    const char *file = excerpts->at[i].file;
    while (i < excerpts->len && !strcmp(excerpts->at[i].file, file))
        i++;
    return i;
}

void rcp_excerpts_print(rcp_text *to, rcp_excerpts *excerpts) {
    rcp_text source = {0};
    size_t files = 0;
    int64_t changed;
    sort(excerpts);
    rcp_text_puts(to, "[");
    for (size_t i = 0, end; i < excerpts->len; i = end) {
        const char *file = excerpts->at[i].file;
        end = end_of_file(excerpts, i);
        rcp_text_clear(&source);
        if (!read_source(&source, file, &changed))
            continue;
        rcp_text_puts(to, files++ ? ",\n    { " : "\n    { ");
        rcp_json_put_string(to, "file", file);
        rcp_text_puts(to, ", \"parts\": [");
        put_parts(to, source.at, &excerpts->at[i], end - i);
        rcp_text_puts(to, "] }");
    }
    rcp_text_puts(to, "]");
    rcp_text_finish(&source);
}

/* As put_parts(): what it would leave out becomes an empty line, or is behind the last one. */
static void keep_lines(rcp_text *to, const char *source, const rcp_excerpt *wanted, size_t n) {
    uint32_t number = 0;
    for (const char *line = source, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        number++;
        while (n && wanted->line + AROUND < number)
            wanted++, n--;
        if (!n)
            break;
        if (number + AROUND >= wanted->line)
            rcp_text_add(to, line, (size_t)(end - line));
        else
            rcp_text_puts(to, "\n");
    }
}

size_t rcp_excerpts_keep(rcp_text *to, rcp_excerpts *excerpts, const char *root) {
    rcp_ustar_member below = {.kind = RCP_USTAR_DIRECTORY};
    rcp_text source = {0}, lines = {0}, name = {0};
    size_t files = 0;
    int64_t changed;
    sort(excerpts);
    snprintf(below.name, sizeof below.name, "%s/" RCP_EXCERPTS_KEPT, root);
    RCP_CHECK(rcp_ustar_put(to, &below));
    for (size_t i = 0, end; i < excerpts->len; i = end) {
        const char *file = excerpts->at[i].file;
        end = end_of_file(excerpts, i);
        rcp_text_clear(&source);
        rcp_text_clear(&lines);
        rcp_text_clear(&name);
        if (!read_source(&source, file, &changed))
            continue;
        keep_lines(&lines, source.at, &excerpts->at[i], end - i);
        rcp_text_printf(&name, "%s/", below.name);
        put_kept_name(&name, file);
        files += rcp_ustar_put_file(to, name.at, changed, lines.at ? lines.at : "", lines.len);
    }
    rcp_text_finish(&source);
    rcp_text_finish(&lines);
    rcp_text_finish(&name);
    return files;
}

/* Of those that are kept an empty line was not. */
bool rcp_excerpts_line(rcp_text *to, const char *file, uint32_t line, int64_t recorded) {
    rcp_text source = {0};
    int64_t changed;
    bool is_there = *file && line && read_source(&source, file, &changed) && changed <= recorded;
    const char *at = is_there ? source.at : "";
    for (; line > 1 && *at; line--) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    is_there = *at && line == 1 && !(home && *at == '\n');
    if (is_there)
        rcp_text_add(to, at, strcspn(at, "\n"));
    rcp_text_finish(&source);
    return is_there;
}
