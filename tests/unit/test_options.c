/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"
#include "cli/manual.h"

#include "suite.h"

#include <string.h>

static unsigned taken;

static bool take(const char *value, rcp_text *wrong) {
    taken++;
    if (strchr(value, '='))
        return true;
    rcp_text_printf(wrong, "--set %s: has no '='", value);
    return false;
}

enum { QUIET, NAME, COUNT, SEED, WAIT, FILE_, FORM, SET, STRICT };

static const rcp_option options[] = {
    [QUIET] = {"quiet", 'q', NULL, RCP_OPTION_FLAG, "say nothing", NULL},
    [NAME] = {"name", 0, "WORD", RCP_OPTION_TEXT, "its name", "Two\nlines.", .otherwise = "none"},
    [COUNT] = {"count", 'n', "N", RCP_OPTION_NUMBER, "how many", NULL, .usual_number = 7, .least = 1, .most = 256,
               .means = "a number of things"},
    [SEED] = {"seed", 0, "N", RCP_OPTION_NUMBER, "any number", NULL},
    [WAIT] = {"wait", 0, "SECONDS", RCP_OPTION_SECONDS, "how long", NULL, .least = 2},
    [FILE_] = {"file", 'o', "FILE", RCP_OPTION_PATH, "where to", NULL},
    [FORM] = {"form", 0, "text|json", RCP_OPTION_CHOICE, "which form", NULL, .usual = "text"},
    [SET] = {"set", 0, "NAME=N", RCP_OPTION_LIST, "a limit", NULL, .take = take},
    [STRICT] = {"strict", 0, "all|most", RCP_OPTION_SWITCH, "how strict", NULL},
};

static const rcp_command command = {
    .name = "two words",
    .operands = "DIR",
    .summary = "Does things.",
    .about = "It \\ does -x.\n\n .kept as it is\n'quoted'…",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 0,
    .most = 2,
};

static rcp_arguments arguments;
static rcp_text wrong;

/* The words are one string, separated by blanks. */
static rcp_parsed parse(const char *line) {
    static char words[4096];
    static char *argv[600];
    int n = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[n++] = word;
    argv[n] = NULL;
    rcp_text_clear(&wrong);
    return rcp_options_parse(&command, n, argv, &arguments, &wrong);
}

START_TEST(defaults_are_the_rows) {
    ck_assert_int_eq(parse("a b"), RCP_PARSED);
    ck_assert_int_eq(arguments.operands, 2);
    ck_assert_ptr_null(arguments.option[COUNT]);
    ck_assert_uint_eq(arguments.number[COUNT], 7);
    ck_assert_uint_eq(arguments.number[SEED], 0);
    ck_assert_ptr_null(arguments.option[FORM]);
    ck_assert_str_eq(arguments.word[FORM], "text");
    ck_assert_ptr_null(arguments.word[NAME]); /* what is for the help alone is no value */
    ck_assert_ptr_null(arguments.option[QUIET]);
}
END_TEST

START_TEST(what_is_given_counts) {
    ck_assert_int_eq(parse("--name=x -n0x10 a --seed 18446744073709551615 -o f --form json -q --wait 2 -- --name"),
                     RCP_PARSED);
    ck_assert_str_eq(arguments.word[NAME], "x");
    ck_assert_uint_eq(arguments.number[COUNT], 16);
    ck_assert_uint_eq(arguments.number[SEED], UINT64_MAX);
    ck_assert_str_eq(arguments.word[FILE_], "f");
    ck_assert_str_eq(arguments.word[FORM], "json");
    ck_assert_uint_eq(arguments.number[WAIT], 2);
    ck_assert_str_eq(arguments.option[QUIET], "");
    ck_assert_str_eq(arguments.operand[1], "--name");
}
END_TEST

START_TEST(a_switch_takes_what_stands_behind_its_sign_alone) {
    ck_assert_int_eq(parse("--strict all"), RCP_PARSED);
    ck_assert_str_eq(arguments.option[STRICT], "");
    ck_assert_int_eq(arguments.operands, 1);
    ck_assert_int_eq(parse("--strict=all"), RCP_PARSED);
    ck_assert_str_eq(arguments.option[STRICT], "all");
    ck_assert_int_eq(arguments.operands, 0);
    ck_assert_int_eq(parse("--strict=some"), RCP_PARSED_WRONG);
    ck_assert_str_eq(wrong.at, "--strict takes one of all|most, not 'some'");
}
END_TEST

START_TEST(what_is_wrong_is_said) {
    static const char *const lines[][2] = {
        {"--count many", "--count many: not a number of things from 1 to 256"},
        {"--count 0", "--count 0: not a number of things from 1 to 256"},
        {"--count=257", "--count 257: not a number of things from 1 to 256"},
        {"-n 3x", "--count 3x: not a number of things from 1 to 256"},
        {"--seed -1", "--seed -1: not a number"},
        {"--seed 18446744073709551616", "--seed 18446744073709551616: not a number"},
        {"--wait 1", "--wait 1: not a number of seconds from 2 on"},
        {"--form xml", "--form takes one of text|json, not 'xml'"},
        {"--form tex", "--form takes one of text|json, not 'tex'"},
        {"--name=", "--name needs a value, not an empty word: --name WORD"},
        {"--set=", "--set needs a value, not an empty word: --set NAME=N"},
        {"--set a", "--set a: has no '='"},
        {"--name", "--name needs a value: --name WORD"},
        {"--quiet=1", "--quiet takes no value"},
        {"-q -q", "--quiet is given twice"},
        {"-n1 --count 2", "--count is given twice"},
        {"--cuont 1", "unknown option --cuont; did you mean --count?"},
        {"-x", "unknown option -x"},
        {"a b c", "'c' is one operand too many"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ck_assert_int_eq(parse(lines[i][0]), RCP_PARSED_WRONG);
        ck_assert_str_eq(wrong.at, lines[i][1]);
    }
}
END_TEST

START_TEST(a_list_may_be_repeated) {
    ck_assert_int_eq(parse("--set a=1 -q --set=b=2 x --set a=3"), RCP_PARSED);
    size_t at = 0;
    ck_assert_str_eq(rcp_arguments_next(&arguments, SET, &at), "a=1");
    ck_assert_str_eq(rcp_arguments_next(&arguments, SET, &at), "b=2");
    ck_assert_str_eq(rcp_arguments_next(&arguments, SET, &at), "a=3");
    ck_assert_ptr_null(rcp_arguments_next(&arguments, SET, &at));
    ck_assert_uint_eq(taken, 3);
    ck_assert_str_eq(arguments.option[SET], "a=3");
    at = 0;
    ck_assert_ptr_null(rcp_arguments_next(&arguments, NAME, &at));
    rcp_text many = {0};
    for (int i = 0; i < RCP_REPEATED_MAX; i++)
        rcp_text_puts(&many, "--set a=1 ");
    ck_assert_int_eq(parse(many.at), RCP_PARSED);
    rcp_text_puts(&many, "--set a=1");
    ck_assert_int_eq(parse(many.at), RCP_PARSED_WRONG);
    ck_assert_str_eq(wrong.at, "--set is given too often: more than 128 times");
    rcp_text_finish(&many);
}
END_TEST

START_TEST(help_is_made_of_the_rows) {
    rcp_text text = {0};
    rcp_options_help(&text, &command, false);
    ck_assert_str_eq(text.at, "Usage: recipe two words [OPTION…] DIR\n"
                              "Does things.\n"
                              "\n"
                              "Options:\n"
                              "  -q, --quiet                   say nothing\n"
                              "      --name WORD               its name; default: none\n"
                              "  -n, --count N                 how many; default: 7\n"
                              "      --seed N                  any number\n"
                              "      --wait SECONDS            how long\n"
                              "  -o, --file FILE               where to\n"
                              "      --form text|json          which form; default: text\n"
                              "      --set NAME=N              a limit; may be given several times\n"
                              "      --strict[=all|most]       how strict\n"
                              "  -h, --help                    this help: -h short, --help full\n");
    rcp_text_finish(&text);
}
END_TEST

START_TEST(the_manual_is_made_of_the_rows) {
    rcp_text text = {0};
    rcp_manual_command(&text, &command);
    static const char *const pieces[] = {
        ".TH recipe\\-two\\-words 1 ",
        ".SH NAME\nrecipe\\-two\\-words \\- Does things\n",
        ".SH SYNOPSIS\n.B recipe two words\n",
        "It \\e does \\-x.\n.PP\n.nf\n .kept as it is\n.fi\n\\&'quoted'\\[u2026]\n",
        ".TP\n\\fB\\-n\\fR, \\fB\\-\\-count\\fR \\fIN\\fR\nhow many; default: 7.\n",
        ".TP\n\\fB\\-\\-name\\fR \\fIWORD\\fR\nits name; default: none.\nTwo\nlines.\n",
        "a limit; may be given several times.\n",
        ".TP\n\\fB\\-\\-strict\\fR[=\\fBall|most\\fR]\nhow strict.\n",
        "\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n",
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        ck_assert_msg(strstr(text.at, pieces[i]), "no '%s' in:\n%s", pieces[i], text.at);
    rcp_text_finish(&text);
}
END_TEST

int main(void) {
    return rcp_suite_run("options", defaults_are_the_rows, what_is_given_counts,
                         a_switch_takes_what_stands_behind_its_sign_alone, what_is_wrong_is_said,
                         a_list_may_be_repeated, help_is_made_of_the_rows, the_manual_is_made_of_the_rows, NULL);
}
