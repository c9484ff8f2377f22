/* SPDX-License-Identifier: Apache-2.0 */
/* The whole: declarations, threads in phases, main. */
#include "prop/maker/maker.h"

/* Counted as THREADS_2 … THREADS_4. */
static void choose_shape(rcp_maker *m) {
    m->threads = 2 + rcp_pick(m, 3);
    rcp_note(m, (rcp_feature)(RCP_FEATURE_THREADS_2 + (m->threads - 2)));
    m->serial = rcp_chance(m, 30);
    if (m->serial)
        rcp_note(m, RCP_FEATURE_SERIAL);
}

static void make_thread(rcp_maker *m, unsigned i, unsigned phases) {
    size_t places = m->places.len, arrays = m->arrays.len, pointers = m->pointers.len;
    rcp_open(m, "static void *thread%u(void *argument)", i);
    rcp_line(m, "uint64_t self = (uintptr_t)argument;");
    rcp_vec_push(&m->places, ((rcp_place){.text = "self", .type = RCP_U64, .feature = RCP_FEATURE_THREAD_LOCAL}));
    rcp_synchronise_begin(m, i);
    m->in_thread = true;
    m->cost = 0;
    m->budget = m->size.cost;
    for (unsigned phase = 0; phase < phases; phase++) {
        m->phases = phase;
        if (phase)
            rcp_synchronise_phase(m);
        rcp_block(m);
        rcp_body(m, 2 + m->size.thread_statements / phases);
        rcp_close(m, "");
    }
    m->in_thread = false;
    rcp_line(m, "return (void *)(uintptr_t)self;");
    rcp_close(m, "\n");
    m->places.len = places;
    m->arrays.len = arrays;
    m->pointers.len = pointers;
}

static void make_main(rcp_maker *m) {
    rcp_open(m, "int main(void)");
    rcp_line(m, "pthread_t threads[%u];", m->threads);
    rcp_line(m, "void *results[%u];", m->threads);
    rcp_fill(m);
    rcp_synchronise_start(m);
    for (unsigned i = 0; i < m->threads; i++) {
        rcp_line(m, "pthread_create(&threads[%u], NULL, thread%u, (void *)(uintptr_t)%u);", i, i, i + 1);
        if (m->serial)
            rcp_line(m, "pthread_join(threads[%u], &results[%u]);", i, i);
    }
    rcp_synchronise_feed(m);
    m->budget = m->size.cost / 4;
    m->cost = 0;
    rcp_block(m);
    rcp_body(m, m->size.thread_statements / 3);
    rcp_close(m, "");
    for (unsigned i = 0; i < m->threads; i++) {
        if (!m->serial)
            rcp_line(m, "pthread_join(threads[%u], &results[%u]);", i, i);
        rcp_line(m, "show(\"thread\", (uintptr_t)results[%u]);", i);
    }
    rcp_checksums(m);
    rcp_synchronise_end(m);
    rcp_line(m, "return write(1, report, report_length) != (ssize_t)report_length;");
    rcp_close(m, "");
}

void rcp_maker_run(rcp_maker *m) {
    choose_shape(m);
    rcp_text_puts(&m->out, rcp_prologue);
    rcp_declare_records(m);
    rcp_declare_globals(m);
    rcp_synchronise_declare(m);
    rcp_declare_functions(m);
    m->factor = 1;
    unsigned phases = 1 + rcp_pick(m, 3);
    for (unsigned i = 0; i < m->threads; i++)
        make_thread(m, i, phases);
    make_main(m);
}
