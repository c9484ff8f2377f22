/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/answers.h"

#include "abi/run.h"
#include "runtime/sys.h"
#include "runtime/thread.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static struct {
    const uint8_t *at;
    uint64_t size;
} answers;

/* Away from what programs map: start.c has the same reason. */
#define ANSWERS_AT (INT64_C(7) << 43)

void rcp_answers_open(int fd) {
    struct stat is;
    if (fd < 0 || RCP_SYS2(SYS_fstat, fd, &is) < 0 || !is.st_size)
        return;
    long at = rcp_sys(SYS_mmap, ANSWERS_AT, is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at < 0 && at > -4096)
        return;
    answers.at = (const uint8_t *)at;
    answers.size = (uint64_t)is.st_size;
}

void rcp_answers_end(void) { answers.at = NULL; }

static uint64_t length_of(const struct rcp_run_answer *a) {
    return sizeof *a + (a->size == RCP_RUN_RESULT ? 0 : (a->size + 7) / 8 * 8);
}

/* Re-execution does not always know a function's address; the thread and its position say enough then. */
static bool is_callee(const struct rcp_run_answer *a, const rcp_thread *self) {
    return !a->callee || a->callee == self->hot->outside;
}

/* The thread's next answer of that size in the call that it is in. Answers of a thread come in the order of its
 * positions, so what lies before this one is not looked at again; what is passed over in this call is, unless one
 * behind it was taken. */
static const struct rcp_run_answer *next_answer(rcp_thread *self, uint64_t size) {
    for (uint64_t at = self->answered; at + sizeof(struct rcp_run_answer) <= answers.size;) {
        const struct rcp_run_answer *a = (const struct rcp_run_answer *)(answers.at + at);
        bool own = a->role == self->role;
        if (own && a->position > self->hot->position)
            return NULL;
        bool passed = at == self->answered && (!own || a->position < self->hot->position);
        at += length_of(a);
        if (own && a->position == self->hot->position && is_callee(a, self) && a->size == size) {
            self->answered = at;
            return a;
        }
        if (passed)
            self->answered = at;
    }
    return NULL;
}

bool rcp_answer_bytes(rcp_thread *self, void *to, uint64_t size) {
    const struct rcp_run_answer *a = answers.at && to ? next_answer(self, size) : NULL;
    if (!a)
        return false;
    memcpy(to, a + 1, size);
    return true;
}

bool rcp_answer_result(rcp_thread *self, uint64_t *result) {
    const struct rcp_run_answer *a = answers.at ? next_answer(self, RCP_RUN_RESULT) : NULL;
    if (a)
        *result = a->result;
    return a;
}
