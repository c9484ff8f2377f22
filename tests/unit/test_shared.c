/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/shared.c and regions.c on their own: the runtime is an archive for other programs, so they are compiled in
 * here. */
#include "runtime/own.c"
#include "runtime/regions.c"
#include "runtime/shared.c"

#include "suite.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };
static uint64_t seen, divided, woken; /* bytes that the log, the objects and the waiters were told of */
static unsigned notes;

void rcp_log_alias(uint64_t address, uint64_t other, uint64_t size) {
    (void)address;
    seen += other ? 0 : size;
}
void rcp_objects_divide(uint64_t address, uint64_t size, bool (*divides)(uint64_t, enum rcp_sync_object)) {
    (void)address;
    (void)divides;
    divided += size;
}
void rcp_wake_within(uint64_t lo, uint64_t hi) { woken += hi - lo; }
void rcp_log_note(const char *text) { notes += text != NULL; }
void rcp_streams_tied(void) {}
void rcp_peer_shares(void) {}

static void expect_told(uint64_t pages) {
    ck_assert_uint_eq(seen, pages * PAGE);
    ck_assert_uint_eq(divided, pages * PAGE);
    ck_assert_uint_eq(woken, pages * PAGE);
    seen = divided = woken = 0;
}

static char *map(int how) {
    char *at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(at, MAP_FAILED);
    rcp_shared_remaps();
    return at;
}

START_TEST(private_memory_is_nobody_elses) {
    static int global;
    int local;
    char *heap = malloc(1);
    ck_assert(!rcp_shared_has_others(&global) && !rcp_shared_has_others(&local) && !rcp_shared_has_others(heap));
    free(heap);
    char *unknown = map(MAP_SHARED), *own = map(MAP_PRIVATE);
    ck_assert(rcp_shared_has_others(unknown) && rcp_shared_has_others(unknown + 4 * PAGE - 1));
    ck_assert(!rcp_shared_has_others(own));
    munmap(own, 4 * PAGE);
    rcp_shared_remaps();
    ck_assert(rcp_shared_has_others(own)); /* nobody knows what is not there */
    munmap(unknown, 4 * PAGE);
    expect_told(0);
}
END_TEST

START_TEST(pieces_stay_until_a_fork) {
    char *at = map(MAP_SHARED);
    uint64_t lo = (uint64_t)at;
    rcp_shared_begin(lo, 4 * PAGE, 0);
    rcp_shared_end(lo + PAGE, PAGE);
    ck_assert(!rcp_shared_has_others(at) && rcp_shared_has_others(at + PAGE) && !rcp_shared_has_others(at + 3 * PAGE));
    ck_assert(rcp_shared_is_own(lo, PAGE) && rcp_shared_is_own(lo + 2 * PAGE, 2 * PAGE));
    ck_assert(!rcp_shared_is_own(lo, 4 * PAGE));
    rcp_shared_divide();
    expect_told(3);
    ck_assert(rcp_shared_has_others(at) && rcp_shared_has_others(at + 2 * PAGE));
    rcp_shared_divide(); /* it is said once */
    expect_told(0);
    munmap(at, 4 * PAGE);
}
END_TEST

START_TEST(two_places_have_two_names) {
    char *at = map(MAP_SHARED);
    rcp_shared_begin((uint64_t)at, 4 * PAGE, 0);
    rcp_shared_twofold((uint64_t)at + PAGE, PAGE);
    ck_assert_uint_eq(seen, 0);
    ck_assert(rcp_shared_has_others(at));
    ck_assert(divided == 4 * PAGE && woken == 4 * PAGE);
    rcp_shared_end((uint64_t)at, 4 * PAGE);
    munmap(at, 4 * PAGE);
    seen = divided = woken = 0;
}
END_TEST

static char *attach(int *segment) {
    *segment = shmget(IPC_PRIVATE, 4 * PAGE, IPC_CREAT | 0600);
    char *at = *segment < 0 ? (char *)-1 : shmat(*segment, NULL, 0);
    ck_assert_ptr_ne(at, (char *)-1);
    rcp_shared_begin((uint64_t)at, 4 * PAGE, (uint64_t)*segment + 1);
    return at;
}

START_TEST(a_removed_segment_is_nobody_elses) {
    int segment;
    char *at = attach(&segment);
    rcp_shared_look(false); /* nothing is decided by that */
    ck_assert_int_eq(shmctl(segment, IPC_RMID, NULL), 0);
    rcp_shared_decide();
    ck_assert(!rcp_shared_has_others(at));
    ck_assert_int_eq(mprotect(at + PAGE, PAGE, PROT_READ), 0); /* the system counts three now */
    rcp_shared_look(true);
    ck_assert(!rcp_shared_has_others(at));
    rcp_shared_end((uint64_t)at, 4 * PAGE);
    shmdt(at);
    expect_told(0);
}
END_TEST

START_TEST(a_segment_that_stays_is_not) {
    int segment;
    char *at = attach(&segment);
    rcp_shared_decide();
    expect_told(4);
    ck_assert(rcp_shared_has_others(at));
    shmctl(segment, IPC_RMID, NULL);
    shmdt(at);
}
END_TEST

START_TEST(a_guest_is_noticed) {
    int segment;
    char *at = attach(&segment);
    shmctl(segment, IPC_RMID, NULL);
    rcp_shared_decide();
    pid_t child = fork(); /* which nobody told */
    if (!child)
        _exit(shmdt(shmat(segment, NULL, 0)));
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    rcp_shared_look(true);
    ck_assert(seen == 4 * PAGE && notes == 1 && !woken);
    ck_assert(rcp_shared_has_others(at));
    shmdt(at);
    seen = divided = notes = 0;
}
END_TEST

int main(void) {
    return rcp_suite_run("shared", private_memory_is_nobody_elses, pieces_stay_until_a_fork, two_places_have_two_names,
                         a_removed_segment_is_nobody_elses, a_segment_that_stays_is_not, a_guest_is_noticed, NULL);
}
