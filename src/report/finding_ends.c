/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks and crashes among the findings: those of the recorded run, of replays, of runs that were hunted for, and
 * what was predicted.
 *
 * Their fingerprints outlive edits and runs as those of races do (results/fingerprint.h): they are part of what users
 * store, and changing one is changing a format.
 *
 * A deadlock's is a hash of what each of its threads waits for and where: the kind, the variable, the function and the
 * file's base name, in no order; of the end of a race's replay, of that race. A crash's is a hash of what was said of
 * it, without numbers: lines, addresses and processes change. Of several that share one the later ones are numbered.
 */
#include "report/finding.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "report/places_of_waits.h"
#include "results/fingerprint.h"

#include <string.h>

rcp_deadlock *rcp_findings_deadlock(rcp_deadlocks *to, const char *process, unsigned race) {
    rcp_text name = {0};
    rcp_text_puts(&name, process);
    rcp_vec_push(to, ((rcp_deadlock){.process = name.at, .race = race}));
    return &to->at[to->len - 1];
}

void rcp_deadlock_tell(rcp_deadlock *deadlock, rcp_race_status status, const char *replay) {
    rcp_text told = {0};
    if (replay)
        rcp_text_puts(&told, replay);
    deadlock->status = status;
    deadlock->replay = told.at;
}

const char *rcp_deadlock_status(const rcp_deadlock *deadlock) {
    if (deadlock->race || deadlock->variant || deadlock->status == RCP_RACE_CONFIRMED)
        return "replayed";
    return deadlock->status == RCP_RACE_UNPROVEN ? "recorded" : rcp_race_status_name(deadlock->status);
}

bool rcp_deadlock_add(rcp_deadlock *deadlock, const char *wait) {
    rcp_arena arena;
    const rcp_json *object;
    rcp_arena_init(&arena);
    bool is_object = rcp_json_parse("a wait", wait, strlen(wait), &arena, &object) == RCP_OK;
    if (!is_object)
        rcp_clear_causes();
    is_object = is_object && object->kind == RCP_JSON_OBJECT;
    rcp_arena_finish(&arena);
    rcp_text copy = {0};
    if (is_object) {
        rcp_text_puts(&copy, wait);
        rcp_vec_push(&deadlock->waits, copy.at);
    }
    return is_object;
}

static void finish_deadlock(rcp_deadlock *deadlock) {
    for (size_t k = 0; k < deadlock->waits.len; k++)
        rcp_release(deadlock->waits.at[k]);
    rcp_vec_finish(&deadlock->waits);
    rcp_release(deadlock->process);
    rcp_release(deadlock->replay);
}

static void drop(rcp_deadlocks *list) {
    for (size_t i = 0; i < list->len; i++)
        finish_deadlock(&list->at[i]);
    rcp_vec_finish(list);
}

void rcp_findings_drop_deadlocks(rcp_findings *findings) {
    drop(&findings->deadlocks);
    drop(&findings->possible);
    drop(&findings->suppressed_deadlocks);
    drop(&findings->known_deadlocks);
}

void rcp_findings_set_deadlock_aside(rcp_findings *findings, rcp_deadlocks *list, size_t i,
                                     const struct rcp_suppression *by) {
    rcp_deadlocks *to = by ? &findings->suppressed_deadlocks : &findings->known_deadlocks;
    list->at[i].suppressed = by;
    rcp_vec_push(to, list->at[i]);
    memmove(&list->at[i], &list->at[i + 1], (--list->len - i) * sizeof *list->at);
}

/* The objects of a JSON list. */
static void add_waits(rcp_deadlock *to, const char *list) {
    rcp_arena arena;
    const rcp_json *all;
    rcp_arena_init(&arena);
    rcp_text text = {0}, one = {0};
    rcp_text_printf(&text, "[%s]", list);
    if (rcp_json_parse("a deadlock", text.at, text.len, &arena, &all) != RCP_OK)
        rcp_clear_causes();
    else
        for (const rcp_json *wait = all->first; wait; wait = wait->next) {
            rcp_text_clear(&one);
            rcp_text_add(&one, wait->raw, wait->raw_len);
            rcp_deadlock_add(to, one.at);
        }
    rcp_text_finish(&text);
    rcp_text_finish(&one);
    rcp_arena_finish(&arena);
}

/* Then it is that one: whoever else waits there waits because of them. */
static bool is_part(const rcp_deadlock *one_of, const rcp_deadlock *all) {
    return rcp_places_of_waits_are_among(one_of->waits.at, one_of->waits.len, all->waits.at, all->waits.len);
}

/* What a replay showed stands beside the recorded run's own; what none did, or nobody has tried, apart. */
static void add_predicted(rcp_findings *findings) {
    const rcp_standstills *all = &findings->summary->standstills;
    const bool has_recorded = findings->deadlocks.len && !findings->deadlocks.at[0].race;
    for (size_t i = 0; i < all->len; i++) {
        const rcp_standstill *s = &all->at[i];
        rcp_deadlocks *list = s->status == RCP_RACE_CONFIRMED ? &findings->deadlocks : &findings->possible;
        rcp_deadlock *to = rcp_findings_deadlock(list, "", 0);
        rcp_deadlock_tell(to, s->status, s->replay);
        add_waits(to, s->threads);
        if (has_recorded && is_part(to, &findings->deadlocks.at[0])) {
            finish_deadlock(to);
            list->len--;
        }
    }
}

/* Of the recorded run; where it had none, of the replays of races. Then those that were looked for. */
static void add_deadlocks(rcp_findings *findings) {
    const rcp_defs *defs = findings->defs;
    rcp_deadlock *recorded = NULL;
    for (size_t i = 0; i < defs->facts.len; i++) {
        if (strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), "deadlock") != 0)
            continue;
        if (!recorded)
            recorded = rcp_findings_deadlock(&findings->deadlocks, "", 0);
        rcp_deadlock_add(recorded, rcp_defs_borrow_string(defs, defs->facts.at[i].value));
    }
    for (size_t i = 0; !recorded && i < findings->proven.len; i++)
        if (rcp_race_deadlocked(findings->proven.at[i].race))
            rcp_findings_deadlock(&findings->deadlocks, "", findings->proven.at[i].id);
    add_predicted(findings);
}

/* The variant's trace says who waits for what. */
static rcp_code add_hunted_deadlock(rcp_findings *findings, const char *directory, uint32_t variant) {
    const rcp_race race = {.variant = variant};
    char *path = rcp_race_take_directory(&race, directory);
    rcp_deadlock *deadlock = rcp_findings_deadlock(&findings->deadlocks, "", 0);
    rcp_reader *reader = NULL;
    deadlock->variant = variant;
    rcp_code code = rcp_reader_open(path, &reader);
    const rcp_defs *defs = code == RCP_OK ? rcp_reader_borrow_defs(reader) : NULL;
    for (size_t i = 0; defs && i < defs->facts.len; i++)
        if (!strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), "deadlock"))
            rcp_deadlock_add(deadlock, rcp_defs_borrow_string(defs, defs->facts.at[i].value));
    bool is_known = false;
    for (size_t i = 0; i + 1 < findings->deadlocks.len && !is_known; i++)
        is_known = is_part(&findings->deadlocks.at[i], deadlock);
    if (is_known)
        finish_deadlock(&findings->deadlocks.at[--findings->deadlocks.len]);
    if (code == RCP_OK)
        rcp_reader_close(reader);
    rcp_release(path);
    return code;
}

rcp_code rcp_findings_add_ends(rcp_findings *findings, const char *directory) {
    add_deadlocks(findings);
    for (size_t i = 0; i < findings->summary->statistics.len; i++) {
        const rcp_statistic *s = &findings->summary->statistics.at[i];
        if (s->id == RCP_STATISTIC_HUNT_CRASH)
            rcp_vec_push(&findings->crashes,
                         ((rcp_crash){.signal = rcp_statistic_label(s->key), .variant = (uint32_t)s->value}));
        else if (s->id == RCP_STATISTIC_HUNT_DEADLOCK)
            RCP_TRY(add_hunted_deadlock(findings, directory, (uint32_t)s->value));
    }
    return RCP_OK;
}

/* --- fingerprints --- */

static uint64_t hash_string(const char *string) {
    string = string ? string : "";
    return rcp_hash_bytes(string, strlen(string));
}

static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

static uint64_t hash_wait(const char *words) {
    static const char *const keys[] = {"waits_for", "variable", "function"};
    rcp_arena arena;
    const rcp_json *wait;
    rcp_arena_init(&arena);
    rcp_code code = rcp_json_parse("a wait", words, strlen(words), &arena, &wait);
    RCP_CHECK(code == RCP_OK); /* rcp_deadlock_add() has looked */
    uint64_t h = hash_string(base_name(rcp_json_string(rcp_json_member(wait, "file"))));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        h = rcp_hash_join(h, hash_string(rcp_json_string(rcp_json_member(wait, keys[i]))));
    rcp_arena_finish(&arena);
    return h;
}

static uint64_t hash_deadlock(const rcp_findings *findings, const rcp_deadlock *deadlock) {
    uint64_t h = hash_string(base_name(findings->program)), waits = 0;
    if (deadlock->race)
        h = rcp_hash_join(h, findings->proven.at[deadlock->race - 1].fingerprint);
    for (size_t i = 0; i < deadlock->waits.len; i++)
        waits += hash_wait(deadlock->waits.at[i]);
    return rcp_hash_join(h, waits);
}

static uint64_t hash_crash(const rcp_findings *findings, const rcp_crash *crash) {
    uint64_t h = hash_string(base_name(findings->program));
    for (const char *p = crash->signal; *p;) {
        const size_t n = strcspn(p, "0123456789");
        h = rcp_hash_join(h, rcp_hash_bytes(p, n));
        p += n;
        p += strspn(p, "0123456789");
    }
    return h;
}

static uint64_t number(rcp_map *seen, uint64_t h) {
    h = h ? h : 1;
    uint32_t *same = rcp_map_at(seen, h);
    *same = *same == RCP_MAP_NONE ? 0 : *same + 1;
    return rcp_fingerprint_number(h, *same);
}

void rcp_findings_name_ends(rcp_findings *findings) {
    rcp_deadlocks *const lists[] = {&findings->deadlocks, &findings->possible};
    rcp_map seen;
    rcp_map_init(&seen);
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->len; i++)
            lists[l]->at[i].fingerprint = number(&seen, hash_deadlock(findings, &lists[l]->at[i]));
    for (size_t i = 0; i < findings->crashes.len; i++)
        findings->crashes.at[i].fingerprint = number(&seen, hash_crash(findings, &findings->crashes.at[i]));
    for (size_t i = 0; i < findings->parted.len; i++)
        findings->parted.at[i].fingerprint = number(&seen, findings->parted.at[i].fingerprint);
    rcp_map_finish(&seen);
}
