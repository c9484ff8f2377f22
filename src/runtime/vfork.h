/* SPDX-License-Identifier: Apache-2.0 */
/* vfork: the child must not run on the parent's memory, which is recorded. So it is a child by fork, and what can be
 * noticed of the difference is made good: the parent waits until the child has executed another program or ended, and
 * what recorded code of the child has stored until then is in the parent's memory, too. So a child tells its parent why
 * exec failed.
 *
 * The child sees each of its stores (values.h) and notes it in memory that both have; the parent takes over what lives
 * there. Not what code outside stores for the child, nor what lies in memory that the child has made. Where nothing is
 * recorded it is the real vfork.
 */
#ifndef RECIPE_RUNTIME_VFORK_H
#define RECIPE_RUNTIME_VFORK_H

/* In the child of a fork, before anything is recorded there: what it stores is nobody else's. */
void rcp_vfork_forget(void);

#endif
