/* SPDX-License-Identifier: Apache-2.0 */
#include "base/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const rcp_limit_row rows[RCP_LIMITS] = {
#define RCP_LIMIT_ROW(id, name, scope, value, least, most, unit, sentence)                                             \
    {name, RCP_LIMIT_OF_##scope, value, least, most, unit, sentence},
#include "base/limits.def"
#undef RCP_LIMIT_ROW
};

uint64_t rcp_limit_values[RCP_LIMITS] = {
#define RCP_LIMIT_ROW(id, name, scope, value, least, most, unit, sentence) value,
#include "base/limits.def"
#undef RCP_LIMIT_ROW
};

static rcp_limit_counts own;         /* until rcp_limits_share() */
static rcp_limit_counts *all = &own; /* of this process and its workers */
static rcp_limit_counts *captured;   /* NULL: nobody captures */
static bool is_repetition;

const rcp_limit_row *rcp_limit_borrow(rcp_limit_name name) { return &rows[name]; }

bool rcp_limit_find(const char *word, size_t n, rcp_limit_name *name) {
    for (size_t i = 0; i < RCP_LIMITS; i++)
        if (strlen(rows[i].name) == n && !memcmp(rows[i].name, word, n)) {
            *name = (rcp_limit_name)i;
            return true;
        }
    return false;
}

rcp_code rcp_limit_set(rcp_limit_name name, uint64_t value) {
    const rcp_limit_row *row = &rows[name];
    if (value < row->least || value > row->most)
        return rcp_fail(RCP_BAD_INPUT, "%s=%llu: it goes from %llu to %llu (%s)", row->name, (unsigned long long)value,
                        (unsigned long long)row->least, (unsigned long long)row->most, row->unit);
    rcp_limit_values[name] = value;
    return RCP_OK;
}

rcp_code rcp_limits_assign(const char *assignment) {
    size_t n = strcspn(assignment, "=");
    const char *digits = assignment + n + (assignment[n] == '=');
    rcp_limit_name name;
    if (!n || assignment[n] != '=')
        return rcp_fail(RCP_BAD_INPUT, "'%s' is not NAME=N; 'recipe help limits' lists the names", assignment);
    if (!rcp_limit_find(assignment, n, &name))
        return rcp_fail(RCP_BAD_INPUT, "there is no limit '%.*s'; 'recipe help limits' lists them", (int)n, assignment);
    char *end;
    errno = 0;
    unsigned long long value = strtoull(digits, &end, 10);
    if (*digits < '0' || *digits > '9' || *end || errno)
        return rcp_fail(RCP_BAD_INPUT, "%s: '%s' is not a number from %llu to %llu (%s)", rows[name].name, digits,
                        (unsigned long long)rows[name].least, (unsigned long long)rows[name].most, rows[name].unit);
    return rcp_limit_set(name, value);
}

/* Where the system gives no such memory, workers' counts would be lost: better none of it than half. */
rcp_code rcp_limits_share(void) {
    if (all != &own)
        return RCP_OK;
    void *page = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return rcp_fail(RCP_SYSTEM, "no memory to share with workers: %s", strerror(errno));
    memcpy(page, &own, sizeof own);
    all = page;
    return RCP_OK;
}

void rcp_limit_reached_times(rcp_limit_name name, uint64_t times) {
    RCP_DCHECK(rows[name].sentence);
    if (is_repetition && rows[name].scope == RCP_LIMIT_OF_EVENTS)
        return;
    if (captured)
        captured->at[name] += times;
    else
        __atomic_fetch_add(&all->at[name], times, __ATOMIC_RELAXED);
}

void rcp_limit_reached(rcp_limit_name name) { rcp_limit_reached_times(name, 1); }

rcp_limit_counts *rcp_limits_capture(rcp_limit_counts *counts) {
    rcp_limit_counts *before = captured;
    captured = counts;
    return before;
}

void rcp_limits_add(const rcp_limit_counts *counts) {
    for (size_t i = 0; i < RCP_LIMITS; i++)
        if (counts->at[i])
            rcp_limit_reached_times((rcp_limit_name)i, counts->at[i]);
}

void rcp_limits_sum(rcp_limit_counts *counts) {
    for (size_t i = 0; i < RCP_LIMITS; i++)
        counts->at[i] = __atomic_load_n(&all->at[i], __ATOMIC_RELAXED);
}

bool rcp_limits_repeat_events(bool is) {
    bool before = is_repetition;
    is_repetition = is;
    return before;
}
