/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/text.h"

#include "trace/text/text_parser.h"
#include "trace/text/text_printer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

rcp_printer *rcp_printer_create(const rcp_defs *defs, const rcp_terms *terms) {
    rcp_printer *p = rcp_alloc_zero(1, sizeof *p);
    p->defs = defs;
    p->terms = terms;
    p->strings = p->locations = p->stacks = p->reaches = 1; /* entry 0 is 'none' */
    p->next_term = RCP_TERM_FIRST;
    rcp_map_init(&p->reads);
    rcp_places_init(&p->places);
    rcp_names_init(&p->thread_names);
    rcp_names_init(&p->object_names);
    rcp_names_init(&p->variable_names);
    return p;
}

void rcp_printer_destroy(rcp_printer *p) {
    if (!p)
        return;
    rcp_vec_finish(&p->named);
    rcp_map_finish(&p->reads);
    rcp_places_finish(&p->places);
    rcp_names_finish(&p->thread_names);
    rcp_names_finish(&p->object_names);
    rcp_names_finish(&p->variable_names);
    rcp_vec_finish(&p->thread_words);
    rcp_vec_finish(&p->object_words);
    rcp_vec_finish(&p->variable_words);
    rcp_release(p);
}

/* The word for entry `id`: its name if that can stand as a word and is free, else one made of a letter and the id. */
static const char *pick_word(rcp_names *taken, const rcp_string *name, char letter, uint32_t id, bool is_thread) {
    bool usable = rcp_scan_is_word(name->at, name->len) && !(is_thread && rcp_text_is_keyword(name->at, name->len));
    if (!usable || !rcp_names_add(taken, name->at, name->len, id)) {
        char made[48];
        int n = snprintf(made, sizeof made, "%c%u", letter, id);
        for (unsigned more = 1; !rcp_names_add(taken, made, (size_t)n, id); more++)
            n = snprintf(made, sizeof made, "%c%u_%u", letter, id, more);
    }
    return taken->entries.at[taken->entries.len - 1].at;
}

static void refresh_words(rcp_printer *p) {
    const rcp_defs *d = p->defs;
    while (p->thread_words.len < d->threads.len) {
        uint32_t i = (uint32_t)p->thread_words.len;
        const rcp_string *name = &d->strings.at[d->threads.at[i].name.v];
        rcp_vec_push(&p->thread_words, pick_word(&p->thread_names, name, 'T', i, true));
    }
    while (p->object_words.len < d->objects.len) {
        uint32_t i = (uint32_t)p->object_words.len;
        const rcp_string *name = &d->strings.at[d->objects.at[i].name.v];
        rcp_vec_push(&p->object_words, pick_word(&p->object_names, name, 'o', i, false));
    }
    while (p->variable_words.len < d->variables.len) {
        uint32_t i = (uint32_t)p->variable_words.len;
        const rcp_string *name = &d->strings.at[d->variables.at[i].name.v];
        rcp_vec_push(&p->variable_words, pick_word(&p->variable_names, name, 'v', i, false));
    }
    rcp_places_refresh(&p->places, d);
}

const char *rcp_printer_borrow_thread(rcp_printer *p, rcp_tid tid) {
    refresh_words(p);
    return p->thread_words.at[tid.v];
}

bool rcp_printer_find_thread(rcp_printer *p, const char *word, rcp_tid *tid) {
    refresh_words(p);
    tid->v = rcp_names_get(&p->thread_names, word, strlen(word));
    return tid->v != RCP_NAMES_NONE;
}

bool rcp_printer_find_object(rcp_printer *p, const char *word, rcp_obj *object) {
    refresh_words(p);
    object->v = rcp_names_get(&p->object_names, word, strlen(word));
    return object->v != RCP_NAMES_NONE;
}

bool rcp_printer_find_variable(rcp_printer *p, const char *word, rcp_span *span) {
    refresh_words(p);
    uint32_t i = rcp_names_get(&p->variable_names, word, strlen(word));
    if (i == RCP_NAMES_NONE)
        return false;
    const rcp_variable *v = &p->defs->variables.at[i];
    *span = (rcp_span){.lo = v->addr, .hi = v->addr + v->size};
    return true;
}

static const rcp_string *string_of(const rcp_printer *p, rcp_str s) { return &p->defs->strings.at[s.v]; }

static void print_string(const rcp_printer *p, rcp_text *out, rcp_str s) {
    const rcp_string *string = string_of(p, s);
    if (rcp_scan_is_word(string->at, string->len))
        rcp_text_add(out, string->at, string->len);
    else
        rcp_scan_print_quoted(out, string->at, string->len);
}

/* The name in quotes, where it is not the word that has just been printed. */
static void print_display_name(const rcp_printer *p, rcp_text *out, rcp_str name, const char *word) {
    const rcp_string *string = string_of(p, name);
    if (strcmp(string->at, word)) {
        rcp_text_puts(out, " ");
        rcp_scan_print_quoted(out, string->at, string->len);
    }
}

static void print_value(rcp_text *out, uint64_t size, const uint8_t *bytes) {
    if (size <= 8) {
        uint64_t word = 0;
        memcpy(&word, bytes, size);
        rcp_text_print_number(out, word);
        return;
    }
    for (uint64_t i = 0; i < size; i++)
        rcp_text_printf(out, "%02x", bytes[i]);
}

static void print_location(const rcp_printer *p, rcp_text *out, rcp_loc loc) {
    const rcp_location *l = &p->defs->locations.at[loc.v];
    const rcp_string *file = string_of(p, l->file);
    if (rcp_scan_is_file(file->at, file->len))
        rcp_text_add(out, file->at, file->len);
    else
        rcp_scan_print_quoted(out, file->at, file->len);
    if (l->line || l->column)
        rcp_text_printf(out, ":%" PRIu32, l->line);
    if (l->column)
        rcp_text_printf(out, ":%" PRIu32, l->column);
    if (l->function.v) {
        rcp_text_puts(out, " in ");
        print_string(p, out, l->function);
    }
    if (l->member.v) {
        rcp_text_puts(out, " of ");
        print_string(p, out, l->member);
    }
}

void rcp_text_print_place(rcp_printer *p, rcp_text *out, uint64_t addr, uint64_t size) {
    refresh_words(p);
    uint32_t i = rcp_places_find(&p->places, p->defs, addr, size);
    if (i == RCP_NO_VARIABLE) {
        rcp_text_printf(out, "0x%" PRIx64 ":%" PRIu64, addr, size);
        return;
    }
    const rcp_variable *v = &p->defs->variables.at[i];
    rcp_text_puts(out, p->variable_words.at[i]);
    if (addr != v->addr)
        rcp_text_printf(out, "+%" PRIu64 ":%" PRIu64, addr - v->addr, size);
    else if (size != v->size)
        rcp_text_printf(out, ":%" PRIu64, size);
}

/* The next line mentions these strings, in this order. */
static void need_strings(rcp_printer *p, rcp_text *out, const rcp_str *mentioned, size_t n) {
    size_t next = p->strings, top = p->strings;
    bool in_order = true;
    for (size_t i = 0; i < n; i++) {
        if (mentioned[i].v >= next) {
            in_order = in_order && mentioned[i].v == next;
            next++;
        }
        if (mentioned[i].v >= top)
            top = (size_t)mentioned[i].v + 1;
    }
    if (!in_order)
        for (size_t i = p->strings; i < top; i++) {
            rcp_text_puts(out, "string ");
            print_string(p, out, (rcp_str){(uint32_t)i});
            rcp_text_puts(out, "\n");
        }
    p->strings = top;
}

static void loc_line(rcp_printer *p, rcp_text *out) {
    const rcp_location *l = &p->defs->locations.at[p->locations];
    need_strings(p, out, (rcp_str[]){l->file, l->function, l->member}, 3);
    rcp_text_puts(out, "loc ");
    print_location(p, out, (rcp_loc){(uint32_t)p->locations});
    rcp_text_puts(out, "\n");
    p->locations++;
}

/* The next line mentions this location, and before it the string `first` (0: none). */
static void need_location(rcp_printer *p, rcp_text *out, rcp_str first, rcp_loc loc) {
    while (p->locations < loc.v)
        loc_line(p, out);
    const rcp_location *l = &p->defs->locations.at[loc.v];
    need_strings(p, out, (rcp_str[]){first, l->file, l->function, l->member}, loc.v ? 4 : 1);
    if (p->locations == loc.v)
        p->locations++;
}

static void need_stack(rcp_printer *p, rcp_text *out, rcp_stack stack) {
    for (; p->stacks <= stack.v; p->stacks++) {
        const rcp_frame *frame = &p->defs->stacks.at[p->stacks];
        need_location(p, out, (rcp_str){0}, frame->loc);
        rcp_text_printf(out, "stack s%zu =", p->stacks);
        if (frame->loc.v) {
            rcp_text_puts(out, " ");
            print_location(p, out, frame->loc);
        }
        if (frame->caller.v)
            rcp_text_printf(out, " ^ s%" PRIu32, frame->caller.v);
        rcp_text_puts(out, "\n");
    }
}

static void fact_line(rcp_printer *p, rcp_text *out, const rcp_fact *fact) {
    need_strings(p, out, (rcp_str[]){fact->key, fact->value}, 2);
    rcp_text_puts(out, "fact ");
    print_string(p, out, fact->key);
    rcp_text_puts(out, " ");
    print_string(p, out, fact->value);
    rcp_text_puts(out, "\n");
}

static void thread_line(rcp_printer *p, rcp_text *out, size_t i) {
    rcp_str name = p->defs->threads.at[i].name;
    need_strings(p, out, &name, 1);
    rcp_text_printf(out, "thread %s", p->thread_words.at[i]);
    print_display_name(p, out, name, p->thread_words.at[i]);
    rcp_text_puts(out, "\n");
}

static void object_line(rcp_printer *p, rcp_text *out, size_t i) {
    const rcp_object *object = &p->defs->objects.at[i];
    need_strings(p, out, &object->name, 1);
    rcp_text_printf(out, "%s %s", rcp_object_kind_name(object->kind), p->object_words.at[i]);
    print_display_name(p, out, object->name, p->object_words.at[i]);
    if (object->addr)
        rcp_text_printf(out, " @0x%" PRIx64, object->addr);
    if (object->initial || object->kind == RCP_SEM || object->kind == RCP_BARRIER)
        rcp_text_printf(out, " = %" PRIu64, object->initial);
    rcp_text_puts(out, "\n");
}

static void variable_line(rcp_printer *p, rcp_text *out, size_t i) {
    const rcp_variable *v = &p->defs->variables.at[i];
    need_strings(p, out, &v->name, 1);
    rcp_text_printf(out, "var %s", p->variable_words.at[i]);
    print_display_name(p, out, v->name, p->variable_words.at[i]);
    rcp_text_printf(out, " 0x%" PRIx64 " %" PRIu64, v->addr, v->size);
    /* an image that is just this variable, and the next in its table, is told on the same line */
    const rcp_image *image = p->images < p->defs->images.len ? &p->defs->images.at[p->images] : NULL;
    if (image && image->n && image->addr == v->addr && image->n == v->size) {
        rcp_text_puts(out, " = ");
        print_value(out, image->n, image->bytes);
        p->images++;
    }
    rcp_text_puts(out, "\n");
}

static void image_line(rcp_text *out, const rcp_image *image) {
    rcp_text_printf(out, image->n ? "image 0x%" PRIx64 " " : "image 0x%" PRIx64, image->addr);
    for (size_t i = 0; i < image->n; i++)
        rcp_text_printf(out, "%02x", image->bytes[i]);
    rcp_text_puts(out, "\n");
}

static void reach_line(rcp_text *out, size_t i, const rcp_reach_def *reach) {
    rcp_text_printf(out, "reach D%zu", i);
    for (size_t k = 0; k < reach->n + reach->followed; k++)
        rcp_text_printf(out, " 0x%" PRIx64 "-0x%" PRIx64, reach->spans[k].lo, reach->spans[k].hi);
    rcp_text_puts(out, "\n");
}

/* Whatever has been added to the tables that events name by a word. */
static void new_definitions(rcp_printer *p, rcp_text *out) {
    const rcp_defs *d = p->defs;
    refresh_words(p);
    for (; p->facts < d->facts.len; p->facts++)
        fact_line(p, out, &d->facts.at[p->facts]);
    for (; p->threads < d->threads.len; p->threads++)
        thread_line(p, out, p->threads);
    for (; p->variables < d->variables.len; p->variables++)
        variable_line(p, out, p->variables);
    for (; p->images < d->images.len; p->images++)
        image_line(out, &d->images.at[p->images]);
    for (; p->objects < d->objects.len; p->objects++)
        object_line(p, out, p->objects);
    for (; p->reaches < d->reaches.len; p->reaches++)
        reach_line(out, p->reaches, &d->reaches.at[p->reaches]);
    rcp_printer_scan_terms(p);
}

void rcp_text_print_head(rcp_printer *p, rcp_text *out) {
    rcp_text_puts(out, "recipe trace 1\n");
    new_definitions(p, out);
}

static void print_operands(rcp_printer *p, rcp_text *out, const rcp_event *e) {
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    if (uses & RCP_USES_CHILD)
        rcp_text_printf(out, " %s", p->thread_words.at[e->child.v]);
    if (uses & RCP_USES_OBJECT)
        rcp_text_printf(out, " %s", p->object_words.at[e->object.v]);
    if (uses & RCP_USES_LOCK)
        rcp_text_printf(out, " %s", p->object_words.at[e->lock.v]);
    if (uses & RCP_USES_ADDR) {
        rcp_text_puts(out, " ");
        rcp_text_print_place(p, out, e->addr, rcp_event_extent(e));
    }
    if (uses & RCP_USES_SIZE && e->valued) {
        rcp_text_puts(out, " = ");
        print_value(out, e->size, rcp_event_bytes(e));
        if (uses & RCP_USES_WRITTEN) {
            rcp_text_puts(out, " -> ");
            print_value(out, e->size, rcp_event_written(e));
        }
    }
    if (e->kind == RCP_BRANCH && e->valued) {
        rcp_text_puts(out, " ");
        rcp_text_print_number(out, e->value);
    }
    if (uses & RCP_USES_REACH) {
        const rcp_string *callee = string_of(p, e->callee);
        if (callee->len) {
            rcp_text_puts(out, " ");
            if (rcp_slice_is((rcp_text_piece){callee->at, callee->len}, "reaches"))
                rcp_scan_print_quoted(out, callee->at, callee->len);
            else
                print_string(p, out, e->callee);
        }
        if (e->reach.v)
            rcp_text_printf(out, " reaches D%" PRIu32, e->reach.v);
    }
}

static void event_line(rcp_printer *p, rcp_text *out, rcp_eid eid, bool labelled, const rcp_event *e) {
    const rcp_traits *traits = rcp_event_traits(e->kind);
    if (labelled)
        rcp_text_printf(out, "e%" PRIu64 ": ", eid.v);
    rcp_text_printf(out, "%s %s", p->thread_words.at[e->tid.v], traits->name);
    print_operands(p, out, e);
    rcp_printer_slot(p, out, "<-", e->value_term);
    if (traits->uses & RCP_USES_ORDER && e->mode)
        rcp_text_printf(out, " %s", rcp_order_name(e->mode));
    if (traits->uses & RCP_USES_MODE && e->mode)
        rcp_text_printf(out, " %s", rcp_mode_name(e->mode));
    if (e->outcome)
        rcp_text_printf(out, " %s", rcp_outcome_name(e->outcome));
    rcp_printer_slot(p, out, "at", e->addr_term);
    rcp_printer_slot(p, out, "if", e->cond);
    if (e->loc.v) {
        rcp_text_puts(out, " @ ");
        print_location(p, out, e->loc);
    }
    if (e->stack.v)
        rcp_text_printf(out, " ^ s%" PRIu32, e->stack.v);
    rcp_text_puts(out, "\n");
}

void rcp_text_print_event(rcp_printer *p, rcp_text *out, rcp_eid eid, const rcp_event *e) {
    new_definitions(p, out);
    need_stack(p, out, e->stack);
    rcp_printer_need_terms(p, out, e);
    bool labelled = rcp_printer_mark_read(p, eid, e);
    bool opaque = rcp_event_traits(e->kind)->uses & RCP_USES_REACH;
    need_location(p, out, opaque ? e->callee : (rcp_str){0}, e->loc);
    event_line(p, out, eid, labelled, e);
}

void rcp_text_print_tail(rcp_printer *p, rcp_text *out) {
    new_definitions(p, out);
    rcp_printer_all_terms(p, out);
    need_stack(p, out, (rcp_stack){(uint32_t)p->defs->stacks.len - 1});
    while (p->locations < p->defs->locations.len)
        loc_line(p, out);
    for (; p->strings < p->defs->strings.len; p->strings++) {
        rcp_text_puts(out, "string ");
        print_string(p, out, (rcp_str){(uint32_t)p->strings});
        rcp_text_puts(out, "\n");
    }
}

void rcp_text_print_excerpt(rcp_printer *p, rcp_text *out, rcp_eid eid, const rcp_event *e) {
    refresh_words(p);
    p->excerpt = true;
    event_line(p, out, eid, true, e);
}

void rcp_text_print_trace(rcp_text *out, const rcp_trace *trace) {
    rcp_printer *p = rcp_printer_create(&trace->defs, &trace->terms);
    rcp_text_print_head(p, out);
    for (size_t i = 0; i < trace->events.len; i++)
        rcp_text_print_event(p, out, (rcp_eid){i}, &trace->events.at[i]);
    rcp_text_print_tail(p, out);
    rcp_printer_destroy(p);
}
