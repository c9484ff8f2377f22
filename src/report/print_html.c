/* SPDX-License-Identifier: Apache-2.0 */
/* The page is written once (report/html/), and what it shows is data: the report as JSON, with what a page needs
 * besides, in a block that no browser executes and from which the script makes text, never markup. */
#include "report/report.h"

#include "base/json.h"
#include "report/entries.h"
#include "report/excerpts.h"
#include "report/help.h"
#include "report/lent.h"
#include "report/page.h"
#include "report/timeline.h"
#include "trace/model/own_place.h"

#include <string.h>

static void want(rcp_excerpts *excerpts, const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    rcp_excerpts_want(excerpts, rcp_defs_borrow_string(defs, at->file), at->line);
}

static void want_accesses(rcp_excerpts *excerpts, const rcp_finding *at, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 2; k++) {
            want(excerpts, at[i].defs, at[i].access[k].loc);
            want(excerpts, at[i].defs, rcp_own_place(at[i].defs, &at[i].access[k]));
        }
}

/* Waits are JSON already, which `arena` is to keep. */
static void want_waits(rcp_excerpts *excerpts, const rcp_deadlocks *list, rcp_arena *arena) {
    for (size_t i = 0; i < list->len; i++)
        for (size_t k = 0; k < list->at[i].waits.len; k++) {
            const char *text = list->at[i].waits.at[k], *file;
            const rcp_json *wait;
            rcp_code code = rcp_json_parse("a wait", text, strlen(text), arena, &wait);
            RCP_CHECK(code == RCP_OK); /* rcp_deadlock_add() has looked */
            file = rcp_json_string(rcp_json_member(wait, "file"));
            if (file)
                rcp_excerpts_want(excerpts, file, (uint32_t)rcp_json_number(rcp_json_member(wait, "line")));
        }
}

/* What the text alone quotes: lines that its advice names, and where what goes with its thread is declared. */
static void want_advice(rcp_excerpts *excerpts, const rcp_finding *finding, const rcp_bug *entry, rcp_arena *arena) {
    rcp_handings handings = {0};
    rcp_lent_variable lent;
    rcp_help help;
    if (rcp_model_first(finding->race->models) != RCP_MODEL_C11)
        (void)rcp_handed_find(finding, &handings);
    rcp_help_make(&help, finding, entry, rcp_handed_find_many(finding, &handings));
    for (size_t i = 0; i < help.lines.len; i++)
        want(excerpts, finding->defs, help.lines.at[i]);
    want(excerpts, finding->defs, finding->lent);
    if (rcp_lent_find(finding, &lent)) {
        char *file = rcp_arena_alloc(arena, lent.file_len + 1);
        memcpy(file, lent.file, lent.file_len);
        file[lent.file_len] = 0;
        rcp_excerpts_want(excerpts, file, lent.line);
    }
    rcp_help_finish(&help);
    rcp_vec_finish(&handings);
}

static void want_all_advice(rcp_excerpts *excerpts, const rcp_findings *findings, rcp_arena *arena) {
    rcp_entries entries;
    rcp_entries_make(&entries, findings);
    const rcp_bugs *const lists[] = {&entries.list, &entries.known, &entries.suppressed};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->len; i++)
            for (size_t k = 0; k < lists[l]->at[i].findings.len; k++)
                want_advice(excerpts, lists[l]->at[i].findings.at[k], k ? NULL : &lists[l]->at[i], arena);
    rcp_entries_finish(&entries);
}

/* Beside what the timelines want. Names of files may be in `arena` then. */
static void want_sources(rcp_excerpts *excerpts, const rcp_findings *findings, rcp_arena *arena) {
    want_accesses(excerpts, findings->proven.at, findings->proven.len);
    want_accesses(excerpts, findings->unproven.at, findings->unproven.len);
    want_waits(excerpts, &findings->deadlocks, arena);
    want_waits(excerpts, &findings->possible, arena);
    want_waits(excerpts, &findings->known_deadlocks, arena);
    want_waits(excerpts, &findings->suppressed_deadlocks, arena);
}

/* In JSON this character stands in strings alone; what ends a block of a page begins with it. */
static void put_harmless(rcp_text *to, const rcp_text *json) {
    for (const char *at = json->at; *at;) {
        size_t n = strcspn(at, "<");
        rcp_text_add(to, at, n);
        at += n;
        if (*at) {
            rcp_text_puts(to, "\\u003c");
            at++;
        }
    }
}

void rcp_report_html(rcp_text *to, const rcp_findings *findings) {
    const char *mark = strstr(rcp_report_page, RCP_PAGE_DATA);
    rcp_text json = {0};
    rcp_excerpts excerpts = {0};
    rcp_arena arena;
    RCP_CHECK(mark);
    rcp_arena_init(&arena);
    rcp_text_puts(&json, "{ \"report\": ");
    rcp_report_json(&json, findings);
    rcp_text_puts(&json, ",\n  ");
    rcp_timelines_put(&json, findings, &excerpts);
    rcp_text_puts(&json, ",\n  \"sources\": ");
    want_sources(&excerpts, findings, &arena);
    rcp_excerpts_print(&json, &excerpts);
    rcp_text_puts(&json, " }");
    rcp_text_add(to, rcp_report_page, (size_t)(mark - rcp_report_page));
    put_harmless(to, &json);
    rcp_text_puts(to, mark + strlen(RCP_PAGE_DATA));
    rcp_vec_finish(&excerpts);
    rcp_arena_finish(&arena);
    rcp_text_finish(&json);
}

size_t rcp_report_keep_sources(rcp_text *to, const rcp_findings *findings, const char *root) {
    rcp_text timelines = {0};
    rcp_excerpts excerpts = {0};
    rcp_arena arena;
    rcp_arena_init(&arena);
    rcp_timelines_put(&timelines, findings, &excerpts);
    want_sources(&excerpts, findings, &arena);
    want_all_advice(&excerpts, findings, &arena);
    const size_t files = rcp_excerpts_keep(to, &excerpts, root);
    rcp_vec_finish(&excerpts);
    rcp_arena_finish(&arena);
    rcp_text_finish(&timelines);
    return files;
}
