/* SPDX-License-Identifier: Apache-2.0 */
/* The page of the HTML report: report/html/ in one piece, which the build makes a string of (cmake/page.cmake).
 *
 * Invariant: RCP_PAGE_DATA stands in it once, inside a <script> that is no program: there the findings go. Bytes are
 * signed where `char` is, and all are ASCII.
 */
#ifndef RECIPE_REPORT_PAGE_H
#define RECIPE_REPORT_PAGE_H

#define RCP_PAGE_DATA "{{data}}"
extern const char rcp_report_page[];

#endif
