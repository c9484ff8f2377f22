/* SPDX-License-Identifier: Apache-2.0 */
#include "same_trace.h"

#include "base/text.h"
#include "parse_text.h"
#include "suite.h"

#include <dirent.h>
#include <stdlib.h>

static void read_source(rcp_text *text, const char *path) {
    const char *root = getenv("RECIPE_SOURCE_DIR");
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", root ? root : ".", path);
    if (rcp_text_read_file(text, full) != RCP_OK)
        ck_abort_msg("%s", rcp_borrow_cause(0));
}

/* parse, print, parse, compare, print, compare */
static void check_round_trip(const char *name, const char *text, size_t len) {
    rcp_trace first, second;
    rcp_text printed = {0}, again = {0};
    rcp_trace_init(&first);
    rcp_trace_init(&second);
    if (rcp_text_parse(name, text, len, &first) != RCP_OK)
        ck_abort_msg("%s", rcp_borrow_cause(0));
    rcp_text_print_trace(&printed, &first);
    if (rcp_text_parse("printed", printed.at, printed.len, &second) != RCP_OK)
        ck_abort_msg("%s\n%s", rcp_borrow_cause(0), printed.at);
    ck_assert_msg(same_trace(&first, &second), "%s: not the same trace:\n%s", name, printed.at);
    rcp_text_print_trace(&again, &second);
    ck_assert_str_eq(printed.at, again.at);
    rcp_trace_finish(&first);
    rcp_trace_finish(&second);
    rcp_text_finish(&printed);
    rcp_text_finish(&again);
}

START_TEST(every_kind_round_trips) {
    rcp_text text = {0};
    read_source(&text, "tests/golden/every_kind.txt");
    check_round_trip("every_kind.txt", text.at, text.len);

    /* the file keeps its promise: each kind of event, and each outcome and order */
    rcp_trace trace;
    rcp_trace_init(&trace);
    ck_assert_int_eq(rcp_text_parse("every_kind.txt", text.at, text.len, &trace), RCP_OK);
    unsigned kinds[RCP_KINDS] = {0}, orders[RCP_ORDERS] = {0}, outcomes[RCP_OUTCOMES] = {0};
    for (size_t i = 0; i < trace.events.len; i++) {
        const rcp_event *e = &trace.events.at[i];
        kinds[e->kind]++;
        outcomes[e->outcome]++;
        if (rcp_event_is_access(e))
            orders[e->mode]++;
    }
    for (int i = 0; i < RCP_KINDS; i++)
        ck_assert_msg(kinds[i], "no '%s' in the file", rcp_event_traits((rcp_kind)i)->name);
    for (int i = 0; i < RCP_ORDERS; i++)
        ck_assert_msg(orders[i], "no %s in the file", rcp_order_name((rcp_order)i));
    for (int i = 0; i < RCP_OUTCOMES; i++)
        ck_assert_msg(outcomes[i], "no %s in the file", rcp_outcome_name((rcp_outcome)i));
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
}
END_TEST

START_TEST(figures_round_trip) {
    const char *root = getenv("RECIPE_SOURCE_DIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/golden/figures", root ? root : ".");
    DIR *directory = opendir(path);
    ck_assert_ptr_nonnull(directory);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!strstr(entry->d_name, ".txt"))
            continue;
        rcp_text text = {0};
        snprintf(path, sizeof path, "tests/golden/figures/%s", entry->d_name);
        read_source(&text, path);
        check_round_trip(entry->d_name, text.at, text.len);
        ck_assert_msg(strstr(text.at, "# expect hb: "), "%s says nothing of hb", entry->d_name);
        rcp_text_finish(&text);
        files++;
    }
    closedir(directory);
    ck_assert_int_ge(files, 20);
}
END_TEST

START_TEST(fields_are_what_the_line_says) {
    static const char text[] = "recipe trace 1\n"
                               "thread A\nthread B\nvar x 0x1000 4 = -2\nmutex m @0x9 = 3\n"
                               "a: B r x = -2 acquire @ f.c:3:4 in g\n"
                               "A w x+1:2 = 0x102 <- (extract:16:8 (add $a 1:32))\n";
    rcp_trace t;
    parse_text(&t, text);
    ck_assert_uint_eq(t.events.len, 2);
    const rcp_event *r = &t.events.at[0], *w = &t.events.at[1];
    ck_assert_uint_eq(r->tid.v, 1);
    ck_assert_uint_eq(r->kind, RCP_READ);
    ck_assert_uint_eq(r->mode, RCP_ACQ);
    ck_assert_uint_eq(r->addr, 0x1000);
    ck_assert_uint_eq(r->value, 0xfffffffe);
    const rcp_location *l = &t.defs.locations.at[r->loc.v];
    ck_assert_str_eq(rcp_defs_borrow_string(&t.defs, l->file), "f.c");
    ck_assert_str_eq(rcp_defs_borrow_string(&t.defs, l->function), "g");
    ck_assert_uint_eq(l->line, 3);
    ck_assert_uint_eq(l->column, 4);
    ck_assert_uint_eq(w->addr, 0x1001);
    ck_assert_uint_eq(w->size, 2);
    ck_assert_uint_eq(w->value, 0x102);
    const rcp_term_node *node = rcp_term_borrow(&t.terms, w->value_term);
    ck_assert_uint_eq(node->op, RCP_OP_EXTRACT);
    ck_assert_uint_eq(node->width, 16);
    ck_assert_uint_eq(node->b, 8);
    ck_assert_uint_eq(t.defs.images.len, 1);
    ck_assert_uint_eq(t.defs.images.at[0].bytes[0], 0xfe);
    ck_assert_uint_eq(t.defs.objects.at[0].addr, 9);
    ck_assert_uint_eq(t.defs.objects.at[0].initial, 3);
    rcp_trace_finish(&t);
}
END_TEST

/* Terms that are shared, deep, out of order, unused or too long for a line neither blow up nor change their ids. */
START_TEST(any_pool_round_trips) {
    rcp_trace t;
    rcp_trace_init(&t);
    rcp_tid tid = rcp_defs_thread(&t.defs, NULL);
    rcp_event r = {.kind = RCP_READ, .tid = tid, .addr = 0x1000, .size = 8};
    ck_assert_int_eq(rcp_trace_add(&t, &r), RCP_OK);
    rcp_term seven = rcp_term_const(&t.terms, 64, 7); /* not in the order of any expression */
    rcp_term x = rcp_term_read(&t.terms, (rcp_eid){0}, 0, 64);
    rcp_term ahead = rcp_term_read(&t.terms, (rcp_eid){3}, 0, 64);
    rcp_term doubled = rcp_term_make(&t.terms, RCP_OP_ADD, 0, x, ahead, (rcp_term){0});
    for (int i = 0; i < 300; i++) /* as a tree: 2^300 nodes */
        doubled = rcp_term_make(&t.terms, i % 2 ? RCP_OP_ADD : RCP_OP_XOR, 0, doubled, doubled, (rcp_term){0});
    rcp_event w = {.kind = RCP_WRITE, .tid = tid, .addr = 0x1000, .size = 8, .value_term = doubled};
    ck_assert_int_eq(rcp_trace_add(&t, &w), RCP_OK);
    rcp_term sides[2];
    for (int side = 0; side < 2; side++) { /* each fits a line, both together do not */
        sides[side] = rcp_term_make(&t.terms, RCP_OP_SUB, 0, x, seven, (rcp_term){0});
        for (int i = 0; i < 9; i++)
            sides[side] = rcp_term_make(&t.terms, side ? RCP_OP_MUL : RCP_OP_AND, 0, sides[side], seven, (rcp_term){0});
        w.value_term = sides[side];
        ck_assert_int_eq(rcp_trace_add(&t, &w), RCP_OK);
    }
    w.value_term = sides[0];
    w.addr_term = sides[1];
    ck_assert_int_eq(rcp_trace_add(&t, &w), RCP_OK);
    rcp_term_make(&t.terms, RCP_OP_UMAX, 0, sides[0], sides[1], (rcp_term){0});

    rcp_text printed = {0};
    rcp_text_print_trace(&printed, &t);
    ck_assert_uint_lt(printed.len, 20000);
    rcp_trace back;
    rcp_trace_init(&back);
    if (rcp_text_parse("printed", printed.at, printed.len, &back) != RCP_OK)
        ck_abort_msg("%s\n%s", rcp_borrow_cause(0), printed.at);
    ck_assert(same_trace(&t, &back));
    rcp_trace_finish(&t);
    rcp_trace_finish(&back);
    rcp_text_finish(&printed);
}
END_TEST

/* Tables whose order no line brings about, names that are no words or stand twice. */
START_TEST(any_tables_round_trip) {
    rcp_trace t;
    rcp_trace_init(&t);
    rcp_defs *d = &t.defs;
    rcp_str late = rcp_defs_string(d, "late.c", 6), function = rcp_defs_string(d, "f", 1);
    rcp_loc second = rcp_defs_location(d, (rcp_location){.file = late, .line = 2});
    rcp_loc first = rcp_defs_location(d, (rcp_location){.file = late, .function = function, .line = 1});
    rcp_defs_location(d, (rcp_location){.column = 7});
    rcp_stack outer = rcp_defs_stack(d, (rcp_frame){.loc = second});
    rcp_stack inner = rcp_defs_stack(d, (rcp_frame){.caller = outer});
    const char *names[] = {"T1", NULL, "T1", "mutex", "a b", "T3", "\"quoted\"\\\x7f", "T1_1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rcp_defs_thread(d, names[i]);
        rcp_defs_object(d, (rcp_object_kind)i, names[i], i % 3, i);
        rcp_defs_variable(d, names[i], 0x1000 + 2 * i, i);
    }
    rcp_defs_variable(d, "top", UINT64_MAX - 1, 8);
    rcp_defs_image(d, 0x1002, (const uint8_t *)"\x01", 1);
    rcp_defs_fact(d, "", "value of no name");
    for (uint32_t i = 0; i < 8; i++) {
        rcp_event e = {
            .kind = RCP_WRITE, .tid = {i}, .addr = 0x1000 + 3 * i, .size = 1 + i, .loc = first, .stack = inner};
        ck_assert_int_eq(rcp_trace_add(&t, &e), RCP_OK);
        rcp_event init = {.kind = RCP_INIT, .tid = {7 - i}, .object = {i}};
        ck_assert_int_eq(rcp_trace_add(&t, &init), RCP_OK);
    }
    rcp_text printed = {0};
    rcp_text_print_trace(&printed, &t);
    rcp_trace back;
    rcp_trace_init(&back);
    if (rcp_text_parse("printed", printed.at, printed.len, &back) != RCP_OK)
        ck_abort_msg("%s\n%s", rcp_borrow_cause(0), printed.at);
    ck_assert_msg(same_trace(&t, &back), "%s", printed.at);
    rcp_trace_finish(&t);
    rcp_trace_finish(&back);
    rcp_text_finish(&printed);
}
END_TEST

static const struct {
    const char *lines; /* after the first line */
    const char *message;
} refused[] = {
    {"T1 begin", "t:2:1: no thread is called 'T1': declare it first, with 'thread T1'"},
    {"thread T1\nT1 r x", "t:3:6: no variable is called 'x': declare it first, with 'var x'"},
    {"thread T1\nT1 acq m", "t:3:8: no synchronisation object is called 'm': declare it first, with 'mutex m'"},
    {"thread T1\nT1 jump", "t:3:4: no kind of event is called 'jump'"},
    {"thread T1\nthread T1", "t:3:8: there is a thread called 'T1' already"},
    {"thread mutex", "t:2:8: no thread can be called 'mutex': the word has a meaning of its own"},
    {"thread T1\nT1 fork T2", "t:3:9: no thread is called 'T2': declare it first, with 'thread T2'"},
    {"thread T1 \"open", "t:2:11: this string is not closed on its line"},
    {"thread T1\nvar x 0x10 4\nT1 w x = 0x100000000", "t:4:10: the value is wider than 4 bytes"},
    {"thread T1\nvar x 0x10 4\nT1 w x+2:3", "t:4:6: the variable 'x' has 4 bytes: the part reaches past its end"},
    {"thread T1\nT1 r 0x10:9 = 00", "t:3:15: 1 bytes stand here where 9 are needed (two digits a byte)"},
    {"thread T1\nT1 r 0x10:9 = 0", "t:3:15: bytes are pairs of hexadecimal digits; one digit is left over"},
    {"thread T1\nT1 r 0x10:0", "t:3:4: an access of 0 bytes"},
    {"thread T1\nT1 r 0x10:4 = 1 = 2", "t:3:17: this stands on the line a second time"},
    {"thread T1\nT1 rmw 0x10:4 = 1 seq_cst",
     "t:3:4: an rmw has what it read and what it wrote, as in '= 3 -> 4', or neither"},
    {"thread T1\nT1 rmw 0x10:4", "t:3:4: an rmw is atomic: its order can't be plain"},
    {"thread T1\nmutex m\nT1 acq m shared", "t:4:4: only a rwlock can be held in shared mode"},
    {"thread T1\nmutex m\nT1 acq m serial", "t:4:4: 'acq' can't have outcome 4"},
    {"thread T1\nmutex m\nT1 rel m failed", "t:4:10: 'failed' can't follow 'rel'"},
    {"thread T1\nT1 br 1 if (add 1:32 2:16)", "t:3:12: term 'add': both arguments and the result must have one width"},
    {"thread T1\nT1 br 1 if $e1", "t:3:12: no event above has the label 'e1': write 'e1:' before the read"},
    {"thread T1\nT1 br 1 if $7", "t:3:12: event 7 is not there yet: state what it reads as in $7+0:32"},
    {"thread T1\na: T1 begin\nT1 br if $a", "t:4:10: event 0 is no read but 'begin'"},
    {"thread T1\na: T1 r 0x10:4\na: T1 r 0x10:4", "t:4:1: an event above has the label 'a' already"},
    {"thread T1\nT1 br if (jump 1:32)", "t:3:11: no operator is called 'jump'"},
    {"thread T1\nT1 br if (add 1:32)", "t:3:19: 'add' has 2 arguments, not 1"},
    {"thread T1\nT1 br if (zext 1:32)", "t:3:15: 'zext' needs the result's width in bits, as in (zext:64 a)"},
    {"thread T1\nT1 br if 300:8", "t:3:10: term 'const': the literal is wider than its width"},
    {"thread T1\nT1 br if t5", "t:3:10: no term is called 't5': declare it first with 'term t5 = …'"},
    {"thread T1\nT1 begin ^ s1", "t:3:12: no stack is called 's1': declare it first, with 'stack s1'"},
    {"reach D 0x10-0x8", "t:2:7: reach: span 0 is empty"},
    {"sem s", "t:2:6: a sem needs its count, as in 'sem s = 2'"},
    {"thread T1\nT1 begin now", "t:3:10: 'now' can't follow 'begin'"},
    {"thread T1 = 3", "t:2:11: the line should end here"},
    {"var x 99999999999999999999 4", "t:2:7: this number has more than 64 bits"},
    {"image 0xffffffffffffffff 0102", "t:2:6: the range reaches past the end of the address space"},
    {"(", "t:2:1: a line begins with a thread, a label or a kind of definition"},
};

START_TEST(bad_lines_are_refused) {
    rcp_text text = {0};
    rcp_trace trace;
    rcp_text_printf(&text, "recipe trace 1\n%s\n", refused[_i].lines);
    rcp_trace_init(&trace);
    ck_assert_int_eq(rcp_text_parse("t", text.at, text.len, &trace), RCP_BAD_INPUT);
    ck_assert_str_eq(rcp_borrow_cause(0), refused[_i].message);
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
}
END_TEST

START_TEST(other_files_are_refused) {
    static const char *const texts[] = {"", "# nothing\n", "hello\n", "recipe\n", "recipe witness 1\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rcp_trace trace;
        rcp_trace_init(&trace);
        ck_assert(!rcp_text_is_ours(texts[i], strlen(texts[i])));
        ck_assert_int_eq(rcp_text_parse("t", texts[i], strlen(texts[i]), &trace), RCP_BAD_INPUT);
        ck_assert(strstr(rcp_borrow_cause(0), "the first line of a text trace is 'recipe trace 1'"));
        rcp_trace_finish(&trace);
    }
    rcp_trace trace;
    rcp_trace_init(&trace);
    ck_assert(rcp_text_is_ours("# a\n\nrecipe trace 2\n", 20));
    ck_assert_int_eq(rcp_text_parse("t", "recipe trace 2\n", 15, &trace), RCP_BAD_INPUT);
    ck_assert_str_eq(rcp_borrow_cause(0), "t:1:1: version 2 of the text form is not known here; 1 is");
    rcp_trace_finish(&trace);
}
END_TEST

START_TEST(deep_nesting_is_refused) {
    rcp_text text = {0};
    rcp_trace trace;
    rcp_text_puts(&text, "recipe trace 1\nthread T1\nT1 br if ");
    for (int i = 0; i < 100000; i++)
        rcp_text_puts(&text, "(fneg ");
    rcp_trace_init(&trace);
    ck_assert_int_eq(rcp_text_parse("t", text.at, text.len, &trace), RCP_BAD_INPUT);
    ck_assert(strstr(rcp_borrow_cause(0), "nested more than 200 deep"));
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
}
END_TEST

/* A cut anywhere is either refused with a place or is a shorter trace; never anything else. */
START_TEST(cut_files_do_no_harm) {
    rcp_text text = {0};
    read_source(&text, "tests/golden/every_kind.txt");
    for (size_t len = 0; len < text.len; len += 3) {
        rcp_trace trace;
        rcp_trace_init(&trace);
        char *cut = malloc(len + 1); /* the end of the block is the end of the text: a sanitizer sees a step past it */
        memcpy(cut, text.at, len);
        char *exact = realloc(cut, len ? len : 1);
        if (rcp_text_parse("cut", exact, len, &trace) != RCP_OK)
            ck_assert(!strncmp(rcp_borrow_cause(0), "cut:", 4));
        free(exact);
        rcp_trace_finish(&trace);
    }
    rcp_text_finish(&text);
}
END_TEST

START_TEST(excerpts_and_words) {
    static const char text[] = "recipe trace 1\nthread A\nthread B \"two words\"\nvar x 0x1000 4\nmutex m\n"
                               "A acq m\na: A r x = 1\nA w x = 2 <- (add $a 1:32)\n";
    rcp_trace t;
    parse_text(&t, text);
    rcp_printer *printer = rcp_printer_create(&t.defs, &t.terms);
    rcp_text out = {0};
    rcp_text_print_excerpt(printer, &out, (rcp_eid){2}, &t.events.at[2]);
    rcp_text_print_place(printer, &out, 0x1001, 2);
    ck_assert_str_eq(out.at, "e2: A w x = 2 <- (add $e1+0:32 1:32)\nx+1:2");
    rcp_tid tid;
    rcp_obj object;
    rcp_span span;
    ck_assert(rcp_printer_find_thread(printer, "T1", &tid) && tid.v == 1);
    ck_assert_str_eq(rcp_printer_borrow_thread(printer, (rcp_tid){0}), "A");
    ck_assert(!rcp_printer_find_thread(printer, "B", &tid));
    ck_assert(rcp_printer_find_object(printer, "m", &object) && object.v == 0);
    ck_assert(rcp_printer_find_variable(printer, "x", &span) && span.lo == 0x1000 && span.hi == 0x1004);
    rcp_printer_destroy(printer);
    rcp_text_finish(&out);
    rcp_trace_finish(&t);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_test(tests, every_kind_round_trips);
    tcase_add_test(tests, figures_round_trip);
    tcase_add_test(tests, fields_are_what_the_line_says);
    tcase_add_test(tests, any_pool_round_trips);
    tcase_add_test(tests, any_tables_round_trip);
    tcase_add_loop_test(tests, bad_lines_are_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, other_files_are_refused);
    tcase_add_test(tests, deep_nesting_is_refused);
    tcase_add_test(tests, cut_files_do_no_harm);
    tcase_add_test(tests, excerpts_and_words);
    return rcp_suite_run_case("text form", tests);
}
