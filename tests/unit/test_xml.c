/* SPDX-License-Identifier: Apache-2.0 */
#include "base/xml.h"

#include "suite.h"

#include <check.h>

static void becomes(const char *string, const char *in_text, const char *in_attribute) {
    rcp_text text = {0};
    rcp_xml_text(&text, string);
    ck_assert_str_eq(text.at, in_text);
    rcp_text_clear(&text);
    rcp_xml_attribute(&text, string);
    ck_assert_str_eq(text.at, in_attribute);
    rcp_text_finish(&text);
}

START_TEST(markup_is_escaped) {
    becomes("a<b> & \"c\"", "a&lt;b&gt; &amp; &quot;c&quot;", "a&lt;b&gt; &amp; &quot;c&quot;");
    becomes("]]>", "]]&gt;", "]]&gt;");
    becomes("one\n\ttwo\r", "one\n\ttwo&#13;", "one&#10;&#9;two&#13;");
}
END_TEST

START_TEST(what_is_no_character_is_replaced) {
    becomes("a\x01z\x1f", "a\xef\xbf\xbdz\xef\xbf\xbd", "a\xef\xbf\xbdz\xef\xbf\xbd");
    becomes("\xc3\xa4 \xf0\x9f\x8f\x81", "\xc3\xa4 \xf0\x9f\x8f\x81", "\xc3\xa4 \xf0\x9f\x8f\x81");
    becomes("\xc3(\xff", "\xef\xbf\xbd(\xef\xbf\xbd", "\xef\xbf\xbd(\xef\xbf\xbd");
    becomes("\xef\xbf\xbe \xef\xbf\xbf \xef\xbf\xbd", "\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd",
            "\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd");
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_test(tests, markup_is_escaped);
    tcase_add_test(tests, what_is_no_character_is_replaced);
    return rcp_suite_run_case("xml", tests);
}
