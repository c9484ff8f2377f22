/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of a trace that a test writes down, and of races that it makes up: setup_with() the text, add() races,
 * collect(); teardown() in the end.
 *
 * All of it is static, a copy for each test program, and owned here.
 */
#ifndef RECIPE_TESTS_UNIT_FINDINGS_H
#define RECIPE_TESTS_UNIT_FINDINGS_H

#include "parse_text.h"
#include "report/finding.h"
#include "temporary.h"
#include "trace/store/writer.h"

#include <check.h>
#include <string.h>

enum { HB = RCP_MODEL_BIT(RCP_MODEL_HB), SHB = RCP_MODEL_BIT(RCP_MODEL_SHB) };

static char directory[256];
static rcp_reader *reader;
static rcp_summary summary;
static rcp_findings findings;

static void setup_with(const char *text) {
    rcp_trace trace;
    parse_text(&trace, text);
    make_temporary(directory, sizeof directory);
    ck_assert_int_eq(rcp_trace_save(&trace, directory), RCP_OK);
    rcp_trace_finish(&trace);
    ck_assert_int_eq(rcp_reader_open(directory, &reader), RCP_OK);
    summary = (rcp_summary){.work = {.models = HB | SHB, .candidates = 4}};
}

static void teardown(void) {
    rcp_findings_finish(&findings);
    rcp_summary_finish(&summary);
    rcp_reader_close(reader);
    drop_temporary(directory);
}

static void add(uint64_t first, uint64_t second, uint32_t models, rcp_race_status status, const char *why) {
    rcp_race race;
    rcp_race_init(&race);
    race.event[0].v = first;
    race.event[1].v = second;
    race.models = models;
    race.model = rcp_model_name(rcp_model_first(models));
    race.status = status;
    race.instances = first + 1;
    rcp_race_explain(&race, "%s", why);
    if (status != RCP_RACE_UNPROVEN) {
        race.witness.recorded = 1;
        rcp_vec_push(&race.witness.steps, ((rcp_witness_step){.tid = {0}, .to = 1}));
        rcp_vec_push(&race.witness.steps, ((rcp_witness_step){.tid = {1}, .to = 3}));
    }
    rcp_vec_push(&summary.races, race);
}

static void collect(void) { ck_assert_int_eq(rcp_findings_collect(&findings, reader, &summary, directory), RCP_OK); }

#endif
