/* SPDX-License-Identifier: Apache-2.0 */
/* results.db in a trace directory: what analyses found, kept across runs. The only place that knows SQLite.
 *
 * An analysis is begun, puts one race after another, and is ended. Each put is a transaction of its own, so a killed
 * analysis loses nothing that it put. Ending replaces, in one transaction, what earlier analyses said under the same
 * models: a reader sees the old results of a model or the new ones, never a mixture. Until then a model's unfinished
 * results are shown only where it has no finished ones.
 *
 * Invariant: the file is ours (application id), of our version (user_version), and every row carries a checksum;
 * anything else is RCP_BAD_INPUT, and nothing is written to it. Results own the connection; races that are loaded are
 * the caller's.
 */
#ifndef RECIPE_RESULTS_RESULTS_H
#define RECIPE_RESULTS_RESULTS_H

#include "base/limits.h"
#include "base/status.h"
#include "base/text.h"
#include "results/race.h"
#include "results/standstill.h"
#include "results/statistics.h"
#include "results/violation.h"
#include "trace/store/reader.h"

#include <stdbool.h>

typedef struct rcp_results rcp_results;

typedef struct rcp_statistic {
    char *key;           /* its words: rcp_statistic_key() */
    rcp_statistic_id id; /* the row that they are of */
    double value;
} rcp_statistic;

typedef struct rcp_summary {
    rcp_analysis work;           /* of all analyses whose results stand: models joined, counts and seconds added */
    bool unfinished;             /* some of it comes from an analysis that was interrupted */
    uint32_t cut;                /* the models of which it does */
    rcp_races races;             /* by events, then by model */
    rcp_standstills standstills; /* as they were put; each once */
    rcp_violations violations;   /* by variant */
    RCP_VEC(rcp_statistic) statistics; /* by key */
} rcp_summary;

/* Is there a file that would be opened? What it holds is not looked at. */
bool rcp_results_exist(const char *directory);
/* `directory` holds a trace. Makes results.db where there is none. */
rcp_code rcp_results_open(const char *directory, rcp_results **results) RCP_MUST_USE;
/* To read only; fails with a hint where the trace was never analysed. */
rcp_code rcp_results_open_readonly(const char *directory, rcp_results **results) RCP_MUST_USE;
void rcp_results_close(rcp_results *results);

/* What results are results of: this trace, under the rules of this version. Results under another key are no results: a
 * trace that has grown, a results.db that was copied elsewhere, a rule that was found too lax since. */
uint64_t rcp_results_key(const rcp_reader *reader);

/* One analysis at a time per connection. Results under another key than `trace` are dropped. */
rcp_code rcp_results_begin(rcp_results *results, uint64_t trace, uint32_t models) RCP_MUST_USE;
/* The same, of the last analysis under these models: what it has put stands, and more is put beside it. Where there is
 * none it is begun. */
rcp_code rcp_results_resume(rcp_results *results, uint64_t trace, uint32_t models) RCP_MUST_USE;
rcp_code rcp_results_put(rcp_results *results, const rcp_race *race) RCP_MUST_USE;
rcp_code rcp_results_put_standstill(rcp_results *results, const rcp_standstill *standstill) RCP_MUST_USE;
/* Numbers worth keeping about the analysis; the same one again replaces it. `of` as for rcp_statistic_key(), of all. */
rcp_code rcp_results_put_statistics(rcp_results *results, const char *of, const rcp_statistic_value *values,
                                    size_t n) RCP_MUST_USE;
/* Of a row without a label: all that the analysis put of it before. */
rcp_code rcp_results_forget_statistics(rcp_results *results, rcp_statistic_id id) RCP_MUST_USE;
/* What became of a pair of the analysis that was begun, as bytes of whoever found it: should the analysis not come to
 * its end, the next one with the same `options` takes it from here. An analysis that ends leaves none. */
rcp_code rcp_results_keep_outcome(rcp_results *results, uint64_t options, const rcp_eid pair[2], const void *found,
                                  size_t n) RCP_MUST_USE;
bool rcp_results_recall_outcome(rcp_results *results, uint64_t options, const rcp_eid pair[2], rcp_text *found);
rcp_code rcp_results_end(rcp_results *results, const rcp_analysis *work) RCP_MUST_USE;

/* What a hunt has settled, run by run and part by part (analysis/hunt_state.h), as bytes of the hunt's own. It stays
 * when the analysis ends; a part that is kept again is replaced. */
typedef struct rcp_hunted_part {
    uint32_t run, part;
    uint32_t variant; /* whose recording is needed to go on; 0: none */
    const void *at;
    size_t n;
} rcp_hunted_part;
/* All of them, or none. */
rcp_code rcp_results_keep_hunted(rcp_results *results, const rcp_hunted_part *parts, size_t n) RCP_MUST_USE;
/* By run, then by part; each is the callback's for the call alone, and what that fails with ends it. */
typedef rcp_code rcp_hunted_sink(void *context, const rcp_hunted_part *part);
rcp_code rcp_results_recall_hunted(rcp_results *results, rcp_hunted_sink *sink, void *context) RCP_MUST_USE;
/* What a hunt has settled is not known any more. */
rcp_code rcp_results_drop_hunted(rcp_results *results) RCP_MUST_USE;
/* Each variant that a hunt of this trace needs to go on. */
typedef RCP_VEC(uint32_t) rcp_hunted_variants;
rcp_code rcp_results_hunted_variants(rcp_results *results, uint64_t trace, rcp_hunted_variants *variants) RCP_MUST_USE;

/* What came of carrying a race out on the program: CONFIRMED or NOT_REPLAYED, and what was seen; or NOT_TRIED, and why
 * not. It stays with the pair of events, whoever finds that again; what was confirmed once stays so, and what was tried
 * stays tried. From the first one on the program is the judge: races of this trace that have none are NOT_TRIED. */
rcp_code rcp_results_put_replay(rcp_results *results, uint64_t trace, const rcp_race *race, rcp_race_status status,
                                const char *told) RCP_MUST_USE;

/* The same of a deadlock. */
rcp_code rcp_results_put_standing(rcp_results *results, uint64_t trace, const rcp_standstill *standstill,
                                  rcp_race_status status, const char *told) RCP_MUST_USE;

/* One more; one of the same variant gives way. It is the trace's, whatever is analysed later. */
rcp_code rcp_results_put_violation(rcp_results *results, uint64_t trace, uint32_t variant,
                                   const char *told) RCP_MUST_USE;

/* Everything that stands; fails where that is under another key than `trace`. `summary` is inited here and the caller's
 * to finish, also where loading fails. */
rcp_code rcp_results_load(rcp_results *results, uint64_t trace, rcp_summary *summary) RCP_MUST_USE;
void rcp_summary_finish(rcp_summary *summary);
/* The number that an analysis kept; 0: none did. Of rows without a group: what `work` says. */
double rcp_summary_statistic(const rcp_summary *summary, rcp_statistic_id id);
/* How often something was left out at each limit (base/limits.h): all of RCP_STATISTIC_LIMIT, added up. */
void rcp_summary_limits(const rcp_summary *summary, rcp_limit_counts *reached);

#endif
