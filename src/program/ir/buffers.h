/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of C++ write by classes that anybody can make: buffers, facets. What a row says of a stream holds of those of
 * the C++ library, and of recorded ones, which are called back. Of any other nothing is known: whether the process has
 * some is told by names alone, because their objects are not seen being made.
 */
#ifndef RECIPE_PROGRAM_IR_BUFFERS_H
#define RECIPE_PROGRAM_IR_BUFFERS_H

#include "program/ir/program.h"

/* May code that is not recorded have made such a class? Asked when all units of a part are there. */
bool rcp_program_may_have_strange_buffers(const rcp_program *program);

#endif
