/* SPDX-License-Identifier: Apache-2.0 */
/* Text and operations are made side by side, statement by statement. Locks nest in one order, mostly; loops have a
 * bound; so most programs end under every schedule. Whether one does is not decided here. */
#include "prop/random.h"
#include "prop/small/small.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { COUNTER = RCP_SMALL_REGISTERS - 1, NOBODY = -1, ATOMICALLY = -2, LOOP_MAX = 3, NAME = 64 };

typedef struct maker {
    rcp_small_program *program;
    rcp_random random;
    unsigned thread, line, depth;
    int budget;                                      /* visible operations that the thread may still have */
    unsigned held;                                   /* locks, a bit each */
    unsigned frozen;                                 /* registers that must stay as they are, a bit each */
    int guard[RCP_SMALL_CELLS + RCP_SMALL_POINTERS]; /* the lock of a cell, NOBODY, ATOMICALLY */
} maker;

static unsigned below(maker *m, unsigned n) { return rcp_random_below(&m->random, n); }
static bool percent(maker *m, unsigned n) { return rcp_random_percent(&m->random, n); }

/* One line of text; its number. */
static uint16_t say(maker *m, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    rcp_text_printf(&m->program->text, "%*s%s\n", (int)(4 * m->depth), "", line);
    return (uint16_t)m->line++;
}

static rcp_small_op *put(maker *m, rcp_small_op op) {
    rcp_vec_push(&m->program->code[m->thread], op);
    m->budget -= op.kind >= RCP_SMALL_LOAD;
    return &m->program->code[m->thread].at[m->program->code[m->thread].len - 1];
}

static uint16_t here(const maker *m) { return (uint16_t)m->program->code[m->thread].len; }
static void land(maker *m, uint16_t branch) { m->program->code[m->thread].at[branch].target = here(m); }

/* --- values and places --- */

static const char *say_value(rcp_small_expression e, char to[NAME]) {
    static const char *const binary[] = {
        [RCP_SMALL_ADD] = "+",    [RCP_SMALL_XOR] = "^",      [RCP_SMALL_AND] = "&",   [RCP_SMALL_TIMES] = "*",
        [RCP_SMALL_EQUAL] = "==", [RCP_SMALL_DIFFERS] = "!=", [RCP_SMALL_BELOW] = "<", [RCP_SMALL_ABOVE] = ">"};
    switch ((rcp_small_value)e.what) {
    case RCP_SMALL_CONST: snprintf(to, NAME, "%d", e.c); break;
    case RCP_SMALL_REGISTER: snprintf(to, NAME, "r%d", e.r); break;
    case RCP_SMALL_SUM: snprintf(to, NAME, "r%d + r%d", e.r, e.s); break;
    case RCP_SMALL_SAME: snprintf(to, NAME, "r%d == r%d", e.r, e.s); break;
    case RCP_SMALL_LESS: snprintf(to, NAME, "r%d < r%d", e.r, e.s); break;
    case RCP_SMALL_POINTS: snprintf(to, NAME, "q%d", e.r); break;
    case RCP_SMALL_POINTS_TO:
        snprintf(to, NAME, e.c < RCP_SMALL_VARIABLES ? "q%d == &x%d" : "q%d == &a[%d]", e.r,
                 e.c < RCP_SMALL_VARIABLES ? e.c : e.c - RCP_SMALL_VARIABLES);
        break;
    default: snprintf(to, NAME, "r%d %s %d", e.r, binary[e.what], e.c); break;
    }
    return to;
}

static const char *say_place(rcp_small_place place, char to[NAME]) {
    char index[NAME];
    if (place.where == RCP_SMALL_THROUGH)
        snprintf(to, NAME, "*q%d", place.cell);
    else if (place.where == RCP_SMALL_INDEXED)
        snprintf(to, NAME, "a[(%.40s) & %d]", say_value(place.index, index), RCP_SMALL_ELEMENTS - 1);
    else if (place.cell < RCP_SMALL_VARIABLES)
        snprintf(to, NAME, "x%d", place.cell);
    else
        snprintf(to, NAME, "a[%d]", place.cell - RCP_SMALL_VARIABLES);
    return to;
}

static uint8_t any_register(maker *m) { return (uint8_t)below(m, COUNTER); }

/* One that may be written; COUNTER: there is none. */
static uint8_t free_register(maker *m) {
    uint8_t r = any_register(m);
    for (unsigned i = 0; i < COUNTER; i++, r = (uint8_t)((r + 1) % COUNTER))
        if (!(m->frozen >> r & 1))
            return r;
    return COUNTER;
}

static rcp_small_expression any_value(maker *m) {
    rcp_small_expression e = {.what = RCP_SMALL_CONST, .c = (int32_t)below(m, 4)};
    if (percent(m, 60))
        return e;
    e.r = any_register(m);
    e.s = any_register(m);
    e.c = 1 + (int32_t)below(m, 3);
    switch (below(m, 6)) {
    case 0: e.what = RCP_SMALL_REGISTER; break;
    case 1: e.what = RCP_SMALL_ADD; break;
    case 2: e.what = RCP_SMALL_XOR; break;
    case 3: e.what = RCP_SMALL_AND; break;
    case 4: e.what = RCP_SMALL_TIMES; break;
    default: e.what = RCP_SMALL_SUM; break;
    }
    return e;
}

static rcp_small_expression any_condition(maker *m, uint8_t r) {
    static const uint8_t what[] = {RCP_SMALL_EQUAL, RCP_SMALL_DIFFERS, RCP_SMALL_BELOW,
                                   RCP_SMALL_ABOVE, RCP_SMALL_AND,     RCP_SMALL_SAME};
    rcp_small_expression e = {.what = what[below(m, sizeof what)], .r = r, .s = any_register(m)};
    e.c = (int32_t)below(m, 4);
    if (e.what == RCP_SMALL_AND)
        e.c = 1 + (int32_t)below(m, 2);
    else if (e.what == RCP_SMALL_BELOW)
        e.c = 1 + (int32_t)below(m, 3);
    return e;
}

static uint8_t any_cell(maker *m) {
    /* some of the array's are enough: two threads should meet there */
    unsigned n = below(m, RCP_SMALL_VARIABLES + 2);
    return (uint8_t)n;
}

static rcp_small_place any_place(maker *m) {
    rcp_small_place place = {.where = RCP_SMALL_AT, .cell = any_cell(m)};
    if (percent(m, 12))
        place = (rcp_small_place){RCP_SMALL_INDEXED,
                                  RCP_SMALL_VARIABLES,
                                  {percent(m, 60) ? RCP_SMALL_REGISTER : RCP_SMALL_ADD, any_register(m), 0, 1}};
    return place;
}

/* --- locks --- */

static void lock(maker *m, int which) {
    put(m, (rcp_small_op){
               .kind = RCP_SMALL_LOCK, .object = (int16_t)which, .line = say(m, "pthread_mutex_lock(&m[%d]);", which)});
    m->held |= 1u << which;
}

static void unlock(maker *m, int which) {
    put(m, (rcp_small_op){.kind = RCP_SMALL_UNLOCK,
                          .object = (int16_t)which,
                          .line = say(m, "pthread_mutex_unlock(&m[%d]);", which)});
    m->held &= ~(1u << which);
}

/* Not held, and after those that are: seldom in another order, which may deadlock. */
static bool may_lock(maker *m, int which) { return !(m->held >> which & 1) && (!(m->held >> which) || percent(m, 3)); }

/* --- accesses --- */

static void load(maker *m, rcp_small_place place, uint8_t to, bool atomically) {
    char name[NAME];
    say_place(place, name);
    uint16_t line =
        atomically ? say(m, "r%d = __atomic_load_n(&%s, __ATOMIC_SEQ_CST);", to, name) : say(m, "r%d = %s;", to, name);
    put(m, (rcp_small_op){
               .kind = atomically ? RCP_SMALL_ATOMIC_LOAD : RCP_SMALL_LOAD, .to = to, .place = place, .line = line});
}

static void store(maker *m, rcp_small_place place, rcp_small_expression value, bool atomically) {
    char name[NAME], text[NAME];
    say_place(place, name);
    say_value(value, text);
    uint16_t line = atomically ? say(m, "__atomic_store_n(&%s, %s, __ATOMIC_SEQ_CST);", name, text)
                               : say(m, "%s = %s;", name, text);
    put(m, (rcp_small_op){.kind = atomically ? RCP_SMALL_ATOMIC_STORE : RCP_SMALL_STORE,
                          .place = place,
                          .value = value,
                          .line = line});
}

static void add(maker *m, rcp_small_place place, uint8_t to, int amount) {
    char name[NAME];
    uint16_t line = say(m, "r%d = __atomic_fetch_add(&%s, %d, __ATOMIC_SEQ_CST);", to, say_place(place, name), amount);
    put(m, (rcp_small_op){.kind = RCP_SMALL_FETCH_ADD,
                          .to = to,
                          .place = place,
                          .line = line,
                          .value = {RCP_SMALL_CONST, 0, 0, amount}});
}

/* Under the lock that the location has, as a careful programmer would; not always. Which it took; NOBODY: none. */
static int take_guard(maker *m, unsigned location, bool *atomically) {
    int guard = m->guard[location];
    *atomically = guard == ATOMICALLY && percent(m, 85);
    if (guard < 0 || !may_lock(m, guard) || percent(m, 12))
        return NOBODY;
    lock(m, guard);
    return guard;
}

/* Which register has it; COUNTER: none was free. */
static uint8_t guarded_load(maker *m) {
    uint8_t to = free_register(m);
    if (to == COUNTER)
        return to;
    rcp_small_place place = any_place(m);
    bool atomically;
    int guard = take_guard(m, place.cell, &atomically);
    load(m, place, to, atomically);
    if (guard >= 0)
        unlock(m, guard);
    return to;
}

static void fetch(maker *m) { guarded_load(m); }

static void guarded_store(maker *m) {
    rcp_small_place place = any_place(m);
    bool atomically;
    int guard = take_guard(m, place.cell, &atomically);
    if (atomically && percent(m, 30) && free_register(m) != COUNTER)
        add(m, place, free_register(m), 1);
    else
        store(m, place, any_value(m), atomically);
    if (guard >= 0)
        unlock(m, guard);
}

static void pointer_store(maker *m) {
    uint8_t p = (uint8_t)below(m, RCP_SMALL_POINTERS);
    rcp_small_place place = {.where = RCP_SMALL_AT, .cell = any_cell(m)};
    char name[NAME];
    bool atomically;
    if (percent(m, 15))
        place.where = RCP_SMALL_NOWHERE;
    int guard = take_guard(m, RCP_SMALL_CELLS + p, &atomically);
    uint16_t line =
        place.where == RCP_SMALL_NOWHERE ? say(m, "p%d = 0;", p) : say(m, "p%d = &%s;", p, say_place(place, name));
    put(m, (rcp_small_op){.kind = RCP_SMALL_STORE_POINTER, .object = p, .place = place, .line = line});
    if (guard >= 0)
        unlock(m, guard);
}

/* --- statements --- */

static void block(maker *m, unsigned n);

static void branch(maker *m, rcp_small_expression condition, bool both) {
    char text[NAME];
    say(m, "if (%s) {", say_value(condition, text));
    uint16_t branch_at = here(m);
    put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = condition});
    m->depth++;
    block(m, 1 + below(m, 2));
    m->depth--;
    if (both) {
        say(m, "} else {");
        uint16_t jump = here(m);
        put(m, (rcp_small_op){.kind = RCP_SMALL_JUMP});
        land(m, branch_at);
        m->depth++;
        block(m, 1 + below(m, 2));
        m->depth--;
        land(m, jump);
    } else
        land(m, branch_at);
    say(m, "}");
}

static void decide(maker *m) {
    uint8_t r = guarded_load(m);
    if (r != COUNTER)
        branch(m, any_condition(m, r), percent(m, 50));
}

static void deref(maker *m) {
    uint8_t p = (uint8_t)below(m, RCP_SMALL_POINTERS), q = (uint8_t)below(m, RCP_SMALL_ADDRESSES);
    bool atomically, careful = percent(m, 75);
    uint8_t to = free_register(m);
    int guard = take_guard(m, RCP_SMALL_CELLS + p, &atomically);
    put(m, (rcp_small_op){.kind = RCP_SMALL_LOAD_POINTER, .to = q, .object = p, .line = say(m, "q%d = p%d;", q, p)});
    if (guard >= 0 && percent(m, 70)) {
        unlock(m, guard);
        guard = NOBODY;
    }
    rcp_small_expression condition = {percent(m, 85) ? RCP_SMALL_POINTS : RCP_SMALL_POINTS_TO, q, 0, any_cell(m)};
    uint16_t branch_at = here(m);
    char text[NAME];
    if (careful) {
        say(m, "if (%s) {", say_value(condition, text));
        put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = condition});
        m->depth++;
    }
    rcp_small_place place = {.where = RCP_SMALL_THROUGH, .cell = q};
    if (to != COUNTER && percent(m, 50))
        load(m, place, to, false);
    else
        store(m, place, any_value(m), false);
    if (careful) {
        m->depth--;
        land(m, branch_at);
        say(m, "}");
    }
    if (guard >= 0)
        unlock(m, guard);
}

static void section(maker *m) {
    int which = (int)below(m, RCP_SMALL_LOCKS);
    if (!may_lock(m, which))
        return;
    lock(m, which);
    block(m, 1 + below(m, 3));
    unlock(m, which);
}

/* A lock of two, which one is a register's matter. Neither may be held. */
static void chosen_section(maker *m) {
    uint8_t r = any_register(m);
    if (m->held || m->frozen >> r & 1)
        return;
    put(m, (rcp_small_op){.kind = RCP_SMALL_LOCK,
                          .is_chosen = true,
                          .object = r,
                          .line = say(m, "pthread_mutex_lock(&m[r%d & 1]);", r)});
    m->held |= 3;
    m->frozen |= 1u << r;
    block(m, 1 + below(m, 2));
    m->frozen &= ~(1u << r);
    m->held &= ~3u;
    put(m, (rcp_small_op){.kind = RCP_SMALL_UNLOCK,
                          .is_chosen = true,
                          .object = r,
                          .line = say(m, "pthread_mutex_unlock(&m[r%d & 1]);", r)});
}

static void try_section(maker *m) {
    int which = (int)below(m, RCP_SMALL_LOCKS);
    uint8_t r = free_register(m);
    if (m->held >> which & 1 || r == COUNTER)
        return;
    put(m, (rcp_small_op){.kind = RCP_SMALL_TRYLOCK,
                          .to = r,
                          .object = (int16_t)which,
                          .line = say(m, "r%d = !pthread_mutex_trylock(&m[%d]);", r, which)});
    say(m, "if (r%d != 0) {", r);
    uint16_t branch_at = here(m);
    put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = {RCP_SMALL_DIFFERS, r, 0, 0}});
    m->depth++;
    m->held |= 1u << which;
    block(m, 1 + below(m, 2));
    unlock(m, which);
    m->depth--;
    land(m, branch_at);
    say(m, "}");
}

static void semaphore(maker *m) {
    uint8_t r = free_register(m);
    switch (below(m, r == COUNTER ? 3 : 4)) {
    case 0:
    case 1: put(m, (rcp_small_op){.kind = RCP_SMALL_POST, .line = say(m, "sem_post(&s);")}); break;
    case 2:
        if (!m->held)
            put(m, (rcp_small_op){.kind = RCP_SMALL_SEM_WAIT, .line = say(m, "sem_wait(&s);")});
        break;
    default:
        put(m, (rcp_small_op){.kind = RCP_SMALL_SEM_TRY, .to = r, .line = say(m, "r%d = !sem_trywait(&s);", r)});
        branch(m, (rcp_small_expression){RCP_SMALL_DIFFERS, r, 0, 0}, percent(m, 40));
        break;
    }
}

/* The condition belongs to lock 0. */
static void await(maker *m) {
    uint8_t r = free_register(m);
    if (m->held || r == COUNTER)
        return;
    rcp_small_place flag = {.where = RCP_SMALL_AT, .cell = (uint8_t)below(m, 2)};
    bool again = percent(m, 70);
    lock(m, 0);
    load(m, flag, r, false);
    say(m, again ? "while (r%d == 0) {" : "if (r%d == 0) {", r);
    uint16_t branch_at = here(m);
    put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = {RCP_SMALL_EQUAL, r, 0, 0}});
    m->depth++;
    put(m, (rcp_small_op){.kind = RCP_SMALL_WAIT, .line = say(m, "pthread_cond_wait(&c, &m[0]);")});
    load(m, flag, r, false);
    m->depth--;
    if (again)
        put(m, (rcp_small_op){.kind = RCP_SMALL_JUMP, .target = branch_at});
    land(m, branch_at);
    say(m, "}");
    unlock(m, 0);
}

static void announce(maker *m) {
    bool all = percent(m, 50), locks = may_lock(m, 0);
    rcp_small_place flag = {.where = RCP_SMALL_AT, .cell = (uint8_t)below(m, 2)};
    if (locks)
        lock(m, 0);
    store(m, flag, (rcp_small_expression){RCP_SMALL_CONST, 0, 0, 1 + (int32_t)below(m, 2)}, false);
    put(m, (rcp_small_op){.kind = all ? RCP_SMALL_BROADCAST : RCP_SMALL_SIGNAL,
                          .line = say(m, all ? "pthread_cond_broadcast(&c);" : "pthread_cond_signal(&c);")});
    if (locks)
        unlock(m, 0);
}

static void loop(maker *m) {
    if (m->frozen >> COUNTER & 1)
        return;
    uint8_t r = any_register(m);
    bool is_fixed = m->frozen >> r & 1 || percent(m, 50);
    rcp_small_expression bound = {RCP_SMALL_BELOW, COUNTER, 0, 2};
    char text[NAME];
    if (!is_fixed) {
        bound = (rcp_small_expression){RCP_SMALL_LESS, COUNTER, r, 0};
        rcp_small_expression low = {RCP_SMALL_AND, r, 0, LOOP_MAX - 1};
        say(m, "r%d = %s;", r, say_value(low, text));
        put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = r, .value = low});
    }
    say(m, "for (r%d = 0; %s; r%d++) {", COUNTER, say_value(bound, text), COUNTER);
    put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = COUNTER});
    uint16_t top = here(m);
    put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = bound});
    unsigned frozen = m->frozen;
    m->frozen |= 1u << COUNTER | (is_fixed ? 0 : 1u << r);
    m->depth++;
    block(m, 1);
    m->depth--;
    m->frozen = frozen;
    put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = COUNTER, .value = {RCP_SMALL_ADD, COUNTER, 0, 1}});
    put(m, (rcp_small_op){.kind = RCP_SMALL_JUMP, .target = top});
    land(m, top);
    say(m, "}");
}

static void compute(maker *m) {
    uint8_t to = free_register(m);
    char text[NAME];
    if (to == COUNTER)
        return;
    rcp_small_expression value = any_value(m);
    say(m, "r%d = %s;", to, say_value(value, text));
    put(m, (rcp_small_op){.kind = RCP_SMALL_SET, .to = to, .value = value});
}

static void leave(maker *m) {
    int code = 1 + (int)below(m, 3);
    if (m->depth > 1) /* within a branch */
        put(m, (rcp_small_op){.kind = RCP_SMALL_EXIT,
                              .object = (int16_t)code,
                              .line = say(m, percent(m, 50) ? "exit(%d);" : "_exit(%d);", code)});
}

typedef struct statement {
    void (*make)(maker *m);
    unsigned weight;
} statement;
static const statement statements[] = {{fetch, 10},        {guarded_store, 30}, {decide, 24}, {section, 12},
                                       {pointer_store, 5}, {deref, 8},          {loop, 3},    {chosen_section, 4},
                                       {try_section, 3},   {semaphore, 4},      {await, 2},   {announce, 3},
                                       {compute, 4},       {leave, 1}};

static void block(maker *m, unsigned n) {
    unsigned all = 0;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        all += statements[i].weight;
    for (unsigned i = 0; i < n && m->budget > 0; i++) {
        unsigned chosen = below(m, all);
        size_t at = 0;
        for (; chosen >= statements[at].weight; at++)
            chosen -= statements[at].weight;
        if (m->depth > 3 && (statements[at].make == decide || statements[at].make == section))
            at = 1;
        statements[at].make(m);
    }
}

/* --- the program --- */

static void declare(maker *m) {
    rcp_small_program *p = m->program;
    char list[256] = "", name[NAME];
    for (int i = 0, n = 0; i < RCP_SMALL_CELLS; i++) {
        p->initial[i] = percent(m, 30) ? (int32_t)below(m, 3) : 0;
        if (i < RCP_SMALL_VARIABLES)
            say(m, "static int x%d = %d;", i, p->initial[i]);
        else
            n += snprintf(list + n, sizeof list - (size_t)n, "%s%d", n ? ", " : "", p->initial[i]);
    }
    say(m, "static int a[%d] = {%s};", RCP_SMALL_ELEMENTS, list);
    for (int i = 0; i < RCP_SMALL_POINTERS; i++) {
        rcp_small_place place = {RCP_SMALL_AT, any_cell(m), {0}};
        p->pointers[i] = (int8_t)(percent(m, 30) ? RCP_SMALL_NULL : place.cell);
        if (p->pointers[i] == RCP_SMALL_NULL)
            say(m, "static int *p%d;", i);
        else
            say(m, "static int *p%d = &%s;", i, say_place(place, name));
    }
    say(m, "static pthread_mutex_t m[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, "
           "PTHREAD_MUTEX_INITIALIZER};");
    say(m, "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;");
    say(m, "static sem_t s;");
    p->posts = (uint8_t)below(m, 2);
    for (int i = 0; i < RCP_SMALL_VARIABLES; i++)
        m->guard[i] = percent(m, 45) ? (int)below(m, RCP_SMALL_LOCKS) : percent(m, 15) ? ATOMICALLY : NOBODY;
    int of_array = percent(m, 40) ? (int)below(m, RCP_SMALL_LOCKS) : NOBODY;
    for (int i = RCP_SMALL_VARIABLES; i < RCP_SMALL_CELLS; i++)
        m->guard[i] = of_array;
    for (int i = RCP_SMALL_CELLS; i < RCP_SMALL_CELLS + RCP_SMALL_POINTERS; i++)
        m->guard[i] = percent(m, 60) ? (int)below(m, RCP_SMALL_LOCKS) : NOBODY;
    m->guard[0] = m->guard[1] = percent(m, 60) ? 0 : m->guard[1]; /* what is waited for */
}

static void declare_registers(maker *m) {
    say(m, "int r0 = 0, r1 = 0, r2 = 0, r3 = 0;");
    say(m, "int *q0 = 0, *q1 = 0;");
}

static void end(maker *m) { put(m, (rcp_small_op){.kind = RCP_SMALL_END}); }

static void make_thread(maker *m, unsigned thread, int budget) {
    m->thread = thread;
    m->budget = budget;
    m->held = m->frozen = 0;
    say(m, "static void *thread%u(void *none) {", thread);
    m->depth = 1;
    declare_registers(m);
    while (m->budget > 0)
        block(m, 1);
    say(m, "return (void *)(long)(r0 + 10 * r1 + 100 * r2 + 1000 * r3);");
    end(m);
    m->depth = 0;
    say(m, "}");
}

static void make_main(maker *m) {
    rcp_small_program *p = m->program;
    m->thread = m->depth = 0;
    m->budget = 40;
    m->held = m->frozen = 0;
    say(m, "int program_%llu(void) {", (unsigned long long)p->seed);
    m->depth = 1;
    declare_registers(m);
    say(m, "pthread_t t[%d];", RCP_SMALL_THREADS);
    say(m, "void *e[%d];", RCP_SMALL_THREADS);
    say(m, "sem_init(&s, 0, %d);", p->posts);
    for (unsigned i = 1; i < p->threads; i++) {
        if (percent(m, 12))
            block(m, 1);
        put(m, (rcp_small_op){.kind = RCP_SMALL_FORK,
                              .object = (int16_t)i,
                              .line = say(m, "pthread_create(&t[%u], 0, thread%u, 0);", i, i)});
    }
    if (percent(m, 30))
        block(m, 1 + below(m, 2));
    for (unsigned i = 1; i < p->threads; i++) {
        put(m, (rcp_small_op){
                   .kind = RCP_SMALL_JOIN, .object = (int16_t)i, .line = say(m, "pthread_join(t[%u], &e[%u]);", i, i)});
        if (i + 1 < p->threads && percent(m, 10))
            block(m, 1);
    }
    end(m);
    p->last_line = (uint16_t)m->line;
    say(m, "printf(\"%%d %%d %%d %%d %%d %%d %%d %%d \", x0, x1, x2, x3, a[0], a[1], a[2], a[3]);");
    for (unsigned i = 1; i < p->threads; i++)
        say(m, "printf(\"%%d \", (int)(long)e[%u]);", i);
    say(m, "return 0;");
    m->depth = 0;
    say(m, "}");
}

/* Each program has its own names, so that many fit into one file; its lines are counted from 1. */
static void name_all(maker *m, bool begins) {
    static const char *const names[] = {"x0", "x1", "x2", "x3",      "a",       "p0",     "p1",
                                        "m",  "c",  "s",  "thread1", "thread2", "thread3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins)
            rcp_text_printf(&m->program->text, "#define %s %s_%llu\n", names[i], names[i],
                            (unsigned long long)m->program->seed);
        else
            rcp_text_printf(&m->program->text, "#undef %s\n", names[i]);
    if (begins)
        rcp_text_printf(&m->program->text, "#line 1 \"p%llu.c\"\n", (unsigned long long)m->program->seed);
}

void rcp_small_make(rcp_small_program *program, uint64_t seed, unsigned attempt) {
    *program = (rcp_small_program){.seed = seed};
    maker m = {.program = program, .random = {seed * UINT64_C(1000003) + attempt}, .line = 1};
    program->threads = 3 + (below(&m, 4) == 0);
    name_all(&m, true);
    declare(&m);
    for (unsigned i = 1; i < program->threads; i++)
        make_thread(&m, i, (int)(program->threads > 3 ? 3 + below(&m, 7) : 4 + below(&m, 14)));
    make_main(&m);
    name_all(&m, false);
}

void rcp_small_finish(rcp_small_program *program) {
    rcp_text_finish(&program->text);
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        rcp_vec_finish(&program->code[i]);
}
