/* SPDX-License-Identifier: Apache-2.0 */
#include "report/lines.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 100 };

void rcp_lines_plain(rcp_text *to, const char *string) {
    for (; *string; string++)
        if ((unsigned char)*string < 0x20 || *string == 0x7f)
            rcp_text_printf(to, "\\x%02x", (unsigned char)*string);
        else
            rcp_text_add(to, string, 1);
}

void rcp_lines_wrap(rcp_text *to, size_t column, size_t indent, const char *words) {
    bool begun = false;
    while (*words) {
        size_t n = strcspn(words, " \n");
        if (begun && column + 1 + n > COLUMNS) {
            rcp_text_printf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (begun) {
            rcp_text_puts(to, " ");
            column++;
        }
        size_t before = to->len;
        rcp_text word = {0};
        rcp_text_add(&word, words, n);
        rcp_lines_plain(to, word.at);
        rcp_text_finish(&word);
        column += to->len - before;
        begun = true;
        words += n;
        words += strspn(words, " \n");
    }
    rcp_text_puts(to, "\n");
}
