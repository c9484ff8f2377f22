/* SPDX-License-Identifier: Apache-2.0 */
/* For people: one entry, and what is said of each of its pairs. */
#include "report/entries.h"
#include "report/excerpts.h"
#include "report/handed.h"
#include "report/help.h"
#include "report/lent.h"
#include "report/lines.h"
#include "report/names.h"
#include "report/people.h"
#include "report/suppressions.h"
#include "trace/model/own_place.h"

#include <stdlib.h>
#include <string.h>

void rcp_people_models(rcp_text *to, uint32_t models, const char *between) {
    for (unsigned i = 0, n = 0; i < RCP_MODELS; i++)
        if (models & RCP_MODEL_BIT(i))
            rcp_text_printf(to, "%s%s", n++ ? between : "", rcp_model_name((rcp_model)i));
}

/* "     2. thread 0.2 runs until it has …" */
static void step_line(rcp_text *to, const rcp_defs *defs, size_t number, const char *words, const rcp_stop *stop,
                      bool is_full) {
    rcp_text line = {0};
    rcp_text_puts(&line, words);
    rcp_finding_thread(&line, defs, stop->tid);
    rcp_text_puts(&line, *words ? " " : " runs until it ");
    rcp_people_done(&line, defs, stop, is_full);
    rcp_text_printf(to, "    %2zu. ", number);
    rcp_lines_wrap(to, 8, 8, line.at);
    rcp_text_finish(&line);
}

/* Both happened in a run: the events' numbers, where nothing else says so. */
static void both_line(rcp_text *to, const rcp_finding *finding) {
    const rcp_race *race = finding->race;
    if (race->replay)
        return;
    rcp_text_printf(to, "  Both %s in %s run, the first as event %llu, the second as event %llu.\n",
                    race->variant && race->status != RCP_RACE_CONFIRMED ? "happen" : "happened",
                    race->variant ? "that" : "the recorded", (unsigned long long)race->event[0].v,
                    (unsigned long long)race->event[1].v);
}

static void schedule(rcp_text *to, const rcp_defs *defs, const rcp_finding *finding, bool is_full) {
    size_t steps = finding->race->witness.steps.len;
    bool recorded = finding->recorded.eid.v != RCP_NO_EID.v;
    const bool is_by_language = rcp_model_first(finding->race->models) == RCP_MODEL_C11;
    if (is_by_language && !steps) {
        both_line(to, finding);
        return;
    }
    if (!steps && !recorded) {
        rcp_text_puts(to, "  They are the first events of their threads: nothing need run before them.\n");
        return;
    }
    rcp_text_puts(to, "  A schedule that leads there:\n");
    if (recorded) {
        rcp_text words = {0};
        rcp_text_printf(
            &words, "all threads run as %s (%llu event%s), until ", finding->race->variant ? "in that run" : "recorded",
            (unsigned long long)finding->race->witness.recorded, finding->race->witness.recorded == 1 ? "" : "s");
        step_line(to, defs, 1, words.at, &finding->recorded, is_full);
        rcp_text_finish(&words);
    }
    /* A schedule can be as long as the trace; who wants all of it finds it in the JSON report. */
    enum { HEAD = 12, TAIL = 8 };
    for (size_t i = 0; i < steps; i++) {
        if (steps > HEAD + TAIL + 1 && i == HEAD) {
            rcp_text_printf(to, "    … %zu further steps (--format json has them all) …\n", steps - HEAD - TAIL);
            i = steps - TAIL;
        }
        step_line(to, defs, i + 1 + recorded, "", &finding->schedule[i], is_full);
    }
    if (is_by_language) {
        rcp_text_puts(to, "    and there both have happened.\n");
        return;
    }
    rcp_text_puts(to, "    then both accesses are next, ");
    rcp_people_thread(to, defs, finding->access[0].tid);
    rcp_text_puts(to, "'s and ");
    rcp_people_thread(to, defs, finding->access[1].tid);
    rcp_text_puts(to, "'s, in either order.\n");
}

static void heading(rcp_text *to, const rcp_finding *finding) {
    rcp_text piece = {0}, lent = {0};
    if (rcp_finding_end_side(finding) < 2 && rcp_lent_name(&lent, finding)) {
        rcp_people_name(to, lent.at, false);
        rcp_text_puts(to, ", ");
    }
    rcp_finding_name(&piece, finding);
    if (piece.len) {
        rcp_text_puts(to, lent.len ? "reached as " : "");
        rcp_people_name(to, piece.at, false);
        rcp_text_puts(to, ", ");
    }
    rcp_text_printf(to, "%llu byte%s at 0x%llx", (unsigned long long)finding->size, finding->size == 1 ? "" : "s",
                    (unsigned long long)finding->address);
    rcp_text_finish(&lent);
    rcp_text_finish(&piece);
}

/* The line is of one of the orders, and the program ended well. */
static bool exits_well(const char *line, size_t n) {
    const size_t end = strlen(RCP_REPLAY_EXITS);
    return n > end && !strncmp(line, "Thread ", 7) && !strncmp(line + n - end, RCP_REPLAY_EXITS, end);
}

/* Is that so of all of them? Then it is not worth a word. */
static bool exits_always(const char *told) {
    for (size_t n = 0; told && *told; told += n + (told[n] != 0)) {
        n = strcspn(told, "\n");
        if (!strncmp(told, "Thread ", 7) && !exits_well(told, n))
            return false;
    }
    return true;
}

/* A paragraph a line. What the program did not do by itself is headed by its own first words. */
void rcp_people_replay(rcp_text *to, const char *told) {
    const char *head = told && rcp_replay_is_allowed(told) ? "  " : "  Replay: ";
    const bool is_short = exits_always(told);
    for (; told && *told; head = "          ") {
        size_t n = strcspn(told, "\n");
        const bool is_cut = is_short && exits_well(told, n);
        rcp_text line = {0};
        rcp_text_add(&line, told, is_cut ? n - strlen(RCP_REPLAY_EXITS) : n);
        rcp_text_puts(&line, is_cut ? "." : "");
        rcp_text_puts(to, head);
        rcp_lines_wrap(to, 10, 10, line.at);
        rcp_text_finish(&line);
        told += n + (told[n] != 0);
    }
}

static void test_line(rcp_text *to, const rcp_finding *finding) {
    rcp_text test = {0};
    rcp_finding_test(&test, finding);
    if (test.len) {
        rcp_text_puts(to, "  In test: ");
        rcp_lines_wrap(to, 11, 11, test.at);
    }
    rcp_text_finish(&test);
}

static void name_process(rcp_text *to, const rcp_process *process) {
    rcp_text_printf(to, "%s%s%s", process->name, *process->name ? ": " : "", process->line);
    if (process->maker)
        rcp_text_printf(to, " (a child by fork%s%s)", *process->maker ? " of " : "", process->maker);
}

/* Of a command: whose race it is, and in which further processes it was found. */
static void process_lines(rcp_text *to, const rcp_finding *finding) {
    enum { SHOWN = 4 };
    rcp_text line = {0};
    if (!finding->process)
        return;
    name_process(&line, finding->process);
    rcp_text_printf(&line, ", in %s", finding->process->place);
    rcp_text_puts(to, "  Process: ");
    rcp_lines_wrap(to, 11, 11, line.at);
    for (size_t i = 0; i < finding->also.len && i < SHOWN; i++) {
        rcp_text_clear(&line);
        name_process(&line, finding->also.at[i]);
        rcp_text_puts(to, i ? "           " : "  Also in: ");
        rcp_lines_wrap(to, 11, 11, line.at);
    }
    if (finding->also.len > SHOWN)
        rcp_text_printf(to, "           and %zu more\n", finding->also.len - SHOWN);
    rcp_text_finish(&line);
}

/* The first one names the race; the others say to few people what they say. */
static void put_models(rcp_text *to, uint32_t models, bool is_full) {
    const uint32_t first = RCP_MODEL_BIT(rcp_model_first(models));
    rcp_people_models(to, is_full ? models : first, ", ");
    rcp_text_puts(to, !is_full && models != first ? ", …" : "");
}

/* One race, several pairs: which one this is, and where the others are. The first one need not have the least number,
 * and is called no race by it, or readers look for the others. */
static void put_others(rcp_text *to, const rcp_bug *entry) {
    enum { SHOWN = 4 };
    const size_t n = entry->findings.len - 1;
    rcp_text_printf(to, " (pair %u here, ", entry->findings.at[0]->id);
    if (n > SHOWN)
        rcp_text_printf(to, "%zu more", n);
    else
        rcp_text_puts(to, n == 1 ? "pair" : "pairs");
    for (size_t i = 1; i <= n && n <= SHOWN; i++)
        rcp_text_printf(to, "%s %u", i == 1 ? "" : i < n ? "," : " and", entry->findings.at[i]->id);
    rcp_text_puts(to, " below)");
}

/* What it is of, how sure it is, and the two accesses. */
static void pair_lines(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry, const char *word, bool is_full,
                       bool is_brief) {
    rcp_text head = {0};
    const bool has_others = entry && entry->findings.len > 1;
    rcp_text_puts(&head, word);
    if (has_others)
        put_others(&head, entry);
    else
        rcp_text_printf(&head, " %u", finding->id);
    rcp_text_puts(&head, " on ");
    heading(&head, finding);
    rcp_text_printf(&head, " (%s", rcp_race_status_name(finding->race->status));
    rcp_text_puts(&head, ", ");
    put_models(&head, finding->models, is_full);
    rcp_text_puts(&head, ")");
    if (!is_brief)
        rcp_lines_ink(to, rcp_race_is_unconfirmed(finding->race) ? RCP_INK_PERHAPS : RCP_INK_BAD);
    rcp_lines_wrap(to, 0, 4, head.at);
    rcp_lines_ink(to, RCP_INK_END);
    rcp_text_finish(&head);
    for (size_t k = 0; k < 2; k++) {
        rcp_people_access(to, finding, entry, k, is_full, is_brief);
        if (!is_brief)
            rcp_people_locks(to, finding, k, is_full);
    }
    if (!is_brief)
        rcp_people_lock_words(to, finding);
}

/* Without the cures, which 'What helps' has, and what turns in a run that was thought out (variant_lines()). */
static void put_proof(rcp_text *to, const rcp_race *race) {
    const char *short_words, *words;
    const size_t n = rcp_race_borrow_cures(race, RCP_CURE_FIRST, &short_words),
                 in_full = rcp_race_borrow_cures(race, RCP_CURE_MAKE, &words);
    const char *turned = race->variant ? strstr(race->why, RCP_WHY_TURNED) : NULL;
    const char *end = turned ? turned : race->why + strlen(race->why);
    if (!n || !in_full) {
        rcp_text_add(to, race->why, (size_t)(end - race->why));
        return;
    }
    rcp_text_add(to, race->why, (size_t)(short_words - race->why) - strlen(RCP_CURE_FIRST));
    if (end > words + in_full + 1)
        rcp_text_add(to, words + in_full + 1, (size_t)(end - words) - in_full - 1);
}

/* Of what was shown no proof is asked for; what was read on the way is of interest. */
static void why_lines(rcp_text *to, const rcp_finding *finding) {
    const char *why = finding->race->why ? finding->race->why : "";
    const bool is_shown = finding->race->status == RCP_RACE_CONFIRMED;
    const char *reads = strstr(why, RCP_WHY_READS), *racing = strstr(why, RCP_WHY_RACING);
    const char *values = reads ? reads : racing;
    if (!*why)
        return;
    if (!is_shown || rcp_model_first(finding->models) == RCP_MODEL_C11) {
        rcp_text line = {0};
        put_proof(&line, finding->race);
        rcp_text_puts(to, "  Why: ");
        rcp_lines_wrap(to, 7, 7, line.at);
        rcp_text_finish(&line);
    } else if (values) {
        rcp_text line = {0};
        rcp_text_puts(&line, reads ? "on the way " : "the racing ");
        values += strlen(reads ? RCP_WHY_READS : RCP_WHY_RACING);
        const char *turned = strstr(values, RCP_WHY_TURNED);
        rcp_text_add(&line, values, turned ? (size_t)(turned - values) : strlen(values));
        rcp_text_puts(to, "  Values: ");
        rcp_lines_wrap(to, 10, 10, line.at);
        rcp_text_finish(&line);
    }
}

/* What ordered the two in the run that the race is of, and what the schedule has otherwise. */
static void order_lines(rcp_text *to, const rcp_finding *finding, const rcp_handings *handings, bool is_known) {
    rcp_text line = {0};
    const bool is_another = finding->race->variant != 0;
    if (handings->len) {
        rcp_text_puts(&line, is_another ? "What ordered them in that run: " : "Why the recorded run did not show it: ");
        rcp_handed_print(&line, finding, handings);
        rcp_text_puts(&line, ".");
        rcp_handed_print_many(&line, finding, handings);
        const size_t before = line.len;
        rcp_text_puts(&line, " In the schedule below ");
        const size_t after = line.len;
        rcp_handed_print_turned(&line, finding, handings);
        if (line.len == after)
            line.len = before, line.at[before] = 0;
        else
            rcp_text_puts(&line, ".");
    } else if (is_known && !is_another) {
        rcp_text_puts(&line, "Nothing ordered them in the recorded run either.");
    }
    if (line.len) {
        rcp_text_puts(to, "  ");
        rcp_lines_wrap(to, 2, 7, line.at);
    }
    rcp_text_finish(&line);
}

/* The values that are read also as whoever wrote the line thinks of them: "as 17 (0x11) instead of 0". */
static void put_with_hex(rcp_text *to, const char *words) {
    static const char *const before[] = {" as ", " instead of "};
    while (*words) {
        size_t n = 1;
        for (size_t i = 0; i < sizeof before / sizeof *before; i++)
            if (!strncmp(words, before[i], strlen(before[i])))
                n = strlen(before[i]);
        rcp_text_add(to, words, n);
        words += n;
        const size_t digits = n > 1 ? strspn(words, "0123456789") : 0;
        if (!digits || words[digits] != ' ')
            continue;
        const unsigned long long value = strtoull(words, NULL, 10);
        rcp_text_add(to, words, digits);
        words += digits;
        if (value > 9)
            rcp_text_printf(to, " (0x%llx)", value);
    }
}

/* ": there a.c:12, `if (seen)`, goes another way: …". The words have the file's last name; the access nearest to it may
 * be in the same file, whose whole name is known then. */
static void put_turned(rcp_text *to, const rcp_finding *finding, const char *words) {
    const size_t n = strcspn(words, ":"), place = n + strcspn(words + n, " ");
    rcp_text source = {0};
    for (size_t k = 0; k < 2 && !source.len; k++) {
        const rcp_location *at = &finding->defs->locations.at[rcp_own_place(finding->defs, &finding->access[k]).v];
        const char *file = rcp_defs_borrow_string(finding->defs, at->file), *slash = strrchr(file, '/');
        const char *last = slash ? slash + 1 : file;
        if (words[n] == ':' && strlen(last) == n && !strncmp(last, words, n))
            (void)rcp_excerpts_line(&source, file, (uint32_t)strtoul(words + n + 1, NULL, 10), finding->recorded_at);
    }
    rcp_text_puts(to, ": there ");
    rcp_text_add(to, words, place);
    if (source.len)
        rcp_text_printf(to, ", `%s`,", source.at + strspn(source.at, " \t"));
    if (source.len && strstr(source.at, "0x"))
        put_with_hex(to, words + place);
    else
        rcp_text_puts(to, words + place);
    rcp_text_finish(&source);
}

/* Of a race that is in another run than the recorded one: in which. */
static void variant_lines(rcp_text *to, const rcp_finding *finding) {
    const rcp_model model = rcp_model_first(finding->race->models);
    const char *why = finding->race->why ? finding->race->why : "", *turned = strstr(why, RCP_WHY_TURNED);
    const bool is_led =
        model == RCP_MODEL_HUNT || (model == RCP_MODEL_C11 && finding->race->status == RCP_RACE_CONFIRMED);
    rcp_text line = {0};
    if (!finding->race->variant)
        return;
    rcp_text_puts(&line, "It is in another run than the recorded one");
    if (model == RCP_MODEL_BOLD)
        rcp_text_puts(&line, ", which is the proof: threads were held before their accesses there until they met.");
    else {
        rcp_text_puts(&line, is_led ? ", to which the program was led" : "");
        if (turned)
            put_turned(&line, finding, turned + strlen(RCP_WHY_TURNED));
        else
            rcp_text_puts(&line, is_led ? "." : ": in another order the code goes another way.");
    }
    if (strstr(why, RCP_WHY_READS) || strstr(why, RCP_WHY_RACING))
        rcp_text_puts(&line, " What is called recorded here is of that run.");
    rcp_text_puts(to, "  ");
    rcp_lines_wrap(to, 2, 2, line.at);
    rcp_text_finish(&line);
}

/* `entry`: the one that it stands in; NULL: it stands alone. */
static void race_lines(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry, bool is_full) {
    pair_lines(to, finding, entry, rcp_race_is_unconfirmed(finding->race) ? "Unconfirmed" : "Race", is_full, false);
    process_lines(to, finding);
    test_line(to, finding);
    rcp_help help;
    rcp_handings handings = {0};
    const bool is_by_language = rcp_model_first(finding->race->models) == RCP_MODEL_C11;
    const bool is_known = !is_by_language && rcp_handed_find(finding, &handings);
    rcp_help_make(&help, finding, entry, rcp_handed_find_many(finding, &handings));
    if (help.words.len) {
        rcp_text_puts(to, "  What helps: ");
        rcp_lines_wrap(to, 14, 14, help.words.at);
    }
    for (size_t i = 0; i < help.lines.len; i++)
        rcp_people_quote(to, finding, help.lines.at[i]);
    rcp_help_finish(&help);
    why_lines(to, finding);
    variant_lines(to, finding);
    order_lines(to, finding, &handings, is_known);
    rcp_vec_finish(&handings);
    if (finding->suppressed) {
        rcp_text line = {0};
        rcp_text_puts(&line, "Suppressed by ");
        rcp_suppression_print(&line, finding->suppressed);
        rcp_text_puts(to, "  ");
        rcp_lines_wrap(to, 2, 4, line.at);
        rcp_text_finish(&line);
    }
    schedule(to, finding->defs, finding, is_full);
    rcp_people_replay(to, finding->race->replay);
    if (finding->instances > 1)
        rcp_text_printf(to, "  Seen %llu times in this trace.\n", (unsigned long long)finding->instances);
}

void rcp_people_race(rcp_text *to, const rcp_finding *finding, bool is_full) { race_lines(to, finding, NULL, is_full); }

static void indented(rcp_text *to, const rcp_text *lines) {
    for (const char *line = lines->at; *line;) {
        size_t n = strcspn(line, "\n") + 1;
        rcp_text_puts(to, "  ");
        rcp_text_add(to, line, n);
        line += n;
    }
}

/* The further pairs of an entry: what they are. 'recipe replay' and --race have the rest. */
static void also_lines(rcp_text *to, const rcp_bug *entry, bool is_full) {
    enum { SHOWN = 40 };
    rcp_text lines = {0};
    size_t i = 1;
    for (; i < entry->findings.len && i <= SHOWN; i++) {
        rcp_text_clear(&lines);
        pair_lines(&lines, entry->findings.at[i], NULL, "Pair", is_full, true);
        indented(to, &lines);
    }
    rcp_text_clear(&lines);
    rcp_text_puts(&lines, "Pairs");
    for (size_t first = i; i < entry->findings.len; i++)
        rcp_text_printf(&lines, "%s %u", i > first ? "," : "", entry->findings.at[i]->id);
    rcp_text_puts(&lines, ": --race and --format json have them");
    if (entry->findings.len > SHOWN + 1) {
        rcp_text_puts(to, "  ");
        rcp_lines_wrap(to, 2, 4, lines.at);
    }
    rcp_text_finish(&lines);
}

void rcp_people_entry(rcp_text *to, const rcp_bug *entry, bool is_full) {
    rcp_text head = {0};
    rcp_bug_headline(&head, entry);
    rcp_text_puts(&head, ".");
    rcp_lines_ink(to, RCP_INK_HEAD);
    rcp_lines_wrap(to, 0, 4, head.at);
    rcp_lines_ink(to, RCP_INK_END);
    rcp_text_finish(&head);
    race_lines(to, entry->findings.at[0], entry, is_full);
    also_lines(to, entry, is_full);
    rcp_text_puts(to, "\n");
}
