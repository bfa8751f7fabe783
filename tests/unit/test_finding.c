/* Every rule that an overlay can break: each is broken once, and what is said is looked at. */
#define _XOPEN_SOURCE 700

#include "core/finding.h"
#include "provoking.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Plans backend acme, which must be refused exactly when an error is expected. */
static spec_plan *planned(int wanted) {
  spec_plan *plan;
  spec_err err = {0};
  put_folder("trunk");
  int rc = plan_backend(&found, &plan, "acme", &err);
  if (rc != wanted)
    print_error("%d: %s\n", rc, err.what);
  assert_int_equal(rc, wanted);
  assert_int_equal(err.code, wanted);
  assert_non_null(plan);
  return plan;
}

static void refused(spec_finding finding, const char *where, const char *word) {
  spec_plan_free(planned(SPEC_EREFUSED));
  expect(finding, SPEC_ERROR, where, word);
}

/* The plan is sound, and placing it among these targets finds this. */
static void not_placed(spec_finding finding, const char *targets, const char *where,
                       const char *word) {
  spec_plan *plan = planned(SPEC_OK);
  spec_err err = {0};
  assert_int_equal(place_text(plan, targets, true, &err), SPEC_EREFUSED);
  spec_plan_free(plan);
  expect(finding, SPEC_ERROR, where, word);
}

static void test_escape(void **state) {
  (void)state;
  put("outside.c", "");
  put_folder("vendors/acme/spec_cpp");
  put_link(at("outside.c"), "vendors/acme/spec_cpp/a.c");
  refused(SPEC_F_ESCAPE, "/vendors/acme/spec_cpp/a.c", "outside.c");
}

static void test_link_loop(void **state) {
  (void)state;
  put_folder("vendors/acme/spec_cpp/lib");
  put_link("..", "vendors/acme/spec_cpp/lib/up");
  refused(SPEC_F_LINK_LOOP, "/spec_cpp/lib/up", "spec_cpp/lib/up");
}

static void test_dangling(void **state) {
  (void)state;
  put_folder("vendors/acme/spec_cpp");
  put_link("gone.c", "vendors/acme/spec_cpp/a.c");
  refused(SPEC_F_DANGLING, "/spec_cpp/a.c", "gone.c");
}

static void test_not_a_file(void **state) {
  (void)state;
  put_folder("vendors/acme/spec_cpp");
  assert_int_equal(mkfifo("vendors/acme/spec_cpp/a.c", 0600), 0);
  refused(SPEC_F_NOT_A_FILE, "/spec_cpp/a.c", "spec_cpp/a.c");
}

static void test_bad_name(void **state) {
  (void)state;
  static const char *const names[] = {"a;b.c", "a\"b.c", "a\\b.c", "a$b.c",   "a[b.c",
                                      "a]b.c", "a\nb.c", "a\tb.c", "a\x7f.c", "a\xff.c"};
  for (size_t i = 0; i < COUNT(names); i++) {
    char path[64];
    (void)snprintf(path, sizeof path, "vendors/acme/spec_cpp/%s", names[i]);
    put(path, "");
    refused(SPEC_F_BAD_NAME, names[i], names[i]);
    assert_int_equal(found.count, 1);
    assert_int_equal(remove(path), 0);
  }
}

static void test_unknown_kind(void **state) {
  (void)state;
  put("vendors/acme/spec_cpp/lib/blob.bin", "");
  refused(SPEC_F_UNKNOWN_KIND, "/spec_cpp/lib/blob.bin", "blob.bin");
}

static void test_misplaced(void **state) {
  (void)state;
  put("vendors/acme/spec_cpp/python/triton/x.py", "");
  refused(SPEC_F_MISPLACED, "/python/triton/x.py", "x.py");
  assert_int_equal(remove("vendors/acme/spec_cpp/python/triton/x.py"), 0);
  put("vendors/acme/spec/other/x.py", "");
  refused(SPEC_F_MISPLACED, "/spec/other/x.py", "x.py");
}

static void test_case_clash(void **state) {
  (void)state;
  put("trunk/lib/Ops.c", "");
  put("vendors/acme/spec_cpp/lib/ops.c", "");
  refused(SPEC_F_CASE_CLASH, "/spec_cpp/lib/ops.c", "Ops.c");
  assert_int_equal(remove("vendors/acme/spec_cpp/lib/ops.c"), 0);
  put("vendors/acme/spec_cpp/lib/New.c", "");
  put("vendors/acme/spec_cpp/lib/new.c", "");
  refused(SPEC_F_CASE_CLASH, "/spec_cpp/lib/new.c", "New.c");
}

static void test_duplicate(void **state) {
  (void)state;
  put("trunk/python/src/ir.cc", "trunk");
  put("vendors/acme/python/src/ir.cc", "a");
  put("vendors/acme/spec_cpp/python/src/ir.cc", "b");
  refused(SPEC_F_DUPLICATE, "/python/src/ir.cc", "spec_cpp/python/src/ir.cc");
}

static void test_redundant(void **state) {
  (void)state;
  put("trunk/lib/a.c", "same");
  put("vendors/acme/spec_cpp/lib/a.c", "same");
  refused(SPEC_F_REDUNDANT, "/spec_cpp/lib/a.c", "spec_cpp/lib/a.c");
  const spec_options options = {.trunk = "trunk",
                                .backend = "acme",
                                .roots = &(const char *){"vendors"},
                                .root_count = 1,
                                .on_event = remember,
                                .user = &found};
  spec_plan *plan;
  found.count = 0;
  assert_int_equal(spec_plan_new(&plan, &options, NULL), SPEC_OK);
  expect(SPEC_F_REDUNDANT, SPEC_WARNING, "/spec_cpp/lib/a.c", "spec_cpp/lib/a.c");
  spec_plan_free(plan);
}

static void test_trunk_escape(void **state) {
  (void)state;
  put("outside.c", "");
  put_folder("trunk/lib");
  put_link("../../outside.c", "trunk/lib/a.c");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  refused(SPEC_F_TRUNK_ESCAPE, "/spec_cpp/lib/a.c", "outside.c");
}

static void test_trunk_not_file(void **state) {
  (void)state;
  put_folder("trunk/lib/a.c");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  refused(SPEC_F_TRUNK_NOT_FILE, "/spec_cpp/lib/a.c", "lib/a.c");
}

static void test_top_cmake(void **state) {
  (void)state;
  put("vendors/acme/spec_cpp/CMakeLists.txt", "x");
  refused(SPEC_F_TOP_CMAKE, "/spec_cpp/CMakeLists.txt", "CMakeLists.txt");
}

static void test_closed(void **state) {
  (void)state;
  put("trunk/python/triton/knobs.py", "trunk");
  put("vendors/acme/spec/triton/knobs.py", "x");
  refused(SPEC_F_CLOSED, "/spec/triton/knobs.py", "triton/knobs.py");
}

static void test_module_clash(void **state) {
  (void)state;
  put("trunk/python/triton/language/core.py", "");
  put("vendors/acme/spec/triton/language/core/__init__.py", "x");
  refused(SPEC_F_MODULE_CLASH, "/spec/triton/language/core/__init__.py",
          "'python/triton/language/core.py'");
  put("vendors/acme/spec.ini", "[remove]\npath = python/triton/language/core.py\n");
  spec_plan_free(planned(SPEC_OK));
}

static void test_remove_elsewhere(void **state) {
  (void)state;
  spec_plan *plan;
  put("trunk/triton/testing.py", "trunk");
  put("vendors/acme/spec.ini", "[remove]\npath = lib/a.c\npath = python/triton/testing.py\n");
  assert_int_equal(plan_installed(&found, &plan, "acme", NULL), SPEC_OK);
  spec_plan_free(plan);
  assert_int_equal(found.count, 1);
  expect(SPEC_F_REMOVE_ELSEWHERE, SPEC_NOTE, "/acme/spec.ini", "lib/a.c");
}

static void test_remove_missing(void **state) {
  (void)state;
  put("trunk/lib/Old.c", "");
  put("vendors/acme/spec.ini", "[remove]\npath = lib/Odl.c\n");
  refused(SPEC_F_REMOVE_MISSING, "/acme/spec.ini", "lib/Odl.c");
  assert_non_null(strstr(find_said(&found, "remove-missing")->mend, "did you mean 'lib/Old.c'?"));
}

static void test_remove_overridden(void **state) {
  (void)state;
  put("trunk/lib/a.c", "trunk");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  put("vendors/acme/spec.ini", "[remove]\npath = lib/a.c\n");
  refused(SPEC_F_REMOVE_OVERRIDDEN, "/acme/spec.ini", "lib/a.c");
}

static void test_old_layout(void **state) {
  (void)state;
  put("vendors/acme/backend/spec/x.h", "");
  spec_plan_free(planned(SPEC_OK));
  expect(SPEC_F_OLD_LAYOUT, SPEC_WARNING, "/acme/backend/spec", "backend/spec");
}

static void test_empty_overlay(void **state) {
  (void)state;
  put("vendors/acme/spec_cpp/README.md", "");
  spec_plan_free(planned(SPEC_OK));
  expect(SPEC_F_EMPTY_OVERLAY, SPEC_WARNING, "/vendors/acme", "acme");
}

static void test_layer_wins(void **state) {
  (void)state;
  put("trunk/lib/a.c", "trunk");
  put("vendors/base/spec_cpp/lib/a.c", "base");
  put("vendors/acme/spec_cpp/lib/a.c", "acme");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  spec_plan_free(planned(SPEC_OK));
  expect(SPEC_F_LAYER_WINS, SPEC_NOTE, "/acme/spec_cpp/lib/a.c", "'acme' wins over 'base'");
}

static void test_layer_merges(void **state) {
  (void)state;
  put("trunk/python/triton/a.py", "trunk");
  put("vendors/base/spec/triton/a.py", "def f(): pass\n");
  put("vendors/acme/spec/triton/a.py", "def g(): pass\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  spec_plan_free(planned(SPEC_OK));
  expect(SPEC_F_LAYER_MERGES, SPEC_NOTE, "/acme/spec/triton/a.py", "'acme' is merged into");
}

static void test_layer_patches(void **state) {
  (void)state;
  put("trunk/python/triton/a.py", "trunk");
  put("vendors/base/spec/triton/a.py", "base");
  put("vendors/acme/spec/triton/a.py.patch", "");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  spec_plan_free(planned(SPEC_OK));
  expect(SPEC_F_LAYER_PATCHES, SPEC_NOTE, "/a.py.patch", "'acme' patches what 'base' has");
}

static void test_conflict_markers(void **state) {
  (void)state;
  put("trunk/lib/a.c", "a\n");
  put("vendors/acme/spec_cpp/lib/a.c", "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n");
  refused(SPEC_F_CONFLICT_MARKERS, "/lib/a.c:2", "'spec_cpp/lib/a.c' has a conflict");
}

static void test_patch_no_file(void **state) {
  (void)state;
  put("trunk/python/triton/runtime/jit.py", "trunk");
  put("vendors/acme/spec/triton/runtime/jti.py.patch", "");
  refused(SPEC_F_PATCH_NO_FILE, "/jti.py.patch", "'python/triton/runtime/jti.py'");
  assert_non_null(strstr(find_said(&found, "patch-no-file")->mend,
                         "did you mean 'python/triton/runtime/jit.py'?"));
}

static void test_policy_loosened(void **state) {
  (void)state;
  put("trunk/python/triton/knobs.py", "trunk");
  put("vendors/acme/spec/triton/knobs.py", "x");
  put("vendors/acme/spec.ini", "[policy]\ntriton/knobs.py = whole\n");
  spec_plan_free(planned(SPEC_OK));
  expect(SPEC_F_POLICY_LOOSENED, SPEC_NOTE, "/spec/triton/knobs.py", "'whole' (default 'closed')");
}

/* --- placing -------------------------------------------------------------------------------- */

#define APP "build @/b\ntarget app\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/b\n"

static void test_unowned(void **state) {
  (void)state;
  put("trunk/lib/Real.c", "");
  put("vendors/acme/spec_cpp/lib/Rael.c", "");
  not_placed(SPEC_F_UNOWNED, APP "sources Real.c\n", "/lib/Rael.c", "did you mean 'lib/Real.c'?");
}

static void test_unused(void **state) {
  (void)state;
  put("trunk/lib/a.c", "");
  put("trunk/lib/b.c", "");
  put("vendors/acme/spec_cpp/lib/b.c", "x");
  not_placed(SPEC_F_UNUSED, APP "sources a.c\n", "/spec_cpp/lib/b.c", "lib/b.c");
  spec_plan *plan = planned(SPEC_OK);
  assert_int_equal(place_text(plan, APP "sources a.c\n", false, NULL), SPEC_OK);
  expect(SPEC_F_UNUSED, SPEC_WARNING, "/spec_cpp/lib/b.c", "lib/b.c");
  spec_plan_free(plan);
}

static void test_already_listed(void **state) {
  (void)state;
  put("trunk/lib/a.c", "");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  not_placed(SPEC_F_ALREADY_LISTED, APP "sources a.c;@/vendors/acme/spec_cpp/lib/a.c\n",
             "/spec_cpp/lib/a.c", "target 'app'");
}

static void test_two_roots(void **state) {
  (void)state;
  put("trunk/lib/a.c", "");
  put("project/lib/a.c", "");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  not_placed(SPEC_F_TWO_ROOTS, "project @/project\n" APP "sources a.c;@/project/lib/a.c\n",
             "/spec_cpp/lib/a.c", "/project/lib/a.c");
}

static void test_no_target(void **state) {
  (void)state;
  put("trunk/lib/a.c", "");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  not_placed(SPEC_F_NO_TARGET, "needs apq\n" APP "sources a.c\n", "/acme/spec.cmake",
             "'apq', which does not exist; did you mean 'app'?");
}

static void test_no_addition(void **state) {
  (void)state;
  put("trunk/lib/a.c", "");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  not_placed(SPEC_F_NO_ADDITION, "addition app\tlib/New.c\n" APP "sources a.c\n",
             "/acme/spec.cmake", "lib/New.c");
}

static void test_out_of_reach(void **state) {
  (void)state;
  put("trunk/include/x.h", "");
  put("plugin/p.c", "#include \"../trunk/include/x.h\"\n");
  put("vendors/acme/spec_cpp/include/x.h", "x");
  not_placed(SPEC_F_OUT_OF_REACH,
             "build @/b\ntarget p\ntype MODULE_LIBRARY\ndir @/plugin\nbin @/b\nsources p.c\n",
             "/plugin/p.c", "include/x.h");
}

static void test_fixed_include(void **state) {
  (void)state;
  put("trunk/include/x.h", "");
  put("trunk/a.c", "");
  put("vendors/acme/spec_cpp/include/x.h", "x");
  not_placed(SPEC_F_FIXED_INCLUDE,
             "build @/b\nflags -include @/trunk/include/x.h\ntarget a\ntype STATIC_LIBRARY\n"
             "dir @/trunk\nbin @/b\nsources a.c\n",
             "/trunk/include/x.h", "include/x.h");
}

/* --- in the records of a build --------------------------------------------------------------- */

/* A build folder where acme replaces x.td, and a rule reads `input`. */
static void recorded(spec_finding finding, const char *input, const char *where, const char *word) {
  char text[4096];
  spec_verification v;
  (void)snprintf(text, sizeof text,
                 "{\"trunk\":\"%s/trunk\",\"overrides\":[{\"trunk\":\"x.td\",\"kind\":\"td\","
                 "\"action\":\"replace\",\"vendor\":\"%s/v.td\",\"owners\":[\"T\"]}]}",
                 scratch(), scratch());
  put("b/spec/manifest.json", text);
  (void)snprintf(text, sizeof text, "build o: CUSTOM_COMMAND\n  COMMAND = mlir-tblgen %s\n", input);
  put("b/build.ninja", text);
  found = (findings){0};
  assert_int_equal(spec_build_verify(&v, at("b"), remember, &found, NULL), SPEC_EREFUSED);
  expect(finding, SPEC_ERROR, where, word);
}

static void test_shadowed(void **state) {
  (void)state;
  put("trunk/x.td", "");
  recorded(SPEC_F_SHADOWED, at("trunk/x.td"), "o", "'x.td'");
}

static void test_not_read(void **state) {
  (void)state;
  put("trunk/y.td", "");
  recorded(SPEC_F_NOT_READ, at("trunk/y.td"), "v.td", "'x.td'");
}

/* --- all of them ---------------------------------------------------------------------------- */

static void test_every_finding_was_provoked(void **state) {
  (void)state;
  for (int i = 0; i < SPEC_F_COUNT; i++) {
    if (!was_provoked((spec_finding)i))
      print_error("no test provokes '%s'\n", spec_finding_code((spec_finding)i));
    assert_true(was_provoked((spec_finding)i));
    for (int k = 0; k < i; k++)
      assert_string_not_equal(spec_finding_code((spec_finding)i),
                              spec_finding_code((spec_finding)k));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_escape),
      IN_SCRATCH(test_link_loop),
      IN_SCRATCH(test_dangling),
      IN_SCRATCH(test_not_a_file),
      IN_SCRATCH(test_bad_name),
      IN_SCRATCH(test_unknown_kind),
      IN_SCRATCH(test_misplaced),
      IN_SCRATCH(test_case_clash),
      IN_SCRATCH(test_duplicate),
      IN_SCRATCH(test_redundant),
      IN_SCRATCH(test_trunk_escape),
      IN_SCRATCH(test_trunk_not_file),
      IN_SCRATCH(test_top_cmake),
      IN_SCRATCH(test_closed),
      IN_SCRATCH(test_module_clash),
      IN_SCRATCH(test_remove_elsewhere),
      IN_SCRATCH(test_remove_missing),
      IN_SCRATCH(test_remove_overridden),
      IN_SCRATCH(test_old_layout),
      IN_SCRATCH(test_empty_overlay),
      IN_SCRATCH(test_layer_wins),
      IN_SCRATCH(test_layer_merges),
      IN_SCRATCH(test_layer_patches),
      IN_SCRATCH(test_conflict_markers),
      IN_SCRATCH(test_patch_no_file),
      IN_SCRATCH(test_policy_loosened),
      IN_SCRATCH(test_unowned),
      IN_SCRATCH(test_unused),
      IN_SCRATCH(test_already_listed),
      IN_SCRATCH(test_two_roots),
      IN_SCRATCH(test_no_target),
      IN_SCRATCH(test_no_addition),
      IN_SCRATCH(test_out_of_reach),
      IN_SCRATCH(test_fixed_include),
      IN_SCRATCH(test_shadowed),
      IN_SCRATCH(test_not_read),
      cmocka_unit_test(test_merge_findings),
      IN_SCRATCH(test_findings_of_modules),
      IN_SCRATCH(test_findings_of_hooks),
      IN_SCRATCH(test_finding_no_cache_key),
      IN_SCRATCH(test_lock_findings),
      IN_SCRATCH(test_patch_findings),
      cmocka_unit_test(test_every_finding_was_provoked), /* last: it counts */
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
