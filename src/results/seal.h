/* SPDX-License-Identifier: Apache-2.0 */
/* A checksum over everything in results.db: SQLite notices damage only where the structure of a page breaks.
 *
 * Every row of every table has a sum, and so has every line of the schema; the table `seal` has the sum of all of them.
 * Triggers keep it: whatever a statement adds, changes or removes, also by way of a foreign key or a conflict, goes
 * into it within the same transaction. Adding up is the same in any order, so nothing but the row at hand is looked at.
 *
 * Invariant: between two transactions the seal is right, or the file is damaged.
 */
#ifndef RECIPE_RESULTS_SEAL_H
#define RECIPE_RESULTS_SEAL_H

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>

/* Every connection needs this before anything else. False: SQLite says why. */
bool rcp_seal_prepare(sqlite3 *db);
/* For a database whose tables were just made, within the same transaction. */
bool rcp_seal_begin(sqlite3 *db);
/* *broken: something in the file is not what was put there. */
bool rcp_seal_check(sqlite3 *db, bool *broken);

#endif
