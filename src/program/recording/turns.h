/* SPDX-License-Identifier: Apache-2.0 */
/* Up to where each thread got in each of its turns, from a look through the whole log before it is followed.
 *
 * A thread that has gone astray may spin for ever where the recorded one did not; so each turn has an end that it may
 * not pass. In the order of the log's SLICE records.
 */
#ifndef RECIPE_PROGRAM_RECORDING_TURNS_H
#define RECIPE_PROGRAM_RECORDING_TURNS_H

#include "base/vec.h"
#include "program/recording/log_reader.h"

typedef struct rcp_turns {
    RCP_VEC(uint64_t) ends; /* the position that the turn's thread had not passed; UINT64_MAX: not known */
    size_t next;
    uint64_t last; /* the last turn's thread has had the events before this position, if the log ends without a word;
                      0: nobody has counted them */
} rcp_turns;

/* What is damaged is left to whoever follows the log: the turns end there. */
rcp_code rcp_turns_read(const char *path, rcp_turns *turns) RCP_MUST_USE;
void rcp_turns_finish(rcp_turns *turns);
/* The end of the turn that begins now. */
uint64_t rcp_turns_next(rcp_turns *turns);

#endif
