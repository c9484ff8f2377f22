/* SPDX-License-Identifier: Apache-2.0 */
#include "report/together.h"

#include <stdlib.h>
#include <string.h>

static void add_counts(rcp_counts *to, const rcp_counts *from) {
    _Static_assert(sizeof *to % sizeof(uint64_t) == 0, "counts are counts");
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
        a[i] += b[i];
}

static char *copy(const char *string) { return strcpy(rcp_alloc(strlen(string) + 1), string); }

static void add_statistic(rcp_summary *to, const rcp_statistic *from) {
    for (size_t i = 0; i < to->statistics.len; i++)
        if (!strcmp(to->statistics.at[i].key, from->key)) {
            to->statistics.at[i].value += from->value;
            return;
        }
    rcp_vec_push(&to->statistics, ((rcp_statistic){copy(from->key), from->id, from->value}));
}

static void add_summary(rcp_summary *to, const rcp_summary *from) {
    to->work.models |= from->work.models;
    to->work.candidates += from->work.candidates;
    to->work.pruned += from->work.pruned;
    to->work.solved += from->work.solved;
    to->work.unknown += from->work.unknown;
    to->work.unproven += from->work.unproven;
    to->work.seconds += from->work.seconds;
    to->unfinished |= from->unfinished;
    to->cut |= from->cut;
    for (size_t i = 0; i < from->statistics.len; i++)
        add_statistic(to, &from->statistics.at[i]);
}

static bool has_name(const rcp_gap *gap, const char *name) {
    for (size_t i = 0; i < gap->names.len; i++)
        if (!strcmp(gap->names.at[i], name))
            return true;
    return false;
}

/* The same reason in several processes is one. Replays are counted anew: by the numbers of this list. */
static void add_gaps(rcp_gaps *to, const rcp_gaps *from) {
    for (size_t i = 0; i < from->len; i++) {
        const rcp_gap *gap = &from->at[i];
        rcp_gap *same = NULL;
        if (gap->kind == RCP_GAP_REPLAYS)
            continue;
        for (size_t k = 0; k < to->len && !same; k++)
            if (to->at[k].kind == gap->kind && !strcmp(to->at[k].reason, gap->reason))
                same = &to->at[k];
        if (same)
            same->count += gap->count;
        else {
            same = rcp_gaps_add(to, gap->kind, gap->count, "%s", gap->reason);
            same->unit = gap->unit;
        }
        for (size_t k = 0; k < gap->names.len; k++)
            if (!has_name(same, gap->names.at[k]))
                rcp_gap_name(same, gap->names.at[k]);
    }
}

/* What is borrowed stays the part's. */
static rcp_finding lend(const rcp_finding *from, const rcp_process *process) {
    rcp_finding finding = *from;
    finding.process = process;
    finding.also.at = NULL;
    finding.also.len = finding.also.cap = 0;
    return finding;
}

static void join_proven(rcp_together *t, const rcp_together_part *part, size_t number) {
    const rcp_process *process = &t->processes[part->process];
    for (size_t i = 0; i < part->findings->proven.len; i++) {
        const rcp_finding *from = &part->findings->proven.at[i];
        rcp_finding *same = NULL;
        for (size_t k = 0; k < t->all.proven.len && !same; k++)
            if (rcp_finding_is_same(&t->all.proven.at[k], from))
                same = &t->all.proven.at[k];
        if (!same) {
            rcp_finding finding = lend(from, process);
            finding.id = (unsigned)t->all.proven.len + 1;
            rcp_vec_push(&t->all.proven, finding);
            rcp_vec_push(&t->part, number);
            rcp_vec_push(&t->id, from->id);
            continue;
        }
        bool is_better = from->race->status == RCP_RACE_CONFIRMED && same->race->status != RCP_RACE_CONFIRMED;
        const rcp_process *other = process;
        if (is_better) {
            rcp_finding finding = lend(from, process);
            other = same->process;
            finding.id = same->id;
            finding.also = same->also;
            t->part.at[finding.id - 1] = number;
            t->id.at[finding.id - 1] = from->id;
            *same = finding;
        }
        rcp_vec_push(&same->also, other);
    }
}

static void join_unproven(rcp_together *t, const rcp_together_part *part) {
    for (size_t i = 0; i < part->findings->unproven.len; i++) {
        const rcp_finding *from = &part->findings->unproven.at[i];
        bool is_new = true;
        for (size_t k = 0; k < t->all.proven.len && is_new; k++)
            is_new = !rcp_finding_is_same(&t->all.proven.at[k], from);
        for (size_t k = 0; k < t->all.unproven.len && is_new; k++)
            is_new = !rcp_finding_is_same(&t->all.unproven.at[k], from);
        if (!is_new)
            continue;
        rcp_vec_push(&t->all.unproven, lend(from, &t->processes[part->process]));
        t->all.undecided += from->is_undecided || from->race->status == RCP_RACE_UNDECIDED;
    }
}

/* The number that a race of a part has here. */
static unsigned number_of(const rcp_together *t, const rcp_finding *finding) {
    for (size_t k = 0; k < t->all.proven.len; k++)
        if (rcp_finding_is_same(&t->all.proven.at[k], finding))
            return t->all.proven.at[k].id;
    return 0;
}

static void join_list(rcp_together *t, const rcp_together_part *part, const rcp_deadlocks *list, rcp_deadlocks *all) {
    for (size_t i = 0; i < list->len; i++) {
        const rcp_deadlock *from = &list->at[i];
        unsigned race = from->race ? number_of(t, &part->findings->proven.at[from->race - 1]) : 0;
        rcp_deadlock *to = rcp_findings_deadlock(all, t->processes[part->process].name, race);
        rcp_deadlock_tell(to, from->status, from->replay);
        to->recorded_at = from->recorded_at;
        for (size_t k = 0; k < from->waits.len; k++)
            RCP_CHECK(rcp_deadlock_add(to, from->waits.at[k]));
    }
}

static void join_deadlocks(rcp_together *t, const rcp_together_part *part) {
    join_list(t, part, &part->findings->deadlocks, &t->all.deadlocks);
    join_list(t, part, &part->findings->possible, &t->all.possible);
}

static void count(rcp_findings *all) {
    for (size_t i = 0; i < all->proven.len; i++)
        rcp_findings_count(all, &all->proven.at[i], 1);
    rcp_findings_note_not_tried(all);
}

void rcp_together_join(rcp_together *t, const char *program, const rcp_process *processes, size_t n_processes,
                       const rcp_together_part *parts, size_t n) {
    *t = (rcp_together){.processes = processes, .n = n_processes};
    t->all = (rcp_findings){.program = program, .summary = &t->summary, .together = t};
    for (size_t i = 0; i < n; i++) {
        rcp_vec_push(&t->defs, parts[i].findings->defs);
        add_counts(&t->all.counts, &parts[i].findings->counts);
        add_summary(&t->summary, parts[i].findings->summary);
        join_proven(t, &parts[i], i);
    }
    for (size_t i = 0; i < n; i++) {
        join_unproven(t, &parts[i]);
        join_deadlocks(t, &parts[i]);
        rcp_findings_join_parted(&t->all, parts[i].findings, processes[parts[i].process].name);
        add_gaps(&t->all.gaps, &parts[i].findings->gaps);
    }
    count(&t->all);
    rcp_findings_name_ends(&t->all);
}

void rcp_together_finish(rcp_together *t) {
    for (size_t i = 0; i < t->all.proven.len; i++)
        rcp_vec_finish(&t->all.proven.at[i].also);
    rcp_vec_finish(&t->all.proven);
    rcp_vec_finish(&t->all.unproven);
    rcp_findings_drop_deadlocks(&t->all);
    rcp_findings_finish_parted(&t->all);
    rcp_gaps_finish(&t->all.gaps);
    rcp_summary_finish(&t->summary);
    rcp_vec_finish(&t->command);
    rcp_vec_finish(&t->defs);
    rcp_vec_finish(&t->part);
    rcp_vec_finish(&t->id);
}
