/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/outside_call.h"

#include "program/ir/program.h"
#include "program/recording/log_reader.h"

#include "base/limits.h"

#include <sys/socket.h>
#include <sys/uio.h>

/* What is read up to a NUL that memory does not have yet (outside code wrote it) ends here. */
#define STRING_MAX rcp_limit(RCP_LIMIT_STRING_BYTES)

const rcp_outside *rcp_outside_of(const struct rcp_program *program, const char *name, const rcp_outside *row) {
    bool is_list, is_known = row && row->kind != RCP_OUTSIDE_UNKNOWN;
    if (is_known && program->linked.has_printers && rcp_outside_format(row, &is_list) >= 0)
        return NULL;
    if (is_known && (row->kind == RCP_OUTSIDE_STREAM || row->kind == RCP_OUTSIDE_SOURCE) &&
        program->has_strange_buffers)
        return NULL;
    return is_known && !rcp_linked_is_own(&program->linked, name) ? row : NULL;
}

bool rcp_outside_calls_stranger(const struct rcp_program *program, const rcp_outside *row, const uint64_t *words,
                                size_t n, uint64_t *stranger) {
    size_t at = row ? row->calls : 0;
    uint64_t word = at && at <= n ? words[at - 1] : 0;
    if (!word || rcp_program_at(program, word))
        return false;
    const char *name;
    const rcp_outside_name *is;
    const rcp_outside *called =
        rcp_program_outside_at(program, word, &name, &is) ? rcp_outside_of(program, name, is->row) : NULL;
    *stranger = word;
    /* A stream hands itself on (std::endl): that is as if it were called by name. */
    bool is_stream =
        called && row->kind == called->kind && (row->kind == RCP_OUTSIDE_STREAM || row->kind == RCP_OUTSIDE_SOURCE);
    return !called || (!is_stream && called->kind != RCP_OUTSIDE_HARMLESS && called->kind != RCP_OUTSIDE_SETTING &&
                       called->kind != RCP_OUTSIDE_OBJECT);
}

/* Nobody has memory in the first page: a pointer there is null, or a word that says something else by its bits. No call
 * takes more pieces than the system does. */
enum { FIRST_PAGE = 4096, PIECES_MAX = 1024 };

static const uint8_t *byte_at(rcp_space *space, uint64_t address) {
    return rcp_space_holds(address, 1) ? rcp_space_at(space, address, 1) : NULL;
}

/* Bytes up to a NUL, which is included; at most `most`. */
static uint64_t string_size(rcp_space *space, uint64_t address, uint64_t most) {
    most = most < STRING_MAX ? most : STRING_MAX;
    for (uint64_t n = 0; n < most;) {
        const uint8_t *at = byte_at(space, address + n);
        if (!at)
            return n ? n : 1;
        uint64_t room = RCP_SPACE_PAGE - ((address + n) & (RCP_SPACE_PAGE - 1));
        room = room < most - n ? room : most - n;
        const uint8_t *end = memchr(at, 0, room);
        if (end)
            return n + (uint64_t)(end - at) + 1;
        n += room;
    }
    return most;
}

/* Bytes up to where two strings differ, or end. */
static uint64_t same_size(rcp_space *space, uint64_t a, uint64_t b, uint64_t most) {
    most = most < STRING_MAX ? most : STRING_MAX;
    for (uint64_t n = 0; n < most; n++) {
        const uint8_t *x = byte_at(space, a + n), *y = byte_at(space, b + n);
        if (!x || !y || *x != *y || !*x)
            return n + 1;
    }
    return most;
}

static uint64_t argument(const rcp_outside_call *call, char digit) {
    size_t i = (size_t)(digit - '0');
    return i < call->n ? call->arguments[i] : 0;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t product(uint64_t a, uint64_t b) {
    uint64_t c;
    return __builtin_mul_overflow(a, b, &c) ? 0 : c;
}

static uint64_t number_at(const char **at) {
    uint64_t n = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        n = 10 * n + (uint64_t)(**at - '0');
    return n;
}

static void look(rcp_outside_touch *touch, unsigned i, uint64_t address, uint64_t size) {
    touch->looked[i] = (rcp_span){address, address + size};
}

static void take_string(rcp_space *space, rcp_outside_touch *touch, uint64_t most) {
    touch->is_string = true;
    touch->size = string_size(space, touch->address, most);
    look(touch, 0, touch->address, touch->size);
}

/* As far as the result says, which is `size`; where there is none yet, as far as it may go. */
static void take_result(const rcp_outside_call *call, rcp_space *space, rcp_outside_touch *touch, uint64_t size,
                        uint64_t most) {
    touch->by_result = touch->is_string = true;
    touch->is_vague = !call->has_returned;
    touch->size = call->has_returned  ? least(size, most)
                  : touch->how == 'w' ? 0
                                      : string_size(space, touch->address, most);
}

/* --- formats --- */

typedef struct conversion {
    unsigned stars; /* values before its own: width, precision */
    bool has_precision, is_star_precision;
    uint64_t precision;
    char kind; /* 0: it is not known */
} conversion;

/* The conversion after a %, or at the format's end kind 0. */
static const char *read_conversion(const char *p, conversion *c) {
    *c = (conversion){0};
    p += strspn(p, "-+ #0'");
    if (*p == '*') {
        c->stars++;
        p++;
    }
    (void)number_at(&p);
    if (*p == '.') {
        c->has_precision = true;
        if (*++p == '*') {
            c->is_star_precision = true;
            c->stars++;
            p++;
        }
        c->precision = number_at(&p);
    }
    bool is_wide = *p == 'l';
    p += strspn(p, "hlLqjzt");
    c->kind = *p && strchr("diouxXeEfFgGaAcspm%", *p) && !(is_wide && strchr("cs", *p)) ? *p : 0;
    return *p ? p + 1 : p;
}

bool rcp_outside_is_plain_format(const char *format, size_t n, size_t *strings) {
    conversion c;
    *strings = 0;
    for (const char *p = format; p < format + n && (p = strchr(p, '%'));) {
        p = read_conversion(p + 1, &c);
        if (!c.kind)
            return false;
        *strings += c.kind == 's';
    }
    return true;
}

/* The next string that the format says; false: there is none. The format is as the space has it. */
static bool next_string(const rcp_outside_call *call, rcp_space *space, char format, rcp_outside_touch *touch) {
    char text[4096];
    uint64_t at = argument(call, format), n = at ? string_size(space, at, sizeof text) : 0;
    size_t value = (size_t)(format - '0') + 1;
    unsigned number = 0;
    conversion c;
    if (!n || !byte_at(space, at))
        return false;
    rcp_space_read(space, at, text, n);
    text[n - 1] = 0;
    for (const char *p = text; (p = strchr(p, '%'));) {
        p = read_conversion(p + 1, &c);
        if (!c.kind)
            return false;
        value += c.stars;
        bool takes = c.kind != '%' && c.kind != 'm';
        if (c.kind == 's' && number++ == touch->conversions && value < call->n) {
            touch->conversions++;
            if (c.is_star_precision) {
                int64_t given = (int32_t)call->arguments[value - 1];
                c.has_precision = given >= 0;
                c.precision = (uint64_t)given;
            }
            *touch =
                (rcp_outside_touch){.how = 'r', .address = call->arguments[value], .conversions = touch->conversions};
            take_string(space, touch, c.has_precision ? c.precision : STRING_MAX);
            if (touch->address && touch->size && rcp_space_holds(touch->address, touch->size))
                return true;
        }
        value += takes;
    }
    return false;
}

/* The next string of a list; false: there is none. */
static bool next_listed(const rcp_outside_call *call, rcp_space *space, rcp_outside_touch *touch) {
    struct rcp_log_string string;
    unsigned number = 0;
    for (const uint8_t *at = call->strings; at && at < call->strings_end; number++) {
        at = rcp_log_string_next(at, call->strings_end, &string);
        if (!at || number < touch->conversions)
            continue;
        *touch = (rcp_outside_touch){.how = 'r', .address = string.address, .conversions = number + 1};
        take_string(space, touch, string.most ? string.most - 1 : STRING_MAX);
        if (touch->address && touch->size && rcp_space_holds(touch->address, touch->size))
            return true;
    }
    return false;
}

/* --- words --- */

/* Writes whose extent another string says. */
static void take_copied(const rcp_outside_call *call, rcp_space *space, char how, const char **at,
                        rcp_outside_touch *touch) {
    uint64_t from = argument(call, *(*at)++);
    bool is_limited = how == 'l' || how == 'a', is_behind = how == 'A' || how == 'a';
    uint64_t most = is_limited ? argument(call, *(*at)++) : STRING_MAX;
    uint64_t size = string_size(space, from, is_limited ? least(most, STRING_MAX) : STRING_MAX);
    const uint8_t *last = size ? byte_at(space, from + size - 1) : NULL;
    look(touch, 0, from, size);
    touch->size = how == 'a' && (!size || !last || *last) ? size + 1 : size; /* and a NUL */
    if (is_behind) {
        touch->base = touch->address;
        uint64_t own = string_size(space, touch->address, STRING_MAX);
        look(touch, 1, touch->address, own);
        touch->address += own - 1;
    }
}

/* Of a list of pieces (struct iovec) the one in hand, as far as the result goes. False: it is the last. */
static bool take_piece(const rcp_outside_call *call, rcp_space *space, uint64_t count, uint64_t at,
                       rcp_outside_touch *touch) {
    struct {
        uint64_t base, size;
    } piece = {0};
    uint64_t list = touch->address, left = !call->has_returned         ? UINT64_MAX
                                           : (int64_t)call->result > 0 ? call->result
                                                                       : 0;
    if (count > PIECES_MAX || !list || !rcp_space_holds(list, product(sizeof piece, count)) || at >= count)
        return false;
    for (uint64_t i = 0; i <= at; i++) {
        left -= least(left, piece.size);
        rcp_space_read(space, list + i * sizeof piece, &piece, sizeof piece);
    }
    touch->address = piece.base;
    touch->size = least(piece.size, left);
    touch->by_result = true;
    touch->is_vague = !call->has_returned;
    look(touch, 1, list, count * sizeof piece);
    return at + 1 < count;
}

/* Of a message's parts the one in hand: itself, then the list of its pieces; or what goes with it, its name and what it
 * carries beside. False: it is the last. */
static bool take_part(rcp_space *space, bool goes_with, uint64_t at, rcp_outside_touch *touch) {
    struct msghdr message;
    const uint64_t head = touch->address;
    if (head < FIRST_PAGE || !rcp_space_holds(head, sizeof message))
        return false;
    rcp_space_read(space, head, &message, sizeof message);
    const rcp_span parts[2][2] = {
        {{head, sizeof message}, {(uint64_t)message.msg_iov, product(sizeof(struct iovec), message.msg_iovlen)}},
        {{(uint64_t)message.msg_name, message.msg_namelen}, {(uint64_t)message.msg_control, message.msg_controllen}}};
    touch->address = parts[goes_with][at].lo;
    touch->size = parts[goes_with][at].hi;
    if (goes_with || at)
        look(touch, 0, head, sizeof message);
    return !at;
}

/* Its pieces, likewise. */
static bool take_piece_of(const rcp_outside_call *call, rcp_space *space, uint64_t at, rcp_outside_touch *touch) {
    struct msghdr message;
    const uint64_t head = touch->address;
    if (head < FIRST_PAGE || !rcp_space_holds(head, sizeof message))
        return false;
    rcp_space_read(space, head, &message, sizeof message);
    touch->address = (uint64_t)message.msg_iov;
    const bool goes_on = take_piece(call, space, message.msg_iovlen, at, touch);
    look(touch, 0, head, sizeof message);
    return goes_on;
}

/* Is there such memory? */
static bool is_memory(const rcp_outside_touch *touch) {
    return touch->address >= FIRST_PAGE && touch->size && rcp_space_holds(touch->address, touch->size);
}

/* Reads one word. False: there is nothing there. */
static bool evaluate(const rcp_outside_call *call, rcp_space *space, const char **at, rcp_outside_touch *touch) {
    const char *p = *at;
    uint64_t element = touch->elements;
    if ((*p == 'F' && next_string(call, space, p[1], touch)) || (*p == 'V' && next_listed(call, space, touch)))
        return true;
    *touch = (rcp_outside_touch){0};
    if (strchr("FVfotnv", *p)) { /* no memory */
        p += 2;
        *at = p + (*p == ' ');
        return false;
    }
    touch->how = *p++;
    touch->address = argument(call, *p++);
    uint64_t k, result = call->result;
    char how = *p++;
    switch (how) {
    case 'z': take_string(space, touch, STRING_MAX); break;
    case 'Z': take_string(space, touch, argument(call, *p++)); break;
    case '#': touch->size = argument(call, *p++); break;
    case '8': touch->size = product(8, argument(call, *p++)); break;
    case 'q':
        k = argument(call, *p++);
        touch->address += touch->address ? 8 * element : 0;
        touch->size = element < k ? 6 : 0;
        if (element + 1 < k && touch->address && rcp_space_holds(touch->address, 8)) {
            touch->elements = element + 1;
            return true;
        }
        break;
    case 'i': touch->size = product(16, (uint32_t)argument(call, *p++)); break;
    case 'I':
        if (take_piece(call, space, (uint32_t)argument(call, *p++), element, touch)) {
            touch->elements = element + 1;
            return is_memory(touch);
        }
        break;
    case 'h':
    case 'g':
        if (take_part(space, how == 'g', element, touch)) {
            touch->elements = element + 1;
            return is_memory(touch);
        }
        break;
    case 'H':
        if (take_piece_of(call, space, element, touch)) {
            touch->elements = element + 1;
            return is_memory(touch);
        }
        break;
    case 'e':
        touch->size = argument(call, p[0]) - least(argument(call, p[0]), argument(call, p[1]));
        p += 2;
        break;
    case '*':
        touch->size = product(argument(call, p[0]), argument(call, p[1]));
        p += 2;
        break;
    case '=': touch->size = number_at(&p); break;
    case 'S':
    case 'N':
        k = how == 'N' ? argument(call, *p++) : UINT64_MAX;
        touch->by_result = true;
        touch->size = call->has_returned && (int32_t)result >= 0 ? least((uint32_t)result + UINT64_C(1), k) : 0;
        break;
    case 'L': take_result(call, space, touch, result + 1, UINT64_MAX); break;
    case 'T': take_result(call, space, touch, result + 1, argument(call, *p++)); break;
    case 'P':
    case 'p':
        k = how == 'p' ? argument(call, *p++) : UINT64_MAX;
        if (call->has_returned && !result && how == 'P')
            take_string(space, touch, UINT64_MAX);
        else
            take_result(call, space, touch, result ? result - touch->address + 1 : k, k);
        touch->by_result = true;
        if (!call->has_returned && how == 'p')
            touch->size = k;
        break;
    case 'R':
        k = argument(call, *p++);
        take_result(call, space, touch, (int64_t)result > 0 ? result : 0, k);
        touch->is_string = false;
        if (!call->has_returned)
            touch->size = k;
        break;
    case 'd':
    case 'D':
        touch->second = argument(call, *p++);
        k = how == 'D' ? argument(call, *p++) : UINT64_MAX;
        touch->is_string = true;
        touch->size = touch->second ? same_size(space, touch->address, touch->second, k) : 0;
        look(touch, 0, touch->address, touch->size);
        look(touch, 1, touch->second, touch->size);
        break;
    case 'B': touch->size = call->block; break;
    default: take_copied(call, space, how, &p, touch); break; /* C, l, A, a */
    }
    *at = p + (*p == ' ');
    return is_memory(touch) && (!touch->second || rcp_space_holds(touch->second, touch->size));
}

bool rcp_outside_next(const rcp_outside_call *call, rcp_space *space, const char **at, rcp_outside_touch *touch) {
    if (!*at)
        *at = call->outside && call->outside->touches ? call->outside->touches : "";
    while (**at)
        if (evaluate(call, space, at, touch))
            return true;
    return false;
}

bool rcp_outside_names_threads(const rcp_outside *row, rcp_space *space, const uint64_t *words, size_t n) {
    for (size_t i = 0; i < n && (!row || row->touches); i++) {
        char text[64] = {0};
        if (words[i] < RCP_SPACE_PAGE || !rcp_space_holds(words[i], sizeof text))
            continue;
        rcp_space_read(space, words[i], text, sizeof text - 1);
        if (strstr(text, "/proc") || !strncmp(text, "proc", 4))
            return true;
    }
    return false;
}
