/* SPDX-License-Identifier: Apache-2.0 */
/* Code of libstdc++ that is no template: what its containers call in the shared library, written again, to be recorded
 * with the program. It does what the C++ library's headers say and ask of it, and what each function is known by;
 * nothing of the library's own code is here.
 *
 * Each file becomes an object of its own in lib/recipe/librecipe_cxx-ARCH.a, built by 'recipe cc' like any program,
 * which the linker takes from only what is asked for. Weak, so that a libstdc++.a that comes as well is no second
 * definition; hidden, so that neither the shared library nor what was built by others calls recorded code through these
 * names.
 *
 * Nodes are the program's, with the layout of the library's ABI, which has not changed since gcc 3.4 (tree) and 4.6
 * (list).
 */
#ifndef RECIPE_STDCXX_STDCXX_H
#define RECIPE_STDCXX_STDCXX_H

#include <stdbool.h>
#include <stddef.h>

/* A function under the name by which compiled C++ knows it. */
#define STDCXX(mangled) __asm__(#mangled) __attribute__((weak, visibility("hidden")))

#endif
