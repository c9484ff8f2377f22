/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/say.h"

#include "runtime/sys.h"

void rcp_say_text(rcp_say *say, const char *text) {
    while (*text && say->n + 1 < say->size)
        say->text[say->n++] = *text++;
    say->text[say->n] = 0;
}

static void digits(rcp_say *say, uint64_t number, unsigned base) {
    char text[32];
    size_t i = sizeof text;
    text[--i] = 0;
    do
        text[--i] = "0123456789abcdef"[number % base];
    while (number /= base);
    rcp_say_text(say, text + i);
}

void rcp_say_number(rcp_say *say, uint64_t number) { digits(say, number, 10); }

void rcp_say_hex(rcp_say *say, uint64_t number) {
    rcp_say_text(say, "0x");
    digits(say, number, 16);
}

void rcp_say_print(const rcp_say *say) {
    RCP_SAY(line, 4096);
    rcp_say_text(&line, "recipe: ");
    rcp_say_text(&line, say->text);
    if (line.n + 1 == line.size)
        line.n--;
    line.text[line.n++] = '\n';
    RCP_SYS3(SYS_write, 2, line.text, line.n);
}
