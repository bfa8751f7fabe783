/* whole.c: one override of each kind, action and way to be found. */
#include "whole.h"

#include <stdio.h>
#include <string.h>

static const char *const files[][2] = {
    {"trunk/CMakeLists.txt", "top"},
    {"trunk/lib/CMakeLists.txt", "trunk"},
    {"trunk/lib/a.cpp", "#include \"x/X.h\"\n#include \"Local.h\"\n"},
    {"trunk/lib/b.cpp", "#include <x/Y.h>\n"},
    {"trunk/lib/opaque.c", "#include NAME\n#if __has_include(<x/Y.h>)\n"},
    {"trunk/lib/removed.cpp", ""},
    {"trunk/lib/Local.h", "#include \"sub/Deep.h\"\n"},
    {"trunk/lib/sub/Deep.h", ""},
    {"trunk/lib/own/Own.h", ""},
    {"trunk/lib/own.c", "#include \"Own.h\"\n#include_next <x/X.h>\n"},
    {"trunk/cmake/Mod.cmake", "trunk"},
    {"trunk/include/x/X.h", "#include \"Y.h\"\n"},
    {"trunk/include/x/Y.h", "#pragma once\n"},
    {"trunk/include/x/Pch.h", ""},
    {"trunk/include/x/Base.td", ""},
    {"trunk/include/x/Ops.td", "include \"x/Base.td\"\ninclude \"mlir/IR/OpBase.td\"\n"},
    {"trunk/python/src/ir.cc", "trunk"},
    {"trunk/python/triton/__init__.py", ""},
    {"trunk/python/triton/knobs.py", ""},
    {"trunk/python/triton/language/core.py", ""},
    {"plugin/p.cpp", "#include \"x/X.h\"\n"},
    {"vendors/base/spec_cpp/lib/a.cpp", "base"},
    {"vendors/base/spec_cpp/include/x/Y.h", "base"},
    {"vendors/base/spec_cpp/lib/own/Own.h", "base\n"},
    {"vendors/acme/spec.ini", "[backend]\nbase = base\n[remove]\npath = lib/removed.cpp\n"
                              "[policy]\ntriton/knobs.py = whole\n"},
    {"vendors/acme/spec.cmake", "vendor"},
    {"vendors/acme/spec_cpp/lib/CMakeLists.txt", "vendor"},
    {"vendors/acme/spec_cpp/lib/a.cpp", "#include \"x/X.h\"\n#include \"Local.h\"\n// vendor\n"},
    {"vendors/acme/spec_cpp/lib/Added.cpp", "#include \"Local.h\"\n"},
    {"vendors/acme/spec_cpp/lib/own/Own.h.patch", "--- -\n+++ -\n@@ -1 +1 @@\n-base\n+vendor\n"},
    {"vendors/acme/spec_cpp/cmake/Mod.cmake.patch",
     "--- -\n+++ -\n@@ -1 +1 @@\n-trunk\n\\ No newline at end of file\n+vendor\n"},
    {"vendors/acme/spec_cpp/include/x/Pch.h", "vendor"},
    {"vendors/acme/spec_cpp/include/x/Base.td", "vendor"},
    {"vendors/acme/python/src/ir.cc", "vendor"},
    {"vendors/acme/spec/triton/__init__.py", "hooks"},
    {"vendors/acme/spec/triton/knobs.py", "vendor"},
    {"vendors/acme/spec/triton/language/new.py", "vendor"},
};

static const char targets[] =
    "build @/build\n"
    "flags -O2 -I @/trunk/include -include x/Y.h\nconfigs Debug\n"
    "cmake @/out/stage/lib/CMakeLists.txt\ncmake @/out/stage/cmake/Mod.cmake\n"
    "td include/x/Ops.td\tOpsIncGen\n"
    "reads include/x/Ops.td\t@/wrapper;-;@/out/stage/include/x/Base.td;@/trunk/include/x/Ops.td\n"
    "needs A\naddition A\tlib/Added.cpp\n"
    "alias X::B\tB\n"
    "target OpsIncGen\ntype UTILITY\n"
    "target A\ntype OBJECT_LIBRARY\ndir @/trunk/lib\nbin @/build/lib\ncurrent ON\n"
    "sources a.cpp;$<$<BOOL:1>:b.cpp;opaque.c>;removed.cpp;own.c;@/trunk/lib/Added.cpp\n"
    "includes $<BUILD_INTERFACE:@/trunk/include>;$<INSTALL_INTERFACE:include>\n"
    "options -I;@/trunk;-isystem@/trunk/lib/sub\n"
    "links X::B;$<LINK_ONLY:C>\npch <x/Pch.h>;Local.h\n"
    "unity ON\nsolo own.c\n"
    "source own.c\town;@/trunk/lib/sub\n"
    "target B\ntype INTERFACE_LIBRARY\ndir @/trunk/lib\nbin @/build/lib\n"
    "isources @/trunk/lib/b.cpp\niincludes @/trunk/include\nilinks C\nipch "
    "$<1:@/trunk/lib/Local.h>\n"
    "target C\ntype STATIC_LIBRARY\ndir @/trunk\nbin @/build\nsources python/src/ir.cc\n"
    "target P\ntype MODULE_LIBRARY\ndir @/plugin\nbin @/build/p\nsources p.cpp\n"
    "includes @/trunk/include;@/build/$<CONFIG>\npchfrom A\n";

void put_whole(void) {
  for (size_t i = 0; i < COUNT(files); i++)
    put(files[i][0], files[i][1]);
}

void put_broken_for_plan(void) {
  put("trunk/lib/Case.h", "");
  put_link("..", "vendors/acme/spec_cpp/lib/loop");
  put_link("gone", "vendors/acme/spec_cpp/lib/gone.h");
  put_link("/", "vendors/acme/spec_cpp/lib/root");
  put("vendors/acme/spec_cpp/lib/a;b.h", "");
  put("vendors/acme/spec_cpp/lib/x.bin", "");
  put("vendors/acme/spec_cpp/lib/case.h", "");
  put("vendors/acme/spec_cpp/lib/sub/Deep.h", ""); /* as the trunk's */
  put("vendors/acme/spec_cpp/python/src/ir.cc", "twice");
  put("vendors/acme/spec/triton/testing.py", "");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n[remove]\npath = lib/remove.cpp\n");
}

void put_broken_for_place(void) {
  put("vendors/acme/spec_cpp/lib/bb.cpp", "");
  put("vendors/acme/spec_cpp/lib/own/Nobody.h", "");
  put("vendors/acme/spec_cpp/include/x/X.h", "#include \"Y.h\"\n// vendor\n");
  put("plugin/p.cpp", "#include \"../trunk/include/x/X.h\"\n");
  put("trunk/lib/unused.cpp", "");
  put("vendors/acme/spec_cpp/lib/unused.cpp", "vendor");
}

/* What the last run said: for a message when it should have succeeded. */
static findings found;

int run_whole(spec_err *err) {
  spec_plan *plan;
  int rc = plan_backend(&found, &plan, "acme", err);
  if (rc == SPEC_OK)
    rc = stage(plan, err);
  if (rc == SPEC_OK)
    rc = place_text(plan, targets, true, err);
  spec_plan_free(plan);
  return rc;
}

void run_soundly(void) {
  spec_err err = {0};
  int rc = run_whole(&err);
  if (rc != SPEC_OK)
    print_error("%d %s: %s\n", rc, err.where, found.count > 0 ? found.items[0].message : err.what);
  assert_int_equal(rc, SPEC_OK);
}

static const char *const files_out[] = {"out/plan.cmake", "out/place.cmake", "out/log.txt",
                                        "out/manifest.json"};

void take_results(results *out) {
  for (size_t i = 0; i < COUNT(files_out); i++) {
    const char *text = text_of(files_out[i]);
    assert_true(strlen(text) < sizeof out->texts[i]);
    (void)snprintf(out->texts[i], sizeof out->texts[i], "%s", text);
  }
}

void check_results(const results *before, const results *after) {
  for (size_t i = 0; i < COUNT(files_out); i++) {
    const char *text = text_of(files_out[i]);
    if (strcmp(text, before->texts[i]) != 0)
      assert_string_equal(text, after->texts[i]);
  }
  /* stage, python, tblgen, the lock, the four files, the records and their mark */
  assert_int_equal(count_entries("out"), 11);
}
