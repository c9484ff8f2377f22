/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/codec.h"

void rcp_codec_model_init(rcp_codec_model *model) {
    *model = (rcp_codec_model){0};
    model->slots = rcp_alloc_zero((size_t)1 << RCP_SLOT_BITS, sizeof *model->slots);
}

void rcp_codec_model_finish(rcp_codec_model *model) {
    rcp_vec_finish(&model->sites);
    rcp_vec_finish(&model->shapes);
    rcp_vec_finish(&model->strands);
    rcp_release(model->slots);
    *model = (rcp_codec_model){0};
}

void rcp_codec_model_reset(rcp_codec_model *model, size_t threads) {
    if (!++model->chunk) { /* stamps have gone round */
        model->chunk = 1;
        model->strands.len = 0;
    }
    if (threads > model->strands.len) {
        size_t more = threads - model->strands.len;
        memset(rcp_vec_extend(&model->strands, more), 0, more * sizeof *model->strands.at);
    }
    memset(model->slots, 0, sizeof *model->slots << RCP_SLOT_BITS);
    model->sites.len = model->shapes.len = 0;
    rcp_vec_push(&model->shapes, (rcp_event){0});
    rcp_site *none = rcp_vec_extend(&model->sites, 1);
    *none = (rcp_site){.key = {UINT64_MAX, UINT64_MAX}};
    model->tid = UINT32_MAX;
    model->loc = model->stack = model->term = 0;
}

static rcp_form form_of(const rcp_event *shape) {
    uint32_t uses = rcp_event_traits(shape->kind)->uses;
    if (uses & RCP_USES_SIZE)
        return !shape->valued            ? RCP_FORM_ADDRESS
               : shape->size > 8         ? RCP_FORM_WIDE
               : uses & RCP_USES_WRITTEN ? RCP_FORM_RMW
                                         : RCP_FORM_ACCESS;
    if (uses & RCP_USES_EXTENT)
        return RCP_FORM_EXTENT;
    if (uses & RCP_USES_VALUE)
        return shape->valued ? RCP_FORM_BRANCH : RCP_FORM_BARE;
    if (uses & (RCP_USES_LOCK | RCP_USES_REACH))
        return RCP_FORM_TWO_IDS;
    return uses & (RCP_USES_CHILD | RCP_USES_OBJECT) ? RCP_FORM_ID : RCP_FORM_BARE;
}

uint32_t rcp_codec_model_add(rcp_codec_model *model, const rcp_event *shape, uint8_t real, const uint64_t key[2]) {
    uint32_t id = (uint32_t)model->sites.len;
    rcp_vec_push(&model->shapes, *shape);
    rcp_site *site = rcp_vec_extend(&model->sites, 1);
    *site = (rcp_site){
        .key = {key[0], key[1]},
        .line = UINT64_MAX,
        .form = (uint8_t)form_of(shape),
        .real = real,
    };
    site->mask = site->form == RCP_FORM_ACCESS || site->form == RCP_FORM_RMW ? rcp_low_bytes(shape->size) : UINT64_MAX;
    model->loc = shape->loc.v;
    model->stack = shape->stack.v;
    return id;
}
