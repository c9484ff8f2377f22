/* SPDX-License-Identifier: Apache-2.0 */
/* For people in a hurry, and for whoever greps: a line per entry, as compilers have them, and the last lines. */
#include "report/report.h"

#include "base/json.h"
#include "report/lines.h"
#include "trace/model/own_place.h"
#include "report/parted.h"

#include <string.h>

/* "a.c:12:5: race 2: ", of which the kind is in colour. */
static void begin_line(rcp_text *to, const char *place, rcp_ink ink, const char *kind) {
    rcp_lines_ink(to, RCP_INK_HEAD);
    rcp_lines_plain(to, place);
    rcp_text_puts(to, ": ");
    rcp_lines_ink(to, RCP_INK_END);
    rcp_lines_ink(to, ink);
    rcp_text_puts(to, kind);
    rcp_text_puts(to, ": ");
    rcp_lines_ink(to, RCP_INK_END);
}

static void entry_line(rcp_text *to, const rcp_findings *findings, const rcp_bug *entry) {
    const rcp_finding *first = entry->findings.at[0];
    const rcp_loc loc = rcp_own_place(first->defs, &first->access[0]);
    const bool is_unconfirmed = rcp_bug_is_unconfirmed(entry);
    rcp_text place = {0}, kind = {0}, headline = {0};
    if (loc.v)
        rcp_finding_location(&place, first->defs, loc);
    else
        rcp_text_puts(&place, findings->program);
    rcp_text_printf(&kind, "%s %u", is_unconfirmed ? "unconfirmed race" : "race", first->id);
    rcp_bug_headline(&headline, entry);
    begin_line(to, place.at, is_unconfirmed ? RCP_INK_PERHAPS : RCP_INK_BAD, kind.at);
    rcp_lines_plain(to, headline.at);
    rcp_text_printf(to, " (%s)\n", rcp_race_status_name(entry->status));
    rcp_text_finish(&place);
    rcp_text_finish(&kind);
    rcp_text_finish(&headline);
}

/* Where its first thread waits. */
static void deadlock_place(rcp_text *to, const rcp_findings *findings, const rcp_deadlock *deadlock) {
    rcp_arena arena;
    const rcp_json *wait = NULL;
    rcp_arena_init(&arena);
    if (deadlock->waits.len) {
        const char *words = deadlock->waits.at[0];
        rcp_code code = rcp_json_parse("a wait", words, strlen(words), &arena, &wait);
        RCP_CHECK(code == RCP_OK); /* rcp_deadlock_add() has looked */
    }
    const char *file = rcp_json_string(rcp_json_member(wait, "file"));
    if (file && *file)
        rcp_text_printf(to, "%s:%.0f:%.0f", file, rcp_json_number(rcp_json_member(wait, "line")),
                        rcp_json_number(rcp_json_member(wait, "column")));
    else
        rcp_text_puts(to, findings->program);
    rcp_arena_finish(&arena);
}

static void deadlock_line(rcp_text *to, const rcp_findings *findings, const rcp_deadlock *deadlock,
                          bool is_unconfirmed) {
    rcp_text place = {0};
    deadlock_place(&place, findings, deadlock);
    begin_line(to, place.at, is_unconfirmed ? RCP_INK_PERHAPS : RCP_INK_BAD,
               is_unconfirmed ? "unconfirmed deadlock" : "deadlock");
    if (deadlock->race)
        rcp_text_printf(to, "a replay of race %u ended with threads that wait for each other", deadlock->race);
    else
        rcp_text_printf(to, "%zu threads wait, each for another", deadlock->waits.len);
    rcp_text_printf(to, " (%s)\n", rcp_deadlock_status(deadlock));
    rcp_text_finish(&place);
}

static void parted_line(rcp_text *to, const rcp_parted *parted) {
    rcp_text place = {0}, headline = {0};
    rcp_parted_place(&place, parted);
    rcp_parted_headline(&headline, parted);
    begin_line(to, place.at, RCP_INK_BAD, "atomicity");
    rcp_lines_plain(to, headline.at);
    rcp_text_puts(to, "\n");
    rcp_text_finish(&place);
    rcp_text_finish(&headline);
}

static void entry_list(rcp_text *to, const rcp_findings *findings, const rcp_entries *entries, bool unconfirmed) {
    for (size_t i = 0; i < entries->list.len; i++)
        if (rcp_bug_is_unconfirmed(&entries->list.at[i]) == unconfirmed)
            entry_line(to, findings, &entries->list.at[i]);
}

void rcp_report_brief(rcp_text *to, const rcp_findings *findings) {
    const size_t from = to->len;
    rcp_entries entries;
    rcp_entries_make(&entries, findings);
    entry_list(to, findings, &entries, false);
    for (size_t i = 0; i < findings->deadlocks.len; i++)
        deadlock_line(to, findings, &findings->deadlocks.at[i], false);
    for (size_t i = 0; i < findings->crashes.len; i++) {
        begin_line(to, findings->program, RCP_INK_BAD, "crash");
        rcp_lines_plain(to, findings->crashes.at[i].signal);
        rcp_text_printf(to, " (variants/%u)\n", findings->crashes.at[i].variant);
    }
    for (size_t i = 0; i < findings->parted.len; i++)
        parted_line(to, &findings->parted.at[i]);
    entry_list(to, findings, &entries, true);
    for (size_t i = 0; i < findings->possible.len; i++)
        deadlock_line(to, findings, &findings->possible.at[i], true);
    rcp_entries_finish(&entries);
    rcp_lines_paint(to, from, findings->is_coloured);
    rcp_report_summary(to, findings);
}
