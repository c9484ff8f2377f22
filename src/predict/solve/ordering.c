/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/solve/ordering.h"

#include "base/deadline.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_CLAUSE UINT32_MAX
#define NO_NODE   UINT32_MAX

/* A clause in the arena: its length, how many levels it joined when it was learnt (0: it was given), its literals; the
 * first two are watched. */
enum { LENGTH, LEVELS, LITS };

typedef struct variable {
    uint32_t from, to; /* of an order atom: true means from < to; NO_NODE: a choice */
    uint32_t level, reason;
    int8_t value; /* 1 true, -1 false, 0 open */
    bool phase;   /* of a choice: what it is taken for while it is open */
    bool keeps;   /* ... and it stays what it was last */
    bool seen;
    double activity;
} variable;

typedef struct watch {
    uint32_t clause;
    rcp_lit blocker; /* some literal of it: where that holds, the clause need not be looked at */
} watch;

typedef RCP_VEC(watch) watches;

struct rcp_ordering {
    rcp_acyclic graph;
    RCP_VEC(variable) vars;
    RCP_VEC(watches) watching; /* by literal: clauses to look at when it becomes false */
    RCP_VEC(uint32_t) arena;   /* clauses */
    RCP_VEC(rcp_lit) trail;
    RCP_VEC(uint32_t) levels; /* where each decision level begins in the trail */
    size_t propagated;        /* of the trail: edges added, watches looked at */
    size_t linked;            /* of the trail: edges added */
    RCP_VEC(uint32_t) given;  /* the clauses that are not learnt */
    size_t next, good;        /* in given: the next one to look at; so many before it hold */
    uint64_t moves;           /* of the graph, when they were looked at */
    RCP_VEC(rcp_lit) conflict, learnt, scratch, stack, checked;
    RCP_VEC(uint32_t) level_seen; /* by level: stamp */
    uint32_t stamp;
    uint64_t restarts, last_restart; /* how many; the conflicts before the last one */
    uint64_t n_learnt, learnt_limit; /* learnt clauses; above the limit the worse half goes */
    rcp_map atoms;                   /* smaller node << 32 | larger node -> variable */
    double increment;
    bool impossible, forgetting;
    rcp_ordering_stats stats;
};

static uint32_t var_of(rcp_lit lit) { return lit >> 1; }

static int value_of(const rcp_ordering *o, rcp_lit lit) {
    int value = o->vars.at[var_of(lit)].value;
    return lit & 1 ? -value : value;
}

static uint32_t level_now(const rcp_ordering *o) { return (uint32_t)o->levels.len; }

static void bump(rcp_ordering *o, uint32_t var) {
    variable *v = &o->vars.at[var];
    v->activity += o->increment;
    if (v->activity > 1e100) {
        for (size_t i = 0; i < o->vars.len; i++)
            o->vars.at[i].activity *= 1e-100;
        o->increment *= 1e-100;
    }
}

static uint32_t new_variable(rcp_ordering *o, uint32_t from, uint32_t to, bool likely, bool keeps) {
    uint32_t var = (uint32_t)o->vars.len;
    rcp_vec_push(&o->vars, ((variable){.from = from, .to = to, .reason = NO_CLAUSE, .phase = likely, .keeps = keeps}));
    rcp_vec_push(&o->watching, (watches){0});
    rcp_vec_push(&o->watching, (watches){0});
    o->stats.variables++;
    return var;
}

rcp_ordering *rcp_ordering_create(uint32_t n, const rcp_edge *edges, size_t n_edges, const uint32_t *initial) {
    rcp_ordering *o = rcp_alloc_zero(1, sizeof *o);
    rcp_acyclic_init(&o->graph, n, edges, n_edges, initial);
    rcp_map_init(&o->atoms);
    o->increment = 1;
    o->learnt_limit = rcp_limit(RCP_LIMIT_SOLVER_LEARNT);
    o->vars.at = NULL;
    new_variable(o, NO_NODE, NO_NODE, true, true);
    o->vars.at[0].value = 1;
    return o;
}

void rcp_ordering_destroy(rcp_ordering *o) {
    if (!o)
        return;
    rcp_acyclic_finish(&o->graph);
    for (size_t i = 0; i < o->watching.len; i++)
        rcp_vec_finish(&o->watching.at[i]);
    rcp_vec_finish(&o->watching);
    rcp_vec_finish(&o->vars);
    rcp_vec_finish(&o->arena);
    rcp_vec_finish(&o->trail);
    rcp_vec_finish(&o->levels);
    rcp_vec_finish(&o->given);
    rcp_vec_finish(&o->conflict);
    rcp_vec_finish(&o->learnt);
    rcp_vec_finish(&o->scratch);
    rcp_vec_finish(&o->stack);
    rcp_vec_finish(&o->checked);
    rcp_vec_finish(&o->level_seen);
    rcp_map_finish(&o->atoms);
    rcp_release(o);
}

rcp_lit rcp_ordering_before(rcp_ordering *o, uint32_t x, uint32_t y, bool likely) {
    RCP_CHECK(x != y);
    bool swapped = x > y;
    uint32_t from = swapped ? y : x, to = swapped ? x : y;
    uint32_t *place = rcp_map_at(&o->atoms, (uint64_t)from << 32 | to);
    if (*place == RCP_MAP_NONE)
        *place = new_variable(o, from, to, likely != swapped, true);
    return *place << 1 | (swapped ? 1u : 0u);
}

rcp_lit rcp_ordering_choice(rcp_ordering *o, bool likely) {
    return new_variable(o, NO_NODE, NO_NODE, likely, true) << 1;
}

rcp_lit rcp_ordering_consequence(rcp_ordering *o) { return new_variable(o, NO_NODE, NO_NODE, false, false) << 1; }

static void assign(rcp_ordering *o, rcp_lit lit, uint32_t reason) {
    variable *v = &o->vars.at[var_of(lit)];
    v->value = lit & 1 ? -1 : 1;
    v->level = level_now(o);
    v->reason = reason;
    if (v->from == NO_NODE && v->phase != !(lit & 1)) {
        v->phase = !(lit & 1);
        o->good = 0;
    }
    rcp_vec_push(&o->trail, lit);
}

/* The edge that the literal stands for. */
static bool edge_of(const rcp_ordering *o, rcp_lit lit, uint32_t *from, uint32_t *to) {
    const variable *v = &o->vars.at[var_of(lit)];
    *from = lit & 1 ? v->to : v->from;
    *to = lit & 1 ? v->from : v->to;
    return v->from != NO_NODE;
}

static void undo_to(rcp_ordering *o, uint32_t level) {
    if (level_now(o) <= level)
        return;
    size_t keep = o->levels.at[level];
    uint32_t from, to;
    for (size_t i = o->trail.len; i-- > keep;) {
        rcp_lit lit = o->trail.at[i];
        if (i < o->linked && edge_of(o, lit, &from, &to))
            rcp_acyclic_remove(&o->graph, from, to);
        variable *v = &o->vars.at[var_of(lit)];
        v->value = 0;
        if (!v->keeps && v->phase) {
            v->phase = false;
            o->good = 0;
        }
    }
    o->trail.len = keep;
    o->levels.len = level;
    if (o->linked > keep)
        o->linked = keep;
    if (o->propagated > keep)
        o->propagated = keep;
}

static void watch_clause(rcp_ordering *o, uint32_t clause) {
    const uint32_t *lits = &o->arena.at[clause + LITS];
    rcp_vec_push(&o->watching.at[lits[0]], ((watch){clause, lits[1]}));
    rcp_vec_push(&o->watching.at[lits[1]], ((watch){clause, lits[0]}));
}

static uint32_t keep_clause(rcp_ordering *o, const rcp_lit *lits, size_t n, uint32_t levels) {
    uint32_t clause = (uint32_t)o->arena.len;
    rcp_vec_push(&o->arena, (uint32_t)n);
    rcp_vec_push(&o->arena, levels);
    memcpy(rcp_vec_extend(&o->arena, n), lits, n * sizeof *lits);
    watch_clause(o, clause);
    o->stats.clauses++;
    return clause;
}

/* The theory's part: adds the literal's edge. false: the conflict is in o->conflict. */
static bool link_edge(rcp_ordering *o, rcp_lit lit) {
    uint32_t from, to;
    if (!edge_of(o, lit, &from, &to))
        return true;
    if (rcp_acyclic_add(&o->graph, from, to, lit))
        return true;
    o->conflict.len = 0;
    rcp_vec_push(&o->conflict, rcp_lit_not(lit));
    for (size_t i = 0; i < o->graph.cycle.len; i++)
        rcp_vec_push(&o->conflict, rcp_lit_not(o->graph.cycle.at[i]));
    return false;
}

/* The clauses that watch `gone`, which has just become false. */
static bool propagate_clauses(rcp_ordering *o, rcp_lit gone) {
    watches *list = &o->watching.at[gone];
    size_t kept = 0;
    for (size_t i = 0; i < list->len; i++) {
        watch w = list->at[i];
        o->stats.steps++;
        if (value_of(o, w.blocker) > 0) {
            list->at[kept++] = w;
            continue;
        }
        uint32_t n = o->arena.at[w.clause + LENGTH], *lits = &o->arena.at[w.clause + LITS];
        if (lits[0] == gone) {
            lits[0] = lits[1];
            lits[1] = gone;
        }
        if (value_of(o, lits[0]) > 0) {
            list->at[kept++] = (watch){w.clause, lits[0]};
            continue;
        }
        uint32_t k = 2;
        while (k < n && value_of(o, lits[k]) < 0)
            k++;
        o->stats.steps += k / 8;
        if (k < n) {
            lits[1] = lits[k];
            lits[k] = gone;
            rcp_vec_push(&o->watching.at[lits[1]], ((watch){w.clause, lits[0]}));
            list = &o->watching.at[gone];
            continue;
        }
        list->at[kept++] = w;
        if (value_of(o, lits[0]) < 0) {
            o->conflict.len = 0;
            memcpy(rcp_vec_extend(&o->conflict, n), lits, n * sizeof *lits);
            while (++i < list->len)
                list->at[kept++] = list->at[i];
            list->len = kept;
            return false;
        }
        assign(o, lits[0], w.clause);
    }
    list->len = kept;
    return true;
}

static bool propagate(rcp_ordering *o) {
    while (o->propagated < o->trail.len) {
        rcp_lit lit = o->trail.at[o->propagated];
        if (o->linked == o->propagated) {
            if (!link_edge(o, lit))
                return false;
            o->linked++;
        }
        o->propagated++;
        if (!propagate_clauses(o, rcp_lit_not(lit)))
            return false;
    }
    return true;
}

static void resolve(rcp_ordering *o, const rcp_lit *lits, size_t n, rcp_lit except, uint32_t *open) {
    for (size_t i = 0; i < n; i++) {
        variable *v = &o->vars.at[var_of(lits[i])];
        if (lits[i] == except || v->seen || !v->level)
            continue;
        v->seen = true;
        bump(o, var_of(lits[i]));
        if (v->level == level_now(o))
            ++*open;
        else
            rcp_vec_push(&o->learnt, lits[i]);
    }
}

/* Is the literal false because of others of the learnt clause alone, directly or not? Then the clause needs it not.
 * What has been found out is kept in `seen`, and cleared with the rest. */
static bool follows(rcp_ordering *o, rcp_lit lit) {
    size_t top = o->checked.len;
    o->stack.len = 0;
    rcp_vec_push(&o->stack, lit);
    while (o->stack.len) {
        uint32_t reason = o->vars.at[var_of(o->stack.at[--o->stack.len])].reason;
        const uint32_t *lits = reason == NO_CLAUSE ? NULL : &o->arena.at[reason + LITS];
        uint32_t n = reason == NO_CLAUSE ? 0 : o->arena.at[reason + LENGTH];
        bool needed = reason == NO_CLAUSE;
        for (uint32_t i = 0; i < n && !needed; i++) {
            variable *v = &o->vars.at[var_of(lits[i])];
            if (value_of(o, lits[i]) > 0 || v->seen || !v->level)
                continue;
            needed = v->reason == NO_CLAUSE;
            v->seen = true;
            rcp_vec_push(&o->stack, lits[i]);
            rcp_vec_push(&o->checked, lits[i]);
        }
        if (needed) {
            while (o->checked.len > top)
                o->vars.at[var_of(o->checked.at[--o->checked.len])].seen = false;
            return false;
        }
    }
    return true;
}

/* Turns o->conflict, whose literals are all false and one of which is of this level, into a clause that has one literal
 * of this level, in front, and the level to go back to. */
static uint32_t analyze(rcp_ordering *o) {
    uint32_t open = 0, back = 0;
    size_t i = o->trail.len;
    rcp_lit lit = RCP_LIT_FALSE;
    o->learnt.len = 0;
    rcp_vec_push(&o->learnt, RCP_LIT_FALSE);
    resolve(o, o->conflict.at, o->conflict.len, RCP_LIT_FALSE, &open);
    for (;;) {
        do
            lit = o->trail.at[--i];
        while (!o->vars.at[var_of(lit)].seen);
        o->vars.at[var_of(lit)].seen = false;
        if (!--open)
            break;
        uint32_t reason = o->vars.at[var_of(lit)].reason;
        RCP_CHECK(reason != NO_CLAUSE);
        resolve(o, &o->arena.at[reason + LITS], o->arena.at[reason + LENGTH], lit, &open);
    }
    o->learnt.at[0] = rcp_lit_not(lit);
    o->checked.len = 0;
    for (size_t k = 1; k < o->learnt.len; k++)
        rcp_vec_push(&o->checked, o->learnt.at[k]);
    size_t kept = 1;
    for (size_t k = 1; k < o->learnt.len; k++)
        if (!follows(o, o->learnt.at[k]))
            o->learnt.at[kept++] = o->learnt.at[k];
    o->learnt.len = kept;
    for (size_t k = 0; k < o->checked.len; k++)
        o->vars.at[var_of(o->checked.at[k])].seen = false;
    for (size_t k = 1; k < o->learnt.len; k++) {
        uint32_t level = o->vars.at[var_of(o->learnt.at[k])].level;
        if (level > back) {
            back = level;
            rcp_lit swap = o->learnt.at[1];
            o->learnt.at[1] = o->learnt.at[k];
            o->learnt.at[k] = swap;
        }
    }
    o->increment *= 1.05;
    return back;
}

/* How many levels the clause joins: the fewer, the sooner it says something (Audemard and Simon, 2009). */
static uint32_t count_levels(rcp_ordering *o, const rcp_lit *lits, size_t n) {
    uint32_t levels = 0;
    o->stamp++;
    for (size_t i = 0; i < n; i++) {
        uint32_t level = o->vars.at[var_of(lits[i])].level;
        while (o->level_seen.len <= level)
            rcp_vec_push(&o->level_seen, 0);
        levels += o->level_seen.at[level] != o->stamp;
        o->level_seen.at[level] = o->stamp;
    }
    return levels;
}

/* After a conflict. */
static void learn(rcp_ordering *o) {
    uint32_t highest = 0;
    for (size_t i = 0; i < o->conflict.len; i++) {
        uint32_t level = o->vars.at[var_of(o->conflict.at[i])].level;
        highest = level > highest ? level : highest;
    }
    undo_to(o, highest);
    o->stats.conflicts++;
    if (!highest) {
        o->impossible = true;
        return;
    }
    uint32_t back = analyze(o), levels = count_levels(o, o->learnt.at, o->learnt.len);
    undo_to(o, back);
    uint32_t reason = NO_CLAUSE;
    if (o->learnt.len > 1)
        reason = keep_clause(o, o->learnt.at, o->learnt.len, levels);
    o->n_learnt += o->learnt.len > 1;
    assign(o, o->learnt.at[0], reason);
}

/* Brings to the front the two literals that are best to watch: open or true ones, else those that became false last. */
static void choose_watches(const rcp_ordering *o, rcp_lit *lits, size_t n) {
    for (size_t k = 0; k < 2 && k < n; k++) {
        size_t best = k;
        uint64_t best_rank = 0;
        for (size_t i = k; i < n; i++) {
            uint64_t rank = value_of(o, lits[i]) < 0 ? o->vars.at[var_of(lits[i])].level : UINT64_MAX;
            if (i == k || rank > best_rank) {
                best = i;
                best_rank = rank;
            }
        }
        rcp_lit swap = lits[k];
        lits[k] = lits[best];
        lits[best] = swap;
    }
}

void rcp_ordering_clause(rcp_ordering *o, const rcp_lit *given, size_t n_given) {
    o->scratch.len = 0;
    for (size_t i = 0; i < n_given; i++) {
        bool settled = value_of(o, given[i]) && !o->vars.at[var_of(given[i])].level;
        if (settled && value_of(o, given[i]) > 0)
            return;
        bool again = settled; /* settled and false: left out */
        for (size_t k = 0; k < o->scratch.len && !again && n_given < 64; k++)
            again = o->scratch.at[k] == given[i];
        if (!again)
            rcp_vec_push(&o->scratch, given[i]);
    }
    rcp_lit *lits = o->scratch.at;
    size_t n = o->scratch.len;
    for (size_t i = 0; i < n; i++)
        bump(o, var_of(lits[i]));
    o->increment *= 1.02;
    if (!n) {
        o->impossible = true;
        return;
    }
    choose_watches(o, lits, n);
    if (n == 1) {
        undo_to(o, 0);
        if (!value_of(o, lits[0]))
            assign(o, lits[0], NO_CLAUSE);
        return;
    }
    if (value_of(o, lits[0]) < 0) { /* all are false */
        uint32_t top = o->vars.at[var_of(lits[0])].level, second = o->vars.at[var_of(lits[1])].level;
        undo_to(o, top == second ? top - 1 : second);
    } else if (value_of(o, lits[1]) < 0 && !value_of(o, lits[0])) {
        undo_to(o, o->vars.at[var_of(lits[1])].level);
    }
    uint32_t clause = keep_clause(o, lits, n, 0);
    o->next = o->given.len;
    o->good = 0;
    rcp_vec_push(&o->given, clause);
    if (!value_of(o, lits[0]) && value_of(o, lits[1]) < 0)
        assign(o, lits[0], clause);
}

/* Does it hold, what is open taken for what the order, or the last choice, makes of it? What is assigned agrees with
 * that. */
static bool seems(const rcp_ordering *o, rcp_lit lit) {
    const variable *v = &o->vars.at[var_of(lit)];
    bool holds = v->from == NO_NODE ? v->phase : o->graph.rank[v->from] < o->graph.rank[v->to];
    return holds != (lit & 1);
}

/* Of a clause that does not hold, the literal to make true: a consequence, for those follow from the rest, or else what
 * has been in conflicts lately. */
static rcp_lit choose(const rcp_ordering *o, const rcp_lit *lits, uint32_t n) {
    rcp_lit best = RCP_LIT_FALSE;
    double most = -1;
    for (uint32_t i = 0; i < n; i++) {
        const variable *v = &o->vars.at[var_of(lits[i])];
        double activity = v->keeps ? v->activity : INFINITY;
        if (!v->value && activity > most) {
            best = lits[i];
            most = activity;
        }
    }
    RCP_CHECK(most >= 0);
    return best;
}

/* Atoms that the order satisfies as it stands are not decided: each would only be in the way of others. */
static bool decide(rcp_ordering *o) {
    if (o->moves != o->graph.moves) {
        o->moves = o->graph.moves;
        o->good = 0;
    }
    for (; o->good < o->given.len; o->good++, o->next++) {
        o->next = o->next < o->given.len ? o->next : 0;
        uint32_t clause = o->given.at[o->next], n = o->arena.at[clause + LENGTH], i = 0;
        const rcp_lit *lits = &o->arena.at[clause + LITS];
        while (i < n && !seems(o, lits[i]))
            i++;
        if (i < n)
            continue;
        rcp_lit lit = choose(o, lits, n);
        rcp_vec_push(&o->levels, (uint32_t)o->trail.len);
        assign(o, lit, NO_CLAUSE);
        o->stats.decisions++;
        return true;
    }
    return false;
}

static int by_levels(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Forgets the worse half of what was learnt, short clauses excepted, and whatever holds for good. Only at level 0,
 * where nobody asks for reasons. */
static void forget(rcp_ordering *o) {
    RCP_VEC(uint32_t) worth = {0};
    for (size_t at = 0; at < o->arena.len; at += LITS + o->arena.at[at + LENGTH])
        if (o->arena.at[at + LEVELS] > 2)
            rcp_vec_push(&worth, o->arena.at[at + LEVELS]);
    if (worth.len)
        qsort(worth.at, worth.len, sizeof *worth.at, by_levels);
    uint32_t limit = worth.len ? worth.at[worth.len / 2] : UINT32_MAX;
    rcp_vec_finish(&worth);
    for (size_t i = 0; i < o->watching.len; i++)
        o->watching.at[i].len = 0;
    size_t to = 0;
    o->given.len = o->n_learnt = 0;
    o->next = o->good = 0;
    for (size_t at = 0, length; at < o->arena.len; at += length) {
        uint32_t n = o->arena.at[at + LENGTH], levels = o->arena.at[at + LEVELS];
        length = LITS + n;
        bool holds = false;
        for (uint32_t i = 0; i < n; i++)
            holds |= value_of(o, o->arena.at[at + LITS + i]) > 0;
        if (holds || (levels > 2 && levels >= limit))
            continue;
        memmove(&o->arena.at[to], &o->arena.at[at], length * sizeof *o->arena.at);
        watch_clause(o, (uint32_t)to);
        if (!levels)
            rcp_vec_push(&o->given, (uint32_t)to);
        o->n_learnt += levels > 0;
        to += length;
    }
    o->arena.len = to;
    o->learnt_limit += rcp_limit(RCP_LIMIT_SOLVER_LEARNT_MORE);
}

/* 1 1 2 1 1 2 4 …; i counts from 1 */
static uint64_t luby(uint64_t i) {
    uint64_t k = 1;
    while ((UINT64_C(1) << k) - 1 < i)
        k++;
    return (UINT64_C(1) << k) - 1 == i ? UINT64_C(1) << (k - 1) : luby(i - (UINT64_C(1) << (k - 1)) + 1);
}

static void restart(rcp_ordering *o) {
    o->last_restart = o->stats.conflicts;
    o->restarts++;
    /* what was learnt last may stand at a level that goes: it comes again by propagation */
    undo_to(o, 0);
    o->forgetting = o->n_learnt > o->learnt_limit;
}

#define LOOK_EVERY 256 /* rounds, until somebody looks at the clock */

rcp_ordering_answer rcp_ordering_solve(rcp_ordering *o, uint64_t *steps) {
    uint64_t before = o->stats.steps + o->graph.work;
    rcp_ordering_answer answer = RCP_ORDERING_FOUND;
    for (uint64_t round = 1; !o->impossible; round++) {
        if (o->stats.steps + o->graph.work - before > *steps || (round % LOOK_EVERY == 0 && rcp_deadline_is_over())) {
            answer = RCP_ORDERING_LIMIT;
            break;
        }
        if (!propagate(o)) {
            learn(o);
            if (!o->impossible &&
                o->stats.conflicts - o->last_restart > rcp_limit(RCP_LIMIT_SOLVER_RESTART) * luby(o->restarts + 1))
                restart(o);
            continue;
        }
        if (o->forgetting && !level_now(o)) {
            forget(o);
            o->forgetting = false;
        }
        if (!decide(o))
            break;
        o->stats.steps++;
    }
    if (o->impossible)
        answer = RCP_ORDERING_NONE;
    uint64_t used = o->stats.steps + o->graph.work - before;
    *steps -= used < *steps ? used : *steps;
    return answer;
}

bool rcp_ordering_holds(const rcp_ordering *o, rcp_lit lit) { return seems(o, lit); }
const uint32_t *rcp_ordering_borrow_ranks(const rcp_ordering *o) { return o->graph.rank; }
const uint32_t *rcp_ordering_borrow_nodes(const rcp_ordering *o) { return o->graph.at; }
rcp_ordering_stats rcp_ordering_statistics(const rcp_ordering *o) { return o->stats; }
