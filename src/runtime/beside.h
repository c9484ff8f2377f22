/* SPDX-License-Identifier: Apache-2.0 */
/* Other races on the way of a witness (struct rcp_run_side): where the schedule brings two threads before the accesses
 * of one, it is looked whether they are, as where the witness ends (meeting.h), and the run goes on, whatever was seen.
 * An instruction waits for nobody: so it suffices that both stood before theirs, and that it did not fault then.
 *
 * All functions but the last are called under the baton's lock. Sides and DIR/outcome are borrowed.
 */
#ifndef RECIPE_RUNTIME_BESIDE_H
#define RECIPE_RUNTIME_BESIDE_H

#include "runtime/thread.h"

void rcp_beside_start(const struct rcp_run_side *sides, uint64_t n);
void rcp_beside_tell(struct rcp_run_seen *seen);
/* So many steps are over. */
void rcp_beside_look(uint64_t step);
/* In the child of a fork: they are none of its. */
void rcp_beside_forget(void);
/* An instruction of this thread faults. */
void rcp_beside_fault(const rcp_thread *thread);

#endif
