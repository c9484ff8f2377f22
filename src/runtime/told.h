/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of processes and threads that the program was told. In a replay they are the recorded ones where nothing but the
 * program itself ever saw them (a seed of random numbers may hang on one); else this run's own.
 *
 * Owns the list; written by whoever holds the baton, read by anybody. */
#ifndef RECIPE_RUNTIME_TOLD_H
#define RECIPE_RUNTIME_TOLD_H

#include <stdbool.h>
#include <sys/types.h>

/* In a run that is fed: the recorded ones are to be told, until the end of that. */
void rcp_told_feed(void);
void rcp_told_end(void);
bool rcp_told_is_fed(void);

/* False: there are too many to remember. */
bool rcp_told_add(pid_t told, pid_t real);
bool rcp_told_any(void);
/* The real id where this one was told, else 0. */
pid_t rcp_told_real(pid_t told);
/* Does the text hold one, as a number to the base of 8, 10 or 16? */
bool rcp_told_is_in(const char *text);

#endif
