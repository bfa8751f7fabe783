/* Ids and existence of files in the trunk as a build sees it with the overlay over it. */
#include "merged.h"
#include "planning.h"

#include <string.h>

static findings found;
static spec_plan *plan;
static spec_merged view;

static int set_up(void **state) {
  if (enter_scratch(state) < 0)
    return -1;
  put("trunk/lib/a.c", "trunk");
  put("trunk/lib/own.c", "trunk");
  put("trunk/lib/gone.c", "trunk");
  put("plugin/p.c", "");
  put("build/made.h", "");
  put("build/made.inc", "");
  put("vendors/acme/spec_cpp/lib/a.c", "vendor");
  put("vendors/acme/spec_cpp/lib/new.c", "vendor");
  put("vendors/acme/spec.ini", "[remove]\npath = lib/gone.c\n");
  plan = sound_plan(&found);
  static const char *outside[1];
  outside[0] = spec_arena_strdup(plan->arena, at("plugin"));
  view = (spec_merged){.arena = plan->arena,
                       .plan = plan,
                       .stage = spec_arena_strdup(plan->arena, at("build/spec/stage")),
                       .build = spec_arena_strdup(plan->arena, at("build")),
                       .outside = outside,
                       .outside_count = 1};
  return spec_tree_new(&view.tree, plan->arena, "/", NULL);
}

static int tear_down(void **state) {
  spec_tree_free(view.tree);
  spec_plan_free(plan);
  return leave_scratch(state);
}

static void has_id(const char *path, const char *id) {
  const char *is = spec_merged_id(&view, at(path));
  if (id == NULL)
    assert_null(is);
  else
    assert_string_equal(is, id);
}

static void test_ids(void **state) {
  (void)state;
  has_id("trunk/lib/a.c", "lib/a.c");
  has_id("trunk", "");
  has_id("build/spec/stage/lib/a.c", "lib/a.c"); /* where a second run finds it */
  has_id("build/made.h", at("build/made.h"));
  has_id("build/made.inc", at("build/made.inc"));
  has_id("plugin/p.c", at("plugin/p.c"));
  has_id("trunkish/lib/a.c", NULL);
  has_id("elsewhere/x.h", NULL);
  assert_null(spec_merged_id(&view, "/usr/include/stdio.h"));
}

static void resolves(const char *dir, const char *name, const char *wanted) {
  const char *id;
  assert_int_equal(spec_merged_resolve(&view, &id, dir, name, NULL), SPEC_OK);
  if (wanted == NULL)
    assert_null(id);
  else
    assert_string_equal(id, wanted);
}

static void test_names_seen_from_a_folder(void **state) {
  (void)state;
  resolves("lib", "a.c", "lib/a.c");
  resolves("lib", "../x/./y.h", "x/y.h");
  resolves("", "lib/a.c", "lib/a.c");
  resolves("lib", "../../elsewhere.h", NULL);
  resolves("lib", "../../plugin/p.c", at("plugin/p.c"));
  resolves(at("plugin"), "../trunk/lib/a.c", "lib/a.c");
  resolves("lib", "/usr/include/stdio.h", NULL);
  resolves("lib", at("trunk/lib/a.c"), "lib/a.c");
}

static void test_what_is_there(void **state) {
  (void)state;
  static const struct {
    const char *id;
    bool has;
    const char *file;
  } rows[] = {
      {"lib/a.c", true, "vendors/acme/spec_cpp/lib/a.c"},
      {"lib/own.c", true, "trunk/lib/own.c"},
      {"lib/new.c", true, "vendors/acme/spec_cpp/lib/new.c"},
      {"lib/none.c", false, "trunk/lib/none.c"},
      {"lib", false, "trunk/lib"},
      {"lib/gone.c", true, "trunk/lib/gone.c"}, /* removed from the build, not from the disk */
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bool has;
    assert_int_equal(spec_merged_has(&view, &has, rows[i].id, NULL), SPEC_OK);
    assert_int_equal(has, rows[i].has);
    assert_string_equal(spec_merged_file(&view, rows[i].id), at(rows[i].file));
  }
  bool has;
  assert_int_equal(spec_merged_has(&view, &has, at("plugin/p.c"), NULL), SPEC_OK);
  assert_true(has);
  assert_int_equal(spec_merged_override(&view, "lib/gone.c")->action, SPEC_REMOVE);
  assert_null(spec_merged_override(&view, "lib/own.c"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_ids),
      TEST(test_names_seen_from_a_folder),
      TEST(test_what_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
