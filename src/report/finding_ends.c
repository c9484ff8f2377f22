/* SPDX-License-Identifier: Apache-2.0 */
/* Fingerprints of deadlocks and crashes, which outlive edits and runs as those of races do (results/fingerprint.h):
 * they are part of what users store, and changing one is changing a format.
 *
 * A deadlock's is a hash of what each of its threads waits for and where: the kind, the variable, the function and the
 * file's base name, in no order; of the end of a race's replay, of that race. A crash's is a hash of what was said of
 * it, without numbers: lines, addresses and processes change. Of several that share one the later ones are numbered.
 */
#include "report/finding.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "results/fingerprint.h"

#include <string.h>

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
