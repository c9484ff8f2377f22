/* SPDX-License-Identifier: Apache-2.0 */
/* Code of libstdc++ and libc++ that is no template: what their classes call in the shared library, written again, to be
 * recorded with the program. It does what the C++ standard and the libraries' headers say and ask of it; nothing of the
 * libraries' own code is here.
 *
 * Each file becomes an object of its own in lib/recipe/librecipe_cxx-ARCH.a, built by 'recipe cc' like any program,
 * which the linker takes from only what is asked for. Weak, so that a libstdc++.a that comes as well is no second
 * definition; hidden, so that neither the shared library nor what was built by others calls recorded code through these
 * names.
 *
 * Objects are the program's, with the layout of the library's ABI: libstdc++'s has not changed since gcc 3.4 (trees)
 * and 4.6 (lists), libc++'s (version 1, namespace std::__1) is kept by its makers.
 */
#ifndef RECIPE_STDCXX_STDCXX_H
#define RECIPE_STDCXX_STDCXX_H

#include <stdbool.h>
#include <stddef.h>

/* A function under the name by which compiled C++ knows it. */
#define STDCXX(mangled) __asm__(#mangled) __attribute__((weak, visibility("hidden")))

/* One of the library's own. */
#define LIBRARY(mangled) __asm__(#mangled)

#endif
