/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 64 };

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

static bool is_limit(const rcp_option *option) { return option->type == RCP_OPTION_LIMIT; }

static void range_of(const rcp_option *option, uint64_t *least, uint64_t *most) {
    const rcp_limit_row *limit = is_limit(option) ? rcp_limit_borrow(option->limit) : NULL;
    *least = limit ? limit->least : option->least;
    *most = limit ? limit->most : option->most ? option->most : UINT64_MAX;
}

/* The one text for a number that is none, or out of its range. */
static void not_a_number(const rcp_option *option, const char *value, rcp_text *wrong) {
    const char *usual = option->type == RCP_OPTION_SECONDS ? "a number of seconds" : "a number";
    uint64_t least, most;
    range_of(option, &least, &most);
    rcp_text_printf(wrong, "--%s %s: not %s", option->name, value, option->means ? option->means : usual);
    if (most < UINT64_MAX)
        rcp_text_printf(wrong, " from %llu to %llu", (unsigned long long)least, (unsigned long long)most);
    else if (least)
        rcp_text_printf(wrong, " from %llu on", (unsigned long long)least);
}

static bool is_number(const rcp_option *option) {
    return option->type == RCP_OPTION_NUMBER || option->type == RCP_OPTION_SECONDS || is_limit(option);
}

static bool read_number(const rcp_option *option, const char *value, uint64_t *number) {
    uint64_t least, most;
    range_of(option, &least, &most);
    return rcp_options_number(value, number) && *number >= least && *number <= most;
}

static bool needs_value(const rcp_option *option) { return option->argument && option->type != RCP_OPTION_SWITCH; }

static bool is_choice(const rcp_option *option, const char *value) {
    return option->type == RCP_OPTION_CHOICE || (option->type == RCP_OPTION_SWITCH && *value);
}

static bool is_list(const rcp_option *option) { return option->type == RCP_OPTION_LIST; }

static bool take(const rcp_command *command, const rcp_option *option, const char *value, rcp_option_source source,
                 rcp_arguments *arguments, rcp_text *wrong) {
    size_t row = (size_t)(option - command->options);
    if (arguments->option[row] && arguments->source[row] == source && !is_list(option))
        rcp_text_printf(wrong, "--%s is given twice", option->name);
    else if (is_choice(option, value) && !rcp_options_lists(option->argument, value, strlen(value)))
        rcp_text_printf(wrong, "--%s takes one of %s, not '%s'", option->name, option->argument, value);
    else if (needs_value(option) && !*value)
        rcp_text_printf(wrong, "--%s needs a value, not an empty word: --%s %s", option->name, option->name,
                        option->argument);
    else if (is_number(option) && !read_number(option, value, &arguments->number[row]))
        not_a_number(option, value, wrong);
    else if (is_list(option) && arguments->repetitions == RCP_REPEATED_MAX)
        rcp_text_printf(wrong, "--%s is given too often: more than %d times", option->name, RCP_REPEATED_MAX);
    if (wrong->len || (option->take && !option->take(value, wrong)))
        return false;
    if (is_limit(option))
        RCP_CHECK(rcp_limit_set(option->limit, arguments->number[row]) == RCP_OK);
    if (is_list(option)) {
        arguments->repeated[arguments->repetitions].row = (int)row;
        arguments->repeated[arguments->repetitions++].word = value;
    }
    arguments->option[row] = arguments->word[row] = value;
    arguments->source[row] = source;
    return true;
}

void rcp_options_begin(const rcp_command *command, rcp_arguments *arguments) {
    RCP_CHECK(command->n_options <= RCP_OPTIONS_MAX);
    *arguments = (rcp_arguments){0};
    for (size_t i = 0; i < command->n_options; i++) {
        const rcp_option *option = &command->options[i];
        RCP_CHECK(option->type != RCP_OPTION_CHOICE || !option->usual ||
                  rcp_options_lists(option->argument, option->usual, strlen(option->usual)));
        arguments->word[i] = option->usual;
        arguments->number[i] = is_limit(option) ? rcp_limit(option->limit) : option->usual_number;
    }
}

const char *rcp_arguments_next(const rcp_arguments *arguments, int option, size_t *at) {
    while (*at < arguments->repetitions)
        if (arguments->repeated[(*at)++].row == option)
            return arguments->repeated[*at - 1].word;
    return NULL;
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
    if (!needs_value(option))
        value = value ? value : "";
    else if (!value && ++*i < argc)
        value = argv[*i];
    if (!value) {
        rcp_text_printf(wrong, "--%s needs a value: --%s %s", option->name, option->name, option->argument);
        return false;
    }
    return take(command, option, value, RCP_SOURCE_LINE, arguments, wrong);
}

const rcp_option *rcp_options_meant(const rcp_command *command, const char *word) {
    const size_t n = strcspn(word, "=");
    const rcp_option *option = n > 2 && !memcmp(word, "--", 2) ? by_name(command, word + 2, n - 2) : NULL;
    const bool fits = option && (word[n] ? option->argument != NULL : !needs_value(option));
    return fits ? option : NULL;
}

bool rcp_options_preset(const rcp_command *command, const char *word, rcp_option_source source,
                        rcp_arguments *arguments, rcp_text *wrong) {
    const char *equals = strchr(word, '=');
    return take(command, rcp_options_meant(command, word), equals ? equals + 1 : "", source, arguments, wrong);
}

rcp_parsed rcp_options_parse(const rcp_command *command, int argc, char **argv, rcp_arguments *arguments,
                             rcp_text *wrong) {
    rcp_options_begin(command, arguments);
    return rcp_options_parse_line(command, argc, argv, arguments, wrong);
}

rcp_parsed rcp_options_parse_line(const rcp_command *command, int argc, char **argv, rcp_arguments *arguments,
                                  rcp_text *wrong) {
    bool options = true;
    arguments->operand = argv;
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
