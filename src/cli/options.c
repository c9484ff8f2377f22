/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, WORD_MAX = 64 };

bool rcp_options_lists(const char *words, const char *word, size_t len) {
    for (const char *p = words;; p++) {
        size_t n = strcspn(p, "|");
        if (n == len && !memcmp(p, word, n))
            return true;
        p += n;
        if (!*p)
            return false;
    }
}

bool rcp_options_leading_number(const char *word, const char **end, uint64_t *number) {
    char *stop;
    errno = 0;
    bool hexadecimal = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    if (word[0] < '0' || word[0] > '9')
        return false;
    *number = strtoull(word, &stop, hexadecimal ? 16 : 10);
    *end = stop;
    return !errno && stop != word;
}

bool rcp_options_number(const char *word, uint64_t *number) {
    const char *end;
    return rcp_options_leading_number(word, &end, number) && !*end;
}

size_t rcp_options_distance(const char *a, const char *b) {
    size_t row[WORD_MAX + 1], n = strlen(b), i = 0;
    if (n > WORD_MAX || strlen(a) > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (; a[i]; i++) {
        size_t corner = row[0]++;
        for (size_t j = 0; j < n; j++) {
            size_t changed = corner + (a[i] != b[j]), left = row[j] + 1, above = row[j + 1] + 1;
            corner = row[j + 1];
            row[j + 1] = changed < left ? changed : left;
            row[j + 1] = row[j + 1] < above ? row[j + 1] : above;
        }
    }
    return row[n];
}

/* --- parsing --- */

static const rcp_option *by_name(const rcp_command *command, const char *name, size_t len) {
    for (size_t i = 0; i < command->n_options; i++)
        if (strlen(command->options[i].name) == len && !memcmp(command->options[i].name, name, len))
            return &command->options[i];
    return NULL;
}

static const rcp_option *by_letter(const rcp_command *command, char letter) {
    for (size_t i = 0; i < command->n_options; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    return NULL;
}

static void unknown_option(const rcp_command *command, const char *given, rcp_text *wrong) {
    const char *name = given + strspn(given, "-"), *best = NULL;
    char stem[WORD_MAX + 1] = {0};
    size_t n = strcspn(name, "="), least = 3;
    memcpy(stem, name, n < WORD_MAX ? n : WORD_MAX);
    for (size_t i = 0; i < command->n_options; i++) {
        size_t distance = rcp_options_distance(stem, command->options[i].name);
        if (distance < least) {
            least = distance;
            best = command->options[i].name;
        }
    }
    rcp_text_printf(wrong, "unknown option %s", given);
    if (best)
        rcp_text_printf(wrong, "; did you mean --%s?", best);
}

static bool take(const rcp_command *command, const rcp_option *option, const char *value, rcp_arguments *arguments,
                 rcp_text *wrong) {
    const char **slot = &arguments->option[option - command->options];
    if (*slot && !option->take) {
        rcp_text_printf(wrong, "--%s is given twice", option->name);
        return false;
    }
    if (option->choice && !rcp_options_lists(option->argument, value, strlen(value))) {
        rcp_text_printf(wrong, "--%s takes one of %s, not '%s'", option->name, option->argument, value);
        return false;
    }
    if (option->argument && !*value) {
        rcp_text_printf(wrong, "--%s needs a value, not an empty word: --%s %s", option->name, option->name,
                        option->argument);
        return false;
    }
    *slot = value;
    return !option->take || option->take(value, wrong);
}

/* One argument that begins with a dash; *i moves on where the value is the next one. */
static bool parse_option(const rcp_command *command, int argc, char **argv, int *i, rcp_arguments *arguments,
                         rcp_text *wrong) {
    const char *word = argv[*i], *value = NULL;
    const rcp_option *option;
    if (word[1] == '-') {
        size_t n = strcspn(word + 2, "=");
        option = by_name(command, word + 2, n);
        value = word[2 + n] ? word + 2 + n + 1 : NULL;
        if (option && value && !option->argument) {
            rcp_text_printf(wrong, "--%s takes no value", option->name);
            return false;
        }
    } else {
        option = by_letter(command, word[1]);
        value = word[2] ? word + 2 : NULL;
        if (option && value && !option->argument)
            option = NULL; /* switches are not bundled */
    }
    if (!option) {
        unknown_option(command, word, wrong);
        return false;
    }
    if (!option->argument)
        value = "";
    else if (!value && ++*i < argc)
        value = argv[*i];
    if (!value) {
        rcp_text_printf(wrong, "--%s needs a value: --%s %s", option->name, option->name, option->argument);
        return false;
    }
    return take(command, option, value, arguments, wrong);
}

rcp_parsed rcp_options_parse(const rcp_command *command, int argc, char **argv, rcp_arguments *arguments,
                             rcp_text *wrong) {
    RCP_CHECK(command->n_options <= RCP_OPTIONS_MAX);
    *arguments = (rcp_arguments){.operand = argv};
    bool options = true;
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        if (!options || word[0] != '-' || !word[1]) {
            argv[arguments->operands++] = word; /* never ahead of i */
            options = options && !command->runs_program;
        } else if (!strcmp(word, "--")) {
            options = false;
        } else if (!strcmp(word, "-h")) {
            return RCP_PARSED_SHORT_HELP;
        } else if (!strcmp(word, "--help")) {
            return RCP_PARSED_HELP;
        } else if (!parse_option(command, argc, argv, &i, arguments, wrong)) {
            return RCP_PARSED_WRONG;
        }
    }
    argv[arguments->operands] = NULL; /* a program's arguments end so; main's end so, too, there is room */
    if (arguments->operands < command->least)
        rcp_text_printf(wrong, "%s is missing", command->operands);
    else if (arguments->operands > command->most)
        rcp_text_printf(wrong, "'%s' is one operand too many", argv[command->most]);
    else if (arguments->operands && !*argv[0])
        rcp_text_printf(wrong, "%s is an empty word", command->operands);
    else
        return RCP_PARSED;
    return RCP_PARSED_WRONG;
}

/* --- help --- */

/* Fills each line of `words` to COLUMNS; one that begins with a blank stays as it is, and an empty one stays empty. */
static void paragraphs(rcp_text *to, size_t indent, const char *words) {
    for (;; words++) {
        size_t line = strcspn(words, "\n"), column = 0;
        const char *end = words + line;
        if (line && *words == ' ') {
            rcp_text_printf(to, "%*s%.*s", (int)indent, "", (int)line, words);
            words = end;
        }
        while (words < end) {
            size_t n = strcspn(words, " \n");
            if (column && column + 1 + n > COLUMNS) {
                rcp_text_puts(to, "\n");
                column = 0;
            }
            rcp_text_printf(to, "%*s%.*s", column ? 1 : (int)indent, "", (int)n, words);
            column += n + (column ? 1 : indent);
            words += n;
            words += strspn(words, " ");
        }
        rcp_text_puts(to, "\n");
        if (!*words)
            return;
    }
}

/* Columns, not bytes: '…' is one. */
static size_t width(const char *string) {
    size_t n = 0;
    for (; *string; string++)
        n += (*string & 0xc0) != 0x80;
    return n;
}

static void option_row(rcp_text *to, const rcp_option *option, bool full) {
    enum { HELP_COLUMN = 32 };
    rcp_text left = {0};
    if (option->letter)
        rcp_text_printf(&left, "  -%c, --%s", option->letter, option->name);
    else
        rcp_text_printf(&left, "      --%s", option->name);
    if (option->argument)
        rcp_text_printf(&left, " %s", option->argument);
    rcp_text_puts(to, left.at);
    if (width(left.at) + 2 > HELP_COLUMN)
        rcp_text_printf(to, "\n%*s", HELP_COLUMN, "");
    else
        rcp_text_printf(to, "%*s", (int)(HELP_COLUMN - width(left.at)), "");
    rcp_text_printf(to, "%s\n", option->help);
    if (full && option->more)
        paragraphs(to, HELP_COLUMN, option->more);
    rcp_text_finish(&left);
}

void rcp_options_help(rcp_text *to, const rcp_command *command, bool full) {
    static const rcp_option help[] = {{"help", 'h', NULL, false, "this help: -h short, --help full", NULL}};
    bool verbatim = command->most < 0;
    rcp_text_printf(to, "Usage: recipe %s%s%s%s\n", command->name, verbatim ? "" : " [OPTION…]",
                    *command->operands ? " " : "", command->operands);
    rcp_text_printf(to, "%s\n\n", command->summary);
    if (full) {
        paragraphs(to, 0, command->about);
        rcp_text_puts(to, "\n");
    }
    if (verbatim)
        return;
    rcp_text_puts(to, "Options:\n");
    for (size_t i = 0; i < command->n_options; i++)
        option_row(to, &command->options[i], full);
    option_row(to, help, false);
}
