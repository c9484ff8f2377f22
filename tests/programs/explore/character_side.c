/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * On the way that was not taken T2 asks for kinds and cases of characters, a number and a length, which nobody recorded there. */
#include "frame.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int (*volatile larger)(int) = toupper;
static int (*volatile is_letter)(int) = isalpha;
static int (*volatile number_of)(const char *) = atoi;
static size_t (*volatile leading)(const char *, const char *) = strspn;
static char text[] = " -7x";
static int flag, racy;

static void T1(void) {
    set(&flag, 1);
    racy = 1;
}

static void T2(void) {
    if (!get(&flag) && larger('q') == 'Q' && is_letter('q') && !is_letter('7') && number_of(text) == -7 &&
        leading(text, " -") == 2)
        racy = 2;
}
