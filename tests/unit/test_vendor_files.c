/* The override files of a layer, by the trunk paths they stand for. */
#include "core/vendor_files.h"

#include "planning.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

/* The files of ./vendors/acme. */
static size_t gather(spec_vendor_file **out) {
  spec_backend *layers;
  const char *root = at("vendors");
  size_t count;
  spec_err err = {0};
  assert_int_equal(spec_backend_layers(arena, &layers, &count, "acme", &root, 1, &err), 0);
  assert_int_equal(spec_vendor_files(arena, out, &count, &layers[0], &err), 0);
  return count;
}

static void test_every_place_is_mirrored(void **state) {
  (void)state;
  put("vendors/acme/spec.ini", "[remove]\npath = lib/Gone.cpp\npath = "
                               "triton/tools/x.py\n[policy]\ntriton/closed = closed\n");
  put("vendors/acme/spec_cpp/lib/A.cpp", "");
  put("vendors/acme/spec_cpp/lib/B.td.patch", "");
  put("vendors/acme/spec_cpp/lib/CMakeLists.txt.patch", "");
  put("vendors/acme/python/src/ir.cc", "");
  put("vendors/acme/spec/triton/testing.py", "");
  put("vendors/acme/spec/triton/language/core.py.patch", "");
  put("vendors/acme/spec/triton/data.json", "");
  put("vendors/acme/spec/triton/closed/x.py", "");
  static const struct {
    const char *trunk, *overlay;
    spec_action action;
    spec_kind kind;
    spec_policy policy;
  } wanted[] = {
      {"lib/A.cpp", "spec_cpp/lib/A.cpp", SPEC_REPLACE, SPEC_KIND_SOURCE, SPEC_POLICY_NONE},
      {"lib/B.td", "spec_cpp/lib/B.td.patch", SPEC_PATCH, SPEC_KIND_TD, SPEC_POLICY_NONE},
      {"lib/CMakeLists.txt", "spec_cpp/lib/CMakeLists.txt.patch", SPEC_PATCH, SPEC_KIND_CMAKE,
       SPEC_POLICY_NONE},
      {"lib/Gone.cpp", "spec.ini", SPEC_REMOVE, SPEC_KIND_SOURCE, SPEC_POLICY_NONE},
      {"python/src/ir.cc", "python/src/ir.cc", SPEC_REPLACE, SPEC_KIND_SOURCE, SPEC_POLICY_NONE},
      {"python/triton/closed/x.py", "spec/triton/closed/x.py", SPEC_REPLACE, SPEC_KIND_PYTHON,
       SPEC_POLICY_CLOSED},
      {"python/triton/data.json", "spec/triton/data.json", SPEC_REPLACE, SPEC_KIND_PYTHON,
       SPEC_POLICY_WHOLE},
      {"python/triton/language/core.py", "spec/triton/language/core.py.patch", SPEC_PATCH,
       SPEC_KIND_PYTHON, SPEC_POLICY_WHOLE},
      {"python/triton/testing.py", "spec/triton/testing.py", SPEC_REPLACE, SPEC_KIND_PYTHON,
       SPEC_POLICY_MERGE},
      {"python/triton/tools/x.py", "spec.ini", SPEC_REMOVE, SPEC_KIND_PYTHON, SPEC_POLICY_NONE},
  };
  spec_vendor_file *files;
  assert_int_equal(gather(&files), COUNT(wanted));
  for (size_t i = 0; i < COUNT(wanted); i++) {
    assert_string_equal(files[i].trunk, wanted[i].trunk);
    assert_string_equal(files[i].overlay, wanted[i].overlay);
    assert_int_equal(files[i].action, wanted[i].action);
    assert_int_equal(files[i].kind, wanted[i].kind);
    assert_int_equal(files[i].policy, wanted[i].policy);
    assert_non_null(strstr(files[i].path, "vendors/acme/"));
  }
}

/* A module of that name holds the hooks; a patch of it is one of the trunk's module. */
static void test_the_package_itself_can_be_patched(void **state) {
  (void)state;
  put("vendors/acme/spec/triton/__init__.py", "");
  put("vendors/acme/spec/triton/__init__.py.patch", "");
  spec_vendor_file *files;
  assert_int_equal(gather(&files), 1);
  assert_string_equal(files[0].trunk, "python/triton/__init__.py");
  assert_int_equal(files[0].action, SPEC_PATCH);
}

static void test_what_stands_for_no_file_is_left_out(void **state) {
  (void)state;
  put("vendors/acme/spec_cpp/README.md", "");
  put("vendors/acme/spec_cpp/CMakeLists.txt", "");
  put("vendors/acme/spec_cpp/x.py", "");
  put("vendors/acme/spec_cpp/x.bin", "");
  put("vendors/acme/python/src/notes.txt", "");
  put("vendors/acme/spec/other.py", "");
  put("vendors/acme/spec/triton/__init__.py", "");
  put("vendors/acme/backend/driver.c", "");
  put("vendors/acme/spec.lock", "");
  spec_vendor_file *files;
  assert_int_equal(gather(&files), 0);
}

/* A plan and this list must never differ about what stands for which file. */
static void test_a_plan_has_the_same(void **state) {
  (void)state;
  static const char *const overlay[] = {
      "spec_cpp/lib/A.cpp",     "spec_cpp/include/B.h",        "spec_cpp/lib/New.cc",
      "spec_cpp/include/C.inc", "spec_cpp/lib/D.td",           "spec_cpp/lib/CMakeLists.txt",
      "spec_cpp/cmake/x.cmake", "spec_cpp/python/src/main.cc", "python/src/ir.h",
      "spec/triton/testing.py", "spec/triton/language/x.py",   "spec/triton/data.txt",
      "spec_cpp/README.md",     "python/src/setup.txt",        "spec/triton/__init__.py",
      "backend/driver.c",
  };
  findings found;
  spec_vendor_file *files;
  put("trunk/lib/P.cpp", "a\n");
  put("trunk/lib/Gone.cpp", "");
  put("trunk/lib/A.cpp", "trunk\n");
  for (size_t i = 0; i < COUNT(overlay); i++) {
    char path[128];
    (void)snprintf(path, sizeof path, "vendors/acme/%s", overlay[i]);
    put(path, strstr(path, ".py") != NULL ? "x = 1\n" : "vendor\n");
  }
  put("vendors/acme/spec_cpp/lib/P.cpp.patch", "--- a/P.cpp\n+++ b/P.cpp\n@@ -1 +1 @@\n-a\n+b\n");
  put("vendors/acme/spec.ini", "[remove]\npath = lib/Gone.cpp\n");
  spec_plan *plan = sound_plan(&found);
  size_t planned, seen = 0, count = gather(&files);
  const spec_override *overrides = spec_plan_overrides(plan, &planned);
  for (size_t i = 0; i < planned; i++) {
    if (overrides[i].action == SPEC_HOOKS)
      continue;
    assert_true(seen < count);
    const spec_vendor_file *file = &files[seen++];
    assert_string_equal(file->trunk, overrides[i].trunk);
    assert_string_equal(file->overlay, overrides[i].overlay);
    assert_string_equal(file->path, overrides[i].vendor);
    assert_int_equal(file->kind, overrides[i].kind);
    assert_int_equal(file->policy, overrides[i].policy);
    bool whole = overrides[i].action == SPEC_ADD || overrides[i].action == SPEC_REPLACE;
    assert_int_equal(file->action, whole ? SPEC_REPLACE : overrides[i].action);
  }
  assert_int_equal(seen, count);
  spec_plan_free(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_every_place_is_mirrored),
      IN_SCRATCH(test_the_package_itself_can_be_patched),
      IN_SCRATCH(test_what_stands_for_no_file_is_left_out),
      IN_SCRATCH(test_a_plan_has_the_same),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
