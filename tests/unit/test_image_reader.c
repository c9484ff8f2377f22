/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/image_reader.h"

#include "abi/sum.h"
#include "base/vec.h"
#include "suite.h"

#include <stdbool.h>
#include <string.h>

typedef RCP_VEC(uint64_t) words;

static void item(words *w, uint64_t tag, uint64_t size, uint64_t a) {
    rcp_vec_push(w, tag);
    rcp_vec_push(w, size);
    rcp_vec_push(w, a);
    rcp_vec_push(w, tag == RCP_IMAGE_PART ? RCP_IMAGE_VERSION : 0);
}

/* Two parts, a module each. */
static void build(words *w) {
    for (uint64_t part = 0; part < 2; part++) {
        size_t begin = w->len;
        item(w, RCP_IMAGE_PART, 0, part);
        item(w, RCP_IMAGE_MODULE, 8 * 8, part);
        const uint64_t module[] = {11 + part, 22, 2, 1, 1, 0x1000, 0x2000, 0x3000};
        for (size_t i = 0; i < 8; i++)
            rcp_vec_push(w, module[i]);
        item(w, RCP_IMAGE_FUNCTIONS, 24, part);
        rcp_vec_push(w, 0x5000 + part);
        rcp_vec_push(w, part);
        rcp_vec_push(w, 0);
        item(w, RCP_IMAGE_BYTES, 3, 0x7000);
        rcp_vec_push(w, 0x636261);
        item(w, RCP_IMAGE_CONSTANT, 0, 0x8000);
        w->at[w->len - 1] = 0x9000;
        item(w, RCP_IMAGE_GONE, 0, 0xa000);
        w->at[w->len - 1] = 0xb000;
        item(w, RCP_IMAGE_NAMED, 8, 0xc000);
        rcp_vec_push(w, 0x6f732e6120303061); /* "a00 a.so" */
        item(w, RCP_IMAGE_END, 0, rcp_sum(w->at + begin, (w->len - begin) * 8));
    }
}

static rcp_code read_all(const words *w, size_t bytes) {
    rcp_image_file *image;
    rcp_image_entry entry;
    RCP_TRY(rcp_image_open_memory("image", w->at, bytes, &image));
    rcp_code code = RCP_OK;
    for (uint64_t part = 0; part < 2 && code == RCP_OK; part++) {
        code = rcp_image_seek(image, part);
        entry.tag = RCP_IMAGE_PART;
        while (code == RCP_OK && entry.tag != RCP_IMAGE_END)
            code = rcp_image_next(image, &entry);
    }
    rcp_image_close(image);
    return code;
}

START_TEST(items_come_back) {
    words w = {0};
    build(&w);
    rcp_image_file *image;
    rcp_image_entry e;
    ck_assert_int_eq(rcp_image_open_memory("image", w.at, w.len * 8, &image), RCP_OK);
    ck_assert_int_eq(rcp_image_seek(image, 1), RCP_OK);
    ck_assert_int_eq(rcp_image_next(image, &e), RCP_OK);
    ck_assert_int_eq(e.tag, RCP_IMAGE_MODULE);
    ck_assert_uint_eq(e.module.id.low, 12);
    ck_assert_uint_eq(e.module.n_symbols, 2);
    ck_assert_uint_eq(e.module.symbols[1], 0x2000);
    ck_assert_uint_eq(e.module.blocks[0], 0x3000);
    ck_assert_int_eq(rcp_image_next(image, &e), RCP_OK);
    ck_assert_uint_eq(e.functions[0].address, 0x5001);
    ck_assert_int_eq(rcp_image_next(image, &e), RCP_OK);
    ck_assert_uint_eq(e.size, 3);
    ck_assert_mem_eq(e.bytes, "abc", 3);
    ck_assert_int_eq(rcp_image_next(image, &e), RCP_OK);
    ck_assert_int_eq(e.tag, RCP_IMAGE_CONSTANT);
    ck_assert_uint_eq(e.a, 0x8000);
    ck_assert_uint_eq(e.b, 0x9000);
    ck_assert_int_eq(rcp_image_next(image, &e), RCP_OK);
    ck_assert_int_eq(e.tag, RCP_IMAGE_GONE);
    ck_assert_uint_eq(e.a, 0xa000);
    ck_assert_uint_eq(e.b, 0xb000);
    ck_assert_int_eq(rcp_image_next(image, &e), RCP_OK);
    ck_assert_int_eq(e.tag, RCP_IMAGE_NAMED);
    ck_assert_uint_eq(e.a, 0xc000);
    ck_assert_mem_eq(e.bytes, "a00 a.so", 8);
    ck_assert_int_eq(rcp_image_next(image, &e), RCP_OK);
    ck_assert_int_eq(e.tag, RCP_IMAGE_END);
    ck_assert_int_eq(rcp_image_seek(image, 2), RCP_BAD_INPUT);
    rcp_image_close(image);
    rcp_vec_finish(&w);
}
END_TEST

START_TEST(cut_off_images_are_refused) {
    words w = {0};
    build(&w);
    ck_assert_int_eq(read_all(&w, w.len * 8), RCP_OK);
    for (size_t n = 0; n < w.len * 8; n++)
        ck_assert_int_eq(read_all(&w, n), RCP_BAD_INPUT);
    rcp_vec_finish(&w);
}
END_TEST

START_TEST(damage_is_refused) {
    words w = {0};
    build(&w);
    const struct {
        size_t word;
        uint64_t value;
    } damage[] = {{4, 99}, {5, UINT64_MAX}, {10, 4}, {11, UINT64_MAX}, {17, 25}, {21, 1}};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        uint64_t before = w.at[damage[i].word];
        w.at[damage[i].word] = damage[i].value;
        ck_assert_msg(read_all(&w, w.len * 8) == RCP_BAD_INPUT, "damage %zu was not seen", i);
        w.at[damage[i].word] = before;
    }
    ck_assert_int_eq(read_all(&w, w.len * 8), RCP_OK);
    for (size_t i = 0; i < (w.len - 1) * 8; i++) { /* the last word says nothing */
        bool is_nothing = i / 8 == w.len / 2 - 1;
        ((uint8_t *)w.at)[i] ^= 1 << i % 8;
        ck_assert_msg(read_all(&w, w.len * 8) == (is_nothing ? RCP_OK : RCP_BAD_INPUT), "byte %zu", i);
        ((uint8_t *)w.at)[i] ^= 1 << i % 8;
    }
    rcp_vec_finish(&w);
}
END_TEST

int main(void) {
    return rcp_suite_run("image_reader", items_come_back, cut_off_images_are_refused, damage_is_refused, NULL);
}
