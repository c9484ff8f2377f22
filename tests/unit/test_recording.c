/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded directory that is made here, byte by byte. */
#include "suite.h"
#include "temporary.h"

#include "abi/hooks.h"
#include "abi/image.h"
#include "base/varint.h"
#include "program/recording/recording.h"

#include <elf.h>
#include <string.h>

static char directory[256];
static uint8_t log_bytes[RCP_LOG_HEADER_SIZE + 4096];
static size_t records;

static void put(uint64_t n) {
    uint8_t *at = log_bytes + RCP_LOG_HEADER_SIZE + records;
    records += (size_t)(rcp_varint_put(at, n) - at);
}

static void put_string(const char *string) {
    put(strlen(string));
    memcpy(log_bytes + RCP_LOG_HEADER_SIZE + records, string, strlen(string));
    records += strlen(string);
}

static void slice(uint64_t thread, uint64_t before) { put(RCP_LOG_SLICE), put(thread), put(before); }
static void begin(uint64_t parent, uint64_t nth) {
    put(RCP_LOG_THREAD), put(parent), put(nth), put(4096), put(4096), put(0), put(0), put(0);
}

static void create(uint64_t child) {
    put(RCP_LOG_SYNC + RCP_SYNC_CREATE);
    log_bytes[RCP_LOG_HEADER_SIZE + records++] = 255;
    put(child), put(RCP_SYNC_THREAD);
}

static void write_file(const char *name, const void *bytes, size_t n) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *to = fopen(path, "w");
    ck_assert_uint_eq(fwrite(bytes, 1, n, to), n);
    fclose(to);
}

static void write_log(uint64_t notes) {
    struct rcp_log_header header = {.magic = RCP_LOG_MAGIC,
                                    .version = RCP_LOG_VERSION,
                                    .abi = RCP_ABI_VERSION,
                                    .mark = RCP_LOG_MARK(records, rcp_sum(log_bytes + RCP_LOG_HEADER_SIZE, records)),
                                    .machine = EM_AARCH64,
                                    .ended = RCP_LOG_EIGHT(RCP_ENDED_EXIT),
                                    .length = records,
                                    .threads = 3,
                                    .events = 77,
                                    .notes = notes};
    header.sum = rcp_log_head_sum(&header);
    header.counts_sum = rcp_log_counts_sum(&header);
    memcpy(log_bytes, &header, sizeof header);
    write_file("log", log_bytes, RCP_LOG_HEADER_SIZE + records);
}

static void two_threads(void) {
    slice(0, 0), begin(0, 0);
    create(1), create(2);
    slice(2, 10), begin(0, 2);
    slice(0, 5);
    put(RCP_LOG_NOTE), put_string("inline assembly in f");
    slice(1, 2), begin(0, 1); /* thread 0 went from 10 to 12 */
    create(3);
    slice(0, 8);
}

START_TEST(a_schedule) {
    make_temporary(directory, sizeof directory);
    two_threads();
    write_log(1);
    rcp_schedule schedule;
    rcp_schedule_init(&schedule);
    ck_assert(rcp_recording_is_there(directory));
    ck_assert_int_eq(rcp_recording_schedule(directory, &schedule), RCP_OK);
    rcp_text out = {0};
    rcp_schedule_print(&out, &schedule);
    ck_assert_str_eq(out.at, "thread 0.1\nthread 0.2\nthread 0.1.1\n0 10\n0.2 5\n0 12\n0.1 8\n0 block\n");
    rcp_text_finish(&out);
    rcp_schedule_finish(&schedule);
    drop_temporary(directory);
}
END_TEST

START_TEST(notes_and_numbers) {
    make_temporary(directory, sizeof directory);
    two_threads();
    write_log(1);
    rcp_recording recording;
    ck_assert_int_eq(rcp_recording_read(directory, &recording), RCP_OK);
    ck_assert_uint_eq(recording.header.events, 77);
    ck_assert_uint_eq(recording.bytes, records);
    ck_assert_uint_eq(recording.notes.len, 1);
    ck_assert_str_eq(recording.notes.at[0], "inline assembly in f");
    rcp_text out = {0};
    rcp_recording_print(&out, &recording);
    rcp_recording_print_notes(&out, &recording);
    ck_assert_ptr_nonnull(strstr(out.at, "events                           77\n"));
    ck_assert_ptr_nonnull(strstr(out.at, "note: inline assembly in f\n"));
    rcp_text_finish(&out);
    rcp_recording_finish(&recording);
    drop_temporary(directory);
}
END_TEST

START_TEST(what_is_no_recording) {
    make_temporary(directory, sizeof directory);
    rcp_recording recording;
    rcp_schedule schedule;
    ck_assert(!rcp_recording_is_there(directory));
    ck_assert_int_ne(rcp_recording_read(directory, &recording), RCP_OK);
    rcp_recording_finish(&recording);
    write_file("log", "something else", 14);
    ck_assert_int_eq(rcp_recording_read(directory, &recording), RCP_BAD_INPUT);
    rcp_recording_finish(&recording);
    put(99); /* a record of no kind */
    write_log(1);
    rcp_schedule_init(&schedule);
    ck_assert_int_eq(rcp_recording_schedule(directory, &schedule), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_recording_read(directory, &recording), RCP_BAD_INPUT);
    rcp_recording_finish(&recording);
    rcp_schedule_finish(&schedule);
    drop_temporary(directory);
}
END_TEST

static RCP_VEC(char) seen;

static rcp_code see(void *context, const char *path) {
    memcpy(rcp_vec_extend(&seen, strlen(path)), path, strlen(path));
    rcp_vec_push(&seen, '\n');
    return context ? RCP_INTERNAL : RCP_OK;
}

static size_t item(uint8_t *at, uint64_t tag, uint64_t a, const char *bytes) {
    struct rcp_image_item head = {tag, strlen(bytes), a, tag == RCP_IMAGE_PART ? RCP_IMAGE_VERSION : 0};
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, bytes, strlen(bytes));
    return (sizeof head + strlen(bytes) + 7) / 8 * 8;
}

START_TEST(objects_of_all_parts) {
    make_temporary(directory, sizeof directory);
    static uint8_t image[1024];
    size_t n = 0;
    n += item(image + n, RCP_IMAGE_PART, 0, "");
    n += item(image + n, RCP_IMAGE_OBJECT, 0x1000, "/bin/program");
    n += item(image + n, RCP_IMAGE_BYTES, 0x2000, "memory");
    n += item(image + n, RCP_IMAGE_END, rcp_sum(image, n), "");
    size_t first = n;
    n += item(image + n, RCP_IMAGE_PART, 1, "");
    n += item(image + n, RCP_IMAGE_OBJECT, 0x9000, "/lib/late.so");
    size_t last = n;
    n += item(image + n, RCP_IMAGE_END, rcp_sum(image + first, n - first), "");
    write_file("image", image, n);
    ck_assert_int_eq(rcp_recording_objects(directory, see, NULL), RCP_OK);
    rcp_vec_push(&seen, 0);
    ck_assert_str_eq(seen.at, "/bin/program\n/lib/late.so\n");
    ck_assert_int_eq(rcp_recording_objects(directory, see, directory), RCP_INTERNAL); /* a visitor can stop it */
    write_file("image", image, last);                                                 /* killed while it was written */
    ck_assert_int_eq(rcp_recording_objects(directory, see, NULL), RCP_BAD_INPUT);
    rcp_vec_finish(&seen);
    drop_temporary(directory);
}
END_TEST

int main(void) {
    return rcp_suite_run("recording", a_schedule, notes_and_numbers, what_is_no_recording, objects_of_all_parts, NULL);
}
