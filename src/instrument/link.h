/* SPDX-License-Identifier: Apache-2.0 */
/* The linker's command, with the runtime in it.
 *
 * Programs get the runtime whole: it must be there before anything of the program's runs, and it stands in front of the
 * C library's functions of the same names. Shared libraries and partial links (-r) do not: their hooks are found
 * in the program that loads them, which exports them. What uses a C++ library gets stdcxx/ in front of it: each its
 * own.
 */
#ifndef RECIPE_INSTRUMENT_LINK_H
#define RECIPE_INSTRUMENT_LINK_H

#include "instrument/words.h"

bool rcp_link_is_link(const rcp_words *job);
/* Does it make a program (and not a shared library or an object)? */
bool rcp_link_makes_program(const rcp_words *job);
/* What can't be recorded: BAD_INPUT, with the option and what to do instead. */
rcp_code rcp_link_refuse(const rcp_words *job) RCP_MUST_USE;
/* Does it take functions from libstdc++ or libc++? */
bool rcp_link_uses_stdcxx(const rcp_words *job);
/* The command to run. `runtime`: the archive; NULL where no program is made. `stdcxx`: the one of recorded code of
 * C++ libraries; NULL: none is used. Words are borrowed; the list is the caller's. */
void rcp_link_words(const rcp_words *job, const char *runtime, const char *stdcxx, rcp_words *words);

/* A shared library that may leave nothing undefined (-z defs): its hooks are, so rcp_link_words drops the demand, and
 * this command asks it instead, of the same objects with the runtime; what it writes is of no use. */
bool rcp_link_wants_check(const rcp_words *job);
void rcp_link_check_words(const rcp_words *job, const char *runtime, const char *output, rcp_words *words);

#endif
