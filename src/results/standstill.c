/* SPDX-License-Identifier: Apache-2.0 */
#include "results/standstill.h"

#include <string.h>

void rcp_standstill_init(rcp_standstill *s) {
    *s = (rcp_standstill){.status = RCP_RACE_PREDICTED};
    rcp_witness_init(&s->witness);
}

void rcp_standstill_finish(rcp_standstill *s) {
    rcp_vec_finish(&s->events);
    rcp_release(s->threads);
    rcp_release(s->replay);
    s->threads = s->replay = NULL;
    rcp_witness_finish(&s->witness);
}

void rcp_standstill_tell(rcp_standstill *s, const char *told) {
    char *copy = rcp_alloc(strlen(told) + 1);
    strcpy(copy, told);
    rcp_release(s->replay);
    s->replay = copy;
}

void rcp_standstills_finish(rcp_standstills *standstills) {
    for (size_t i = 0; i < standstills->len; i++)
        rcp_standstill_finish(&standstills->at[i]);
    rcp_vec_finish(standstills);
}
