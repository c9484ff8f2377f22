/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler driver: `recipe cc` and `recipe c++`.
 *
 * clang itself reads the command line: `clang -### ARGS` prints the jobs that it would run, and each is run here, with
 * the recording pass in the middle of those that make code (compile.h) and the runtime added to those that link
 * programs (link.h). So every option means what it means to clang, response files, dependency files and saved
 * temporaries included, and nothing but clang knows which options there are.
 *
 * Invariant: whatever a job leaves or says is what clang would leave or say, each warning once; on failure the output
 * is not there. Everything between the steps is in a directory of our own, which is removed in the end, also by a
 * signal.
 */
#ifndef RECIPE_INSTRUMENT_DRIVER_H
#define RECIPE_INSTRUMENT_DRIVER_H

#include "base/status.h"

#include <stdbool.h>

/* ARGS without the program's name. `end` takes the exit code. Diagnostics go to standard error as the steps make them.
 * A failure of our own is returned; a signal that interrupted us is rcp_tool_interrupted(), to be raised again. */
rcp_code rcp_driver_run(bool cxx, int argc, char **argv, int *end) RCP_MUST_USE;

/* Is it one of our own options, which recipe.opts may have, too? */
bool rcp_driver_knows(const char *word);

#endif
