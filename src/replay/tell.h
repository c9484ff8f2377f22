/* SPDX-License-Identifier: Apache-2.0 */
/* What a run showed, in words for people. */
#ifndef RECIPE_REPLAY_TELL_H
#define RECIPE_REPLAY_TELL_H

#include "replay/stage.h"

/* Up to eight bytes are a number, as the program would print it; more are bytes. */
void rcp_tell_bytes(rcp_text *to, const uint8_t *bytes, uint64_t size);
/* "the program exits with 0": how it ended, within so many seconds. */
void rcp_tell_end(rcp_text *to, const rcp_performance *performance, double limit);
/* Where the two have printed different things: a line each for standard output and standard error. */
void rcp_tell_difference(rcp_text *to, const rcp_performance performance[2]);

#endif
