/* SPDX-License-Identifier: Apache-2.0 */
/* A small program in two parts: some of its statements are calls of functions called m_…, which are meant to be left
 * out of the recording ('recipe cc --exclude=m_*'). Lines stay where they are, and so does all that it can do. */
#ifndef RECIPE_PROP_SMALL_PARTLY_H
#define RECIPE_PROP_SMALL_PARTLY_H

#include "prop/small/small.h"

/* Those functions. */
extern const char rcp_small_left_out[];

/* The program's text so. */
void rcp_small_partly(const rcp_small_program *program, rcp_text *to);

#endif
