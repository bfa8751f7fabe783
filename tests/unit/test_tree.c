/* The lazily listed tree: types, links, spellings, walks, the nearest path. */
#include "core/tree.h"
#include "planning.h"

#include <stdio.h>
#include <string.h>

static spec_arena *arena;
static spec_tree *tree;

static int set_up(void **state) {
  return enter_scratch(state) < 0 || spec_arena_new(&arena, NULL) < 0
             ? -1
             : spec_tree_new(&tree, arena, scratch(), NULL);
}

static int tear_down(void **state) {
  spec_tree_free(tree);
  spec_arena_free(arena);
  return leave_scratch(state);
}

static spec_ftype type_of(const char *path) {
  spec_ftype type;
  assert_int_equal(spec_tree_type(tree, &type, path, NULL), SPEC_OK);
  return type;
}

static void test_types(void **state) {
  (void)state;
  put("a/b/c.h", "");
  put_link("b/c.h", "a/file");
  put_link("b", "a/folder");
  put_link("gone", "a/gone");
  put_link("loop", "a/loop");
  assert_int_equal(type_of(""), SPEC_FT_DIR);
  assert_int_equal(type_of("a/b"), SPEC_FT_DIR);
  assert_int_equal(type_of("a/b/c.h"), SPEC_FT_FILE);
  assert_int_equal(type_of("a/file"), SPEC_FT_FILE);
  assert_int_equal(type_of("a/folder"), SPEC_FT_DIR);
  assert_int_equal(type_of("a/folder/c.h"), SPEC_FT_FILE);
  assert_int_equal(type_of("a/gone"), SPEC_FT_NONE);
  assert_int_equal(type_of("a/loop"), SPEC_FT_NONE);
  assert_int_equal(type_of("a/b/c.h/d"), SPEC_FT_NONE);
  assert_int_equal(type_of("x/y/z"), SPEC_FT_NONE);
}

static void test_each_folder_is_listed_once(void **state) {
  (void)state;
  put("a/b/c.h", "");
  (void)type_of("a/b/c.h");
  (void)spec_fs_fail_at(0, 0);
  for (int i = 0; i < 1000; i++) {
    char path[32];
    (void)snprintf(path, sizeof path, "a/b/%d.h", i);
    assert_int_equal(type_of(path), SPEC_FT_NONE);
    (void)snprintf(path, sizeof path, "a/%d/x/y.h", i);
    assert_int_equal(type_of(path), SPEC_FT_NONE);
  }
  assert_int_equal(spec_fs_fail_at(0, 0), 0);
}

static void test_links_on_the_way(void **state) {
  (void)state;
  put("real/a.h", "");
  put_link("real", "link");
  put_link("a.h", "real/b.h");
  bool crosses;
  static const struct {
    const char *path;
    bool crosses;
  } rows[] = {{"real/a.h", false}, {"real/b.h", true}, {"link/a.h", true}, {"none/x.h", false}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(spec_tree_crosses_link(tree, &crosses, rows[i].path, NULL), SPEC_OK);
    assert_int_equal(crosses, rows[i].crosses);
  }
}

static void test_other_spellings(void **state) {
  (void)state;
  put("Lib/Ops.cpp", "");
  put("Lib/sub/x.h", "");
  static const char *const rows[][2] = {
      {"Lib/ops.cpp", "Lib/Ops.cpp"}, {"lib/Ops.cpp", "Lib"}, {"Lib/SUB/x.h", "Lib/sub"},
      {"Lib/sub/X.H", "Lib/sub/x.h"}, {"Lib/Ops.cp", NULL},   {"Lib/Ops.cpp", NULL},
      {"Lib/Ops.cpp/x", NULL},        {"none/x.h", NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const char *twin;
    assert_int_equal(spec_tree_case_twin(tree, &twin, rows[i][0], NULL), SPEC_OK);
    if (rows[i][1] == NULL)
      assert_null(twin);
    else
      assert_string_equal(twin, rows[i][1]);
  }
}

static int add(void *user, const char *path, spec_err *err) {
  (void)err;
  char *text = user;
  (void)snprintf(text + strlen(text), 400, "%s ", path);
  return SPEC_OK;
}

static void test_walk(void **state) {
  (void)state;
  put("b/x.h", "");
  put("a.h", "");
  put("b/.git/config", "");
  put("b/__pycache__/x.pyc", "");
  put("build/CMakeCache.txt", "");
  put_folder("build/CMakeFiles");
  put("build/made.h", "");
  put("c/CMakeCache.txt", ""); /* without CMakeFiles it is no build */
  put_link("b", "link");
  put_link("../a.h", "b/a.h");
  char paths[1024] = "";
  assert_int_equal(spec_tree_walk(tree, "", add, paths, NULL), SPEC_OK);
  assert_string_equal(paths, "a.h b/x.h c/CMakeCache.txt ");
  paths[0] = '\0';
  assert_int_equal(spec_tree_walk(tree, "none", add, paths, NULL), SPEC_OK);
  assert_string_equal(paths, "");
}

static int stop(void *user, const char *path, spec_err *err) {
  (void)path;
  (void)err;
  return ++*(int *)user == 2 ? SPEC_EINVAL : SPEC_OK;
}

static void test_walk_that_is_stopped(void **state) {
  (void)state;
  put("a", "");
  put("b", "");
  put("c", "");
  int calls = 0;
  assert_int_equal(spec_tree_walk(tree, "", stop, &calls, NULL), SPEC_EINVAL);
  assert_int_equal(calls, 2);
}

static const char *nearest(const char *path) {
  const char *text;
  assert_int_equal(spec_tree_nearest(tree, &text, path, NULL), SPEC_OK);
  return text;
}

static void test_nearest(void **state) {
  (void)state;
  put("lib/Ops.cpp", "");
  put("include/Ops.h", "");
  put("other/Coalesce.cpp", "");
  put("third_party/acme/spec_cpp/lib/Osp.cpp", "");
  assert_string_equal(nearest("lib/Osp.cpp"), "; did you mean 'lib/Ops.cpp'?");
  assert_string_equal(nearest("wrong/place/Coalesce.cpp"), "; did you mean 'other/Coalesce.cpp'?");
  assert_string_equal(nearest("nothing/like/it.td"), "");
  for (int i = 0; i < 40; i++) /* each looks at every file: at some point it is enough */
    (void)nearest("lib/Osp.cpp");
  assert_string_equal(nearest("lib/Osp.cpp"), "");
}

static void test_folder_that_cannot_be_listed(void **state) {
  (void)state;
  put_folder("a");
  spec_ftype type;
  spec_err err = {0};
  assert_int_equal(type_of("a"), SPEC_FT_DIR);
  (void)spec_fs_fail_at(1, 13);
  assert_int_equal(spec_tree_type(tree, &type, "a/b", &err), SPEC_EIO);
  (void)spec_fs_fail_at(0, 0);
  assert_string_equal(err.where, at("a"));
  assert_int_equal(type_of("a/b"), SPEC_FT_NONE); /* asked again, not remembered as absent */
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_types),
      TEST(test_each_folder_is_listed_once),
      TEST(test_links_on_the_way),
      TEST(test_other_spellings),
      TEST(test_walk),
      TEST(test_walk_that_is_stopped),
      TEST(test_nearest),
      TEST(test_folder_that_cannot_be_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
