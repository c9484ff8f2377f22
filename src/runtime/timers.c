/* SPDX-License-Identifier: Apache-2.0 */
/* Timers run on the system's clock, whatever the program is shown: a run that arms one is replayed with real time. */
#include "runtime/world.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

RCP_REAL_DEFINE(alarm)
RCP_REAL_DEFINE(ualarm)
RCP_REAL_DEFINE(setitimer)
RCP_REAL_DEFINE(timer_settime)
RCP_REAL_DEFINE(timerfd_settime)

static void meet_time(void) {
    if (rcp_is_recording())
        rcp_world_meets(RCP_WORLD_TIME, "the program arms a timer, which runs on the system's clock");
}

RCP_INTERCEPT unsigned alarm(unsigned seconds) {
    if (seconds)
        meet_time();
    return RCP_REAL(alarm)(seconds);
}
RCP_INTERCEPT useconds_t ualarm(useconds_t first, useconds_t each) {
    meet_time();
    return RCP_REAL(ualarm)(first, each);
}
RCP_INTERCEPT int setitimer(__itimer_which_t which, const struct itimerval *restrict set,
                            struct itimerval *restrict old) {
    meet_time();
    return RCP_REAL(setitimer)(which, set, old);
}
RCP_INTERCEPT int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict set,
                                struct itimerspec *restrict old) {
    meet_time();
    return RCP_REAL(timer_settime)(timer, flags, set, old);
}
RCP_INTERCEPT int timerfd_settime(int fd, int flags, const struct itimerspec *set, struct itimerspec *old) {
    meet_time();
    return RCP_REAL(timerfd_settime)(fd, flags, set, old);
}
