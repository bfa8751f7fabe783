/* Which files the merged package of a plan holds. */
#include "package/package.h"
#include "planning.h"

#include <stdio.h>
#include <string.h>

static findings found;
static spec_plan *plan;
static spec_package package;

static int tear_down(void **state) {
  spec_plan_free(plan);
  plan = NULL;
  return leave_scratch(state);
}

/* A package and a backend over it. */
static void put_usual(void) {
  put("trunk/triton/__init__.py", "trunk");
  put("trunk/triton/runtime/__init__.py", "");
  put("trunk/triton/runtime/jit.py", "trunk");
  put("trunk/triton/runtime/data.bin", "trunk");
  put("trunk/triton/old.py", "trunk");
  put("vendors/acme/spec/triton/runtime/jit.py", "vendor\n");
}

static int make(spec_package_mode mode, spec_err *err) {
  spec_plan_free(plan);
  plan = NULL;
  int rc = plan_installed(&found, &plan, "acme", err);
  return rc != SPEC_OK ? rc : spec_package_new(&package, plan, mode, err);
}

static void make_soundly(spec_package_mode mode) {
  spec_err err = {0};
  int rc = make(mode, &err);
  if (rc != SPEC_OK)
    print_error("%s %s\n", err.what, found.count > 0 ? found.items[0].message : "");
  assert_int_equal(rc, SPEC_OK);
}

/* The member, which must be there. */
static const spec_member *member(const char *path) {
  const spec_member *m = spec_package_find(&package, path);
  if (m == NULL)
    print_error("no member '%s'\n", path);
  assert_non_null(m);
  return m;
}

static bool is(const char *path, spec_origin origin, const char *text) {
  const spec_member *m = member(path);
  if (m->origin != origin || (m->text == NULL) != (text == NULL))
    return false;
  return text == NULL || (m->len == strlen(text) && strcmp(m->text, text) == 0);
}

static void test_origins(void **state) {
  (void)state;
  put_usual();
  put("vendors/acme/spec/triton/runtime/new.txt", "vendor");
  put("vendors/acme/spec.ini", "[remove]\npath = python/triton/old.py\n");
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_true(is("triton/__init__.py", SPEC_FROM_TRUNK, "trunk"));
  assert_true(is("triton/runtime/data.bin", SPEC_FROM_TRUNK, NULL));
  assert_string_equal(member("triton/runtime/data.bin")->file, at("trunk/triton/runtime/data.bin"));
  assert_true(is("triton/runtime/jit.py", SPEC_FROM_VENDOR, "vendor\n"));
  assert_true(is("triton/runtime/new.txt", SPEC_FROM_VENDOR, "vendor"));
  assert_null(spec_package_find(&package, "triton/old.py"));
  assert_int_equal(package.removed_count, 1);
  assert_string_equal(package.removed[0], "triton/old.py");
}

static void test_members_are_sorted(void **state) {
  (void)state;
  put_usual();
  put("trunk/triton/runtime.py", ""); /* '.' comes before '/', whatever a walk meets first */
  make_soundly(SPEC_PACKAGE_LIVE);
  for (size_t i = 1; i < package.count; i++)
    assert_true(strcmp(package.members[i - 1].path, package.members[i].path) < 0);
}

static void test_lines_of_a_vendors_module(void **state) {
  (void)state;
  put_usual();
  put("vendors/acme/spec/triton/runtime/jit.py", "a\r\nb\rc\n\nd");
  make_soundly(SPEC_PACKAGE_LIVE);
  const spec_member *m = member("triton/runtime/jit.py");
  assert_int_equal(m->span_count, 1);
  assert_int_equal(m->spans[0].line, 1);
  assert_int_equal(m->spans[0].count, 5);
  assert_int_equal(m->spans[0].file_line, 1);
  assert_string_equal(m->spans[0].file, at("vendors/acme/spec/triton/runtime/jit.py"));
  assert_int_equal(member("triton/__init__.py")->span_count, 0);
}

/* --- what the tool brings --- */

static void test_marks_of_the_backend(void **state) {
  (void)state;
  put_usual();
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  put("vendors/acme/spec/triton/__init__.py", "hooks\n");
  put_folder("vendors/base");
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_true(is("triton/FLAGTREE_BACKEND", SPEC_MADE, "acme"));
  assert_non_null(strstr(member("triton/_flagtree_backend.py")->text,
                         "FLAGTREE_BACKEND = \"acme\"\nLAYERS = (\"acme\", \"base\",)\n"));
  assert_true(is("triton/spec/acme/triton/__init__.py", SPEC_FROM_VENDOR, "hooks\n"));
  assert_true(is("triton/spec/base/triton/__init__.py", SPEC_MADE, ""));
  assert_true(is("triton/spec/acme/__init__.py", SPEC_MADE, ""));
  (void)member("triton/spec/__init__.py");
}

/* The calls of a trunk are answered by the extension, or by a module that needs nothing of ours. */
static void test_modes(void **state) {
  (void)state;
  put_usual();
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_non_null(strstr(member("triton/_flagtree_spec.py")->text, "triton_spec"));
  char digest[33];
  memcpy(digest, package.digest, sizeof digest);
  make_soundly(SPEC_PACKAGE_BAKED);
  const spec_member *twin = spec_package_find(&package, "triton/_flagtree_spec.py");
  assert_true(twin == NULL || strstr(twin->text, "import triton_spec") == NULL);
  assert_string_equal(package.digest, digest);
}

/* FlagTree's wheels hold every vendor's files: of this backend only what the overlay has now. */
static void test_an_older_copy_of_the_backend(void **state) {
  (void)state;
  put_usual();
  put("trunk/triton/spec/acme/triton/runtime/jit.py", "old");
  put("trunk/triton/spec/other/triton/runtime/jit.py", "other");
  put("trunk/triton/FLAGTREE_BACKEND", "other");
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_null(spec_package_find(&package, "triton/spec/acme/triton/runtime/jit.py"));
  assert_true(is("triton/spec/other/triton/runtime/jit.py", SPEC_FROM_TRUNK, "other"));
  assert_true(is("triton/FLAGTREE_BACKEND", SPEC_MADE, "acme"));
  put("trunk/triton/spec/acme/__init__.py", "replaced");
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_int_equal(package.removed_count, 1);
  assert_string_equal(package.removed[0], "triton/spec/acme/triton/runtime/jit.py");
}

static void test_added_packages_are_marked(void **state) {
  (void)state;
  put_usual();
  put("vendors/acme/spec/triton/runtime/a/b/m.py", "vendor\n");
  put("vendors/acme/spec/triton/runtime/c/__init__.py", "own\n");
  put("vendors/acme/spec/triton/runtime/d/e/__init__.py", "own\n");
  put("vendors/acme/spec/triton/runtime/data/x.txt", "vendor");
  put("trunk/triton/names/x.txt", ""); /* the trunk's own is left as it is */
  put("vendors/acme/spec/triton/names/m.py", "vendor\n");
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_true(is("triton/runtime/a/__init__.py", SPEC_MADE, ""));
  assert_true(is("triton/runtime/a/b/__init__.py", SPEC_MADE, ""));
  assert_true(is("triton/runtime/c/__init__.py", SPEC_FROM_VENDOR, "own\n"));
  assert_true(is("triton/runtime/d/__init__.py", SPEC_MADE, ""));
  assert_null(spec_package_find(&package, "triton/runtime/data/__init__.py"));
  assert_null(spec_package_find(&package, "triton/names/__init__.py"));
}

/* --- the trunk --- */

/* An editable install has its backends behind links. */
static void test_links_of_the_trunk(void **state) {
  (void)state;
  put_usual();
  put("elsewhere/driver.py", "linked");
  put("elsewhere/lib/x.so", "linked");
  put_folder("trunk/triton/backends");
  put_link(at("elsewhere"), "trunk/triton/backends/dev");
  put_link("gone", "trunk/triton/dangling.py");
  put("vendors/acme/spec/triton/backends/dev/driver.py", "vendor\n");
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_true(is("triton/backends/dev/driver.py", SPEC_FROM_VENDOR, "vendor\n"));
  assert_string_equal(member("triton/backends/dev/lib/x.so")->file,
                      at("trunk/triton/backends/dev/lib/x.so"));
  assert_null(spec_package_find(&package, "triton/dangling.py"));
}

static void test_a_loop_in_the_trunk(void **state) {
  (void)state;
  spec_err err = {0};
  put_usual();
  put_link("..", "trunk/triton/runtime/loop");
  assert_int_equal(make(SPEC_PACKAGE_LIVE, &err), SPEC_EINVAL);
  assert_string_equal(err.where, at("trunk/triton/runtime/loop"));
}

static void test_bytecode_is_no_member(void **state) {
  (void)state;
  put_usual();
  put("trunk/triton/__pycache__/__init__.cpython-311.pyc", "");
  put("vendors/acme/spec/triton/__pycache__/x.cpython-311.pyc", "");
  make_soundly(SPEC_PACKAGE_LIVE);
  for (size_t i = 0; i < package.count; i++)
    assert_null(strstr(package.members[i].path, "__pycache__"));
}

/* --- layers --- */

static void test_layers(void **state) {
  (void)state;
  put_usual();
  put("vendors/base/spec/triton/runtime/jit.py", "base\n");
  put("vendors/base/spec/triton/runtime/only.py", "base\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  make_soundly(SPEC_PACKAGE_LIVE);
  assert_true(is("triton/runtime/jit.py", SPEC_FROM_VENDOR, "vendor\n"));
  assert_true(is("triton/runtime/only.py", SPEC_FROM_VENDOR, "base\n"));
}

/* --- the digest --- */

static void digest(char out[33]) {
  make_soundly(SPEC_PACKAGE_LIVE);
  memcpy(out, package.digest, 33);
}

static void test_digest_is_over_what_the_overlay_brings(void **state) {
  (void)state;
  char first[33], second[33];
  put_usual();
  digest(first);
  put("trunk/triton/runtime/other.py", "trunk");
  digest(second);
  assert_string_equal(first, second);
  put("vendors/acme/spec/triton/runtime/jit.py", "vendoR\n"); /* of the same size */
  digest(second);
  assert_string_not_equal(first, second);
  put("vendors/acme/spec/triton/runtime/jit.py", "vendor\n");
  put("vendors/acme/spec.ini", "[remove]\npath = triton/old.py\n");
  digest(second);
  assert_string_not_equal(first, second);
}

/* Another machine has other paths: here, another name of the overlay's root. */
static void test_digest_holds_no_path(void **state) {
  (void)state;
  char first[33], second[33];
  put_usual();
  digest(first);
  assert_int_equal(rename("vendors", "moved"), 0);
  put_link("moved", "vendors");
  digest(second);
  assert_string_equal(first, second);
}

static void test_cache_key(void **state) {
  (void)state;
  put_usual();
  put("trunk/triton/runtime/cache.py", "def triton_key():\n    pass");
  make_soundly(SPEC_PACKAGE_LIVE);
  char wanted[128];
  (void)snprintf(wanted, sizeof wanted, "def triton_key():\n    pass\n# spec: overlay %s\n",
                 package.digest);
  assert_true(is("triton/runtime/cache.py", SPEC_MADE, wanted));
  const spec_member *m = member("triton/runtime/cache.py");
  assert_int_equal(m->span_count, 1);
  assert_int_equal(m->spans[0].count, 2);
  assert_string_equal(m->spans[0].file, at("trunk/triton/runtime/cache.py"));
  assert_null(find_said(&found, "no-cache-key"));
}

static void test_cache_key_of_a_vendors_file(void **state) {
  (void)state;
  put_usual();
  put("trunk/triton/compiler/compiler.py", "def triton_key(): pass\n");
  put("vendors/acme/spec/triton/compiler/compiler.py", "def triton_key(): pass # vendor\n");
  make_soundly(SPEC_PACKAGE_BAKED);
  const spec_member *m = member("triton/compiler/compiler.py");
  assert_int_equal(m->origin, SPEC_MADE);
  assert_non_null(strstr(m->text, "# vendor\n# spec: overlay "));
  assert_string_equal(m->spans[0].file, at("vendors/acme/spec/triton/compiler/compiler.py"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_origins),
      TEST(test_members_are_sorted),
      TEST(test_lines_of_a_vendors_module),
      TEST(test_marks_of_the_backend),
      TEST(test_modes),
      TEST(test_an_older_copy_of_the_backend),
      TEST(test_added_packages_are_marked),
      TEST(test_links_of_the_trunk),
      TEST(test_a_loop_in_the_trunk),
      TEST(test_bytecode_is_no_member),
      TEST(test_layers),
      TEST(test_digest_is_over_what_the_overlay_brings),
      TEST(test_digest_holds_no_path),
      TEST(test_cache_key),
      TEST(test_cache_key_of_a_vendors_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
