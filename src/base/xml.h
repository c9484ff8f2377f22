/* SPDX-License-Identifier: Apache-2.0 */
/* Text in XML 1.0. */
#ifndef RECIPE_BASE_XML_H
#define RECIPE_BASE_XML_H

#include "base/text.h"

/* `string` as it may stand between tags, or in an attribute in double quotes, in which line ends and tabs are kept,
 * too. Markup is escaped; what XML has no way to say (control characters, bytes that are no UTF-8) becomes U+FFFD. */
void rcp_xml_text(rcp_text *to, const char *string);
void rcp_xml_attribute(rcp_text *to, const char *string);

#endif
