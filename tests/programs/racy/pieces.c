/* SPDX-License-Identifier: Apache-2.0 */
/* A structure is copied while another thread writes two of its fields, which are not all that threads share of it: the
 * copy is several events of the trace, and one step on the machine. */
#include "threads.h"

static struct state {
    int first, apart[30], middle, more[30], last;
} state, copy;

static void *write_fields(void *unused) {
    state.middle = 2;
    state.last = 3;
    return unused;
}

static void *copy_all(void *unused) {
    copy = state;
    return unused;
}

int main(void) {
    state.first = 1;
    run_both(write_fields, copy_all);
    printf("%d\n", copy.first + copy.middle + copy.last);
    return 0;
}
