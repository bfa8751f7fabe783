/* What patches make of the files that a build reads, as the plan has it. */
#include "planning.h"

#include "core/blob_id.h"
#include "core/plan_patch.h"
#include <stdio.h>
#include <string.h>

#define PATCH_OF(old, new) "--- a.c\n+++ a.c\n@@ -1 +1 @@\n-" old "\n+" new "\n"

static findings found;

static void patched_text(const char *path, const char *text) {
  spec_plan *plan = sound_plan(&found);
  const spec_override *o = spec_plan_find(plan, path);
  assert_int_equal(o->action, SPEC_PATCH);
  assert_string_equal(o->patched->text, text);
  assert_int_equal(o->patched->len, strlen(text));
  spec_plan_free(plan);
}

static void refused(const char *code, const char *where, const char *word) {
  spec_plan *plan;
  int rc = plan_backend(&found, &plan, "acme", NULL);
  const said *one = find_said(&found, code);
  assert_int_equal(rc, SPEC_EREFUSED);
  if (one == NULL) {
    fail_msg("not '%s' but '%s'", code, found.items[0].code);
    return;
  }
  assert_non_null(strstr(one->where, where));
  assert_non_null(strstr(one->message, word));
  spec_plan_free(plan);
}

static void test_kinds(void **state) {
  (void)state;
  static const struct {
    const char *file;
    spec_kind kind;
  } rows[] = {{"lib/a.c", SPEC_KIND_SOURCE},
              {"include/a.h", SPEC_KIND_HEADER},
              {"a.inc", SPEC_KIND_HEADER},
              {"a.td", SPEC_KIND_TD},
              {"lib/CMakeLists.txt", SPEC_KIND_CMAKE},
              {"cmake/a.cmake", SPEC_KIND_CMAKE}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    char path[100];
    (void)snprintf(path, sizeof path, "trunk/%s", rows[i].file);
    put(path, "old\n");
    (void)snprintf(path, sizeof path, "vendors/acme/spec_cpp/%s.patch", rows[i].file);
    put(path, "--- -\n+++ -\n@@ -1 +1 @@\n-old\n+new\n");
  }
  put("trunk/python/src/ir.cc", "old\n");
  put("vendors/acme/python/src/ir.cc.patch", "--- -\n+++ -\n@@ -1 +1 @@\n-old\n+new\n");
  spec_plan *plan = sound_plan(&found);
  for (size_t i = 0; i < COUNT(rows); i++) {
    const spec_override *o = spec_plan_find(plan, rows[i].file);
    assert_int_equal(o->kind, rows[i].kind);
    assert_int_equal(o->action, SPEC_PATCH);
    assert_true(o->in_trunk);
    assert_string_equal(o->patched->text, "new\n");
  }
  assert_string_equal(spec_plan_find(plan, "python/src/ir.cc")->patched->text, "new\n");
  assert_int_equal(found.count, 0);
  spec_plan_free(plan);
}

static void test_mode(void **state) {
  (void)state;
  put("trunk/a.c", "old\n");
  put("vendors/acme/spec_cpp/a.c.patch", "diff --git a/a.c b/a.c\nold mode 100644\n"
                                         "new mode 100755\n" PATCH_OF("old", "new"));
  spec_plan *plan = sound_plan(&found);
  assert_true(spec_plan_find(plan, "a.c")->patched->executable);
  spec_plan_free(plan);
}

static void test_layers(void **state) {
  (void)state;
  put("trunk/a.c", "one\n");
  put("trunk/b.c", "one\n");
  put("vendors/base/spec_cpp/a.c", "two\n");
  put("vendors/base/spec_cpp/b.c.patch", "--- b.c\n+++ b.c\n@@ -1 +1 @@\n-one\n+two\n");
  put("vendors/base/spec_cpp/c.c", "two\n");
  put("vendors/base/spec.ini", "[remove]\npath = d.c\n");
  put("trunk/d.c", "one\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  put("vendors/acme/spec_cpp/a.c.patch", PATCH_OF("two", "three"));
  put("vendors/acme/spec_cpp/b.c.patch", "--- b.c\n+++ b.c\n@@ -1 +1 @@\n-two\n+three\n");
  put("vendors/acme/spec_cpp/c.c.patch", "--- c.c\n+++ c.c\n@@ -1 +1 @@\n-two\n+three\n");
  put("vendors/acme/spec_cpp/d.c.patch", "--- /dev/null\n+++ d.c\n@@ -0,0 +1 @@\n+three\n");
  patched_text("a.c", "three\n");
  patched_text("b.c", "three\n");
  patched_text("c.c", "three\n");
  patched_text("d.c", "three\n");
  put("vendors/acme/spec_cpp/d.c.patch", "--- d.c\n+++ d.c\n@@ -1 +1 @@\n-one\n+three\n");
  refused("patch-no-file", "/d.c.patch", "which does not exist");
  put("vendors/acme/spec_cpp/d.c.patch", "--- /dev/null\n+++ d.c\n@@ -0,0 +1 @@\n+three\n");
  put("vendors/base/spec_cpp/b.c.patch", "--- b.c\n+++ b.c\n@@ -1 +1 @@\n-x\n+two\n");
  refused("patch-misfit", "/base/spec_cpp/b.c.patch:4", "hunk 1 does not fit 'b.c'");
}

static void test_creation(void **state) {
  (void)state;
  put("trunk/x", "");
  put("vendors/acme/spec_cpp/a.c.patch", "--- /dev/null\n+++ a.c\n@@ -0,0 +1 @@\n+new\n");
  patched_text("a.c", "new\n");
  spec_plan *plan = sound_plan(&found);
  assert_false(spec_plan_find(plan, "a.c")->in_trunk);
  spec_plan_free(plan);
  put("trunk/a.c", "");
  refused("patch-misfit", "/a.c.patch", "the patch creates 'a.c', which exists");
}

static void test_faults(void **state) {
  (void)state;
  put("trunk/a.c", "old\nb\n");
  put("vendors/acme/spec_cpp/a.c.patch", "");
  refused("patch-broken", "/a.c.patch", "no unified diff");
  put("vendors/acme/spec_cpp/a.c.patch", PATCH_OF("odd", "new"));
  refused("patch-misfit", "/a.c.patch:4", "hunk 1 does not fit 'a.c'");
  put("vendors/acme/spec_cpp/a.c.patch", "--- a.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-old\n-b\n");
  refused("patch-deletes", "/a.c.patch", "deletes the whole file");
  put("vendors/acme/spec_cpp/a.c.patch",
      "--- a.c\n+++ a.c\n@@ -1,2 +1,2 @@\n+<<<<<<< o\n+=======\n+>>>>>>> t\n old\n b\n");
  refused("conflict-markers", "/a.c.patch:4", "has a conflict");
  put("vendors/acme/spec_cpp/a.c.patch", "--- a.c\n+++ a.c\n@@ -1,3 +1,2 @@\n-x\n old\n b\n");
  refused("patch-upstreamed", "/a.c.patch:3", "done there already, at line 1");
}

static void put_lock(const char *trunk_path, const char *text) {
  char id[SPEC_BLOB_ID_SIZE], lock[500];
  spec_blob_id(id, text, strlen(text));
  (void)snprintf(lock, sizeof lock, "# triton-spec lock 1\n%s\t%s\t-\n", trunk_path, id);
  put("vendors/acme/spec.lock", lock);
}

/* Where the lock knows the patch's base, a hunk goes to the line that it states. */
static void test_of_a_known_base(void **state) {
  (void)state;
  put("trunk/a.c", "x\nx\nx\n");
  put("vendors/acme/spec_cpp/a.c.patch", "--- a.c\n+++ a.c\n@@ -2 +2 @@\n-x\n+y\n");
  refused("patch-misfit", "/a.c.patch:3", "at several places");
  put_lock("a.c", "x\nx\nx\n");
  patched_text("a.c", "x\ny\nx\n");
  put_lock("a.c", "x\nx\n"); /* of another file */
  refused("patch-misfit", "/a.c.patch:3", "at several places");
  put("vendors/acme/spec.lock", "nonsense\n");
  refused("patch-misfit", "/a.c.patch:3", "at several places");
}

/* That of a lower layer tells of its own patches, and of nothing that lies over them. */
static void test_locks_of_layers(void **state) {
  (void)state;
  put("trunk/a.c", "x\nx\nx\n");
  put("vendors/acme/spec_cpp/a.c.patch", "--- a.c\n+++ a.c\n@@ -2 +2 @@\n-x\n+y\n");
  put_lock("a.c", "x\nx\nx\n");
  assert_int_equal(rename(at("vendors/acme"), at("vendors/base")), 0);
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  put("vendors/acme/spec_cpp/b.c", "");
  patched_text("a.c", "x\ny\nx\n");
  put("vendors/acme/spec_cpp/a.c.patch", "--- a.c\n+++ a.c\n@@ -1 +1 @@\n-x\n+z\n");
  put_lock("a.c", "x\ny\nx\n");
  refused("patch-misfit", "/acme/spec_cpp/a.c.patch:3", "at several places");
}

static void test_stage_holds_the_result(void **state) {
  (void)state;
  put("trunk/include/a.h", "old\n");
  put("vendors/acme/spec_cpp/include/a.h.patch", "--- a.h\n+++ a.h\n@@ -1 +1 @@\n-old\n+new\n");
  spec_plan *plan = sound_plan(&found);
  assert_int_equal(stage(plan, NULL), SPEC_OK);
  assert_string_equal(text_of("out/stage/include/a.h"), "new\n");
  spec_ftype type;
  assert_int_equal(spec_fs_link_type(&type, at("out/stage/include/a.h"), NULL), SPEC_OK);
  assert_int_equal(type, SPEC_FT_FILE);
  spec_plan_free(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_kinds),           IN_SCRATCH(test_mode),
      IN_SCRATCH(test_layers),          IN_SCRATCH(test_of_a_known_base),
      IN_SCRATCH(test_locks_of_layers), IN_SCRATCH(test_creation),
      IN_SCRATCH(test_faults),          IN_SCRATCH(test_stage_holds_the_result),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
