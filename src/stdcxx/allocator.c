/* SPDX-License-Identifier: Apache-2.0 */
/* libstdc++'s std::allocator<char> and <wchar_t>, which are in the shared library: they begin and end without doing
 * anything. Each string calls them where code is not optimised before it is recorded. */
#include "stdcxx/stdcxx.h"

#define NOTHING(name, mangled)                                                                                         \
    void name(void *allocator) STDCXX(mangled);                                                                        \
    void name(void *allocator) { (void)allocator; }
#define NOTHING_COPIED(name, mangled)                                                                                  \
    void name(void *allocator, const void *from) STDCXX(mangled);                                                      \
    void name(void *allocator, const void *from) { (void)allocator, (void)from; }

NOTHING(begin, _ZNSaIcEC1Ev)
NOTHING(begin_base, _ZNSaIcEC2Ev)
NOTHING_COPIED(copy, _ZNSaIcEC1ERKS_)
NOTHING_COPIED(copy_base, _ZNSaIcEC2ERKS_)
NOTHING(end, _ZNSaIcED1Ev)
NOTHING(end_base, _ZNSaIcED2Ev)
NOTHING(begin_wide, _ZNSaIwEC1Ev)
NOTHING(begin_wide_base, _ZNSaIwEC2Ev)
NOTHING_COPIED(copy_wide, _ZNSaIwEC1ERKS_)
NOTHING_COPIED(copy_wide_base, _ZNSaIwEC2ERKS_)
NOTHING(end_wide, _ZNSaIwED1Ev)
NOTHING(end_wide_base, _ZNSaIwED2Ev)
