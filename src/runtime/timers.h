/* SPDX-License-Identifier: Apache-2.0 */
/* Timers. Those that send signals run on the system's clock, whatever the program is shown: a run that arms one is
 * replayed with real time (world.h). Those that are descriptors go with the virtual clock of a run that is fed: they
 * are armed for what is left on it, go off when it passes their time, and where one went off by itself it is that late.
 *
 * Owns the list of those that are armed; written by whoever has the baton. */
#ifndef RECIPE_RUNTIME_TIMERS_H
#define RECIPE_RUNTIME_TIMERS_H

/* After a call by which the program may learn that one has gone off. */
void rcp_timers_look(void);

#endif
