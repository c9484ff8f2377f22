/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/real.h"

#include "runtime/runtime.h"

#include <dlfcn.h>

extern const struct rcp_real_entry __start_recipe_real[] __attribute__((visibility("hidden")));
extern const struct rcp_real_entry __stop_recipe_real[] __attribute__((visibility("hidden")));

void rcp_real_resolve(void) {
    for (const struct rcp_real_entry *e = __start_recipe_real; e < __stop_recipe_real; e++) {
        void *f = e->version ? dlvsym(RTLD_NEXT, e->name, e->version) : NULL;
        *e->where = f ? f : dlsym(RTLD_NEXT, e->name);
    }
}
