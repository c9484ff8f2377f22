/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/defaults.h"

#include "base/opts.h"
#include "instrument/driver.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    rcp_defaults *defaults;
    const rcp_command *command, *const *all;
    size_t n;
    rcp_option_source source;
    const char *file; /* recipe.opts */
    rcp_arguments *arguments;
    rcp_text *wrong;
} reader;

static bool is_known(const reader *r, const char *word) {
    for (size_t i = 0; i < r->n; i++)
        if (rcp_options_meant(r->all[i], word))
            return true;
    return rcp_driver_knows(word);
}

/* The nearest name of all commands' options; NULL: none is near. */
static const char *nearest(const reader *r, const char *word) {
    char name[64] = {0};
    const char *best = NULL;
    size_t least = 3, begin = strspn(word, "-"), n = strcspn(word + begin, "=");
    memcpy(name, word + begin, n < sizeof name ? n : sizeof name - 1);
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->all[i]->n_options; k++) {
            const size_t distance = rcp_options_distance(name, r->all[i]->options[k].name);
            best = distance < least ? r->all[i]->options[k].name : best;
            least = distance < least ? distance : least;
        }
    return best;
}

static bool is_unknown(const reader *r, const char *word, const char *where) {
    const char *near = nearest(r, word);
    rcp_text_printf(r->wrong, "%s: '%s' is no option of any command, with its long name and its value", where, word);
    if (near)
        rcp_text_printf(r->wrong, "; did you mean --%s?", near);
    return false;
}

/* A path that is not from here on, but from the file's directory. */
static char *take_word(const reader *r, const rcp_option *option, const char *word) {
    rcp_text text = {0};
    const char *value = strchr(word, '='), *slash = r->file ? strrchr(r->file, '/') : NULL;
    const bool is_path = option->type == RCP_OPTION_PATH || option->names_file;
    if (is_path && value && slash && value[1] && value[1] != '/' && strcmp(value, "=-") != 0)
        rcp_text_printf(&text, "%.*s%.*s%s", (int)(value + 1 - word), word, (int)(slash + 1 - r->file), r->file,
                        value + 1);
    else
        rcp_text_puts(&text, word);
    rcp_vec_push(&r->defaults->words, text.at);
    return text.at;
}

static bool take(const reader *r, const char *word, const char *where) {
    const rcp_option *option = rcp_options_meant(r->command, word);
    if (!option)
        return is_known(r, word) || is_unknown(r, word, where);
    if (r->source == RCP_SOURCE_PROJECT && option->writes_there) {
        rcp_text_printf(r->wrong, "%s: --%s says what is written or executed: give it on the command line", where,
                        option->name);
        return false;
    }
    /* Who analyses a recorded run looks for this one by himself: it means nothing to other traces. */
    if (r->source == RCP_SOURCE_PROJECT && !strcmp(option->name, "opaque"))
        return true;
    const char *taken = take_word(r, option, word);
    rcp_text wrong = {0};
    const bool is_right = rcp_options_preset(r->command, taken, r->source, r->arguments, &wrong);
    if (is_right)
        rcp_text_printf(&r->defaults->taken, "%s: %s\n", where, taken);
    else
        rcp_text_printf(r->wrong, "%s: %s", where, wrong.at);
    rcp_text_finish(&wrong);
    return is_right;
}

/* A line is "--name", "--name=value" or "--name value". */
static bool take_line(const reader *r, const char *begin, const char *end, const char *where) {
    rcp_text word = {0};
    rcp_text_add(&word, begin, (size_t)(end - begin));
    const size_t name = strcspn(word.at, "= \t");
    const size_t blanks = strspn(word.at + name, " \t");
    if (blanks) {
        memmove(word.at + name + 1, word.at + name + blanks, strlen(word.at + name + blanks) + 1);
        word.at[name] = '=';
    }
    const bool is_right = take(r, word.at, where);
    rcp_text_finish(&word);
    return is_right;
}

static bool take_file(reader *r) {
    rcp_text path = {0}, text = {0}, where = {0};
    bool is_right = true;
    if (rcp_opts_find(&path, &text)) {
        const char *at = text.at, *counted = text.at, *end;
        unsigned line = 1;
        r->file = path.at;
        for (const char *begin; is_right && (begin = rcp_opts_next(&at, &end));) {
            for (; counted < begin; counted++)
                line += *counted == '\n';
            rcp_text_clear(&where);
            rcp_text_printf(&where, "%s:%u", path.at, line);
            is_right = take_line(r, begin, end, where.at);
        }
    }
    r->file = NULL;
    rcp_text_finish(&path);
    rcp_text_finish(&text);
    rcp_text_finish(&where);
    return is_right;
}

static bool take_user(const reader *r) {
    const char *at = getenv("RECIPE_OPTIONS");
    rcp_text word = {0};
    bool is_right = true;
    while (is_right && at && rcp_opts_next_word(&at, &word))
        is_right = take(r, word.at, "RECIPE_OPTIONS");
    rcp_text_finish(&word);
    return is_right;
}

rcp_parsed rcp_defaults_parse(rcp_defaults *defaults, const rcp_command *command, const rcp_command *const *all,
                              size_t n, int argc, char **argv, rcp_arguments *arguments, rcp_text *wrong) {
    reader r = {defaults, command, all, n, RCP_SOURCE_PROJECT, NULL, arguments, wrong};
    *defaults = (rcp_defaults){0};
    rcp_options_begin(command, arguments);
    bool is_right = take_file(&r);
    r.source = RCP_SOURCE_USER;
    is_right = is_right && take_user(&r);
    return is_right ? rcp_options_parse_line(command, argc, argv, arguments, wrong) : RCP_PARSED_WRONG;
}

void rcp_defaults_finish(rcp_defaults *defaults) {
    for (size_t i = 0; i < defaults->words.len; i++)
        rcp_release(defaults->words.at[i]);
    rcp_vec_finish(&defaults->words);
    rcp_text_finish(&defaults->taken);
}
