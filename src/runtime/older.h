/* SPDX-License-Identifier: Apache-2.0 */
/* What a weaker memory order allows is carried out. Whether it allows it was decided over the recorded run
 * (trace/check/older.h), and here a schedule is followed that was made for it, or the recorded one.
 *
 * A read takes older bytes than memory holds (RCP_RUN_OLDER of abi/run.h): a thread stands before the write, and what
 * the read's bytes hold then is kept; where the schedule ends, a thread stands before the read, at the same address. It
 * alone goes on, and the load has what was kept. Memory is not touched: nobody else sees anything of it, and the thread
 * itself sees what is there when it loads again.
 *
 * A store comes late (with RCP_RUN_LATE): what its bytes hold before it is kept in the same way, and is put back as
 * soon as the store was made and its thread stands before its next event. Where the schedule ends, another thread
 * stands before an access of these bytes. It alone goes on, and once that is made the store comes.
 *
 * All functions but the last are called under the baton's lock. DIR/outcome is borrowed from follow.c.
 */
#ifndef RECIPE_RUNTIME_OLDER_H
#define RECIPE_RUNTIME_OLDER_H

#include "runtime/choice.h"

void rcp_older_start(const struct rcp_run_config *config, struct rcp_run_outcome *outcome);
/* So many steps are over. Where a thread should stand before the write, and does not, this does not return. Where it
 * has just made a store that is to come late, that is held back. */
void rcp_older_look(uint64_t step);
/* All steps are over: who goes on. False: the later access is made, and nobody is led any more. */
bool rcp_older_choose(rcp_choice *choice);
/* In the child of a fork: it is none of its. */
void rcp_older_forget(void);

/* The thread was stopped before a load, which finds `value`. Returns what it has. */
uint64_t rcp_older_take(const rcp_thread *self, uint64_t value);

#endif
