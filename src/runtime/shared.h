/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is mapped to be shared, and synchronisation objects that processes may share (PTHREAD_PROCESS_SHARED).
 *
 * What other processes do with an object is not in this trace, so this process's operations alone would make no sense
 * there (a semaphore is taken that nobody posted). They are left out: to whoever reads the trace they are calls of code
 * that is not known, which orders more than it should and never less; and waiting is the kernel's. A note says so.
 *
 * But whoever asks for an object that processes may share need not share it. One that no other process can have is an
 * object like any other: told, and waited for in queues of ours. No other process has
 * - memory that is mapped privately;
 * - shared memory without a file, until this process forks;
 * - a segment of shmget(IPC_PRIVATE) that this process made, attached, and marked for removal while nobody else was
 *   attached, until this process forks. The system counts who attaches, and keeps who did so last.
 *
 * When others get to have it after all (a fork), the log says that the memory is seen, and that these objects are
 * divided: whoever reads it takes nothing that it has said of them for all that was done. Who waits for them is woken,
 * and waits in the kernel: conditions wake spuriously, all others ask again.
 *
 * Invariant: all but rcp_shared_remaps() are called inside, by the holder of the baton.
 */
#ifndef RECIPE_RUNTIME_SHARED_H
#define RECIPE_RUNTIME_SHARED_H

#include "runtime/runtime.h"

/* Can another process have what lies there? */
bool rcp_shared_has_others(const void *object);
/* Before an operation of such an object is told: notes, the first time, that it is not. Returns what it is given. */
bool rcp_shared_is_untold(bool has_others);

/* Shared memory begins that nobody else has. `segment`: 0, or the identifier of a segment that may come to be nobody
 * else's, plus 1. */
void rcp_shared_begin(uint64_t address, uint64_t size, uint64_t segment);
/* Mapped there is something else now, or nothing. */
void rcp_shared_end(uint64_t address, uint64_t size);
/* All of [address, address + size) is memory that began so, and nobody else has it? */
bool rcp_shared_is_own(uint64_t address, uint64_t size);
/* It has a second place in this process: objects have two addresses there. */
void rcp_shared_twofold(uint64_t address, uint64_t size);
/* The segment is attached a second time. */
void rcp_shared_attach_again(uint64_t segment);
/* A thread is about to be made: what segments are is decided. */
void rcp_shared_decide(void);
/* Before one is attached or detached, and at the end: has anybody else attached what was taken to be nobody else's?
 * Then the log says so. `ends`: what is not decided is, and nobody is woken. */
void rcp_shared_look(bool ends);
/* What is mapped where may have changed; by anybody. */
void rcp_shared_remaps(void);

#endif
