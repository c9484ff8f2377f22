/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog is a thread of the process, and the system counts it. A program that asks how many threads it has, in
 * /proc/PID/status or /proc/PID/stat, is told those that it has without us: what it has opened becomes a copy in which
 * the number is one less. A copy: who keeps the file open and reads it again finds what was there when it was opened.
 * The directory /proc/PID/task lists us all the same.
 */
#ifndef RECIPE_RUNTIME_STATUS_H
#define RECIPE_RUNTIME_STATUS_H

/* By whoever has opened the path to read it, and has read nothing yet. */
void rcp_status_opened(int fd, const char *path);

#endif
