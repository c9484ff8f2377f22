/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/json.h"
#include "report/entries.h"
#include "report/hunted.h"
#include "report/lines.h"
#include "report/people.h"
#include "report/suppressions.h"
#include "report/together.h"
#include "report/parted.h"

#include <stdlib.h>
#include <string.h>

void rcp_report_entry(rcp_text *to, const rcp_bug *entry, bool is_full) {
    const size_t from = to->len;
    rcp_people_entry(to, entry, is_full);
    rcp_lines_paint(to, from, false);
}

static void unproven_line(rcp_text *to, const rcp_findings *findings) {
    size_t n = findings->unproven.len;
    if (!n)
        return;
    const char *why = findings->unproven.at[0].race->why;
    uint32_t models = 0;
    for (size_t i = 0; i < n; i++)
        models |= findings->unproven.at[i].models;
    rcp_text line = {0};
    rcp_text_printf(&line, "%zu further pair%s flagged (", n, n == 1 ? " is" : "s are");
    rcp_people_models(&line, models, ", ");
    rcp_text_puts(&line, ") without a schedule that proves a race, and not counted as one");
    size_t end = why ? strlen(why) : 0;
    end -= end && why[end - 1] == '.';
    if (end)
        rcp_text_printf(&line, "%s %.*s", n == 1 ? ":" : "; the first:", (int)end, why);
    rcp_text_puts(&line, n == 1 ? "; --format json has more." : "; --format json lists them.");
    rcp_lines_wrap(to, 0, 0, line.at);
    rcp_text_puts(to, "\n");
    rcp_text_finish(&line);
}

static void plural(rcp_text *to, uint64_t n, const char *what) {
    bool hisses = *what && strchr("sh", what[strlen(what) - 1]);
    rcp_text_printf(to, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : hisses ? "es" : "s");
}

typedef struct part {
    unsigned n;
    const char *word;
} part;

/* " (3 confirmed, 1 predicted)"; nothing where there are none. */
static void parts(rcp_text *to, const part of[2]) {
    const char *between = " (";
    for (size_t i = 0; i < 2; i++)
        if (of[i].n) {
            rcp_text_printf(to, "%s%u %s", between, of[i].n, of[i].word);
            between = ", ";
        }
    rcp_text_puts(to, of[0].n + of[1].n ? ")" : "");
}

/* What only an assumption rules out, where anything was assumed, and what the program was asked. */
static void guesses(rcp_text *line, const rcp_findings *findings) {
    const rcp_summary *summary = findings->summary;
    uint64_t open = (uint64_t)rcp_summary_statistic(summary, RCP_STATISTIC_STEERING_GUESSES);
    uint64_t runs = (uint64_t)rcp_summary_statistic(summary, RCP_STATISTIC_STEERING_RUNS);
    uint64_t led = (uint64_t)rcp_summary_statistic(summary, RCP_STATISTIC_GUESS_RUNS);
    if (!open || !findings->gaps.len)
        return;
    rcp_text_puts(line, " ");
    plural(line, open, "guess");
    if (runs || led) {
        rcp_text_puts(line, " that the program did not show in ");
        if (runs)
            plural(line, runs, "steered run");
        rcp_text_puts(line, runs && led ? " and " : "");
        if (led)
            plural(line, led, "run");
        rcp_text_puts(line, led ? " along guesses" : "");
    } else
        rcp_text_puts(line, " that the program was not asked");
    for (size_t i = 0; i < summary->statistics.len; i++)
        if (summary->statistics.at[i].id == RCP_STATISTIC_NOT_STEERED) {
            rcp_text_printf(line, ": %s", rcp_statistic_label(summary->statistics.at[i].key));
            break;
        }
    rcp_text_puts(line, ".");
}

static void put_curve(rcp_text *line, const rcp_findings *findings) {
    rcp_hunted_curve curve;
    rcp_hunted_curve_read(&curve, findings);
    rcp_hunted_curve_print(line, &curve);
    rcp_vec_finish(&curve);
}

/* What a hunt has come to. */
static void hunt(rcp_text *line, const rcp_findings *findings) {
    const rcp_summary *summary = findings->summary;
    const uint64_t classes = (uint64_t)rcp_summary_statistic(summary, RCP_STATISTIC_HUNT_CLASSES);
    const char *between = ": ";
    if (!(summary->work.models & RCP_MODEL_BIT(RCP_MODEL_HUNT)))
        return;
    if (rcp_findings_are_of_all_runs(findings)) {
        rcp_text_printf(line, " All %llu class%s of runs of this program and input %s seen.",
                        (unsigned long long)classes, classes == 1 ? "" : "es", classes == 1 ? "was" : "were");
        put_curve(line, findings);
        return;
    }
    rcp_text_puts(line, " Hunt: ");
    plural(line, classes, "class");
    rcp_text_puts(line, " of runs seen in ");
    plural(line, (uint64_t)rcp_summary_statistic(summary, RCP_STATISTIC_HUNT_RUNS), "run");
    rcp_text_puts(line, ", ");
    plural(line, (uint64_t)rcp_summary_statistic(summary, RCP_STATISTIC_HUNT_OPEN), "turn");
    rcp_text_puts(line, " open; not all there can be");
    for (size_t i = 0; i < summary->statistics.len; i++)
        if (summary->statistics.at[i].id == RCP_STATISTIC_HUNT_REASON) {
            rcp_text_printf(line, "%s%s", between, rcp_statistic_label(summary->statistics.at[i].key));
            between = "; ";
        }
    rcp_text_puts(line, ".");
    put_curve(line, findings);
}

/* What was asked about sections that others part. */
static void atomicity(rcp_text *line, const rcp_findings *findings) {
    const uint64_t *n = findings->parted_counts;
    if (!findings->has_parted)
        return;
    rcp_text_puts(line, " Atomicity: ");
    plural(line, n[RCP_PARTED_PLACES], "place");
    rcp_text_puts(line, " where another thread's section may come between two, ");
    plural(line, n[RCP_PARTED_RUNS], "run");
    if (n[RCP_PARTED_NOT_SHOWN])
        rcp_text_printf(line, ", %llu without another outcome", (unsigned long long)n[RCP_PARTED_NOT_SHOWN]);
    if (n[RCP_PARTED_LOST])
        rcp_text_printf(line, ", %llu not come to", (unsigned long long)n[RCP_PARTED_LOST]);
    rcp_text_puts(line, ".");
}

/* "3 races (2 confirmed, 1 predicted) in 7 pairs of accesses": entries, and what they hold where that is more. */
static void race_counts(rcp_text *line, const rcp_entries *entries, const rcp_findings *findings) {
    plural(line, rcp_entries_races(entries), "race");
    parts(line, (const part[]){{entries->count[RCP_RACE_CONFIRMED], "confirmed"},
                               {entries->count[RCP_RACE_PREDICTED], "predicted"}});
    if (rcp_findings_races(findings) > rcp_entries_races(entries))
        rcp_text_printf(line, " in %u pairs of accesses", rcp_findings_races(findings));
}

static void unconfirmed_counts(rcp_text *line, const rcp_entries *entries, const rcp_findings *findings) {
    if (!rcp_findings_unconfirmed(findings))
        return;
    rcp_text_printf(line, ", %u unconfirmed", rcp_entries_unconfirmed(entries));
    parts(line, (const part[]){{entries->count[RCP_RACE_NOT_REPLAYED], "not replayed"},
                               {entries->count[RCP_RACE_NOT_TRIED], "not tried"}});
    if (rcp_findings_unconfirmed(findings) > rcp_entries_unconfirmed(entries))
        rcp_text_printf(line, " in %u pairs", rcp_findings_unconfirmed(findings));
}

static void summary_lines(rcp_text *to, const rcp_findings *findings) {
    const rcp_analysis *work = &findings->summary->work;
    rcp_text line = {0};
    rcp_entries entries;
    rcp_entries_make(&entries, findings);
    rcp_text_printf(&line, "%s: ", findings->program);
    race_counts(&line, &entries, findings);
    if (findings->deadlocks.len) {
        rcp_text_puts(&line, ", ");
        plural(&line, findings->deadlocks.len, "deadlock");
    }
    if (findings->possible.len) {
        rcp_text_puts(&line, ", ");
        plural(&line, findings->possible.len, "unconfirmed deadlock");
    }
    if (findings->crashes.len) {
        rcp_text_puts(&line, ", ");
        plural(&line, findings->crashes.len, "crash");
    }
    if (findings->parted.len) {
        rcp_text_puts(&line, ", ");
        plural(&line, findings->parted.len, "atomicity violation");
    }
    unconfirmed_counts(&line, &entries, findings);
    const size_t suppressed = entries.suppressed.len + findings->suppressed_deadlocks.len;
    const size_t known =
        entries.known.len + findings->known_deadlocks.len + findings->known_crashes.len + findings->known_parted.len;
    if (known)
        rcp_text_printf(&line, ", %zu known", known);
    if (suppressed)
        rcp_text_printf(&line, ", %zu suppressed", suppressed);
    rcp_entries_finish(&entries);
    rcp_text_printf(&line, ", %zu unproven, %u undecided; ", findings->unproven.len - findings->undecided,
                    findings->undecided);
    if (findings->together) {
        plural(&line, findings->together->n, "process");
        rcp_text_puts(&line, ", ");
    }
    plural(&line, findings->counts.events, "event");
    rcp_text_puts(&line, ", ");
    plural(&line, findings->counts.threads, "thread");
    if (work->models) /* none was run where there is only one thread */
        rcp_text_puts(&line, work->models & (work->models - 1) ? "; models " : "; model ");
    rcp_people_models(&line, work->models, ", ");
    rcp_text_puts(&line, ".");
    if (rcp_findings_unconfirmed(findings))
        rcp_text_puts(&line, " What is unconfirmed was accepted by the checkers, and no replay showed it.");
    guesses(&line, findings);
    hunt(&line, findings);
    atomicity(&line, findings);
    if (findings->counts.weak) {
        rcp_text_puts(&line, " ");
        plural(&line, findings->counts.weak, "atomic operation");
        rcp_text_printf(
            &line,
            " %s weaker than seq_cst (relaxed, acquire, release …), by which threads may see each other's "
            "stores late, or in another order than they were made: further races that happen only then were not "
            "looked for.",
            findings->counts.weak == 1 ? "is" : "are");
    }
    if (findings->gaps.len)
        rcp_text_puts(&line, rcp_findings_races(findings) ? " There may be more: not everything was looked at."
                                                          : " There may be some: not everything was looked at.");
    const bool is_bad =
        rcp_findings_races(findings) || findings->deadlocks.len || findings->crashes.len || findings->parted.len;
    rcp_lines_ink(to, is_bad ? RCP_INK_BAD
                      : findings->possible.len || findings->gaps.len || rcp_findings_unconfirmed(findings)
                          ? RCP_INK_PERHAPS
                          : RCP_INK_GOOD);
    rcp_lines_wrap(to, 0, 0, line.at);
    rcp_lines_ink(to, RCP_INK_END);
    rcp_text_finish(&line);
}

void rcp_report_summary(rcp_text *to, const rcp_findings *findings) {
    const size_t from = to->len;
    summary_lines(to, findings);
    rcp_lines_paint(to, from, findings->is_coloured);
}

void rcp_report_race(rcp_text *to, const rcp_finding *finding, bool has_full_names, bool is_coloured) {
    const size_t from = to->len;
    rcp_people_race(to, finding, has_full_names);
    rcp_text_puts(to, "\n");
    rcp_lines_paint(to, from, is_coloured);
}

/* Functions of which less is known than was thought. */
static void suspect_lines(rcp_text *to, const rcp_defs *defs, bool is_full) {
    for (size_t i = 0; i < defs->facts.len; i++) {
        rcp_text line = {0};
        if (strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), "opaque") != 0)
            continue;
        rcp_people_name(&line, rcp_defs_borrow_string(defs, defs->facts.at[i].value), is_full);
        rcp_lines_wrap(to, 0, 0, line.at);
        rcp_text_finish(&line);
    }
}

/* What nobody looked at hides races: said, so that nobody takes it for their absence. */
static void gap_lines(rcp_text *to, const rcp_gaps *gaps, bool is_full) {
    enum { SHOWN = 8 };
    rcp_text line = {0};
    for (size_t i = 0; i < gaps->len; i++) {
        const rcp_gap *gap = &gaps->at[i];
        bool is_limit = gap->kind == RCP_GAP_LIMIT;
        rcp_text_puts(to, i ? "" : "Not looked at:\n");
        rcp_text_clear(&line);
        rcp_text_printf(&line, "- %s (", gap->reason);
        if (gap->unit)
            plural(&line, gap->count, gap->unit);
        else
            rcp_text_printf(&line, "%llu", (unsigned long long)gap->count);
        for (size_t k = 0; k < gap->names.len && k < SHOWN; k++) {
            rcp_text_puts(&line, is_limit ? "; --set " : k ? ", " : ": ");
            rcp_people_name(&line, gap->names.at[k], is_full);
            rcp_text_puts(&line, is_limit ? "=N looks at more" : "");
        }
        rcp_text_puts(&line, gap->names.len > SHOWN ? ", …)" : ")");
        rcp_text_puts(to, "  ");
        rcp_lines_wrap(to, 2, 4, line.at);
    }
    rcp_text_puts(to, gaps->len ? "\n" : "");
    rcp_text_finish(&line);
}

static const char *member(const rcp_json *object, const char *key) {
    const char *string = rcp_json_string(rcp_json_member(object, key));
    return string ? string : "";
}

/* "thread 0.1 waits for mutex m (0x…), which thread 0.2 has" */
static void put_object(rcp_text *to, const rcp_json *wait) {
    const char *name = member(wait, "variable");
    rcp_text_printf(to, *name ? "%s %s (%s)" : "%s%s at %s", member(wait, "waits_for"), name, member(wait, "address"));
}

static void wait_line(rcp_text *to, const rcp_json *wait) {
    const char *kind = member(wait, "waits_for"), *holder = member(wait, "held_by");
    rcp_text line = {0};
    rcp_text_printf(&line, "thread %s waits for ", member(wait, "thread_name"));
    if (!strcmp(kind, "thread"))
        rcp_text_printf(&line, "the end of thread %s", holder);
    else
        put_object(&line, wait);
    if (!strcmp(holder, member(wait, "thread_name")))
        rcp_text_puts(&line, ", which it has itself");
    else if (!strcmp(holder, "gone"))
        rcp_text_puts(&line, ", whose owner is not there any more");
    else if (*holder && strcmp(kind, "thread") != 0)
        rcp_text_printf(&line, ", which thread %s has", holder);
    rcp_text_puts(to, "  ");
    rcp_lines_wrap(to, 2, 6, line.at);
    rcp_text_finish(&line);
}

/* The line of a frame, "nest a.c:12:5". */
static void frame_source(rcp_text *to, const char *frame, int64_t recorded_at) {
    const char *place = frame ? strrchr(frame, ' ') : NULL, *line = place ? strchr(place, ':') : NULL;
    rcp_text file = {0};
    char *column = NULL;
    if (!line)
        return;
    rcp_text_add(&file, place + 1, (size_t)(line - place) - 1);
    const unsigned long number = strtoul(line + 1, &column, 10);
    const unsigned long mark = *column == ':' ? strtoul(column + 1, NULL, 10) : 0;
    rcp_people_source(to, file.at, (uint32_t)number, (uint32_t)mark, recorded_at);
    rcp_text_finish(&file);
}

/* With the lines of the first two: which locks these are is often the caller's to say. */
static void frame_names(rcp_text *to, const rcp_json *frames, const char *first, const char *call, bool is_full,
                        int64_t recorded_at) {
    enum { QUOTED = 2 };
    int n = 0;
    for (const rcp_json *frame = frames ? frames->first : NULL; frame; frame = frame->next) {
        rcp_text_puts(to, frame == frames->first ? first : "        called from ");
        if (frame == frames->first && *call) {
            rcp_people_name(to, call, is_full);
            rcp_text_puts(to, ", called from ");
        }
        rcp_people_name(to, rcp_json_string(frame) ? rcp_json_string(frame) : "?", is_full);
        rcp_text_puts(to, "\n");
        if (n++ < QUOTED)
            frame_source(to, rcp_json_string(frame), recorded_at);
    }
}

/* What the thread has that another one waits for, then what it waits for itself. */
static void wait_lines(rcp_text *to, const rcp_json *const *waits, size_t n, size_t i, bool is_full,
                       int64_t recorded_at) {
    rcp_text line = {0};
    for (size_t k = 0; k < n; k++) {
        const rcp_json *taken = rcp_json_member(waits[k], "held_stack");
        if (k == i || !taken || strcmp(member(waits[k], "held_by"), member(waits[i], "thread_name")) != 0)
            continue;
        rcp_text_printf(&line, "thread %s has ", member(waits[i], "thread_name"));
        put_object(&line, waits[k]);
        rcp_text_puts(to, "  ");
        rcp_lines_wrap(to, 2, 6, line.at);
        rcp_text_clear(&line);
        frame_names(to, taken, "      taken in ", "", is_full, recorded_at);
    }
    rcp_text_finish(&line);
    wait_line(to, waits[i]);
    frame_names(to, rcp_json_member(waits[i], "stack"), "      in ", member(waits[i], "call"), is_full, recorded_at);
}

/* "mutex a" */
static void put_short(rcp_text *to, const rcp_json *wait) {
    const char *name = member(wait, "variable");
    rcp_text_printf(to, *name ? "%s %s" : "the %s at %s", member(wait, "waits_for"),
                    *name ? name : member(wait, "address"));
}

/* "What helps": each thread's lock and the one that it waits for, as it takes them now. */
static void order_lines(rcp_text *to, const rcp_json *const *waits, size_t n) {
    rcp_text line = {0};
    rcp_text_puts(&line, "all threads take these locks in one order. Now ");
    for (size_t i = 0, told = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            if (k == i || strcmp(member(waits[k], "held_by"), member(waits[i], "thread_name")) != 0)
                continue;
            rcp_text_printf(&line, "%sthread %s takes ", told++ ? ", and " : "", member(waits[i], "thread_name"));
            put_short(&line, waits[k]);
            rcp_text_puts(&line, " before ");
            put_short(&line, waits[i]);
        }
    rcp_text_puts(&line, ".");
    rcp_text_puts(to, "  What helps: ");
    rcp_lines_wrap(to, 14, 14, line.at);
    rcp_text_finish(&line);
}

static void deadlock_lines(rcp_text *to, const rcp_deadlock *deadlock, bool is_full) {
    rcp_text head = {0};
    const char *status = rcp_deadlock_status(deadlock);
    if (deadlock->variant)
        rcp_text_printf(&head,
                        "Deadlock: in another run of the program, which was led and made twice (variants/%u), every "
                        "thread came to wait for another.",
                        deadlock->variant);
    else if (deadlock->race)
        rcp_text_printf(&head, "Deadlock: a replay of race %u ended in one; it is told there.", deadlock->race);
    else if (deadlock->status == RCP_RACE_CONFIRMED)
        rcp_text_printf(&head,
                        "Deadlock (replayed): these threads%s%s can come to wait for each other, and a replay led "
                        "the program there.",
                        *deadlock->process ? " of " : "", deadlock->process);
    else if (deadlock->status != RCP_RACE_UNPROVEN)
        rcp_text_printf(&head,
                        "Unconfirmed deadlock (%s): the checker accepted a schedule by which these threads%s%s "
                        "come to wait for each other.",
                        status, *deadlock->process ? " of " : "", deadlock->process);
    else
        rcp_text_printf(&head, "Deadlock: when it was recorded, every thread%s%s came to wait for another, and the %s",
                        *deadlock->process ? " of " : "", deadlock->process,
                        *deadlock->process ? "process was ended." : "program was ended.");
    rcp_lines_ink(to, *head.at == 'U' ? RCP_INK_PERHAPS : RCP_INK_BAD);
    rcp_lines_wrap(to, 0, 4, head.at);
    rcp_lines_ink(to, RCP_INK_END);
    rcp_text_finish(&head);
    rcp_arena arena;
    RCP_VEC(const rcp_json *) waits = {0};
    rcp_arena_init(&arena);
    for (size_t i = 0; i < deadlock->waits.len; i++) {
        const rcp_json *wait;
        rcp_code code = rcp_json_parse("a wait", deadlock->waits.at[i], strlen(deadlock->waits.at[i]), &arena, &wait);
        RCP_CHECK(code == RCP_OK); /* rcp_deadlock_add() has looked */
        rcp_vec_push(&waits, wait);
    }
    for (size_t i = 0; i < waits.len; i++)
        wait_lines(to, waits.at, waits.len, i, is_full, deadlock->recorded_at);
    if (waits.len && rcp_json_member(waits.at[0], "held_stack"))
        order_lines(to, waits.at, waits.len);
    rcp_vec_finish(&waits);
    rcp_arena_finish(&arena);
    rcp_people_replay(to, deadlock->replay);
    rcp_text_puts(to, "\n");
}

void rcp_report_deadlock(rcp_text *to, const rcp_deadlock *deadlock, bool is_full) {
    const size_t from = to->len;
    deadlock_lines(to, deadlock, is_full);
    rcp_lines_paint(to, from, false);
}

static void crash_lines(rcp_text *to, const rcp_crash *crash) {
    rcp_text line = {0};
    rcp_text_printf(&line, "Crash: another run of the program, which was led and made twice (variants/%u), ended by %s",
                    crash->variant, crash->signal);
    rcp_lines_ink(to, RCP_INK_BAD);
    rcp_lines_wrap(to, 0, 4, line.at);
    rcp_lines_ink(to, RCP_INK_END);
    rcp_text_puts(to, "  ");
    rcp_lines_wrap(
        to, 2, 2,
        "'recipe trace schedule' of that recording says who ran when; 'recipe record --schedule=file:' repeats it.");
    rcp_text_puts(to, "\n");
    rcp_text_finish(&line);
}

/* Those that are unconfirmed, or those that are not. */
static void entry_list(rcp_text *to, const rcp_entries *entries, bool unconfirmed, bool is_full) {
    for (size_t i = 0; i < entries->list.len; i++)
        if (rcp_bug_is_unconfirmed(&entries->list.at[i]) == unconfirmed)
            rcp_people_entry(to, &entries->list.at[i], is_full);
}

static void rest_lines(rcp_text *to, const rcp_findings *findings) {
    unproven_line(to, findings);
    for (size_t i = 0; findings->together && i < findings->together->defs.len; i++)
        suspect_lines(to, findings->together->defs.at[i], findings->has_full_names);
    if (!findings->together)
        suspect_lines(to, findings->defs, findings->has_full_names);
    rcp_report_asides(to, findings);
    gap_lines(to, &findings->gaps, findings->has_full_names);
    summary_lines(to, findings);
}

void rcp_report_rest(rcp_text *to, const rcp_findings *findings) {
    const size_t from = to->len;
    rest_lines(to, findings);
    rcp_lines_paint(to, from, findings->is_coloured);
}

void rcp_report_text(rcp_text *to, const rcp_findings *findings) {
    const size_t from = to->len;
    rcp_entries entries;
    rcp_entries_make(&entries, findings);
    entry_list(to, &entries, false, findings->has_full_names);
    for (size_t i = 0; i < findings->deadlocks.len; i++)
        deadlock_lines(to, &findings->deadlocks.at[i], findings->has_full_names);
    for (size_t i = 0; i < findings->crashes.len; i++)
        crash_lines(to, &findings->crashes.at[i]);
    rcp_parted_lines(to, findings);
    if (rcp_findings_unconfirmed(findings))
        rcp_lines_wrap(
            to, 0, 0,
            "Unconfirmed: the checkers accepted a schedule for each of these, and no replay showed it on the program. "
            "They are not counted as races.");
    if (rcp_findings_unconfirmed(findings))
        rcp_text_puts(to, "\n");
    entry_list(to, &entries, true, findings->has_full_names);
    for (size_t i = 0; i < findings->possible.len; i++)
        deadlock_lines(to, &findings->possible.at[i], findings->has_full_names);
    rcp_entries_finish(&entries);
    rest_lines(to, findings);
    rcp_lines_paint(to, from, findings->is_coloured);
}
