/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/maker.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

uint16_t rcp_make_say(rcp_maker *m, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    rcp_text_printf(&m->program->text, "%*s%s\n", (int)(4 * m->depth), "", line);
    return (uint16_t)m->line++;
}

void rcp_make_put(rcp_maker *m, rcp_small_op op) {
    rcp_vec_push(&m->code, op);
    m->budget -= op.kind >= RCP_SMALL_LOAD;
}

/* --- statements --- */

typedef struct statement {
    void (*make)(rcp_maker *m);
    unsigned weight;
} statement;
static const statement statements[] = {
    {rcp_make_guarded_store, 26}, {rcp_make_fetch, 8},         {rcp_make_increase, 4},    {rcp_make_swap, 2},
    {rcp_make_pointer_store, 5},  {rcp_make_publish, 2},       {rcp_make_dereference, 8}, {rcp_make_section, 10},
    {rcp_make_chosen_section, 3}, {rcp_make_maybe_section, 3}, {rcp_make_try_section, 3}, {rcp_make_read_section, 3},
    {rcp_make_semaphore, 4},      {rcp_make_wait, 2},          {rcp_make_announce, 3},    {rcp_make_late_thread, 3},
    {rcp_make_decide, 24},        {rcp_make_switch, 3},        {rcp_make_loop, 3},        {rcp_make_compute, 3},
    {rcp_make_choose, 3},         {rcp_make_call, 7},          {rcp_make_return, 2},      {rcp_make_exit, 1}};

void rcp_make_block(rcp_maker *m, unsigned n) {
    enum { DEEP = 3 };
    unsigned all = 0;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        all += statements[i].weight;
    for (unsigned i = 0; i < n && m->budget > 0; i++) {
        unsigned chosen = rcp_make_below(m, all);
        size_t at = 0;
        for (; chosen >= statements[at].weight; at++)
            chosen -= statements[at].weight;
        statements[m->depth > DEEP ? 0 : at].make(m);
    }
}

/* --- the program --- */

static void declare_memory(rcp_maker *m) {
    rcp_small_program *p = m->program;
    char list[256] = "", name[RCP_MAKE_NAME];
    for (int i = 0, n = 0; i < RCP_SMALL_STATIC; i++) {
        p->initial[i] = rcp_make_percent(m, 30) ? (int32_t)rcp_make_below(m, 3) : 0;
        if (i < RCP_SMALL_VARIABLES)
            rcp_make_say(m, "static int x%d = %d;", i, p->initial[i]);
        else
            n += snprintf(list + n, sizeof list - (size_t)n, "%s%d", n ? ", " : "", p->initial[i]);
    }
    rcp_make_say(m, "static int a[%d] = {%s};", RCP_SMALL_ELEMENTS, list);
    for (int i = 0; i < RCP_SMALL_POINTERS; i++) {
        rcp_small_place place = {.where = RCP_SMALL_AT, .cell = rcp_make_cell(m)};
        p->pointers[i] = (int8_t)(rcp_make_percent(m, 30) ? RCP_SMALL_NULL : place.cell);
        if (p->pointers[i] == RCP_SMALL_NULL)
            rcp_make_say(m, "static int *p%d;", i);
        else
            rcp_make_say(m, "static int *p%d = &%s;", i, rcp_make_place_text(place, name));
    }
    p->posts = (uint8_t)rcp_make_below(m, 2);
}

static void declare(rcp_maker *m) {
    declare_memory(m);
    rcp_make_say(m, "static pthread_mutex_t m[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, "
                    "PTHREAD_MUTEX_INITIALIZER};");
    rcp_make_say(m, "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;");
    rcp_make_say(m, "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;");
    rcp_make_say(m, "static sem_t s;");
    for (int i = 0; i < RCP_SMALL_VARIABLES; i++)
        m->guard[i] = rcp_make_percent(m, 45)   ? (int)rcp_make_below(m, RCP_SMALL_LOCKS)
                      : rcp_make_percent(m, 15) ? RCP_MAKE_ATOMIC
                                                : RCP_MAKE_UNGUARDED;
    int of_array = rcp_make_percent(m, 40) ? (int)rcp_make_below(m, RCP_SMALL_LOCKS) : RCP_MAKE_UNGUARDED;
    for (int i = RCP_SMALL_VARIABLES; i < RCP_SMALL_CELLS; i++)
        m->guard[i] = of_array;
    for (int i = RCP_SMALL_CELLS; i < RCP_SMALL_CELLS + RCP_SMALL_POINTERS; i++)
        m->guard[i] = rcp_make_percent(m, 60) ? (int)rcp_make_below(m, RCP_SMALL_LOCKS) : RCP_MAKE_UNGUARDED;
    if (rcp_make_percent(m, 60))
        m->guard[0] = m->guard[1] = 0; /* what is waited for */
}

static void begin(rcp_maker *m, int budget) {
    m->budget = budget;
    m->held = m->frozen = 0;
    m->code = (rcp_make_code){0};
    m->returns.len = 0;
    m->depth = 1;
}

/* Its operations. */
static rcp_make_code end(rcp_maker *m) {
    for (size_t i = 0; i < m->returns.len; i++)
        rcp_make_land(m, m->returns.at[i]);
    m->depth = 0;
    return m->code;
}

static void make_functions(rcp_maker *m) {
    m->in_function = m->may_return = true;
    for (unsigned i = 0; i < RCP_MAKE_FUNCTIONS; i++) {
        rcp_make_say(m, "__attribute__((noinline)) static int function%u(int r0) {", i);
        begin(m, 1 + (int)rcp_make_below(m, 4));
        rcp_make_say(m, "int r1 = 0, r2 = 0, r3 = 0;");
        rcp_make_say(m, "int *q0 = 0, *q1 = 0;");
        rcp_make_block(m, 1 + rcp_make_below(m, 2));
        m->functions[i] = end(m);
        rcp_make_say(m, "    return r1;");
        rcp_make_say(m, "}");
        for (size_t at = 0; at < m->functions[i].len; at++)
            m->locks[i] |= m->functions[i].at[at].kind >= RCP_SMALL_LOCK;
        m->made_functions++;
    }
    rcp_make_say(m, "static int (*const functions[])(int) = {function0, function1};");
    m->in_function = false;
}

static void declare_registers(rcp_maker *m) {
    rcp_make_say(m, "int r0 = 0, r1 = 0, r2 = 0, r3 = 0;");
    rcp_make_say(m, "int *q0 = 0, *q1 = 0;");
    rcp_make_say(m, "pthread_t l;");
}

static void keep(rcp_maker *m, unsigned thread) {
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_END});
    m->program->code[thread].at = m->code.at;
    m->program->code[thread].len = m->code.len;
    m->program->code[thread].cap = m->code.cap;
}

static void make_thread(rcp_maker *m, unsigned thread, int budget) {
    rcp_make_say(m, "static void *thread%u(void *none) {", thread);
    begin(m, budget);
    declare_registers(m);
    m->may_return = true;
    for (int i = 0; i < budget && m->budget > 0; i++)
        rcp_make_block(m, 1);
    end(m);
    keep(m, thread);
    rcp_make_say(m, "    return RESULT;");
    rcp_make_say(m, "}");
}

static void make_main(rcp_maker *m) {
    rcp_small_program *p = m->program;
    rcp_make_say(m, "int program_%" PRIu64 "(void) {", p->seed);
    begin(m, 40);
    m->may_return = false;
    declare_registers(m);
    rcp_make_say(m, "pthread_t t[%d];", RCP_SMALL_THREADS);
    rcp_make_say(m, "void *e[%d];", RCP_SMALL_THREADS);
    rcp_make_say(m, "sem_init(&s, 0, %d);", p->posts);
    for (unsigned i = 1; i < p->threads; i++) {
        if (i == p->late)
            continue;
        if (rcp_make_percent(m, 12))
            rcp_make_block(m, 1);
        uint16_t line = rcp_make_say(m, "pthread_create(&t[%u], 0, thread%u, 0);", i, i);
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_FORK, .object = (int16_t)i, .line = line});
    }
    if (rcp_make_percent(m, 30))
        rcp_make_block(m, 1 + rcp_make_below(m, 2));
    for (unsigned i = 1; i < p->threads; i++) {
        if (i == p->late)
            continue;
        uint16_t line = rcp_make_say(m, "pthread_join(t[%u], &e[%u]);", i, i);
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_JOIN, .object = (int16_t)i, .line = line});
        if (i + 1 < p->threads && rcp_make_percent(m, 10))
            rcp_make_block(m, 1);
    }
    p->last_line = (uint16_t)m->line;
    rcp_make_say(m, "printf(\"%%d %%d %%d %%d %%d %%d %%d %%d \", x0, x1, x2, x3, a[0], a[1], a[2], a[3]);");
    for (unsigned i = 1; i < p->threads; i++)
        if (i != p->late)
            rcp_make_say(m, "printf(\"%%d \", (int)(long)e[%u]);", i);
    rcp_make_say(m, "return 0;");
    end(m);
    keep(m, 0);
    rcp_make_say(m, "}");
}

/* Each program has its own names, so that many fit into one file; its lines are counted from 1. */
static void name_all(rcp_maker *m, bool begins) {
    static const char *const names[] = {"x0",      "x1",      "x2",        "x3",        "a",        "p0",
                                        "p1",      "m",       "w",         "c",         "s",        "thread1",
                                        "thread2", "thread3", "function0", "function1", "functions"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins)
            rcp_text_printf(&m->program->text, "#define %s %s_%" PRIu64 "\n", names[i], names[i], m->program->seed);
        else
            rcp_text_printf(&m->program->text, "#undef %s\n", names[i]);
    if (begins)
        rcp_text_printf(&m->program->text, "#line 1 \"p%" PRIu64 ".c\"\n", m->program->seed);
}

void rcp_small_make(rcp_small_program *program, uint64_t seed, unsigned attempt) {
    *program = (rcp_small_program){.seed = seed};
    rcp_maker m = {.program = program, .random = {seed * UINT64_C(1000003) + attempt}, .line = 1};
    program->threads = 3 + (rcp_make_below(&m, 3) == 0);
    name_all(&m, true);
    declare(&m);
    make_functions(&m);
    bool has_late = program->threads > 3 && rcp_make_percent(&m, 50);
    for (unsigned i = program->threads - 1; i >= 1; i--) {
        make_thread(&m, i, (int)(program->threads > 3 ? 3 + rcp_make_below(&m, 7) : 4 + rcp_make_below(&m, 14)));
        if (has_late && !program->late) {
            program->late = i;
            m.may_fork = true;
        }
    }
    make_main(&m);
    name_all(&m, false);
    rcp_vec_finish(&m.returns);
    for (unsigned i = 0; i < RCP_MAKE_FUNCTIONS; i++)
        rcp_vec_finish(&m.functions[i]);
}

void rcp_small_finish(rcp_small_program *program) {
    rcp_text_finish(&program->text);
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        rcp_vec_finish(&program->code[i]);
}
