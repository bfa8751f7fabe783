/* Plans: which file stands for which, layers, removals, links inside the overlay, options. */
#include "core/plan.h"
#include "planning.h"

#include <string.h>

static findings found;
static spec_plan *plan;

static int tear_down(void **state) {
  spec_plan_free(plan);
  plan = NULL;
  return leave_scratch(state);
}

static const spec_override *override_of(const char *trunk) {
  const spec_override *o = spec_plan_find(plan, trunk);
  if (o == NULL)
    print_error("nothing stands for '%s'\n", trunk);
  assert_non_null(o);
  return o;
}

static void stands(const char *trunk, spec_kind kind, spec_action action, const char *overlay) {
  const spec_override *o = override_of(trunk);
  assert_int_equal(o->kind, kind);
  assert_int_equal(o->action, action);
  assert_string_equal(o->overlay, overlay);
  assert_string_equal(o->owners, "");
}

static void test_every_place(void **state) {
  (void)state;
  put("trunk/lib/a.cpp", "trunk");
  put("trunk/include/a.h", "trunk");
  put("trunk/include/a.td", "trunk");
  put("trunk/lib/CMakeLists.txt", "trunk");
  put("trunk/python/src/ir.cc", "trunk");
  put("trunk/third_party/other/x.c", "trunk");
  put("trunk/python/triton/language/core.py", "trunk");
  put("vendors/acme/spec_cpp/lib/a.cpp", "");
  put("vendors/acme/spec_cpp/lib/new.cpp", "");
  put("vendors/acme/spec_cpp/include/a.h", "");
  put("vendors/acme/spec_cpp/include/a.td", "");
  put("vendors/acme/spec_cpp/lib/CMakeLists.txt", "");
  put("vendors/acme/spec_cpp/third_party/other/x.c", "");
  put("vendors/acme/python/src/ir.cc", "");
  put("vendors/acme/python/setup.txt", "the vendor's own");
  put("vendors/acme/python/src/notes.txt", "the vendor's own");
  put("vendors/acme/spec/triton/language/core.py", "");
  put("vendors/acme/spec/triton/language/data.bin", "");
  put("vendors/acme/spec/triton/__init__.py", "");
  put("vendors/acme/other/x.c", "the vendor's own");
  plan = sound_plan(&found);
  size_t count;
  const spec_override *all = spec_plan_overrides(plan, &count);
  assert_int_equal(count, 10);
  for (size_t i = 1; i < count; i++)
    assert_true(strcmp(all[i - 1].trunk, all[i].trunk) < 0);
  stands("lib/a.cpp", SPEC_KIND_SOURCE, SPEC_REPLACE, "spec_cpp/lib/a.cpp");
  stands("lib/new.cpp", SPEC_KIND_SOURCE, SPEC_ADD, "spec_cpp/lib/new.cpp");
  stands("include/a.h", SPEC_KIND_HEADER, SPEC_REPLACE, "spec_cpp/include/a.h");
  stands("include/a.td", SPEC_KIND_TD, SPEC_REPLACE, "spec_cpp/include/a.td");
  stands("lib/CMakeLists.txt", SPEC_KIND_CMAKE, SPEC_REPLACE, "spec_cpp/lib/CMakeLists.txt");
  stands("third_party/other/x.c", SPEC_KIND_SOURCE, SPEC_REPLACE, "spec_cpp/third_party/other/x.c");
  stands("python/src/ir.cc", SPEC_KIND_SOURCE, SPEC_REPLACE, "python/src/ir.cc");
  stands("python/triton/language/core.py", SPEC_KIND_PYTHON, SPEC_REPLACE,
         "spec/triton/language/core.py");
  stands("python/triton/language/data.bin", SPEC_KIND_PYTHON, SPEC_ADD,
         "spec/triton/language/data.bin");
  stands("python/triton/spec/acme/triton/__init__.py", SPEC_KIND_PYTHON, SPEC_HOOKS,
         "spec/triton/__init__.py");
  assert_string_equal(override_of("lib/a.cpp")->vendor, at("vendors/acme/spec_cpp/lib/a.cpp"));
  assert_null(spec_plan_find(plan, "lib/none.cpp"));
}

static void test_layers(void **state) {
  (void)state;
  put("trunk/a.c", "trunk");
  put("trunk/b.c", "trunk");
  put("trunk/c.c", "trunk");
  put("vendors/base/spec_cpp/a.c", "base");
  put("vendors/base/spec_cpp/b.c", "base");
  put("vendors/acme/spec_cpp/b.c", "acme");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n[remove]\npath = a.c\npath = c.c\n");
  plan = sound_plan(&found);
  size_t layers;
  const spec_layer *layer = spec_plan_layers(plan, &layers);
  assert_int_equal(layers, 2);
  assert_string_equal(layer[0].name, "base");
  assert_string_equal(layer[1].dir, at("vendors/acme"));
  assert_string_equal(spec_plan_backend(plan), "acme");
  assert_int_equal(override_of("a.c")->action, SPEC_REMOVE);
  assert_int_equal(override_of("b.c")->layer, 1);
  assert_int_equal(override_of("c.c")->action, SPEC_REMOVE);
  assert_int_equal(found.count, 2); /* two times that a layer wins */
}

static void test_layer_may_bring_back_what_its_base_removed(void **state) {
  (void)state;
  put("trunk/a.c", "trunk");
  put("vendors/base/spec.ini", "[remove]\npath = a.c\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  put("vendors/acme/spec_cpp/a.c", "acme");
  plan = sound_plan(&found);
  assert_int_equal(override_of("a.c")->action, SPEC_REPLACE);
  assert_string_equal(found.items[0].code, "layer-wins");
}

static void test_links_inside_the_overlay(void **state) {
  (void)state;
  put("trunk/lib/a.c", "trunk");
  put("vendors/acme/shared/a.c", "vendor");
  put("vendors/acme/shared/deep/b.h", "");
  put_folder("vendors/acme/spec_cpp/lib");
  put_link("../../shared/a.c", "vendors/acme/spec_cpp/lib/a.c");
  put_link("../shared/deep", "vendors/acme/spec_cpp/deep");
  plan = sound_plan(&found);
  stands("lib/a.c", SPEC_KIND_SOURCE, SPEC_REPLACE, "spec_cpp/lib/a.c");
  stands("deep/b.h", SPEC_KIND_HEADER, SPEC_ADD, "spec_cpp/deep/b.h");
}

static void test_folders_reached_through_links(void **state) {
  (void)state;
  put("real/trunk/a.c", "trunk");
  put("real/vendors/acme/spec_cpp/a.c", "vendor");
  put_link("real/trunk", "trunk");
  put_link("real/vendors", "vendors");
  plan = sound_plan(&found);
  assert_string_equal(spec_plan_trunk(plan), at("trunk"));
  assert_string_equal(override_of("a.c")->vendor, at("vendors/acme/spec_cpp/a.c"));
}

static void test_what_is_no_override(void **state) {
  (void)state;
  put("vendors/acme/spec_cpp/README.md", "");
  put("vendors/acme/spec_cpp/.gitignore", "");
  put("vendors/acme/spec_cpp/.git/x.c", "");
  put("vendors/acme/spec/triton/__pycache__/x.pyc", "");
  put("vendors/acme/spec/triton/NOTICE", "");
  put_folder("trunk");
  plan = sound_plan(&found);
  size_t count;
  (void)spec_plan_overrides(plan, &count);
  assert_int_equal(count, 0);
  assert_string_equal(found.items[0].code, "empty-overlay");
}

static void test_trunks_third_party_is_the_usual_root(void **state) {
  (void)state;
  put("trunk/a.c", "trunk");
  put("trunk/third_party/acme/spec_cpp/a.c", "vendor");
  const spec_options options = {.trunk = "trunk/../trunk/.", .backend = "acme"};
  assert_int_equal(spec_plan_new(&plan, &options, NULL), SPEC_OK);
  assert_string_equal(spec_plan_trunk(plan), at("trunk"));
  assert_non_null(spec_plan_find(plan, "a.c"));
}

static void test_options_that_miss_something(void **state) {
  (void)state;
  spec_err err = {0};
  assert_int_equal(spec_plan_new(&plan, &(spec_options){.trunk = "x"}, &err), SPEC_EINVAL);
  assert_int_equal(spec_plan_new(&plan, &(spec_options){.backend = "x"}, &err), SPEC_EINVAL);
  const spec_options absent = {.trunk = "absent", .backend = "acme"};
  assert_int_equal(spec_plan_new(&plan, &absent, &err), SPEC_ENOTFOUND);
  assert_non_null(strstr(err.what, "is not a folder"));
  assert_null(plan); /* untouched */
}

static void test_every_finding_is_reported(void **state) {
  (void)state;
  put("trunk/a.c", "same");
  put("vendors/acme/spec_cpp/a.c", "same");
  put("vendors/acme/spec_cpp/b;c.c", "");
  put("vendors/acme/spec_cpp/d.bin", "");
  spec_err err = {0};
  assert_int_equal(plan_backend(&found, &plan, "acme", &err), SPEC_EREFUSED);
  assert_int_equal(found.count, 3);
  assert_non_null(strstr(err.what, "3 findings"));
  assert_non_null(spec_plan_find(plan, "a.c")); /* for a report */
}

/* --- what is no finding ---------------------------------------------------------------------- */

static void test_odd_names(void **state) {
  (void)state;
  put_folder("trunk");
  put("vendors/acme/spec_cpp/a b#c(d),e%@!~{f}+=-\xc3\xa9.h", "");
  plan = sound_plan(&found);
  size_t count;
  spec_plan_overrides(plan, &count);
  assert_int_equal(count, 1);
}

static void test_links_inside_the_trunk(void **state) {
  (void)state;
  put("trunk/real/a.c", "trunk");
  put_link("real", "trunk/lib");
  put("vendors/acme/spec_cpp/lib/a.c", "x");
  plan = sound_plan(&found);
  assert_int_equal(found.count, 0);
}

/* --- installed packages ---------------------------------------------------------------------- */

static void test_installed_package(void **state) {
  (void)state;
  put("trunk/triton/language/core.py", "trunk");
  put("trunk/triton/tools/old.py", "trunk");
  put("trunk/neighbour/a.py", "");
  put("vendors/acme/spec_cpp/lib/a.cpp", "of builds alone");
  put("vendors/acme/spec/triton/language/core.py", "vendor");
  put("vendors/acme/spec/triton/language/new.txt", "vendor");
  put("vendors/acme/spec/triton/__init__.py", "hooks");
  put("vendors/acme/spec.ini", "[remove]\npath = triton/tools/old.py\n");
  assert_int_equal(plan_installed(&found, &plan, "acme", NULL), SPEC_OK);
  size_t count;
  spec_plan_overrides(plan, &count);
  assert_int_equal(count, 4);
  stands("triton/language/core.py", SPEC_KIND_PYTHON, SPEC_REPLACE, "spec/triton/language/core.py");
  stands("triton/language/new.txt", SPEC_KIND_PYTHON, SPEC_ADD, "spec/triton/language/new.txt");
  stands("triton/spec/acme/triton/__init__.py", SPEC_KIND_PYTHON, SPEC_HOOKS,
         "spec/triton/__init__.py");
  stands("triton/tools/old.py", SPEC_KIND_PYTHON, SPEC_REMOVE, "spec.ini");
}

static void test_no_installed_package(void **state) {
  (void)state;
  spec_err err = {0};
  put_folder("trunk");
  put_folder("vendors/acme/spec/triton");
  assert_int_equal(plan_installed(&found, &plan, "acme", &err), SPEC_ENOTFOUND);
  assert_string_equal(err.where, at("trunk/triton"));
}

/* What lies beside an installed package is none of the trunk's files: nothing is suggested of it.
 */
static void test_neighbours_of_an_installed_package(void **state) {
  (void)state;
  put("trunk/triton/a.py", "");
  put("trunk/tritan/testing.py", "");
  put("vendors/acme/spec.ini", "[remove]\npath = triton/testing.py\n");
  assert_int_equal(plan_installed(&found, &plan, "acme", NULL), SPEC_EREFUSED);
  assert_null(strstr(find_said(&found, "remove-missing")->mend, "tritan"));
}

/* --- two forms of a module ------------------------------------------------------------------- */

static void clashes(const char *trunk, const char *vendor, bool expected) {
  put(trunk, "");
  put(vendor, "x");
  assert_int_equal(plan_backend(&found, &plan, "acme", NULL), expected ? SPEC_EREFUSED : SPEC_OK);
  assert_true((find_said(&found, "module-clash") != NULL) == expected);
}

static void test_package_beside_a_module(void **state) {
  (void)state;
  clashes("trunk/python/triton/language/extra/__init__.py",
          "vendors/acme/spec/triton/language/extra.py", true);
}

static void test_module_beside_an_extension(void **state) {
  (void)state;
  clashes("trunk/python/triton/language/fast.cpython-311-x86_64-linux-gnu.so",
          "vendors/acme/spec/triton/language/fast.py", true);
}

static void test_names_that_are_alike_at_first(void **state) {
  (void)state;
  clashes("trunk/python/triton/language/faster.so", "vendors/acme/spec/triton/language/fast.py",
          false);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_every_place),
      TEST(test_layers),
      TEST(test_layer_may_bring_back_what_its_base_removed),
      TEST(test_links_inside_the_overlay),
      TEST(test_folders_reached_through_links),
      TEST(test_what_is_no_override),
      TEST(test_trunks_third_party_is_the_usual_root),
      TEST(test_options_that_miss_something),
      TEST(test_every_finding_is_reported),
      TEST(test_odd_names),
      TEST(test_links_inside_the_trunk),
      TEST(test_installed_package),
      TEST(test_no_installed_package),
      TEST(test_neighbours_of_an_installed_package),
      TEST(test_package_beside_a_module),
      TEST(test_module_beside_an_extension),
      TEST(test_names_that_are_alike_at_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
