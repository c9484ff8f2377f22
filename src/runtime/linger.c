/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/linger.h"

#include "runtime/policy.h"

#include <stdlib.h>

typedef int (*main_function)(int, char **, char **);
/* libc's own, which the first code of every program calls: it calls main, and exit() with what that returns. */
int __libc_start_main(main_function called, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

RCP_REAL_DEFINE(exit)
RCP_REAL_DEFINE(__libc_start_main)

void rcp_linger_inside(rcp_thread *self) {
    rcp_sys_acquire(&rcp_baton.lock);
    bool lingers = rcp_policy_linger(self);
    rcp_sys_release(&rcp_baton.lock);
    if (lingers) {
        rcp_yield(self);
        rcp_sys_acquire(&rcp_baton.lock);
        rcp_policy_linger_end(NULL);
        rcp_sys_release(&rcp_baton.lock);
    }
}

void rcp_linger(void) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return;
    rcp_linger_inside(self);
    rcp_outside(self);
}

void __recipe_linger(void) { rcp_linger(); }

static main_function programs_main;

/* Where main is recorded it has lingered before its return, and all have had their events. */
static int main_and_linger(int argc, char **argv, char **environment) {
    int status = programs_main(argc, argv, environment);
    rcp_linger();
    return status;
}

RCP_INTERCEPT int __libc_start_main(main_function called, int argc, char **argv, void (*init)(void), void (*fini)(void),
                                    void (*rtld_fini)(void), void *stack_end) {
    programs_main = called;
    return RCP_REAL(__libc_start_main)(main_and_linger, argc, argv, init, fini, rtld_fini, stack_end);
}

RCP_INTERCEPT void exit(int status) {
    rcp_linger();
    for (;;)
        RCP_REAL(exit)(status);
}
