/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/code.h"

#include <float.h>

const uint8_t rcp_left_of[RCP_INS_OP_COUNT] = {
#define X(name, where) [RCP_INS_##name] = RCP_LEFT_##where,
    RCP_INS_OPS(X)
#undef X
};

#if LDBL_MANT_DIG == 113
#define HOST_LONG_DOUBLE RCP_SCALAR_QUAD
#elif LDBL_MANT_DIG == 64
#define HOST_LONG_DOUBLE RCP_SCALAR_X87
#else
#define HOST_LONG_DOUBLE RCP_SCALAR_INT /* none */
#endif

bool rcp_scalar_has(rcp_scalar scalar) {
    rcp_scalar_kind kind = RCP_SCALAR_KIND(scalar);
    return (kind != RCP_SCALAR_QUAD && kind != RCP_SCALAR_X87) || kind == HOST_LONG_DOUBLE;
}

void rcp_routine_finish(rcp_routine *routine) {
    for (size_t i = 0; i < routine->calls.len; i++)
        rcp_vec_finish(&routine->calls.at[i].arguments);
    for (size_t i = 0; i < routine->switches.len; i++) {
        rcp_vec_finish(&routine->switches.at[i].keys);
        rcp_vec_finish(&routine->switches.at[i].targets);
    }
    for (size_t i = 0; i < routine->layouts.len; i++)
        rcp_release(routine->layouts.at[i].leaves);
    for (size_t i = 0; i < routine->texts.len; i++)
        rcp_release(routine->texts.at[i]);
    rcp_release(routine->constants);
    rcp_vec_finish(&routine->code);
    rcp_vec_finish(&routine->origin);
    rcp_map_finish(&routine->slots);
    rcp_vec_finish(&routine->objects);
    rcp_vec_finish(&routine->calls);
    rcp_vec_finish(&routine->switches);
    rcp_vec_finish(&routine->layouts);
    rcp_vec_finish(&routine->texts);
    rcp_vec_finish(&routine->parameters);
}
