/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/annotations.h"

#include "program/telling/sink.h"

#include <string.h>

enum { SEQUENCE_MAX = 256, REQUEST_WORDS = 6 };

/* The same whatever stands between its words; lines are divided as instructions of one line are. */
static bool squeeze(const char *text, size_t len, char squeezed[SEQUENCE_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char c = text[i] == '\n' ? ';' : text[i];
        if (c == ' ' || c == '\t' || (c == ';' && (!n || squeezed[n - 1] == ';')))
            continue;
        if (n + 1 >= SEQUENCE_MAX)
            return false;
        squeezed[n++] = c;
    }
    squeezed[n] = 0;
    return true;
}

bool rcp_annotations_is_request(const char *text, size_t len, bool is_aarch64) {
    static const char aarch64[] = "rorx12,x12,#3;rorx12,x12,#13;rorx12,x12,#51;rorx12,x12,#61;"
                                  "movx3,$1;movx4,$2;orrx10,x10,x10;mov$0,x3";
    static const char x86_64[] = "rolq$$3,%rdi;rolq$$13,%rdi;rolq$$61,%rdi;rolq$$51,%rdi;xchgq%rbx,%rbx";
    char squeezed[SEQUENCE_MAX];
    return squeeze(text, len, squeezed) && !strcmp(squeezed, is_aarch64 ? aarch64 : x86_64);
}

/* One of the two words that it is given is where the request stands, the other one what it answers where nobody takes
 * it. */
static void read_request(const rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit) {
    uint64_t words[16], request[REQUEST_WORDS];
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    visit->called.annotation.what = RCP_ANNOTATION_SAYS;
    for (size_t i = 0; i < n; i++) {
        if (words[i] < RCP_SPACE_PAGE || !rcp_space_holds(words[i], sizeof request))
            continue;
        rcp_space_read(telling->machine->space, words[i], request, sizeof request);
        visit->called.annotation.what = (uint8_t)rcp_outside_request(request[0], request[1]);
        visit->annotated = request[1];
        visit->annotated_size = request[2];
        return;
    }
}

void rcp_annotations_classify(const rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit, bool is_request) {
    if (is_request) {
        read_request(telling, strand, visit);
        visit->outside = rcp_outside_annotating((rcp_annotation_kind)visit->called.annotation.what);
        return;
    }
    if (!visit->called.annotation.what)
        return;
    uint64_t words[16];
    size_t n = rcp_telling_call(telling, strand, visit, words).n, at = visit->called.annotation.argument;
    visit->annotated = at < n ? words[at] : 0;
    visit->annotated_size = visit->called.annotation.what == RCP_ANNOTATION_BENIGN && at + 1 < n ? words[at + 1] : 1;
}

void rcp_annotations_note(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    if (!rcp_telling_tells(telling) || !visit->called.annotation.what || !visit->outside)
        return;
    switch ((rcp_annotation_kind)visit->called.annotation.what) {
    case RCP_ANNOTATION_BENIGN:
    case RCP_ANNOTATION_BYTE:
        if (visit->annotated_size && rcp_space_holds(visit->annotated, visit->annotated_size))
            rcp_sink_wanted(telling->sink, visit->annotated, visit->annotated + visit->annotated_size, false);
        break;
    case RCP_ANNOTATION_READS: rcp_sink_spare(telling->sink, strand, false, 1); break;
    case RCP_ANNOTATION_READS_END: rcp_sink_spare(telling->sink, strand, false, -1); break;
    case RCP_ANNOTATION_WRITES: rcp_sink_spare(telling->sink, strand, true, 1); break;
    case RCP_ANNOTATION_WRITES_END: rcp_sink_spare(telling->sink, strand, true, -1); break;
    default: break;
    }
}
