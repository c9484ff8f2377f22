/* SPDX-License-Identifier: Apache-2.0 */
/* Where an address was stored, for others to have. Nothing is owned.
 */
#ifndef RECIPE_REPORT_STORED_H
#define RECIPE_REPORT_STORED_H

#include "trace/store/reader.h"

/* Of all that is read of a trace for one report, in chunks: that of half a second, beside what is read of it anyhow. */
bool rcp_stored_is_enough(const rcp_reader *reader);
/* The program's own place of the last store of that address before the event; 0: not known. */
rcp_loc rcp_stored_where(rcp_reader *reader, uint64_t address, rcp_eid before);

#endif
