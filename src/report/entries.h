/* SPDX-License-Identifier: Apache-2.0 */
/* One bug, one entry: findings that whoever mends them mends together. What of the report people count are these.
 *
 * A finding is a pair of accesses; `x++` in two functions is three, a structure that one thread fills and another
 * copies as many as it has fields. An entry is of one pair of functions of the program (what the C++ library does is
 * done by the line that called it; where no function is known, the line stands for it). Two findings of that pair are
 * in one entry if they are of one object: a variable with all that is in it, memory that was allocated at one place (of
 * which neither is known, counts as one); or if they are at the same two lines and the library is in it, of which one
 * operation touches many objects. What is shown and what is unconfirmed are never in one entry.
 *
 * So two bugs can be in one entry: two pairs of lines of the same two functions that share a variable. Nothing is lost:
 * each finding is in exactly one entry, which lists it with its own number, and status, fingerprint, schedule and exit
 * code stay the findings'. What is set aside has entries of its own, in lists of their own.
 *
 * Invariant: no entry is empty; entries are in the order of the smallest number in them. They are places in the list of
 * findings that they were made from, which must outlive them.
 */
#ifndef RECIPE_REPORT_ENTRIES_H
#define RECIPE_REPORT_ENTRIES_H

#include "report/finding.h"

typedef struct rcp_bug {
    RCP_VEC(const rcp_finding *) findings; /* the easiest to understand first */
    rcp_race_status status;                /* confirmed, not replayed: one of them is */
} rcp_bug;

typedef RCP_VEC(rcp_bug) rcp_bugs;

typedef struct rcp_entries {
    rcp_bugs list; /* what is to be read */
    rcp_bugs known, suppressed;
    unsigned count[RCP_RACE_STATUSES]; /* of the list, by status */
} rcp_entries;

void rcp_entries_make(rcp_entries *entries, const rcp_findings *findings);
void rcp_entries_finish(rcp_entries *entries);

static inline bool rcp_bug_is_unconfirmed(const rcp_bug *entry) {
    return rcp_race_is_unconfirmed(entry->findings.at[0]->race);
}
static inline unsigned rcp_entries_races(const rcp_entries *e) {
    return e->count[RCP_RACE_CONFIRMED] + e->count[RCP_RACE_PREDICTED];
}
static inline unsigned rcp_entries_unconfirmed(const rcp_entries *e) {
    return e->count[RCP_RACE_NOT_REPLAYED] + e->count[RCP_RACE_NOT_TRIED];
}

/* A sentence in the program's words, without its full stop: "`x` is written in one (a.c:7) and read in two (b.c:12),
 * and nothing orders the two". Functions and variables as far as names are known, names of C++ short. */
void rcp_bug_headline(rcp_text *to, const rcp_bug *entry);
/* How much a pair of accesses says of a bug, by the words of such a sentence: that both write more than that one reads.
 */
int rcp_finding_verbs(const rcp_finding *finding);

#endif
