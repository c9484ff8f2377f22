/* SPDX-License-Identifier: Apache-2.0 */
/* Found in front of libstdc++'s own by 'recipe c++' (rcp_compile_add_headers), and includes it. Members of std::string are
 * in the shared library, where nobody records them: -1 has them instantiated in the program, as C++20 does anyway.
 * Streams ask for 'not 0', and stay in the library. */
#include_next <bits/c++config.h>

#if defined _GLIBCXX_EXTERN_TEMPLATE && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
