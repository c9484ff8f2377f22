/* SPDX-License-Identifier: Apache-2.0 */
#include "base/opts.h"

#include "suite.h"

#include <string.h>

/* The options of a text, each in brackets. */
static const char *lines_of(const char *text) {
    static char all[256];
    const char *end;
    all[0] = 0;
    for (const char *begin; (begin = rcp_opts_next(&text, &end));) {
        strcat(all, "[");
        strncat(all, begin, (size_t)(end - begin));
        strcat(all, "]");
    }
    return all;
}

static const char *words_of(const char *line) {
    static char all[256];
    rcp_text word = {0};
    all[0] = 0;
    while (rcp_opts_next_word(&line, &word)) {
        strcat(all, "[");
        strcat(all, word.at);
        strcat(all, "]");
    }
    rcp_text_finish(&word);
    return all;
}

START_TEST(one_a_line) {
    ck_assert_str_eq(lines_of(""), "");
    ck_assert_str_eq(lines_of("# nothing\n\n  \t\r\n"), "");
    ck_assert_str_eq(lines_of("--a\n  --b=c d \r\n#--e\n--f"), "[--a][--b=c d][--f]");
}
END_TEST

START_TEST(in_one_line) {
    ck_assert_str_eq(words_of(""), "");
    ck_assert_str_eq(words_of(" \n\t"), "");
    ck_assert_str_eq(words_of("--a --b=c  --d e --f"), "[--a][--b=c][--d=e][--f]");
    ck_assert_str_eq(words_of("--a 'b c' --d=\"e 'f\" --g=''"), "[--a=b c][--d=e 'f][--g=]");
    ck_assert_str_eq(words_of("--a=b c"), "[--a=b][c]"); /* a value has been given: the word is for nobody */
    ck_assert_str_eq(words_of("a --b"), "[a][--b]");
    ck_assert_str_eq(words_of("--a 'b"), "[--a=b]");
}
END_TEST

int main(void) { return rcp_suite_run("opts", one_a_line, in_one_line, NULL); }
