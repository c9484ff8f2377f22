/* SPDX-License-Identifier: Apache-2.0 */
#include "base/xml.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

static const char *entity_of(char c, bool is_attribute) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;"; /* "]]>" must not stand in a text */
    case '"': return "&quot;";
    case '\n': return is_attribute ? "&#10;" : "\n"; /* as itself it is a blank there */
    case '\t': return is_attribute ? "&#9;" : "\t";
    case '\r': return "&#13;";
    default: return NULL;
    }
}

/* U+FFFE and U+FFFF are no characters of XML; nor are most control characters. */
static bool is_character(const char *bytes, size_t n) {
    const unsigned char *p = (const unsigned char *)bytes;
    return n && !(n == 1 && *p < 0x20) && !(n == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe);
}

static void escape(rcp_text *to, const char *string, bool is_attribute) {
    size_t left = strlen(string);
    for (size_t n; left; string += n, left -= n) {
        const char *entity = entity_of(*string, is_attribute);
        n = rcp_utf8_sequence(string, left);
        if (entity)
            rcp_text_puts(to, entity);
        else if (is_character(string, n))
            rcp_text_add(to, string, n);
        else
            rcp_text_puts(to, "\xef\xbf\xbd");
        n = n ? n : 1;
    }
}

void rcp_xml_text(rcp_text *to, const char *string) { escape(to, string, false); }

void rcp_xml_attribute(rcp_text *to, const char *string) { escape(to, string, true); }
