/* SPDX-License-Identifier: Apache-2.0 */
/* A name for a race that outlives edits and runs: what a baseline remembers.
 *
 * It is a hash of: the program's base name; the variable's name with the offset in it (nothing where memory has no
 * name); and of both accesses, in an order that does not depend on which came first, the file's base name, the
 * function, what is done and whether atomically. Addresses, thread numbers, event numbers and directories are left out:
 * they change from run to run and from machine to machine. Line and column count only where the function is unknown, as
 * in imported traces: with the function known, code may be inserted above it without the race becoming another one.
 *
 * So two races can share this hash; whoever lists races tells them apart by their order (report/finding.h).
 * Never 0. The hash is FNV-1a based and part of what users store: changing it is changing a format.
 */
#ifndef RECIPE_RESULTS_FINGERPRINT_H
#define RECIPE_RESULTS_FINGERPRINT_H

#include "trace/model/defs.h"
#include "trace/model/event.h"

#include <stdint.h>

uint64_t rcp_fingerprint(const rcp_defs *defs, const rcp_event *a, const rcp_event *b);
/* The one of the `n`-th further race with the same hash; n = 0 gives it unchanged. */
uint64_t rcp_fingerprint_number(uint64_t fingerprint, uint64_t n);

/* The first byte that both cover, and how many from there on. 0 bytes where they have none in common. */
uint64_t rcp_overlap(const rcp_event *a, const rcp_event *b, uint64_t *bytes);

#endif
