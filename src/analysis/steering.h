/* SPDX-License-Identifier: Apache-2.0 */
/* The program judges what nobody could prove: it is run again, really, and threads are held before accesses at which
 * two may meet (runtime/steer.h).
 *
 * Which: pairs of places that only an assumption rules out (what a call outside reaches, what a value was, a limit), or
 * nothing at all; what forks, joins and locks order is left out, and so is what was shown already. First schedules are
 * guessed for them, and the program is led along these (analysis/guesses.h, analysis/leading.h); for what is left runs
 * are steered. A run in which two threads stood before conflicting accesses at one moment is judged, and is the proof
 * (analysis/shown.h): no replay is needed.
 *
 * Nothing is fed to such a run. It is made only where standard input, output and error of the recorded one were files,
 * or nothing: who else was there is not there any more.
 */
#ifndef RECIPE_ANALYSIS_STEERING_H
#define RECIPE_ANALYSIS_STEERING_H

#include "analysis/notices.h"
#include "base/status.h"

#include <signal.h>
#include <stdint.h>

typedef struct rcp_steering_how {
    double limit;                      /* of one run of the program, seconds; 0: as usual */
    double end;                        /* of all, by rcp_seconds_now(); 0: none */
    double spent;                      /* seconds, on this run before: as long goes on what shows nothing new */
    uint64_t replays;                  /* runs of the program that replays of this recording took, and */
    double replay_seconds;             /* how long: told with what this costs */
    const volatile sig_atomic_t *stop; /* no further one is begun once it is set */
    bool prints_to_nobody;             /* the recorded run did, on both standard streams */
} rcp_steering_how;

/* Of a recording that was analysed. Races are put into its results, as confirmed ones of the model bold. */
rcp_code rcp_steering_run(const char *directory, const rcp_steering_how *how, const rcp_notices *notices) RCP_MUST_USE;

#endif
