/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines of other programs: lists of words, shown and read in the form in which clang prints them
 * (`clang -###`, `clang -v`): words in double quotes, with a backslash before ", \ and $.
 *
 * Invariant: a list that is executed ends with NULL (rcp_words_end). Lists own their array; the words are borrowed,
 * from argv or from an arena.
 */
#ifndef RECIPE_INSTRUMENT_WORDS_H
#define RECIPE_INSTRUMENT_WORDS_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

typedef RCP_VEC(char *) rcp_words;

void rcp_words_add(rcp_words *words, const char *word);
/* Adds each of a list that ends with NULL. */
void rcp_words_add_all(rcp_words *words, const char *const *more);
/* A NULL behind the last word, not counted in `len`. */
void rcp_words_end(rcp_words *words);
bool rcp_words_have(const rcp_words *words, const char *word);
/* What follows the word, or NULL. */
char *rcp_words_after(const rcp_words *words, const char *word);

/* One line as clang prints it: a blank, the words, a newline. `quoted`: all are, as by -###; else those that must be,
 * and the first, as by -v. */
void rcp_words_print(rcp_text *to, const rcp_words *words, bool quoted);
/* Reads a line with all quoted at *at and moves *at behind it; false, with nothing moved, where there is none. */
bool rcp_words_parse(const char **at, rcp_arena *arena, rcp_words *words);

/* printf into the arena. */
char *rcp_words_format(rcp_arena *arena, const char *format, ...) RCP_PRINTF(2, 3);
bool rcp_words_begins(const char *word, const char *with);
/* What stands behind the last slash. */
const char *rcp_words_base_name(const char *path);

#endif
