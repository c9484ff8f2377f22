/* SPDX-License-Identifier: Apache-2.0 */
#include "outside/characters.h"

#include <string.h>

static int is_lower(int c) { return c >= 'a' && c <= 'z'; }
static int is_upper(int c) { return c >= 'A' && c <= 'Z'; }
static int is_digit(int c) { return c >= '0' && c <= '9'; }
static int is_alpha(int c) { return is_lower(c) || is_upper(c); }
static int is_alnum(int c) { return is_alpha(c) || is_digit(c); }
static int is_blank(int c) { return c == ' ' || c == '\t'; }
static int is_cntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
static int is_graph(int c) { return c > ' ' && c < 127; }
static int is_print(int c) { return c >= ' ' && c < 127; }
static int is_punct(int c) { return is_graph(c) && !is_alnum(c); }
static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int is_xdigit(int c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static int to_lower(int c) { return is_upper(c) ? c + ('a' - 'A') : c; }
static int to_upper(int c) { return is_lower(c) ? c - ('a' - 'A') : c; }

int rcp_outside_character(const rcp_outside *row, int c) {
    static const struct {
        const char *name;
        int (*function)(int c);
    } all[] = {{"isalnum", is_alnum}, {"isalpha", is_alpha}, {"isblank", is_blank}, {"iscntrl", is_cntrl},
               {"isdigit", is_digit}, {"isgraph", is_graph}, {"islower", is_lower}, {"isprint", is_print},
               {"ispunct", is_punct}, {"isspace", is_space}, {"isupper", is_upper}, {"isxdigit", is_xdigit},
               {"tolower", to_lower}, {"toupper", to_upper}};
    size_t i = 0;
    while (i + 1 < sizeof all / sizeof *all && strcmp(all[i].name, row->name))
        i++;
    return all[i].function(c);
}
