/* SPDX-License-Identifier: Apache-2.0 */
/* libstdc++'s std::filesystem::path, as far as one is given another's value: its text is a string, which is copied
 * here; its parts are a list that only the library knows. */
#include "stdcxx/stdcxx.h"

#include <string.h>

typedef struct string { /* std::__cxx11::string */
    char *text;
    size_t length;
    union {
        char own[16];
        size_t capacity; /* where the text is elsewhere */
    };
} string;

typedef struct path {
    string name;
    void *parts; /* path::_List */
} path;

path *assign(path *to, const path *from) STDCXX(_ZNSt10filesystem7__cxx114pathaSERKS1_);
void copy_parts(void **to, void *const *from) LIBRARY(_ZNSt10filesystem7__cxx114path5_ListC1ERKS2_);
void delete_parts(const void *deleter, void *parts)
    LIBRARY(_ZNKSt10filesystem7__cxx114path5_List13_Impl_deleterclEPNS2_5_ImplE);
void begin_parts(void **parts) STDCXX(_ZNSt10filesystem7__cxx114path5_ListC1Ev);
void begin_parts_base(void **parts) STDCXX(_ZNSt10filesystem7__cxx114path5_ListC2Ev);
void *new_block(size_t bytes) LIBRARY(_Znwm);
void delete_block(void *block) LIBRARY(_ZdlPv);

/* What there is of a path in one piece is the pointer itself; the headers look at it. */
enum { FILENAME = 3 };
void begin_parts(void **parts) { *parts = (void *)FILENAME; }
void begin_parts_base(void **parts) { begin_parts(parts); }

static void set(string *to, const string *from) {
    size_t room = to->text == to->own ? sizeof to->own - 1 : to->capacity;
    if (from->length > room) {
        size_t capacity = from->length < 2 * room ? 2 * room : from->length;
        char *text = new_block(capacity + 1);
        if (to->text != to->own)
            delete_block(to->text);
        to->text = text;
        to->capacity = capacity;
    }
    if (from->length)
        memcpy(to->text, from->text, from->length);
    to->length = from->length;
    to->text[to->length] = 0;
}

static void end_parts(void **parts) {
    if (*parts)
        delete_parts(NULL, *parts);
}

/* The parts first: where there is no memory for them, nothing has changed. */
path *assign(path *to, const path *from) {
    if (to == from)
        return to;
    void *parts __attribute__((cleanup(end_parts)));
    copy_parts(&parts, &from->parts);
    set(&to->name, &from->name);
    void *old = to->parts;
    to->parts = parts;
    parts = old;
    return to;
}
