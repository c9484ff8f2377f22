/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/shared.h"

#include "runtime/attributes.h"
#include "runtime/objects.h"
#include "runtime/own.h"
#include "runtime/peer.h"
#include "runtime/regions.h"
#include "runtime/streams.h"
#include "runtime/sys.h"

#include <string.h>
#include <sys/shm.h>

/* Shared memory that nobody else has. A list: programs have few of them. */
struct own {
    uint64_t lo, hi;
    uint64_t segment;
    bool is_decided; /* of a segment: it is marked for removal, and nobody else was attached */
    bool is_twofold;
};
static struct own *owns;
static uint32_t n_owns, owns_size;
static bool has_divided_all;

static bool make_room(void) {
    if (n_owns < owns_size)
        return true;
    uint32_t bigger = owns_size ? owns_size * 2 : 256;
    struct own *at = rcp_own_memory(bigger * sizeof *at);
    if (!at)
        return false;
    if (owns) {
        memcpy(at, owns, n_owns * sizeof *at);
        RCP_SYS2(SYS_munmap, owns, owns_size * sizeof *at);
    }
    owns = at;
    owns_size = bigger;
    return true;
}

static bool overlaps(const struct own *o, uint64_t lo, uint64_t hi) { return o->lo < hi && lo < o->hi; }

/* --- others get to have it --- */

/* It is the others', too, from here on. `wakes`: not where the process ends, and the baton's lock may be held. */
static void give(struct own gone, bool wakes) {
    rcp_log_alias(gone.lo, 0, gone.hi - gone.lo);
    rcp_objects_divide(gone.lo, gone.hi - gone.lo, rcp_attributes_object);
    rcp_streams_tied();
    if (wakes && gone.segment)
        rcp_peer_shares();
    if (wakes)
        rcp_wake_within(gone.lo, gone.hi);
}

/* All those that are meant, of a segment or of any memory. */
static void give_all(uint64_t segment) {
    for (uint32_t i = 0; i < n_owns;) {
        if (segment && owns[i].segment != segment) {
            i++;
            continue;
        }
        struct own gone = owns[i];
        owns[i] = owns[--n_owns];
        give(gone, true);
    }
}

void rcp_shared_divide(void) { give_all(0); }
void rcp_shared_attach_again(uint64_t segment) { give_all(segment); }

void rcp_shared_divide_all(void) {
    has_divided_all = true;
    rcp_objects_divide(0, UINT64_C(1) << 48, rcp_attributes_object);
    rcp_wake_within(0, UINT64_C(1) << 48);
}

/* --- segments --- */

static int own_pid(void) { return (int)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0); }

/* The system counts mappings of a segment, and this process may have split its own. */
static uint64_t count_regions(uint64_t segment) {
    rcp_regions all;
    rcp_mapped_region region;
    uint64_t n = 0;
    rcp_regions_open(&all);
    while (rcp_regions_next(&all, &region))
        for (uint32_t i = 0; i < n_owns; i++)
            n += owns[i].segment == segment && overlaps(&owns[i], region.lo, region.hi);
    rcp_regions_close(&all);
    return n;
}

/* Only this process has ever attached it, as far as the system knows. */
static bool is_nobody_elses(uint64_t segment, bool is_removed) {
    struct shmid_ds facts;
    if (RCP_SYS3(SYS_shmctl, segment - 1, IPC_STAT, &facts) < 0)
        return false;
    return facts.shm_cpid == own_pid() && facts.shm_lpid == own_pid() &&
           (!is_removed || facts.shm_perm.mode & SHM_DEST) &&
           (facts.shm_nattch == 1 || facts.shm_nattch == count_regions(segment));
}

static void decide(uint64_t segment) {
    if (!is_nobody_elses(segment, true)) {
        give_all(segment);
        return;
    }
    for (uint32_t i = 0; i < n_owns; i++)
        owns[i].is_decided |= owns[i].segment == segment;
}

static uint64_t undecided(void) {
    for (uint32_t i = 0; i < n_owns; i++)
        if (owns[i].segment && !owns[i].is_decided)
            return owns[i].segment;
    return 0;
}

void rcp_shared_decide(void) {
    for (uint64_t segment; (segment = undecided());)
        decide(segment);
}

void rcp_shared_look(bool ends) {
    for (uint32_t i = 0; i < n_owns;) {
        struct own o = owns[i];
        if (!o.segment || is_nobody_elses(o.segment, ends && !o.is_decided)) {
            i++;
            continue;
        }
        if (o.is_decided)
            rcp_log_note(
                "another process has attached a segment of shared memory that was marked for removal: what was "
                "done with it is taken to be seen by others");
        owns[i] = owns[--n_owns];
        give(o, !ends);
    }
}

/* --- what is where --- */

/* The last answers that /proc/self/maps gave. */
enum { ANSWERS = 8 };
static struct answer {
    uint64_t lo, hi, generation;
    bool has_others;
} answers[ANSWERS];
static unsigned next_answer;
static uint64_t generation = 1;

void rcp_shared_remaps(void) { __atomic_fetch_add(&generation, 1, __ATOMIC_RELAXED); }

static bool ask(uint64_t address) {
    const uint64_t now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < ANSWERS; i++)
        if (answers[i].generation == now && answers[i].lo <= address && address < answers[i].hi)
            return answers[i].has_others;
    rcp_regions all;
    rcp_mapped_region region;
    rcp_regions_open(&all);
    bool is_found = false;
    while (!is_found && rcp_regions_next(&all, &region))
        is_found = region.lo <= address && address < region.hi;
    rcp_regions_close(&all);
    if (!is_found)
        return true;
    answers[next_answer++ % ANSWERS] = (struct answer){region.lo, region.hi, now, region.is_shared};
    return region.is_shared;
}

static const struct own *find(uint64_t address) {
    for (uint32_t i = 0; i < n_owns; i++)
        if (owns[i].lo <= address && address < owns[i].hi)
            return &owns[i];
    return NULL;
}

bool rcp_shared_has_others(const void *object) {
    const uint64_t address = (uint64_t)object;
    const struct own *o = find(address);
    if (o && o->segment && !o->is_decided) {
        decide(o->segment);
        o = find(address);
    }
    return has_divided_all || (o ? o->is_twofold : ask(address));
}

bool rcp_shared_is_untold(bool has_others) {
    static bool noted;
    if (has_others && !noted) {
        noted = true;
        rcp_log_note(
            "a mutex, lock, condition, barrier or semaphore is shared between processes: what is done with it is "
            "not in this trace");
    }
    return has_others;
}

void rcp_shared_begin(uint64_t address, uint64_t size, uint64_t segment) {
    struct own o = {.lo = address, .hi = address + size, .segment = segment};
    if (!size)
        return;
    if (make_room())
        owns[n_owns++] = o;
    else
        give(o, true);
}

void rcp_shared_end(uint64_t address, uint64_t size) {
    const uint64_t end = address + size;
    for (uint32_t i = 0; i < n_owns;) {
        struct own o = owns[i];
        if (!overlaps(&o, address, end)) {
            i++;
            continue;
        }
        owns[i] = owns[--n_owns];
        if (o.lo < address && make_room())
            owns[n_owns++] = (struct own){o.lo, address, o.segment, o.is_decided, o.is_twofold};
        if (o.hi > end && make_room())
            owns[n_owns++] = (struct own){end, o.hi, o.segment, o.is_decided, o.is_twofold};
    }
}

bool rcp_shared_is_own(uint64_t address, uint64_t size) {
    for (uint64_t at = address; at < address + size;) {
        const struct own *o = find(at);
        if (!o)
            return false;
        at = o->hi;
    }
    return true;
}

void rcp_shared_twofold(uint64_t address, uint64_t size) {
    for (uint32_t i = 0; i < n_owns; i++)
        if (overlaps(&owns[i], address, address + size) && !owns[i].is_twofold) {
            owns[i].is_twofold = true;
            rcp_objects_divide(owns[i].lo, owns[i].hi - owns[i].lo, rcp_attributes_object);
            rcp_wake_within(owns[i].lo, owns[i].hi);
        }
}
