/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_state.h"

#include "suite.h"
#include "temporary.h"

enum { TRACE = 77, OPTIONS = 5 };

static char directory[256];

static rcp_results *begin_at(uint64_t trace) {
    rcp_results *results = NULL;
    ck_assert_int_eq(rcp_results_open(directory, &results), RCP_OK);
    ck_assert_int_eq(rcp_results_resume(results, trace, RCP_MODEL_BIT(RCP_MODEL_HUNT)), RCP_OK);
    return results;
}

static void decide(rcp_hunt_run *run, uint64_t name, const uint64_t sides[], size_t n) {
    rcp_decisions_thread thread = {.name = name};
    for (size_t i = 0; i < n; i++)
        rcp_vec_push(&thread.at, ((rcp_decision){.place = UINT64_MAX - i % 2,
                                                 .side = sides[i],
                                                 .way = i % 3 ? sides[i] : sides[i] * UINT64_C(0x9e3779b97f4a7c15),
                                                 .event = (uint32_t)(i * i)}));
    rcp_vec_push(&run->decisions.threads, thread);
    run->decisions.number += name;
}

/* A run that is settled, and one that is not. */
static void fill(rcp_hunt_state *state, rcp_subject *first) {
    const uint64_t sides[] = {0, 1, 1, UINT64_MAX, 0, 1, 0x7fffffffffff};
    rcp_hunt_run *run = rcp_hunt_state_add(state, first), *other = rcp_hunt_state_add(state, NULL);
    decide(run, 11, sides, 7);
    decide(run, 12, sides, 0);
    decide(other, 11, sides, 3);
    run->is_searched = run->is_listed = other->is_searched = true;
    run->why_open = rcp_copy("a lock", 7);
    rcp_hunt_turn turn = {.at = {4, 3, UINT64_MAX}, .place = 9, .is_twofold = true, .state = RCP_HUNT_ASKED, .left = 2};
    rcp_vec_push(&turn.lost, UINT64_MAX);
    rcp_vec_push(&turn.given_up, 0);
    rcp_vec_push(&run->turns, turn);
    rcp_vec_push(&other->overtakings,
                 ((rcp_hunt_overtaking){.of = {3, 8}, .as = UINT64_MAX, .else_as = 1, .is_lost = true}));
    rcp_vec_push(&other->turns, ((rcp_hunt_turn){.state = RCP_HUNT_ASKED_ONCE}));
    other->is_listed = true;
    run->is_parted = true;
    rcp_vec_push(&state->atomicity, 4);
    rcp_vec_push(&state->atomicity, UINT64_MAX);
    other->reached.at[RCP_LIMIT_HUNT_WAYS] = 6;
    state->made = 300;
    state->again = 2;
    state->seconds = 1.5;
    rcp_map_set(&state->ends, UINT64_MAX - 5, 1);
    rcp_hunt_curve_add(&state->curve, &(rcp_hunt_point){.seconds = 0.25, .runs = 3, .classes = 2});
}

static bool recall(rcp_hunt_state *state, uint64_t trace, uint64_t options, rcp_subject *first) {
    bool is_there;
    rcp_results *results = begin_at(trace);
    rcp_hunt_state_init(state);
    ck_assert_int_eq(rcp_hunt_state_recall(state, results, options, directory, first, &is_there), RCP_OK);
    rcp_results_close(results);
    return is_there;
}

static void is_same_run(const rcp_hunt_run *a, const rcp_hunt_run *b) {
    ck_assert_uint_eq(a->decisions.number, b->decisions.number);
    ck_assert_uint_eq(a->decisions.threads.len, b->decisions.threads.len);
    for (size_t t = 0; t < a->decisions.threads.len; t++) {
        const rcp_decisions_thread *one = &a->decisions.threads.at[t], *two = &b->decisions.threads.at[t];
        ck_assert_uint_eq(one->name, two->name);
        ck_assert_uint_eq(one->at.len, two->at.len);
        for (size_t i = 0; i < one->at.len; i++) {
            ck_assert_uint_eq(one->at.at[i].place, two->at.at[i].place);
            ck_assert_uint_eq(one->at.at[i].side, two->at.at[i].side);
            ck_assert_uint_eq(one->at.at[i].way, two->at.at[i].way);
            ck_assert_uint_eq(one->at.at[i].event, two->at.at[i].event);
        }
    }
}

START_TEST(what_is_kept_comes_back) {
    rcp_hunt_state state, back;
    rcp_subject first = {.variant = 0};
    make_temporary(directory, sizeof directory);
    rcp_results *results = begin_at(TRACE);
    rcp_hunt_state_init(&state);
    fill(&state, &first);
    ck_assert(rcp_hunt_run_is_settled(state.runs.at[0]));
    ck_assert(!rcp_hunt_run_is_settled(state.runs.at[1]));
    ck_assert_int_eq(rcp_hunt_state_keep(&state, results, OPTIONS), RCP_OK);
    ck_assert(state.runs.at[0]->is_kept && !state.runs.at[0]->is_changed);
    rcp_results_close(results);

    ck_assert(recall(&back, TRACE, OPTIONS, &first));
    ck_assert_uint_eq(back.runs.len, 2);
    ck_assert_uint_eq(back.made, 300);
    ck_assert_uint_eq(back.again, 2);
    ck_assert_double_eq(back.seconds, 1.5);
    ck_assert_uint_ne(rcp_map_get(&back.ends, UINT64_MAX - 5), RCP_MAP_NONE);
    ck_assert_uint_eq(back.curve.at.len, 1);
    ck_assert_double_eq(back.curve.at.at[0].seconds, 0.25);
    for (size_t i = 0; i < 2; i++)
        is_same_run(state.runs.at[i], back.runs.at[i]);
    ck_assert_uint_eq(back.atomicity.len, 2);
    ck_assert_uint_eq(back.atomicity.at[0], 4);
    ck_assert_uint_eq(back.atomicity.at[1], UINT64_MAX);
    const rcp_hunt_run *run = back.runs.at[0];
    ck_assert(run->is_parted && !back.runs.at[1]->is_parted);
    ck_assert_ptr_eq(run->subject, &first);
    ck_assert_str_eq(run->why_open, "a lock");
    ck_assert(rcp_hunt_run_is_settled(run) && !run->is_changed);
    ck_assert_uint_eq(run->turns.len, 1);
    ck_assert_uint_eq(run->turns.at[0].at.event, 4);
    ck_assert_uint_eq(run->turns.at[0].at.place, UINT64_MAX);
    ck_assert_uint_eq(run->turns.at[0].place, 9);
    ck_assert_uint_eq(run->turns.at[0].left, 2);
    ck_assert_uint_eq(run->turns.at[0].lost.at[0], UINT64_MAX);
    ck_assert_uint_eq(run->turns.at[0].given_up.len, 1);
    ck_assert_uint_eq(back.runs.at[1]->overtakings.len, 1);
    const rcp_hunt_overtaking *it = &back.runs.at[1]->overtakings.at[0];
    ck_assert(it->of.earlier == 3 && it->of.later == 8 && it->as == UINT64_MAX && it->else_as == 1);
    ck_assert(it->state == RCP_HUNT_NOT_ASKED && it->is_lost && !it->is_undecided);
    ck_assert_uint_eq(rcp_hunt_state_lost(&back), 2 + 1);
    ck_assert_uint_eq(back.runs.at[1]->reached.at[RCP_LIMIT_HUNT_WAYS], 6);
    rcp_hunt_state_finish(&back);

    /* Under others what is settled counts, and nothing else. */
    ck_assert(recall(&back, TRACE, OPTIONS + 1, &first));
    ck_assert(rcp_hunt_run_is_settled(back.runs.at[0]));
    ck_assert(!back.runs.at[1]->is_searched && !back.runs.at[1]->is_listed);
    ck_assert_uint_eq(back.runs.at[1]->turns.len + back.runs.at[1]->overtakings.len, 0);
    ck_assert_uint_eq(back.runs.at[1]->reached.at[RCP_LIMIT_HUNT_WAYS], 0);
    is_same_run(state.runs.at[1], back.runs.at[1]);
    rcp_hunt_state_finish(&back);
    rcp_hunt_state_finish(&state);
    drop_temporary(directory);
}
END_TEST

/* Whatever stands there: it is taken as it was, or the hunt begins anew. */
START_TEST(what_is_cut_off_is_not_taken) {
    rcp_hunt_state state, back;
    rcp_subject first = {.variant = 0};
    make_temporary(directory, sizeof directory);
    for (uint32_t part = 0; part < 3; part++) {
        rcp_results *results = begin_at(TRACE + 1);
        rcp_hunt_state_init(&state);
        fill(&state, &first);
        ck_assert_int_eq(rcp_hunt_state_keep(&state, results, OPTIONS), RCP_OK);
        const rcp_hunted_part wrong = {.part = part, .at = "\1\2\3", .n = 3};
        ck_assert_int_eq(rcp_results_keep_hunted(results, &wrong, 1), RCP_OK);
        rcp_results_close(results);
        rcp_hunt_state_finish(&state);
        ck_assert(!recall(&back, TRACE + 1, OPTIONS, &first));
        ck_assert_uint_eq(back.runs.len, 0);
        rcp_hunt_state_finish(&back);
        ck_assert(!recall(&back, TRACE + 1, OPTIONS, &first)); /* it is gone */
        rcp_hunt_state_finish(&back);
    }
    ck_assert(!recall(&back, TRACE + 2, OPTIONS, &first));
    rcp_hunt_state_finish(&back);
    drop_temporary(directory);
}
END_TEST

START_TEST(a_curve_has_few_points_and_the_last_one) {
    rcp_hunt_curve curve = {.step = 0};
    for (unsigned i = 0; i < 1000; i++) {
        rcp_hunt_curve_add(&curve, &(rcp_hunt_point){.seconds = i * 0.1, .runs = i});
        const size_t n = curve.at.len;
        ck_assert(n && n <= RCP_HUNT_POINTS);
        ck_assert_uint_eq(curve.at.at[n - 1].runs, i);
        ck_assert_uint_eq(curve.at.at[0].runs, 0);
        for (size_t k = 1; k < n; k++)
            ck_assert(curve.at.at[k].runs > curve.at.at[k - 1].runs);
    }
    ck_assert(curve.at.len > RCP_HUNT_POINTS / 3);
    rcp_vec_finish(&curve.at);
}
END_TEST

int main(void) {
    return rcp_suite_run("hunt_state", what_is_kept_comes_back, what_is_cut_off_is_not_taken,
                         a_curve_has_few_points_and_the_last_one, NULL);
}
