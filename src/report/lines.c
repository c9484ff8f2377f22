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

void rcp_lines_ink(rcp_text *to, rcp_ink ink) { rcp_text_add(to, &(char){(char)ink}, 1); }

static void change(rcp_text *to, rcp_ink *now, rcp_ink ink, bool is_coloured) {
    static const char *const codes[] = {[RCP_INK_HEAD] = "\33[1m",
                                        [RCP_INK_BAD] = "\33[1;31m",
                                        [RCP_INK_PERHAPS] = "\33[33m",
                                        [RCP_INK_GOOD] = "\33[32m",
                                        [RCP_INK_END] = "\33[0m"};
    if (*now != ink && is_coloured)
        rcp_text_puts(to, codes[ink]);
    *now = ink;
}

/* Each line is painted by itself: pagers and who cuts lines out lose nothing. */
void rcp_lines_paint(rcp_text *text, size_t from, bool is_coloured) {
    static const char stops[] = {'\n', RCP_INK_HEAD, RCP_INK_BAD, RCP_INK_PERHAPS, RCP_INK_GOOD, RCP_INK_END, 0};
    rcp_text painted = {0};
    rcp_ink now = RCP_INK_END, wanted = RCP_INK_END;
    for (const char *at = text->at ? text->at + from : ""; *at;) {
        const size_t n = strcspn(at, stops);
        if (n) {
            change(&painted, &now, wanted, is_coloured);
            rcp_text_add(&painted, at, n);
        } else if (*at == '\n') {
            change(&painted, &now, RCP_INK_END, is_coloured);
            rcp_text_puts(&painted, "\n");
        } else {
            wanted = (rcp_ink)*at;
        }
        at += n ? n : 1;
    }
    text->len = from;
    rcp_text_add(text, painted.at ? painted.at : "", painted.len);
    rcp_text_finish(&painted);
}
