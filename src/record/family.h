/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a recorded run: who recorded in DIR itself, and in DIR/process.N (abi/run.h), which program each is,
 * and who made it.
 *
 * Nothing in DIR but `started` of each process says so; what else a directory needs to be analysed and replayed like
 * that of one program (command, inputs, run.json, sums) is written here, once the run is over. A replay of the whole
 * command finds a process by `meant`: its identity (rcp_run_identity()), how many of its like had begun when it did,
 * and, of one that fork made, the forks that lead from the executed one to it.
 *
 * Invariant: processes are in the order in which they began; DIR's own, where there is one, is the first. The family
 * owns all that it points to.
 */
#ifndef RECIPE_RECORD_FAMILY_H
#define RECIPE_RECORD_FAMILY_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_family_process {
    unsigned number; /* of process.N; 0: DIR itself */
    char *directory;
    bool is_known; /* who it is; else `started` is not there, or is not whole */
    bool is_forked;
    uint64_t pid;
    size_t maker;        /* of one that fork made: its parent, in the family */
    uint64_t nth;        /* and by which of its forks */
    size_t root;         /* who was executed: itself, or the one that it goes back to by forks */
    uint64_t occurrence; /* of one that was executed: among its like, from 1 */
    /* Of one that was executed. */
    const char *program, *place, *input;
    RCP_VEC(char *) argv, environment; /* each with a NULL behind its last */
    rcp_text bytes;                    /* what they point into */
} rcp_family_process;

typedef struct rcp_family {
    RCP_VEC(rcp_family_process) processes;
} rcp_family;

/* `family` is the caller's to finish, also where this fails. */
rcp_code rcp_family_read(rcp_family *family, const char *directory) RCP_MUST_USE;
void rcp_family_finish(rcp_family *family);

/* "process.3", or "the first process" */
void rcp_family_name(rcp_text *to, const rcp_family_process *process);
/* Its command line, as a shell would take it, with the file that is its standard input; of one that fork made, that of
 * who was executed. */
void rcp_family_show(rcp_text *to, const rcp_family *family, const rcp_family_process *process);

/* How many of its recorded processes run still. */
size_t rcp_family_alive(const rcp_family *family);
/* Waits until none does, for so many seconds at most; and until this process has no children, who may be about to
 * become one, where `all` says so. */
rcp_code rcp_family_await(const char *directory, bool all, double seconds) RCP_MUST_USE;
/* Ends all that run still: by SIGTERM; who is there after so many seconds, by SIGKILL. */
rcp_code rcp_family_end(const char *directory, double grace) RCP_MUST_USE;
/* Of a process that runs still: what it has recorded until now is kept by itself, for it goes on writing elsewhere. */
rcp_code rcp_family_part(const rcp_family_process *process) RCP_MUST_USE;
bool rcp_family_runs(const rcp_family_process *process);

/* command, meant, inputs, run.json, sums of each process.N that has recorded something. */
rcp_code rcp_family_settle(const rcp_family *family) RCP_MUST_USE;

/* Had it threads beside each other, or such that never ran? Else nothing in it can race. */
rcp_code rcp_family_is_threaded(const rcp_family_process *process, bool *is_threaded) RCP_MUST_USE;

/* DIR/meant of a process. */
typedef struct rcp_meant {
    uint64_t identity, occurrence;
    RCP_VEC(uint64_t) forks;
} rcp_meant;
/* *there: false where the directory is that of the first process. `meant` is the caller's to finish. */
rcp_code rcp_meant_read(rcp_meant *meant, const char *directory, bool *there) RCP_MUST_USE;
void rcp_meant_finish(rcp_meant *meant);

#endif
