/* SPDX-License-Identifier: Apache-2.0 */
/* Found in front of libc++'s own by 'recipe c++' (rcp_compile_add_headers), and includes it. It lists the members of
 * std::string that are in the shared library, where nobody records them: with an empty list they are instantiated in the
 * program. */
#include_next <__string/extern_template_lists.h>

#ifdef _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST
#undef _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST
#define _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(...)
#endif
#ifdef _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST
#undef _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST
#define _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(...)
#endif

/* A string that begins as it is and sets a bit of its first byte keeps the others, which nobody has written: whoever looks
 * at it then would hang on what was never there. So it begins with zeros. (Later versions have no such tag.) */
#if defined _LIBCPP_VERSION && _LIBCPP_VERSION < 200000 && __has_include(<__memory/compressed_pair.h>)
#include <__memory/compressed_pair.h>
#define __default_init_tag __value_init_tag
#endif
