/* Baking: which wheels are refused, what is told about the trunk inside, and that nothing is left
 * when it fails. What a baked wheel is worth to pip and Python is in tests/python/test_bake.py. */
#define _XOPEN_SOURCE 700

#include "package/bake.h"
#include "planning.h"
#include "wheels.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static spec_arena *arena;
static findings found;

static int enter(void **state) {
  return spec_arena_new(&arena, NULL) < 0 ? -1 : enter_scratch(state);
}

static int leave(void **state) {
  spec_arena_free(arena);
  return leave_scratch(state);
}

#define IN_ARENA(test) cmocka_unit_test_setup_teardown(test, enter, leave)

/* --- a stock wheel and an overlay ------------------------------------------------------------ */

#define INFO "triton-3.9.0.dist-info/"
#define DIFF "--- a/b.py\n+++ b/b.py\n@@ -1,2 +1,2 @@\n b1\n-b2\n+B2\n"

static const wheel_file stock[] = {{"triton/__init__.py", "\n"},
                                   {"triton/b.py", "b1\nb2\n"},
                                   {"triton/language/a.py", "a\n"},
                                   {"triton/language/data.txt", "data\n"},
                                   {"triton/language/gone.py", "gone\n"},
                                   {"triton/language/__pycache__/a.cpython-311.pyc", "bytecode"},
                                   {"triton/language/__pycache__/ab.cpython-311.pyc", "bytecode"},
                                   {"triton/language/__pycache__/gone.cpython-311.pyc", "bytecode"},
                                   {"triton/runtime/cache.py", "def triton_key():\n  return ''\n"},
                                   {INFO "METADATA", "Name: triton\nVersion: 3.9.0\n"},
                                   {INFO "WHEEL", "Wheel-Version: 1.0\n"},
                                   {INFO "RECORD", NULL},
                                   {NULL, NULL}};

static const char *const path = "triton-3.9.0-py3-none-any.whl";
static const char *const baked_path = "out/triton-3.9.0+acme-py3-none-any.whl";

static void put_overlay(void) {
  put("vendors/acme/spec/triton/language/a.py", "vendor\n");
  put("vendors/acme/spec/triton/language/data.txt", "vendor data\n");
  put("vendors/acme/spec/triton/language/run", "#!\n");
  assert_int_equal(chmod("vendors/acme/spec/triton/language/run", 0755), 0);
  put("vendors/acme/spec/triton/b.py.patch", DIFF);
  put("vendors/acme/spec.ini", "[remove]\npath = triton/language/gone.py\n");
  put_folder("tmp");
}

static int bake(spec_baked *out, spec_err *err) {
  const char *const roots[] = {at("vendors")};
  const spec_bake_options options = {
      .wheel = path,
      .folder = at("out"),
      .scratch = at("tmp"),
      .plan = {.backend = "acme",
               .roots = roots,
               .root_count = 1,
               .strict_redundant = true,
               .on_event = remember,
               .user = &found},
  };
  found.count = 0;
  return spec_bake_wheel(out, arena, &options, err);
}

/* The text of a member of the baked wheel, or NULL. */
static const char *baked_text(const char *name) {
  spec_wheel wheel;
  const char *data = NULL;
  size_t len;
  assert_int_equal(spec_wheel_open(&wheel, arena, baked_path, NULL), SPEC_OK);
  const spec_wheel_member *member = spec_wheel_find(&wheel, name);
  if (member != NULL)
    assert_int_equal(spec_wheel_read(&wheel, arena, &data, &len, member, NULL), SPEC_OK);
  spec_wheel_close(&wheel);
  return data;
}

/* --- what it makes --------------------------------------------------------------------------- */

static void test_a_baked_wheel(void **state) {
  (void)state;
  spec_baked baked;
  put_wheel(arena, path, stock, NULL);
  put_overlay();
  assert_int_equal(bake(&baked, NULL), SPEC_OK);
  assert_string_equal(baked.path, at(baked_path));
  assert_string_equal(baked.version, "3.9.0+acme");
  assert_true(baked.changed);
  /* a.py, data.txt, b.py, the key */
  assert_int_equal(baked.replaced, 4);
  assert_int_equal(baked.removed, 3);
  assert_int_equal(baked.kept, COUNT(stock) - 1 - 4 - 3);
  assert_string_equal(spec_plan_backend(baked.plan), "acme");
  spec_baked_dispose(&baked);
  assert_string_equal(baked_text("triton/language/a.py"), "vendor\n");
  assert_string_equal(baked_text("triton/language/data.txt"), "vendor data\n");
  assert_non_null(strstr(baked_text("triton/b.py"), "B2\n"));
  assert_string_equal(baked_text("triton/FLAGTREE_BACKEND"), "acme");
  assert_null(baked_text("triton/language/gone.py"));
  assert_null(baked_text("triton/language/__pycache__/gone.cpython-311.pyc"));
  assert_null(baked_text("triton/language/__pycache__/a.cpython-311.pyc"));
  assert_non_null(baked_text("triton/language/__pycache__/ab.cpython-311.pyc"));
  assert_int_equal(count_entries("tmp"), 0);
}

static void test_the_manifest_names_no_folder(void **state) {
  (void)state;
  spec_baked baked;
  put_wheel(arena, path, stock, NULL);
  put_overlay();
  assert_int_equal(bake(&baked, NULL), SPEC_OK);
  spec_baked_dispose(&baked);
  const char *text = baked_text("triton-3.9.0+acme.dist-info/" SPEC_BAKE_MANIFEST);
  assert_null(strstr(text, scratch()));
  assert_non_null(strstr(text, "\"trunk\": \"triton-3.9.0-py3-none-any.whl\""));
  assert_non_null(strstr(text, "\"dir\": \"acme\""));
  assert_non_null(strstr(text, "\"vendor\": \"acme/spec/triton/language/a.py\""));
  assert_non_null(strstr(text, "\"mode\": \"baked\""));
}

/* A file that is replaced is compared with the trunk's, whatever its kind. */
static void test_redundant_files_are_found(void **state) {
  (void)state;
  spec_baked baked;
  put_wheel(arena, path, stock, NULL);
  put("vendors/acme/spec/triton/language/a.py", "a\n");
  put("vendors/acme/spec/triton/language/data.txt", "data\n");
  put_folder("tmp");
  assert_int_equal(bake(&baked, NULL), SPEC_EREFUSED);
  assert_int_equal(found.count, 2);
  assert_string_equal(found.items[0].code, "redundant");
  assert_string_equal(found.items[1].code, "redundant");
}

static void test_places_in_the_trunk_are_those_of_the_wheel(void **state) {
  (void)state;
  spec_baked baked;
  wheel_file files[COUNT(stock)];
  memcpy(files, stock, sizeof stock);
  files[8].text = "no key\n"; /* a finding at the trunk's file */
  files[3] = (wheel_file){"triton/compiler/compiler.py", "\n"};
  put_wheel(arena, path, files, NULL);
  put("vendors/acme/spec/triton/language/a.py", "vendor\n");
  put_folder("tmp");
  assert_int_equal(bake(&baked, NULL), SPEC_OK);
  spec_baked_dispose(&baked);
  const said *it = find_said(&found, "no-cache-key");
  assert_non_null(it);
  assert_string_equal(it->where, "triton-3.9.0-py3-none-any.whl:triton/compiler/compiler.py");
}

static void test_imports_are_refused(void **state) {
  (void)state;
  spec_baked baked;
  spec_err err;
  put_wheel(arena, path, stock, NULL);
  put("vendors/acme/spec/triton/language/a.py", "import triton_spec\n");
  put_folder("tmp");
  assert_int_equal(bake(&baked, &err), SPEC_EREFUSED);
  assert_non_null(find_said(&found, "imports-triton-spec"));
  assert_int_equal(access("out", F_OK), -1);
  assert_int_equal(count_entries("tmp"), 0);
}

/* --- what is refused ---------------------------------------------------------------------------
 */

static void test_other_wheels_are_refused(void **state) {
  (void)state;
  const struct {
    const char *name, *text, *what;
  } cases[] = {
      {INFO "METADATA", "Name: triton\nVersion: 3.9.0\n", NULL},
      {INFO "spec-manifest.json", "{}", "baked into this wheel already"},
      {"triton/FLAGTREE_BACKEND", "x", "baked into this wheel already"},
      {"triton/__init__.py", NULL, "not a wheel of triton"},
      {"triton-3.9.0.data/purelib/triton/x.py", "", "lies in the wheel's data folder"},
      {"triton-3.9.0.data/platlib/triton/x.py", "", "lies in the wheel's data folder"},
      {"triton-3.9.0.data/platlib/tritons/x.py", "", NULL},
  };
  put_overlay();
  for (size_t i = 0; i < COUNT(cases); i++) {
    wheel_file files[COUNT(stock) + 1] = {{NULL, NULL}};
    size_t count = 0;
    for (size_t k = 0; stock[k].name != NULL; k++)
      if (strcmp(stock[k].name, cases[i].name) != 0)
        files[count++] = stock[k];
    if (cases[i].text != NULL)
      files[count] = (wheel_file){cases[i].name, cases[i].text};
    put_wheel(arena, path, files, NULL);
    spec_baked baked;
    spec_err err = {0};
    int rc = bake(&baked, &err);
    assert_int_equal(rc, cases[i].what == NULL ? SPEC_OK : SPEC_EINVAL);
    if (rc == SPEC_OK) {
      spec_baked_dispose(&baked);
      continue;
    }
    assert_non_null(strstr(err.what, cases[i].what != NULL ? cases[i].what : "nothing"));
    assert_string_equal(err.where, path);
    assert_true(err.mend[0] != '\0');
  }
}

static void test_another_project_is_refused(void **state) {
  (void)state;
  static const wheel_file files[] = {{"triton/__init__.py", "\n"},
                                     {"torch-1.dist-info/METADATA", "Name: torch\nVersion: 1\n"},
                                     {"torch-1.dist-info/WHEEL", "Wheel-Version: 1.0\n"},
                                     {"torch-1.dist-info/RECORD", NULL},
                                     {NULL, NULL}};
  const spec_bake_options options = {
      .wheel = "torch-1-py3-none-any.whl", .folder = "out", .scratch = "tmp"};
  spec_baked baked;
  spec_err err;
  put_wheel(arena, options.wheel, files, NULL);
  assert_int_equal(spec_bake_wheel(&baked, arena, &options, &err), SPEC_EINVAL);
  assert_non_null(strstr(err.what, "not a wheel of triton"));
}

/* --- what the system refuses ----------------------------------------------------------------- */

static void test_every_call_fails(void **state) {
  (void)state;
  size_t descriptors = count_descriptors(), n = 0, step = 1;
  put_wheel(arena, path, stock, NULL);
  put_overlay();
  for (bool reached = true; reached; n += step) {
    spec_baked baked;
    spec_err err = {0};
    (void)spec_fs_fail_at(n + 1, ENOSPC);
    int rc = bake(&baked, &err);
    reached = spec_fs_fail_at(0, 0) > n;
    assert_true(rc == SPEC_OK || (reached && rc == SPEC_EIO && err.where[0] != '\0'));
    assert_int_equal(access(baked_path, F_OK), rc == SPEC_OK ? 0 : -1);
    if (rc == SPEC_OK)
      spec_baked_dispose(&baked);
    assert_int_equal(spec_fs_remove_tree("out", NULL), SPEC_OK);
    assert_int_equal(spec_fs_remove_tree("tmp", NULL), SPEC_OK); /* removing may have failed */
    put_folder("tmp");
  }
  assert_true(n > 100);
  assert_int_equal(count_descriptors(), descriptors);
}

static void fail_each(size_t (*fail_at)(size_t)) {
  size_t n = 0;
  for (bool reached = true; reached;) {
    spec_baked baked;
    spec_err err = {0};
    spec_arena *outer = arena;
    assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
    (void)fail_at(++n);
    int rc = bake(&baked, &err);
    reached = fail_at(0) >= n;
    /* what only tidies up, or looks whether the wheel is there already, may do without */
    assert_true(rc == SPEC_OK || (reached && rc == SPEC_ENOMEM));
    assert_int_equal(err.code, rc);
    assert_int_equal(access(baked_path, F_OK), rc == SPEC_OK ? 0 : -1);
    if (rc == SPEC_OK)
      spec_baked_dispose(&baked);
    (void)unlink(baked_path);
    assert_int_equal(spec_fs_remove_tree("tmp", NULL), SPEC_OK);
    put_folder("tmp");
    spec_arena_free(arena);
    arena = outer;
  }
  assert_true(n > 20);
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  size_t descriptors = count_descriptors();
  put_wheel(arena, path, stock, NULL);
  put_overlay();
  fail_each(spec_alloc_fail_at);
  fail_each(spec_arena_fail_at);
  assert_int_equal(count_descriptors(), descriptors);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_ARENA(test_a_baked_wheel),
      IN_ARENA(test_the_manifest_names_no_folder),
      IN_ARENA(test_redundant_files_are_found),
      IN_ARENA(test_places_in_the_trunk_are_those_of_the_wheel),
      IN_ARENA(test_imports_are_refused),
      IN_ARENA(test_other_wheels_are_refused),
      IN_ARENA(test_another_project_is_refused),
      IN_ARENA(test_every_call_fails),
      IN_ARENA(test_every_allocation_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
