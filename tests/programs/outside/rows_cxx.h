/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of rows/cxx.txt and rows/cxx_families.txt have in reach. */
#ifndef ROWS_CXX_H
#define ROWS_CXX_H

#include <bits/functexcept.h>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cxxabi.h>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <unordered_set>
#include <unwind.h>

#define FIRST() ((void)new std::ostringstream) /* the library knows its locale from here on */
#include "run.h"

static const char text[] = "12 text, more";
static thread_local int is;
extern "C" void *__dso_handle;
extern "C" unsigned __cxa_uncaught_exceptions() throw();
extern "C" int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);

__attribute__((unused)) static void nothing_to(void *) {}
__attribute__((unused)) static void nothing() {}
__attribute__((unused)) static std::ios &mend(std::ios &stream) { return stream; }

struct copied { /* catching one calls a constructor */
    copied() {}
    copied(const copied &) {}
};
struct guarded { /* an exception stops here on its way */
    ~guarded() { is++; }
};
struct base {
    virtual ~base() {}
};
struct derived : base {};
__attribute__((unused)) static base *volatile some_base;
struct condition : std::condition_variable {};

__attribute__((unused, noinline)) static void throw_one() { throw 1; }

/* An exception of nobody's. */
static thread_local _Unwind_Exception foreign;
__attribute__((unused, noinline)) static void raise_foreign() {
    foreign = _Unwind_Exception();
    foreign.exception_class = 1;
    _Unwind_RaiseException(&foreign);
}

/* The thread's own, and who wakes it. */
struct own {
    std::mutex lock;
    std::condition_variable condition;
    bool waits = false;
};
static thread_local own *mine;
__attribute__((unused)) static void start_waker() {
    mine = new own;
    std::thread(
        [](own *of) {
            for (bool waits = false; !waits; std::this_thread::yield()) {
                std::unique_lock<std::mutex> lock(of->lock);
                waits = of->waits;
                of->waits = false;
                of->condition.notify_all();
            }
        },
        mine)
        .detach();
}

/* What is made before there are threads, by calls of which nobody knows what they do. */
[[maybe_unused]] static const std::locale &place = std::locale::classic();
[[maybe_unused]] static const auto &letters = std::use_facet<std::ctype<char>>(place);
[[maybe_unused]] static const auto &wide_letters = std::use_facet<std::ctype<wchar_t>>(place);
[[maybe_unused]] static const auto &order = std::use_facet<std::collate<char>>(place);
[[maybe_unused]] static const auto &marks = std::use_facet<std::numpunct<char>>(place);
/* What its headers define, too: called as virtual functions are, the library's is meant. */
struct opened : std::ctype<char> {
    using letter = std::ctype<char>;
    static char widen(char c) {
        return (letters.*static_cast<char (letter::*)(char) const>(&opened::do_widen))(c);
    }
    static const char *widen(const char *from, const char *upto, char *to) {
        using function = const char *(letter::*)(const char *, const char *, char *) const;
        return (letters.*static_cast<function>(&opened::do_widen))(from, upto, to);
    }
    static char narrow(char c, char other) {
        return (letters.*static_cast<char (letter::*)(char, char) const>(&opened::do_narrow))(c, other);
    }
    static const char *narrow(const char *from, const char *upto, char other, char *to) {
        using function = const char *(letter::*)(const char *, const char *, char, char *) const;
        return (letters.*static_cast<function>(&opened::do_narrow))(from, upto, other, to);
    }
};
[[maybe_unused]] static const std::exception an_exception;

namespace std {
namespace this_thread {
void __sleep_for(chrono::seconds, chrono::nanoseconds);
}
} // namespace std

#endif
