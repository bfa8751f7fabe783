/* A new backend: its name, its templates, and that it is there as a whole or not at all. */
#include "core/new_backend.h"

#include "base/fs.h"
#include "core/template.h"
#include "planning.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *filled(const char *text, const char *name) {
  static spec_buf out;
  spec_buf_dispose(&out);
  out = (spec_buf){0};
  spec_template_text(&out, text, strlen(text), name);
  return spec_buf_text(&out);
}

static void test_placeholders(void **state) {
  (void)state;
  assert_string_equal(filled("@name@ @NAME@ @Name@", "my_2nd_chip"),
                      "my_2nd_chip MY_2ND_CHIP My2ndChip");
  assert_string_equal(filled("@name@name@", "a"), "aname@");
  assert_string_equal(filled("a@b @nam @names@ @@name@@", "x"), "a@b @nam @names@ @x@");
  assert_string_equal(filled("@name", "x"), "@name");
  assert_string_equal(filled("", "x"), "");
}

/* --- folders --- */

static void put_templates(void) {
  put("trunk/lib/A.cpp", "int a;\n");
  put("templates/spec_cpp/lib/A.cpp", "int a; // @name@\n");
  put("templates/README.md", "# @Name@\n");
  put("templates/backend/name.conf", "@name@\n");
  put_bytes("templates/logo.bin", "\xff@name@", 7);
}

static int make(const char *name, size_t *files, findings *found, spec_err *err) {
  spec_arena *arena = NULL;
  const spec_new_backend what = {.templates = at("templates"),
                                 .trunk = at("trunk"),
                                 .parent = at("vendors"),
                                 .name = name,
                                 .on_event = remember,
                                 .user = found};
  *found = (findings){0};
  int rc = spec_arena_new(&arena, err);
  if (rc == 0)
    rc = spec_new_backend_write(arena, files, &what, err);
  spec_arena_free(arena);
  return rc;
}

static void test_all_of_it_is_written(void **state) {
  (void)state;
  size_t files;
  findings found;
  spec_err err = {0};
  put_templates();
  assert_int_equal(make("my_chip", &files, &found, &err), 0);
  assert_int_equal(files, 5);
  assert_int_equal(found.count, 0);
  assert_int_equal(count_entries("vendors"), 1);
  assert_int_equal(count_entries("vendors/my_chip"), 5);
  assert_true(holds_text("vendors/my_chip/spec_cpp/lib/A.cpp", "int a; // my_chip\n"));
  assert_true(holds_text("vendors/my_chip/README.md", "# MyChip\n"));
  assert_true(holds_text("vendors/my_chip/backend/name.conf", "my_chip\n"));
  assert_true(holds_text("vendors/my_chip/logo.bin", "\xff@name@"));
  assert_true(holds_text("vendors/my_chip/spec.lock",
                         "# triton-spec lock 1\n"
                         "lib/A.cpp\t4e610c04d58371663d95ca8237eea260b08f090c\t-\n"));
}

static void test_what_is_there_stays(void **state) {
  (void)state;
  size_t files;
  findings found;
  spec_err err = {0};
  put_templates();
  put("vendors/acme", "a file");
  assert_int_equal(make("acme", &files, &found, &err), SPEC_EINVAL);
  assert_non_null(strstr(err.what, "vendors/acme' is there already"));
  assert_true(holds_text("vendors/acme", "a file"));
  put_link("nowhere", "vendors/link");
  assert_int_equal(make("link", &files, &found, &err), SPEC_EINVAL);
  assert_true(is_link_to("vendors/link", "nowhere"));
  put_folder("vendors/empty");
  assert_int_equal(make("empty", &files, &found, &err), SPEC_EINVAL);
  assert_int_equal(count_entries("vendors"), 3);
}

static void test_names(void **state) {
  (void)state;
  static const char *const wrong[] = {"",      "Acme", "1a",     "_a",  "a-b", "a/b",   "..",
                                      "class", "cpu",  "nvidia", "amd", "a b", "triton"};
  size_t files;
  findings found;
  spec_err err = {0};
  put_templates();
  for (size_t i = 0; i < COUNT(wrong); i++) {
    assert_int_equal(make(wrong[i], &files, &found, &err), SPEC_EINVAL);
    assert_non_null(strstr(err.what, wrong[i]));
    assert_true(err.mend[0] != '\0');
  }
  assert_int_equal(make("a23456789012345678901234567890123", &files, &found, &err), SPEC_EINVAL);
  assert_int_equal(make("a2345678901234567890123456789012", &files, &found, &err), 0);
  assert_int_equal(count_entries("vendors"), 1);
}

static void test_another_trunk_is_refused(void **state) {
  (void)state;
  size_t files;
  findings found;
  spec_err err = {0};
  put_templates();
  put("templates/spec_cpp/lib/B.cpp.patch",
      "--- a/lib/B.cpp\n+++ b/lib/B.cpp\n@@ -1 +1 @@\n-b\n+@name@\n");
  assert_int_equal(make("acme", &files, &found, &err), SPEC_EREFUSED);
  assert_string_equal(err.where, at("trunk"));
  assert_non_null(strstr(err.mend, "nothing was written"));
  assert_true(found.count > 0);
  assert_string_equal(found.items[0].where, at("templates/spec_cpp/lib/B.cpp.patch"));
  assert_int_equal(count_entries("vendors"), 0);
}

/* --- failures --- */

/* Makes one with the n-th call failing, for every n: there is a whole backend, or nothing. */
static size_t fail_each(void (*fail_at)(size_t n), size_t (*reached)(void)) {
  size_t n = 0, files;
  findings found;
  spec_err err = {0};
  for (bool done = false; !done; n++) {
    fail_at(n + 1);
    int rc = make("acme", &files, &found, &err);
    done = reached() <= n;
    assert_true(rc == 0 || (rc < 0 && err.what[0] != '\0'));
    assert_true(count_entries(".") < 4 || count_entries("vendors") <= 2);
    if (rc == 0) {
      assert_int_equal(count_entries("vendors/acme"), 5);
      assert_int_equal(spec_fs_remove_tree("vendors/acme", NULL), 0);
    }
  }
  return n;
}

static void fail_memory(size_t n) {
  (void)spec_alloc_fail_at(n);
}
static size_t memory_reached(void) {
  return spec_alloc_fail_at(0);
}
static void fail_arena(size_t n) {
  (void)spec_arena_fail_at(n);
}
static size_t arena_reached(void) {
  return spec_arena_fail_at(0);
}
static void fail_system(size_t n) {
  (void)spec_fs_fail_at(n, EIO);
}
static size_t system_reached(void) {
  return spec_fs_fail_at(0, 0);
}

static void test_every_failure_is_told(void **state) {
  (void)state;
  put_templates();
  assert_true(fail_each(fail_memory, memory_reached) > 2);
  assert_true(fail_each(fail_arena, arena_reached) > 20);
  assert_true(fail_each(fail_system, system_reached) > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_placeholders),       IN_SCRATCH(test_all_of_it_is_written),
      IN_SCRATCH(test_what_is_there_stays),      IN_SCRATCH(test_names),
      IN_SCRATCH(test_another_trunk_is_refused), IN_SCRATCH(test_every_failure_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
