/* A plan as JSON. */
#include "core/manifest.h"
#include "planning.h"

#include <string.h>

static findings found;

static const char *text(const json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  assert_non_null(value);
  return value;
}

static json_t *manifest_of(spec_plan *plan) {
  json_t *root;
  assert_int_equal(spec_manifest_new(&root, plan, NULL), SPEC_OK);
  return root;
}

static void test_members(void **state) {
  (void)state;
  put("trunk/lib/a.c", "trunk");
  put("trunk/lib/old.c", "trunk");
  put("trunk/python/triton/language/core.py", "trunk");
  put("vendors/base/spec_cpp/lib/a.c", "vendor");
  put("vendors/acme/spec/triton/language/core.py", "vendor");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n[remove]\npath = lib/old.c\n");
  spec_plan *plan = sound_plan(&found);
  plan->overrides[0].owners = "one;two";
  json_t *root = manifest_of(plan);
  assert_int_equal(json_integer_value(json_object_get(root, "schema")), 1);
  assert_string_equal(text(root, "version"), SPEC_VERSION);
  assert_string_equal(text(root, "backend"), "acme");
  assert_string_equal(text(root, "trunk"), at("trunk"));
  const json_t *layers = json_object_get(root, "layers");
  assert_int_equal(json_array_size(layers), 2);
  assert_string_equal(text(json_array_get(layers, 0), "name"), "base");
  assert_string_equal(text(json_array_get(layers, 1), "dir"), at("vendors/acme"));
  const json_t *overrides = json_object_get(root, "overrides");
  assert_int_equal(json_array_size(overrides), 3);
  const json_t *source = json_array_get(overrides, 0), *removal = json_array_get(overrides, 1),
               *module = json_array_get(overrides, 2);
  assert_string_equal(text(source, "trunk"), "lib/a.c");
  assert_string_equal(text(source, "layer"), "base");
  assert_string_equal(text(source, "kind"), "source");
  assert_string_equal(text(source, "overlay"), "spec_cpp/lib/a.c");
  assert_true(are_words(json_object_get(source, "owners"), "one two"));
  assert_null(json_object_get(source, "policy"));
  assert_string_equal(text(removal, "action"), "remove");
  assert_int_equal(json_array_size(json_object_get(removal, "owners")), 0);
  assert_string_equal(text(module, "policy"), "whole");
  json_decref(root);
  spec_plan_free(plan);
}

static void test_folder_names_that_are_not_utf_8(void **state) {
  (void)state;
  put("tr\xffunk/a.c", "trunk");
  put("vendors/acme/spec_cpp/a.c", "vendor");
  const spec_options options = {.trunk = "tr\xffunk",
                                .backend = "acme",
                                .roots = &(const char *){"vendors"},
                                .root_count = 1};
  spec_plan *plan;
  assert_int_equal(spec_plan_new(&plan, &options, NULL), SPEC_OK);
  json_t *root = manifest_of(plan);
  assert_non_null(strstr(text(root, "trunk"), "tr\xef\xbf\xbdunk"));
  json_decref(root);
  spec_plan_free(plan);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_members),
      IN_SCRATCH(test_folder_names_that_are_not_utf_8),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
