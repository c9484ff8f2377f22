/* SPDX-License-Identifier: Apache-2.0 */
/* --inputs DIR: a program that is run once for each file of a directory, as a fuzzer's corpus is. The runs are those of
 * one command, a loop of the shell's: each is recorded as a process of its own, and what works on such commands works
 * on them.
 */
#ifndef RECIPE_CLI_INPUTS_H
#define RECIPE_CLI_INPUTS_H

#include "base/status.h"
#include "base/vec.h"

typedef RCP_VEC(char *) rcp_inputs_words;

/* The words of that command, borrowed from what is given and from the program's text. Where one of `words` has @@ in
 * it, the file's name stands there, and standard input is empty; else the file is standard input. RCP_BAD_INPUT: the
 * directory can't be read, or has no files. */
rcp_code rcp_inputs_command(const char *directory, char *const *words, size_t n,
                            rcp_inputs_words *command) RCP_MUST_USE;

#endif
