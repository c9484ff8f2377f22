/* SPDX-License-Identifier: Apache-2.0 */
/* The heap and strings of a thread that is explored. A block that nobody recorded lies where nothing recorded was, so
 * it is no other's; what it would be on a real run is for replay to say. Functions over strings are computed here, over
 * memory that is known. */
#include "program/explore/state.h"

#include "base/limits.h"
#include "base/hash.h"
#include "outside/characters.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define STRING_MAX rcp_limit(RCP_LIMIT_EXPLORE_STRING)

static void queue(rcp_exploring *x, rcp_log_record record) {
    record.thread = x->lane->thread;
    rcp_vec_push(&x->lane->queue, record);
}

static bool returns(rcp_exploring *x, uint64_t value) {
    queue(x, (rcp_log_record){.tag = value ? RCP_LOG_RETURN : RCP_LOG_RETURN_0, .value = value});
    return true;
}

static void writes(rcp_exploring *x, uint64_t address, const void *bytes, uint64_t size) {
    uint8_t *copy = rcp_alloc(size + 1);
    memcpy(copy, bytes, size);
    rcp_vec_push(&x->bytes, copy);
    queue(x,
          (rcp_log_record){.tag = RCP_LOG_EFFECT, .address = address, .size = size, .bytes = copy, .end = copy + size});
}

/* --- blocks --- */

uint64_t rcp_explore_place_of(const rcp_exploring *x, uint64_t address) {
    for (size_t i = x->placed.len; i-- > 0;)
        if (address >= x->placed.at[i].lo && address <= x->placed.at[i].hi)
            return rcp_hash_join(i, address - x->placed.at[i].lo);
    return address;
}

/* As some allocators do: what was freed last is given out again. */
static uint64_t place_mirrored(rcp_exploring *x, uint64_t size, uint64_t align) {
    const rcp_explore_extent freed = x->last_freed;
    if (freed.hi && size <= freed.hi - freed.lo && !(freed.lo & (align - 1))) {
        x->last_freed = (rcp_explore_extent){0};
        return freed.lo;
    }
    if (!x->heap)
        x->heap = RCP_EXPLORE_MIRROR + RCP_EXPLORE_HEAP_SIZE;
    return x->heap = (x->heap - size - 48) & ~(align - 1) & ~UINT64_C(15);
}

static uint64_t place_next(rcp_exploring *x, uint64_t size, uint64_t align) {
    if (!x->heap)
        x->heap = x->explorer->heap > RCP_EXPLORE_HEAP ? x->explorer->heap : RCP_EXPLORE_HEAP;
    uint64_t at = (x->heap + align - 1) & ~(align - 1);
    x->heap = (at + size + 32) & ~UINT64_C(15); /* a gap, as allocators leave one */
    return at + size > RCP_EXPLORE_HEAP + RCP_EXPLORE_HEAP_SIZE ? 0 : at;
}

/* A place for a block; 0: there is none. */
static uint64_t place(rcp_exploring *x, uint64_t size, uint64_t align) {
    uint64_t most = rcp_limit(RCP_LIMIT_EXPLORE_BLOCK);
    bool is_fine = size <= most && align <= most;
    if (!is_fine)
        rcp_limit_reached(RCP_LIMIT_EXPLORE_BLOCK);
    uint64_t at = !is_fine ? 0 : x->is_mirrored ? place_mirrored(x, size, align) : place_next(x, size, align);
    if (!at || !rcp_explore_is_free(x, at, size + 1)) {
        rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "a block of %" PRIu64 " bytes", size);
        return 0;
    }
    rcp_vec_push(&x->placed, ((rcp_explore_extent){.lo = at, .hi = at + size}));
    return at;
}

static uint64_t allocate(rcp_exploring *x, uint64_t size, uint64_t align, bool zeroed) {
    uint64_t at = place(x, size, align);
    if (!at)
        return 0;
    queue(x,
          (rcp_log_record){
              .tag = RCP_LOG_ALLOC, .address = at, .size = size, .kind = zeroed ? RCP_ALLOC_ZEROED : RCP_ALLOC_HEAP});
    if (zeroed && size)
        queue(x, (rcp_log_record){.tag = RCP_LOG_FILL, .address = at, .size = size});
    return at;
}

/* A block ends, and with it what synchronisation has in it. */
static bool release(rcp_exploring *x, uint64_t address) {
    uint64_t size = rcp_explore_block_size(x, address);
    if (!rcp_explore_is_block(x, address)) {
        rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "0x%" PRIx64 " is freed, and is no live block", address);
        return false;
    }
    RCP_MAP_EACH(&x->lock_index, slot) {
        const rcp_explore_lock *object = &x->locks.at[slot->value];
        if (slot->key < address || slot->key >= address + size || object->is_dead)
            continue;
        if (object->owner || (object->shared && object->kind != RCP_SYNC_SEM)) {
            rcp_explore_stop(x, RCP_EXPLORE_SYNC, "a block is freed with a lock in it that is held");
            return false;
        }
        queue(x, (rcp_log_record){
                     .tag = RCP_LOG_SYNC, .op = RCP_SYNC_DESTROY, .object = object->kind, .address = slot->key});
    }
    queue(x, (rcp_log_record){.tag = RCP_LOG_FREE, .address = address});
    if (rcp_explore_place_of(x, address) != address)
        x->last_freed = (rcp_explore_extent){.lo = address, .hi = address + size};
    return true;
}

static bool resize(rcp_exploring *x, uint64_t block, uint64_t size) {
    if (!size) {
        rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "realloc() to nothing");
        return false;
    }
    uint64_t was = block ? rcp_explore_block_size(x, block) : 0, at = place(x, size, 16);
    if (!at)
        return false;
    queue(x, (rcp_log_record){.tag = RCP_LOG_ALLOC, .address = at, .size = size, .kind = RCP_ALLOC_HEAP});
    if (was)
        queue(x,
              (rcp_log_record){.tag = RCP_LOG_COPY, .address = at, .second = block, .size = was < size ? was : size});
    return (!block || release(x, block)) && returns(x, at);
}

static bool product(rcp_exploring *x, uint64_t n, uint64_t size, uint64_t *bytes) {
    if (!__builtin_mul_overflow(n, size, bytes))
        return true;
    rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "a block larger than memory");
    return false;
}

static bool model_heap(rcp_exploring *x, rcp_outside_model model, const uint64_t *a) {
    uint64_t bytes = 0, at;
    switch (model) {
    case RCP_MODEL_ALLOCATE: return (at = allocate(x, a[0], 16, false)) && returns(x, at);
    case RCP_MODEL_FREE: return (!a[0] || release(x, a[0])) && returns(x, 0);
    case RCP_MODEL_ALLOCATE_ZEROED:
        return product(x, a[0], a[1], &bytes) && (at = allocate(x, bytes, 16, true)) && returns(x, at);
    case RCP_MODEL_RESIZE: return resize(x, a[0], a[1]);
    case RCP_MODEL_RESIZE_ARRAY: return product(x, a[1], a[2], &bytes) && resize(x, a[0], bytes);
    case RCP_MODEL_ALLOCATE_AT:
        return a[1] && !(a[1] & (a[1] - 1)) && (at = allocate(x, a[0], a[1] < 16 ? 16 : a[1], false)) && returns(x, at);
    case RCP_MODEL_ALLOCATE_ALIGNED:
        return a[0] && !(a[0] & (a[0] - 1)) && (at = allocate(x, a[1], a[0] < 16 ? 16 : a[0], false)) && returns(x, at);
    default: return false;
    }
}

/* --- strings --- */

/* Bytes that a call reads are an object's, and known. */
static bool can_read(rcp_exploring *x, uint64_t address, uint64_t size) {
    if (!size)
        return true;
    if (!rcp_explore_is_object(x, address, size))
        rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "a call reads %" PRIu64 " bytes at 0x%" PRIx64, size, address);
    else if (rcp_explore_is_fresh(x, address, size))
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "a call reads 0x%" PRIx64 ", which nobody has written", address);
    for (uint64_t line = address >> 6; line <= (address + size - 1) >> 6; line++)
        if (rcp_map_get(&x->explorer->unseen, line) != RCP_MAP_NONE)
            rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "0x%" PRIx64 " was written by code outside, when is not known",
                             line << 6);
    if (rcp_explore_is_written(x, address, size))
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "0x%" PRIx64 " was written by a call outside, what is not known",
                         address);
    return x->lane->end == RCP_EXPLORE_GOES_ON;
}

static bool can_write(rcp_exploring *x, uint64_t address, uint64_t size) {
    if (!size || (rcp_explore_is_object(x, address, size) && !rcp_explore_is_constant(x, address)))
        return true;
    rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "a call writes %" PRIu64 " bytes at 0x%" PRIx64, size, address);
    return false;
}

/* And is it not what is copied? */
static bool can_copy(rcp_exploring *x, uint64_t to, uint64_t size, uint64_t from, uint64_t read) {
    if (to >= from + read || from >= to + size)
        return can_write(x, to, size);
    rcp_explore_stop(x, RCP_EXPLORE_UNDEFINED, "a string is copied onto itself");
    return false;
}

/* At most `most` bytes, up to a NUL; to[n] is 0. */
static bool read_string(rcp_exploring *x, uint64_t address, uint64_t most, char to[RCP_MOST_STRING + 1], uint64_t *n) {
    for (*n = 0; *n < most; ++*n) {
        to[*n] = 0;
        if (*n == STRING_MAX) {
            rcp_limit_reached(RCP_LIMIT_EXPLORE_STRING);
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "a string of more than %" PRIu64 " bytes", STRING_MAX);
            return false;
        }
        if (!can_read(x, address + *n, 1))
            return false;
        rcp_space_read(x->run->m.space, address + *n, &to[*n], 1);
        if (!to[*n])
            return true;
    }
    to[*n] = 0;
    return true;
}

static uint64_t sign(int order) { return (uint32_t)((order > 0) - (order < 0)); }

/* Is the result of the call compared with 0, and nothing else done with it? The sign is all that is known of it. */
static bool is_sign_wanted(const rcp_strand *t) {
    const rcp_routine *routine = t->frames.at[t->frames.len - 1].routine;
    LLVMValueRef call = routine->origin.at[t->pc - routine->code.at];
    for (LLVMUseRef use = call ? LLVMGetFirstUse(call) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAICmpInst(user) || !LLVMIsNull(LLVMGetOperand(user, 1)))
            return false;
    }
    return call;
}

/* Where `part` lies in the string that argument 0 is; null: nowhere. */
static bool returns_place(rcp_exploring *x, uint64_t string, const char *text, const char *part) {
    return returns(x, part ? string + (uint64_t)(part - text) : 0);
}

static bool model_memchr(rcp_exploring *x, const uint64_t *a) {
    if (a[2] > STRING_MAX)
        return false;
    for (uint64_t i = 0; i < a[2]; i++) {
        uint8_t byte = 0;
        if (!can_read(x, a[0] + i, 1))
            return false;
        rcp_space_read(x->run->m.space, a[0] + i, &byte, 1);
        if (byte == (uint8_t)a[1])
            return returns(x, a[0] + i);
    }
    return returns(x, 0);
}

/* Those that only read: their results, as the C standard says. */
static bool model_reader(rcp_exploring *x, rcp_outside_model model, const uint64_t *a) {
    char one[RCP_MOST_STRING + 1], two[RCP_MOST_STRING + 1];
    uint64_t n, m;
    switch (model) {
    case RCP_MODEL_STRLEN: return read_string(x, a[0], UINT64_MAX, one, &n) && returns(x, n);
    case RCP_MODEL_STRNLEN: return read_string(x, a[0], a[1], one, &n) && returns(x, n);
    case RCP_MODEL_STRCMP:
        return read_string(x, a[0], UINT64_MAX, one, &n) && read_string(x, a[1], UINT64_MAX, two, &m) &&
               returns(x, sign(strcmp(one, two)));
    case RCP_MODEL_STRNCMP:
        return read_string(x, a[0], a[2], one, &n) && read_string(x, a[1], a[2], two, &m) &&
               returns(x, sign(strcmp(one, two)));
    case RCP_MODEL_STRCHR:
        return read_string(x, a[0], UINT64_MAX, one, &n) && returns_place(x, a[0], one, strchr(one, (int)a[1]));
    case RCP_MODEL_MEMCHR: return model_memchr(x, a);
    case RCP_MODEL_STRRCHR:
        return read_string(x, a[0], UINT64_MAX, one, &n) && returns_place(x, a[0], one, strrchr(one, (int)a[1]));
    case RCP_MODEL_STRSTR:
        return read_string(x, a[0], UINT64_MAX, one, &n) && read_string(x, a[1], UINT64_MAX, two, &m) &&
               returns_place(x, a[0], one, strstr(one, two));
    case RCP_MODEL_STRSPN:
    case RCP_MODEL_STRCSPN:
    case RCP_MODEL_STRPBRK:
        if (!read_string(x, a[0], UINT64_MAX, one, &n) || !read_string(x, a[1], UINT64_MAX, two, &m))
            return false;
        return model == RCP_MODEL_STRPBRK
                   ? returns_place(x, a[0], one, strpbrk(one, two))
                   : returns(x, model == RCP_MODEL_STRSPN ? strspn(one, two) : strcspn(one, two));
    case RCP_MODEL_MEMCMP:
        if (a[2] > STRING_MAX || !can_read(x, a[0], a[2]) || !can_read(x, a[1], a[2]))
            return false;
        rcp_space_read(x->run->m.space, a[0], one, a[2]);
        rcp_space_read(x->run->m.space, a[1], two, a[2]);
        return returns(x, sign(memcmp(one, two, a[2])));
    default: return false;
    }
}

static bool model_writer(rcp_exploring *x, rcp_outside_model model, const uint64_t *a) {
    char text[RCP_MOST_STRING + 1], before[RCP_MOST_STRING + 1];
    uint64_t n, m = 0, at;
    switch (model) {
    case RCP_MODEL_ALLOCATE_INTO:
        if (!a[1] || a[1] & (a[1] - 1) || a[1] % sizeof at || !can_write(x, a[0], sizeof at) ||
            !(at = allocate(x, a[2], a[1] < 16 ? 16 : a[1], false)))
            return false;
        writes(x, a[0], &at, sizeof at);
        return returns(x, 0);
    case RCP_MODEL_STRDUP:
    case RCP_MODEL_STRNDUP:
        if (!read_string(x, a[0], model == RCP_MODEL_STRDUP ? UINT64_MAX : a[1], text, &n) ||
            !(at = allocate(x, n + 1, 16, false)))
            return false;
        writes(x, at, text, n + 1);
        return returns(x, at);
    case RCP_MODEL_STRCPY:
    case RCP_MODEL_STPCPY:
    case RCP_MODEL_STRCAT:
        if (!read_string(x, a[1], UINT64_MAX, text, &n) ||
            (model == RCP_MODEL_STRCAT && !read_string(x, a[0], UINT64_MAX, before, &m)) ||
            !can_copy(x, a[0] + m, n + 1, a[1], n + 1))
            return false;
        writes(x, a[0] + m, text, n + 1);
        return returns(x, model == RCP_MODEL_STPCPY ? a[0] + n : a[0]);
    case RCP_MODEL_STRNCAT:
        if (!read_string(x, a[1], a[2], text, &n) || !read_string(x, a[0], UINT64_MAX, before, &m) ||
            !can_copy(x, a[0] + m, n + 1, a[1], n))
            return false;
        writes(x, a[0] + m, text, n + 1);
        return returns(x, a[0]);
    case RCP_MODEL_STRNCPY:
        if (a[2] > STRING_MAX || !read_string(x, a[1], a[2], text, &n) || !can_copy(x, a[0], a[2], a[1], n))
            return false;
        memset(text + n, 0, a[2] - n);
        writes(x, a[0], text, a[2]);
        return returns(x, a[0]);
    default: return false;
    }
}

/* --- numbers --- */

static bool model_number(rcp_exploring *x, rcp_outside_model model, uint64_t a) {
    bool is_long = model == RCP_MODEL_LABS || model == RCP_MODEL_FFSL;
    int64_t n = is_long ? (int64_t)a : (int32_t)a;
    if (model == RCP_MODEL_FFS || model == RCP_MODEL_FFSL)
        return returns(x, (uint64_t)__builtin_ffsll(n));
    if (n == (is_long ? INT64_MIN : INT32_MIN)) {
        rcp_explore_stop(x, RCP_EXPLORE_UNDEFINED, "a number that has no absolute value");
        return false;
    }
    return returns(x, (uint64_t)(n < 0 ? -n : n));
}

static bool looks_up(LLVMModuleRef module) {
    size_t len;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && rcp_outside_looks_up(LLVMGetValueName2(f, &len)))
            return true;
    return false;
}

static bool may_set_locale(const rcp_program *program) {
    bool may = program->linked.may_set_locale || !program->linked.is_read;
    for (size_t i = 0; i < program->units.len && !may; i++)
        may = looks_up(program->units.at[i]->module);
    return may;
}

static bool knows_locale(rcp_exploring *x, const rcp_outside *row) {
    if (may_set_locale(x->run->m.program))
        rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "'%s', and the program may have set its locale", row->name);
    return x->lane->end == RCP_EXPLORE_GOES_ON;
}

/* A number that does not fit is undefined. */
static bool model_text(rcp_exploring *x, const rcp_outside *row, uint64_t address) {
    char text[RCP_MOST_STRING + 1];
    uint64_t n;
    if (!knows_locale(x, row) || !read_string(x, address, UINT64_MAX, text, &n))
        return false;
    errno = 0;
    const long long number = strtoll(text, NULL, 10);
    const bool is_int = row->model == RCP_MODEL_ATOI;
    if (!errno && (!is_int || (number >= INT_MIN && number <= INT_MAX)))
        return returns(x, is_int ? (uint32_t)number : (uint64_t)number);
    rcp_explore_stop(x, RCP_EXPLORE_UNDEFINED, "'%s' of a number that does not fit", row->name);
    return false;
}

/* Which number stands for 'it is one' is the library's own. */
static bool model_character(rcp_exploring *x, const rcp_strand *t, const rcp_outside *row, uint64_t a) {
    enum { LAST = 255 };
    const int c = (int)a;
    if (!knows_locale(x, row))
        return false;
    if (c < -1 || c > LAST) {
        rcp_explore_stop(x, RCP_EXPLORE_UNDEFINED, "'%s' of what is no character", row->name);
        return false;
    }
    const int is = rcp_outside_character(row, c);
    return (row->model == RCP_MODEL_CASE || !is || is_sign_wanted(t)) && returns(x, (uint32_t)is);
}

/* The thread has asked somewhere else: the answer is the same. */
static bool model_same(rcp_exploring *x, const rcp_strand *t) {
    const rcp_course *course = x->lane->course;
    rcp_asked now;
    rcp_explore_ask(x, t, &now);
    for (size_t i = 0; i < course->asked.len; i++) {
        size_t end = i + 1 < course->asked.len ? course->asked.at[i + 1].first : course->records.len;
        if (course->asked.at[i].flow != now.flow || course->asked.at[i].kind != now.kind)
            continue;
        for (size_t k = course->asked.at[i].first; k < end; k++) {
            const rcp_log_record *r = &course->records.at[k].record;
            if (r->tag == RCP_LOG_RETURN || r->tag == RCP_LOG_RETURN_0)
                return returns(x, r->tag == RCP_LOG_RETURN ? r->value : 0);
        }
    }
    return false;
}

/* No default: a model that nobody has made does not compile. */
bool rcp_explore_model_memory(rcp_exploring *x, const rcp_strand *t, const rcp_outside *row, bool *done) {
    rcp_outside_model model = (rcp_outside_model)row->model;
    uint64_t a[3];
    for (size_t i = 0; i < 3; i++)
        a[i] = rcp_explore_argument(t, i);
    switch (model) {
    case RCP_MODEL_NONE:
    case RCP_MODEL_SYNC: return false;
    case RCP_MODEL_ALLOCATE:
    case RCP_MODEL_ALLOCATE_ZEROED:
    case RCP_MODEL_ALLOCATE_ALIGNED:
    case RCP_MODEL_ALLOCATE_AT:
    case RCP_MODEL_RESIZE:
    case RCP_MODEL_RESIZE_ARRAY:
    case RCP_MODEL_FREE: *done = model_heap(x, model, a); return true;
    case RCP_MODEL_STRCMP:
    case RCP_MODEL_STRNCMP:
    case RCP_MODEL_MEMCMP:
        if (!is_sign_wanted(t))
            return false;
        *done = model_reader(x, model, a);
        return true;
    case RCP_MODEL_STRLEN:
    case RCP_MODEL_STRNLEN:
    case RCP_MODEL_MEMCHR:
    case RCP_MODEL_STRCHR:
    case RCP_MODEL_STRRCHR:
    case RCP_MODEL_STRSPN:
    case RCP_MODEL_STRCSPN:
    case RCP_MODEL_STRPBRK:
    case RCP_MODEL_STRSTR: *done = model_reader(x, model, a); return true;
    case RCP_MODEL_ALLOCATE_INTO:
    case RCP_MODEL_STRDUP:
    case RCP_MODEL_STRNDUP:
    case RCP_MODEL_STRCPY:
    case RCP_MODEL_STPCPY:
    case RCP_MODEL_STRCAT:
    case RCP_MODEL_STRNCAT:
    case RCP_MODEL_STRNCPY: *done = model_writer(x, model, a); return true;
    case RCP_MODEL_ABS:
    case RCP_MODEL_LABS:
    case RCP_MODEL_FFS:
    case RCP_MODEL_FFSL: *done = model_number(x, model, a[0]); return true;
    case RCP_MODEL_CLASS:
    case RCP_MODEL_CASE: *done = model_character(x, t, row, a[0]); return true;
    case RCP_MODEL_ATOI:
    case RCP_MODEL_ATOL: *done = model_text(x, row, a[0]); return true;
    case RCP_MODEL_EQUAL: *done = returns(x, a[0] == a[1]); return true;
    case RCP_MODEL_SAME: *done = model_same(x, t); return true;
    case RCP_OUTSIDE_MODELS: break;
    }
    return false;
}
