/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/linger.h"

#include "runtime/policy.h"

#include <stdlib.h>

RCP_REAL_DEFINE(exit)

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

RCP_INTERCEPT void exit(int status) {
    rcp_linger();
    for (;;)
        RCP_REAL(exit)(status);
}
