/* SPDX-License-Identifier: Apache-2.0 */
#include "report/baseline.h"

#include <stdlib.h>
#include <string.h>

/* How much of it was known: that the checkers accept it, or that the program has it. */
enum { ACCEPTED = 1, SHOWN = 2 };

void rcp_baseline_init(rcp_baseline *baseline) { rcp_map_init(&baseline->known); }

void rcp_baseline_finish(rcp_baseline *baseline) { rcp_map_finish(&baseline->known); }

static void add(rcp_baseline *to, uint64_t fingerprint, uint32_t how) {
    uint32_t *at = rcp_map_at(&to->known, fingerprint);
    *at = *at == RCP_MAP_NONE || *at < how ? how : *at;
}

static bool is_known(const rcp_baseline *baseline, uint64_t fingerprint, uint32_t how) {
    const uint32_t at = rcp_map_get(&baseline->known, fingerprint);
    return at != RCP_MAP_NONE && at >= how;
}

/* --- reading --- */

static bool read_fingerprint(const char *word, size_t len, uint64_t *fingerprint) {
    char digits[17] = {0};
    if (len != 16)
        return false;
    memcpy(digits, word, len);
    *fingerprint = strtoull(digits, NULL, 16);
    return strspn(digits, "0123456789abcdefABCDEF") == len && *fingerprint;
}

static uint32_t how_known(const rcp_json *one, bool is_race) {
    const char *status = rcp_json_string(rcp_json_member(one, "status"));
    const bool is_accepted = status && (!strncmp(status, "not-", 4) || (!is_race && !strcmp(status, "predicted")));
    return is_accepted ? ACCEPTED : SHOWN;
}

/* Reports that are older than fingerprints of deadlocks and crashes have none of these. */
static rcp_code add_list(rcp_baseline *to, const char *file, const rcp_json *list, bool is_race) {
    for (const rcp_json *one = list ? list->first : NULL; one; one = one->next) {
        const char *word = rcp_json_string(rcp_json_member(one, "fingerprint"));
        uint64_t fingerprint;
        if (!word && !is_race)
            continue;
        if (!word || !read_fingerprint(word, strlen(word), &fingerprint))
            return rcp_fail(RCP_BAD_INPUT, "%s: has a race without a fingerprint; make it anew by --format json", file);
        add(to, fingerprint, how_known(one, is_race));
    }
    return RCP_OK;
}

static rcp_code parse_report(rcp_baseline *to, const char *file, const char *text, size_t len) {
    static const char *const races[] = {"races", "unconfirmed", "known"};
    static const char *const ends[] = {"deadlocks",      "unconfirmed_deadlocks", "known_deadlocks",
                                       "crashes",        "known_crashes",         "atomicity",
                                       "known_atomicity"};
    rcp_arena arena;
    const rcp_json *all = NULL;
    rcp_arena_init(&arena);
    rcp_code code = rcp_json_parse(file, text, len, &arena, &all);
    if (code == RCP_OK && (rcp_json_number(rcp_json_member(all, "version")) != 1 || !rcp_json_member(all, "races")))
        code = rcp_fail(RCP_BAD_INPUT, "%s: is no report of recipe's --format json, whose version is 1", file);
    for (size_t i = 0; i < sizeof races / sizeof *races && code == RCP_OK; i++)
        code = add_list(to, file, rcp_json_member(all, races[i]), true);
    for (size_t i = 0; i < sizeof ends / sizeof *ends && code == RCP_OK; i++)
        code = add_list(to, file, rcp_json_member(all, ends[i]), false);
    rcp_arena_finish(&arena);
    return code;
}

static rcp_code parse_lines(rcp_baseline *to, const char *file, const char *text, size_t len) {
    static const char blanks[] = " \t\r";
    const char *end = text + len;
    for (unsigned line = 1; text < end; line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *next = newline ? newline + 1 : end;
        const char *comment = memchr(text, '#', (size_t)(next - text));
        const char *from = text, *until = comment ? comment : newline ? newline : end;
        uint64_t fingerprint;
        for (; from < until && memchr(blanks, *from, strlen(blanks)); from++)
            ;
        for (; from < until && memchr(blanks, until[-1], strlen(blanks)); until--)
            ;
        if (from < until && !read_fingerprint(from, (size_t)(until - from), &fingerprint))
            return rcp_fail(RCP_BAD_INPUT,
                            "%s:%u: is no fingerprint, which has 16 digits from 0 to f; a baseline is a report by "
                            "--format json, or a fingerprint a line",
                            file, line);
        if (from < until)
            add(to, fingerprint, SHOWN);
        text = next;
    }
    return RCP_OK;
}

rcp_code rcp_baseline_parse(rcp_baseline *to, const char *file, const char *text, size_t len) {
    size_t blank = 0;
    while (blank < len && memchr(" \t\r\n", text[blank], 4))
        blank++;
    return blank < len && text[blank] == '{' ? parse_report(to, file, text, len) : parse_lines(to, file, text, len);
}

bool rcp_baseline_has(const rcp_baseline *baseline, const rcp_json *one, bool is_race) {
    const char *word = rcp_json_string(rcp_json_member(one, "fingerprint"));
    uint64_t fingerprint;
    return !word || (read_fingerprint(word, strlen(word), &fingerprint) &&
                     is_known(baseline, fingerprint, how_known(one, is_race)));
}

/* --- applying --- */

static void apply_to_deadlocks(const rcp_baseline *baseline, rcp_findings *findings, rcp_deadlocks *list,
                               uint32_t how) {
    for (size_t i = 0; i < list->len;)
        if (is_known(baseline, list->at[i].fingerprint, how))
            rcp_findings_set_deadlock_aside(findings, list, i, NULL);
        else
            i++;
}

static bool has_shown(const void *baseline, uint64_t fingerprint) { return is_known(baseline, fingerprint, SHOWN); }

void rcp_baseline_apply(const rcp_baseline *baseline, rcp_findings *findings) {
    findings->has_baseline = true;
    for (size_t i = 0; i < findings->proven.len; i++) {
        rcp_finding *finding = &findings->proven.at[i];
        if (is_known(baseline, finding->fingerprint, rcp_race_is_unconfirmed(finding->race) ? ACCEPTED : SHOWN))
            rcp_findings_set_aside(findings, finding, NULL);
    }
    rcp_findings_note_not_tried(findings);
    apply_to_deadlocks(baseline, findings, &findings->deadlocks, SHOWN);
    apply_to_deadlocks(baseline, findings, &findings->possible, ACCEPTED);
    size_t kept = 0;
    for (size_t i = 0; i < findings->crashes.len; i++)
        if (is_known(baseline, findings->crashes.at[i].fingerprint, SHOWN))
            rcp_vec_push(&findings->known_crashes, findings->crashes.at[i]);
        else
            findings->crashes.at[kept++] = findings->crashes.at[i];
    findings->crashes.len = kept;
    rcp_findings_set_parted_aside(findings, has_shown, baseline);
}
