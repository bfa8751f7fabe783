/* What a run looked at: kept as it was first seen, written and read again without loss. */
#include "base/digest.h"
#include "base/looks.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

static spec_arena *arena;
static spec_looks *looks;

static void begin(void) {
  assert_int_equal(spec_arena_new(&arena, NULL), 0);
  assert_int_equal(spec_looks_new(&looks, arena, NULL), 0);
  assert_null(spec_fs_trace(looks));
}

static void end(void) {
  assert_ptr_equal(spec_fs_trace(NULL), looks);
  assert_false(spec_looks_failed(looks));
  spec_looks_free(looks);
  spec_arena_free(arena);
}

static const spec_look *get(spec_look_kind kind, const char *path) {
  const spec_look *look = spec_looks_get(looks, kind, path);
  assert_non_null(look);
  return look;
}

static void test_every_question_is_kept(void **state) {
  (void)state;
  put("f", "text");
  put("d/one", "");
  put_link("f", "link");
  begin();
  spec_ftype type;
  spec_dirent *entries;
  const char *text;
  size_t count;
  bool same;
  assert_int_equal(spec_fs_type(&type, "link", NULL), 0);
  assert_int_equal(spec_fs_link_type(&type, "link", NULL), 0);
  assert_int_equal(spec_fs_type(&type, "absent", NULL), 0);
  assert_int_equal(spec_fs_list(arena, &entries, &count, "d", NULL), 0);
  assert_int_equal(spec_fs_read(arena, &text, &count, "f", NULL), 0);
  assert_int_equal(spec_fs_real(arena, &text, "link", NULL), 0);
  assert_int_equal(spec_fs_real(arena, &text, "absent/x", NULL), SPEC_ENOTFOUND);
  assert_int_equal(spec_fs_same(&same, "f", "d/one", NULL), 0);
  assert_int_equal(get(SPEC_LOOK_TYPE, "link")->type, SPEC_FT_FILE);
  assert_int_equal(get(SPEC_LOOK_LINK, "link")->type, SPEC_FT_LINK);
  assert_int_equal(get(SPEC_LOOK_TYPE, "absent")->type, SPEC_FT_NONE);
  assert_int_equal(get(SPEC_LOOK_INSIDE, "d")->type, SPEC_FT_DIR);
  assert_int_equal(get(SPEC_LOOK_INSIDE, "f")->digest, spec_digest_64("text", 4, 0));
  assert_int_equal(get(SPEC_LOOK_SIZE, "f")->size, 4);
  assert_true(get(SPEC_LOOK_REAL, "link")->digest != get(SPEC_LOOK_REAL, "absent/x")->digest);
  assert_null(spec_looks_get(looks, SPEC_LOOK_INSIDE, "d/one"));
  end();
}

static void test_the_first_look_counts(void **state) {
  (void)state;
  put("f", "one");
  begin();
  const char *text;
  size_t len;
  assert_int_equal(spec_fs_read(arena, &text, &len, "f", NULL), 0);
  put("f", "other");
  assert_int_equal(spec_fs_read(arena, &text, &len, "f", NULL), 0);
  assert_int_equal(get(SPEC_LOOK_INSIDE, "f")->digest, spec_digest_64("one", 3, 0));
  end();
}

/* What spec_fs_look() sees of the path before and after fn. */
static bool is_seen_by(spec_look_kind kind, const char *path, void (*fn)(void)) {
  spec_look before, after;
  assert_int_equal(spec_fs_look(&before, (int)kind, path, NULL), 0);
  fn();
  assert_int_equal(spec_fs_look(&after, (int)kind, path, NULL), 0);
  return !spec_look_is_same(kind, &before, &after);
}

static void same_size(void) {
  put("f", "ZZZZ");
}
static void longer(void) {
  put("f", "longer");
}
static void add_hidden(void) {
  put("d/.x", "");
}
static void make_folder(void) {
  assert_int_equal(unlink("d/.x"), 0);
  put_folder("d/.x");
}
static void relink(void) {
  assert_int_equal(unlink("link"), 0);
  put_link("d", "link");
}
static void remove_file(void) {
  assert_int_equal(unlink("f"), 0);
}
static void nothing(void) {}

static void test_each_kind_sees_what_it_looks_at(void **state) {
  (void)state;
  put("f", "text");
  put_folder("d");
  put_link("f", "link");
  assert_false(is_seen_by(SPEC_LOOK_INSIDE, "f", nothing));
  assert_true(is_seen_by(SPEC_LOOK_INSIDE, "f", same_size));
  assert_false(is_seen_by(SPEC_LOOK_SIZE, "f", same_size));
  assert_false(is_seen_by(SPEC_LOOK_TYPE, "f", longer));
  put("f", "text");
  assert_true(is_seen_by(SPEC_LOOK_SIZE, "f", longer));
  assert_true(is_seen_by(SPEC_LOOK_INSIDE, "d", add_hidden));
  assert_true(is_seen_by(SPEC_LOOK_INSIDE, "d", make_folder));
  assert_true(is_seen_by(SPEC_LOOK_REAL, "link", relink));
  assert_false(is_seen_by(SPEC_LOOK_LINK, "link", relink));
  assert_true(is_seen_by(SPEC_LOOK_TYPE, "f", remove_file));
}

/* Same bytes and a new date, or a new place on disk: not untouched, but the same. */
static void test_dates_are_a_short_cut_only(void **state) {
  (void)state;
  put("f", "text");
  spec_look then, now;
  assert_int_equal(spec_fs_look(&then, SPEC_LOOK_INSIDE, "f", NULL), 0);
  const int64_t later = then.changed + INT64_C(10000000000);
  assert_int_equal(spec_fs_glance(&now, SPEC_LOOK_INSIDE, "f", NULL), 0);
  assert_true(spec_look_is_untouched(&then, &now, later));
  assert_false(spec_look_is_untouched(&then, &now, then.changed + 1)); /* too fresh to tell */
  put("g", "text");
  assert_int_equal(rename("g", "f"), 0);
  assert_int_equal(spec_fs_look(&now, SPEC_LOOK_INSIDE, "f", NULL), 0);
  assert_false(spec_look_is_untouched(&then, &now, later));
  assert_true(spec_look_is_same(SPEC_LOOK_INSIDE, &then, &now));
}

static void test_text_and_back(void **state) {
  (void)state;
  begin();
  (void)spec_fs_trace(NULL);
  const spec_look all = {SPEC_FT_FILE, 1, 2, 3, 4, 5, INT64_MAX};
  const spec_look early = {SPEC_FT_DIR, UINT64_MAX, 0, 0, 0, -1, INT64_MIN};
  spec_looks_add(looks, SPEC_LOOK_INSIDE, "/a b%\n\tc", &all);
  spec_looks_add(looks, SPEC_LOOK_TYPE, "/a b%\n\tc", &early);
  spec_buf first = {0}, second = {0};
  spec_looks_write(&first, looks);
  spec_looks *back;
  assert_int_equal(spec_looks_new(&back, arena, NULL), 0);
  assert_int_equal(spec_looks_parse(back, first.data, first.len, "looks", NULL), 0);
  assert_memory_equal(spec_looks_get(back, SPEC_LOOK_INSIDE, "/a b%\n\tc"), &all, sizeof all);
  assert_memory_equal(spec_looks_get(back, SPEC_LOOK_TYPE, "/a b%\n\tc"), &early, sizeof early);
  spec_looks_write(&second, back);
  assert_string_equal(spec_buf_text(&first), spec_buf_text(&second));
  spec_buf_dispose(&first);
  spec_buf_dispose(&second);
  spec_looks_free(back);
  (void)spec_fs_trace(looks);
  end();
}

static void test_damaged_text(void **state) {
  (void)state;
  static const char *const texts[] = {
      "look 1\n",
      "looks x\n",
      "looks 1\ni f 1 1 1 1 1 1\n",
      "looks 1\ni f 1 1 1 1 1 1 relative\n",
      "looks 1\nq f 1 1 1 1 1 1 /a\n",
      "looks 1\ni q 1 1 1 1 1 1 /a\n",
      "looks 1\ni f -1 1 1 1 1 1 /a\n",
      "looks 1\ni f 11111111111111111 1 1 1 1 1 /a\n",
      "looks 1\ni f 1 1 1 1 1 1 /a%41\n",
      "looks 1\ni f 1 1 1 1 1 1 /a",
  };
  for (size_t i = 0; i < COUNT(texts); i++) {
    begin();
    spec_err err = {0};
    if (spec_looks_parse(looks, texts[i], strlen(texts[i]), "file", &err) != SPEC_EPARSE)
      print_error("accepted: %s\n", texts[i]);
    assert_int_equal(err.code, SPEC_EPARSE);
    assert_string_equal(err.where, "file");
    end();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_every_question_is_kept),
      IN_SCRATCH(test_the_first_look_counts),
      IN_SCRATCH(test_each_kind_sees_what_it_looks_at),
      IN_SCRATCH(test_dates_are_a_short_cut_only),
      cmocka_unit_test(test_text_and_back),
      cmocka_unit_test(test_damaged_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
