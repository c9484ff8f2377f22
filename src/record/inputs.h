/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorded run read, so that a replay can say where the world has changed since: the program itself, standard
 * input, and the files that it opened to read.
 *
 * DIR/files is the runtime's list, a path a line. DIR/inputs is made of it when the run has ended: a line 'SIZE DIGEST
 * PATH' each; of files that are too large to be read again, their time of change stands for the digest.
 */
#ifndef RECIPE_RECORD_INPUTS_H
#define RECIPE_RECORD_INPUTS_H

#include "base/text.h"

#include <stdbool.h>

/* `program`, and `input` as record/command.h describes it. */
rcp_code rcp_inputs_keep(const char *directory, const char *program, const char *input) RCP_MUST_USE;
/* A line for everything that is not as it was. */
rcp_code rcp_inputs_compare(const char *directory, rcp_text *changed) RCP_MUST_USE;
/* How long the recorded run took; 0: not known. */
double rcp_inputs_seconds(const char *directory);
/* The signal by which it ended, whoever sent it; 0: by none. */
int rcp_inputs_signal(const char *directory);
/* Nobody saw what it printed: both standard streams were closed, or /dev/null. */
bool rcp_inputs_prints_to_nobody(const char *directory);
/* The signal by which somebody ended it (Ctrl-C, kill), or we did (--for), whatever the program made of that; 0: it
 * ended by itself, or by a fault of its own. */
int rcp_inputs_end_signal(const char *directory);

#endif
