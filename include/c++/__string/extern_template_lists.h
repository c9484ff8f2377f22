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
