/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations: objects that they order by, memory in which races are wanted, places that are not to be reported. */
#include "base/text.h"
#include "program/telling/sink.h"
#include "program/telling/sink_state.h"

#include <inttypes.h>

void rcp_sink_annotations_init(rcp_sink_annotations *annotations) {
    *annotations = (rcp_sink_annotations){0};
    rcp_map_init(&annotations->objects);
    rcp_map_init(&annotations->spared);
    rcp_ranges_init(&annotations->wanted);
}

void rcp_sink_annotations_finish(rcp_sink_annotations *annotations) {
    rcp_map_finish(&annotations->objects);
    rcp_map_finish(&annotations->spared);
    rcp_ranges_finish(&annotations->wanted);
    rcp_vec_finish(&annotations->places);
}

/* An address that is given out again is the same object once more: that orders more, and nothing less. */
rcp_span rcp_sink_annotated(rcp_sink *sink, uint64_t address) {
    rcp_sink_annotations *annotations = &sink->annotations;
    uint32_t *number = rcp_map_at(&annotations->objects, address);
    if (*number == RCP_MAP_NONE)
        *number = annotations->n++;
    uint64_t at = RCP_REACH_ANNOTATED + *number;
    return (rcp_span){at, at + 1};
}

enum { BY_PROGRAM, BY_LANGUAGE };

void rcp_sink_wanted(rcp_sink *sink, uint64_t lo, uint64_t hi, bool by_language) {
    rcp_ranges_set(&sink->annotations.wanted, lo, hi, by_language ? BY_LANGUAGE : BY_PROGRAM);
}

void rcp_sink_spare(rcp_sink *sink, const rcp_strand *strand, bool writes, int more) {
    uint32_t *depth = &rcp_sink_thread_of(sink, strand->number)->spares[writes];
    if (more > 0 || *depth)
        *depth += (uint32_t)more;
}

static void spare(rcp_sink_annotations *annotations, rcp_loc loc, bool writes) {
    uint64_t key = 2 * (uint64_t)loc.v + writes;
    uint32_t *known = rcp_map_at(&annotations->spared, key);
    if (*known != RCP_MAP_NONE)
        return;
    *known = 1;
    rcp_vec_push(&annotations->places, key);
}

void rcp_sink_annotate(rcp_sink *sink, const rcp_sink_thread *thread, const rcp_place *place, rcp_event *event) {
    rcp_sink_annotations *annotations = &sink->annotations;
    rcp_range range;
    if (event->mode != RCP_PLAIN)
        return;
    if (annotations->wanted.live && rcp_ranges_next(&annotations->wanted, event->addr, &range) &&
        range.lo < event->addr + event->size) {
        event->mode = RCP_RELAXED;
        annotations->told += range.value == BY_PROGRAM;
        return;
    }
    bool reads = rcp_event_reads(event), writes = rcp_event_writes(event);
    if (reads && (place->is_spared || thread->spares[false]))
        spare(annotations, event->loc, false);
    if (writes && (place->is_spared || thread->spares[true]))
        spare(annotations, event->loc, true);
}

void rcp_sink_annotations_tell(rcp_sink *sink) {
    const rcp_sink_annotations *annotations = &sink->annotations;
    rcp_text text = {0};
    for (size_t i = 0; i < annotations->places.len; i++)
        rcp_text_printf(&text, "%s%c%" PRIu64, i ? " " : "", annotations->places.at[i] % 2 ? 'w' : 'r',
                        annotations->places.at[i] / 2);
    if (text.len)
        rcp_defs_fact(sink->defs, RCP_SPARED_FACT, text.at);
    text.len = 0;
    rcp_text_printf(&text, "%" PRIu64, annotations->told);
    if (annotations->told)
        rcp_defs_fact(sink->defs, RCP_WANTED_FACT, text.at);
    rcp_text_finish(&text);
}
