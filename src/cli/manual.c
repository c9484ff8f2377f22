/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manual.h"

#include "base/file.h"
#include "base/vec.h"

#include <string.h>

/* As roff has it: '-' that is no hyphen, a backslash, and characters beyond ASCII by their number. */
static void put(rcp_text *to, const char *words, size_t n) {
    for (const unsigned char *p = (const unsigned char *)words, *end = p + n; p < end; p++) {
        if (*p == '\\') {
            rcp_text_puts(to, "\\e");
        } else if (*p == '-') {
            rcp_text_puts(to, "\\-");
        } else if (*p < 0x80) {
            rcp_text_add(to, (const char *)p, 1);
        } else {
            int more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : 1; /* our own texts are UTF-8 */
            unsigned c = *p & (0x3fu >> more);
            while (more--)
                c = c << 6 | (*++p & 0x3f);
            rcp_text_printf(to, "\\[u%04X]", c);
        }
    }
}

static void puts_all(rcp_text *to, const char *words) { put(to, words, strlen(words)); }

/* A line of text; a dot or an apostrophe in front would make a request of it. */
static void line(rcp_text *to, const char *words, size_t n) {
    if (n && (*words == '.' || *words == '\''))
        rcp_text_puts(to, "\\&");
    put(to, words, n);
    rcp_text_puts(to, "\n");
}

/* An empty line begins a paragraph; one that begins with a blank stays as it is. */
static void paragraphs(rcp_text *to, const char *words) {
    bool is_kept = false;
    for (;; words++) {
        size_t n = strcspn(words, "\n");
        if (is_kept != (n && *words == ' ')) {
            rcp_text_puts(to, is_kept ? ".fi\n" : ".nf\n");
            is_kept = !is_kept;
        }
        if (n)
            line(to, words, n);
        else
            rcp_text_puts(to, ".PP\n");
        words += n;
        if (!*words)
            break;
    }
    if (is_kept)
        rcp_text_puts(to, ".fi\n");
}

/* "recipe-trace-dump": a page's name has no blanks. */
static void page_name(rcp_text *to, const rcp_command *command) {
    rcp_text_puts(to, "recipe-");
    for (const char *p = command->name; *p; p++)
        rcp_text_add(to, *p == ' ' ? "-" : p, 1);
}

static void head(rcp_text *to, const char *name, const char *summary) {
    rcp_text_puts(to, ".TH ");
    puts_all(to, name);
    rcp_text_puts(to, " 1 \"\" \"recipe " RECIPE_VERSION "\" \"User Commands\"\n.SH NAME\n");
    puts_all(to, name);
    rcp_text_puts(to, " \\- ");
    size_t n = strlen(summary);
    put(to, summary, n && summary[n - 1] == '.' ? n - 1 : n);
    rcp_text_puts(to, "\n.SH SYNOPSIS\n.B recipe");
}

static void option_entry(rcp_text *to, const rcp_option *option) {
    rcp_text says = {0};
    rcp_text_puts(to, ".TP\n\\fB");
    if (option->letter)
        rcp_text_printf(to, "\\-%c\\fR, \\fB", option->letter);
    rcp_text_puts(to, "\\-\\-");
    puts_all(to, option->name);
    rcp_text_puts(to, "\\fR");
    if (option->argument) {
        bool is_switch = option->type == RCP_OPTION_SWITCH, is_literal = option->type == RCP_OPTION_CHOICE || is_switch;
        rcp_text_puts(to, is_switch ? "[=" : " ");
        rcp_text_puts(to, is_literal ? "\\fB" : "\\fI");
        puts_all(to, option->argument);
        rcp_text_puts(to, is_switch ? "\\fR]" : "\\fR");
    }
    rcp_text_puts(to, "\n");
    rcp_options_describe(&says, option);
    rcp_text_puts(&says, "."); /* the row's help has none; what follows are sentences */
    line(to, says.at, says.len);
    rcp_text more = {0};
    rcp_options_explain(&more, option);
    if (more.len)
        paragraphs(to, more.at);
    rcp_text_finish(&more);
    rcp_text_finish(&says);
}

void rcp_manual_command(rcp_text *to, const rcp_command *command) {
    rcp_text name = {0};
    page_name(&name, command);
    head(to, name.at, command->summary);
    rcp_text_printf(to, " %s\n", command->name);
    if (command->n_options)
        rcp_text_puts(to, "[\\fIOPTION\\fR...]\n");
    line(to, command->operands, strlen(command->operands));
    rcp_text_puts(to, ".SH DESCRIPTION\n");
    paragraphs(to, command->summary);
    rcp_text_puts(to, ".PP\n");
    paragraphs(to, command->about);
    if (command->most >= 0) {
        rcp_text_puts(to, ".SH OPTIONS\n");
        for (size_t i = 0; i < command->n_options; i++)
            option_entry(to, &command->options[i]);
        option_entry(to, &rcp_options_help_row);
    }
    rcp_text_puts(to, ".SH SEE ALSO\n.BR recipe (1)\n");
    rcp_text_finish(&name);
}

void rcp_manual_overview(rcp_text *to, const rcp_command *const *commands, size_t n, const char *about) {
    head(to, "recipe", "finds data races in one run of a multithreaded program");
    rcp_text_puts(to, "\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] ...\n.SH DESCRIPTION\n");
    paragraphs(to, about);
    rcp_text_puts(to, ".SH COMMANDS\n");
    for (size_t i = 0; i < n; i++) {
        rcp_text_puts(to, ".TP\n.BR ");
        rcp_text name = {0};
        page_name(&name, commands[i]);
        puts_all(to, name.at);
        rcp_text_finish(&name);
        rcp_text_puts(to, " (1)\n");
        line(to, commands[i]->summary, strlen(commands[i]->summary));
    }
}

static rcp_code write_page(const char *directory, const char *name, rcp_text *page) {
    char file[64];
    snprintf(file, sizeof file, "%s.1", name);
    char *path = rcp_file_take_path(directory, file);
    rcp_code code = rcp_file_replace(path, page->at, page->len);
    rcp_release(path);
    rcp_text_clear(page);
    return code;
}

rcp_code rcp_manual_write(const char *directory, const rcp_command *const *commands, size_t n, const char *about) {
    rcp_text page = {0}, name = {0};
    RCP_TRY(rcp_file_make_directory(directory));
    rcp_manual_overview(&page, commands, n, about);
    rcp_code code = write_page(directory, "recipe", &page);
    for (size_t i = 0; i < n && code == RCP_OK; i++) {
        rcp_text_clear(&name);
        page_name(&name, commands[i]);
        rcp_manual_command(&page, commands[i]);
        code = write_page(directory, name.at, &page);
    }
    rcp_text_finish(&page);
    rcp_text_finish(&name);
    return code;
}
