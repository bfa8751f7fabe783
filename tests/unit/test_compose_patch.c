/* A patch in the merged package: what the module holds, and whose lines they stay. */
#include "base/path.h"
#include "core/blob_id.h"
#include "package/package.h"
#include "planning.h"

#include <stdio.h>
#include <string.h>

static findings found;

#define MODULE "trunk/python/triton/a.py"
#define PATCH  "spec/triton/a.py.patch"
#define DIFF   "--- a.py\n+++ a.py\n"

static const spec_member *member_of(spec_plan *plan, spec_package *package, int wanted) {
  spec_err err = {0};
  int rc = spec_package_new(package, plan, SPEC_PACKAGE_LIVE, &err);
  if (rc != wanted)
    print_error("%s %s\n", err.what, found.count > 0 ? found.items[0].message : "");
  assert_int_equal(rc, wanted);
  return rc == 0 ? spec_package_find(package, "triton/a.py") : NULL;
}

static void assert_text(const spec_member *member, const char *text) {
  assert_non_null(member);
  assert_int_equal(member->origin, SPEC_MADE);
  assert_null(member->file);
  assert_string_equal(member->text, text);
  assert_int_equal(member->len, strlen(text));
}

/* "<line>+<count> <name>:<line>" for each span, joined by "; ". */
static void assert_spans(const spec_member *member, const char *wanted) {
  char text[500] = "";
  size_t n = 0;
  for (size_t i = 0; i < member->span_count; i++) {
    const spec_span *s = &member->spans[i];
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%zu+%zu %s:%zu", i > 0 ? "; " : "", s->line,
                          s->count, spec_path_basename(s->file), s->file_line);
  }
  assert_string_equal(text, wanted);
}

static void test_over_the_trunk(void **state) {
  (void)state;
  put(MODULE, "a\nb\nc\nd\n");
  put("vendors/acme/" PATCH, DIFF "@@ -1,4 +1,5 @@\n a\n-b\n+B\n+n\n c\n d\n");
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  const spec_member *a = member_of(plan, &package, SPEC_OK);
  assert_text(a, "a\nB\nn\nc\nd\n");
  assert_spans(a, "1+1 a.py:1; 2+2 a.py.patch:6; 4+2 a.py:3");
  assert_string_equal(a->spans[0].file, at(MODULE));
  assert_string_equal(a->spans[1].file, at("vendors/acme/" PATCH));
  assert_false(a->executable);
  assert_int_equal(found.count, 0);
  assert_null(spec_package_find(&package, "triton/a.py.patch"));
  spec_plan_free(plan);
}

/* Three layers: the first replaces the module, the others patch what comes of it. */
static void test_over_other_layers(void **state) {
  (void)state;
  put(MODULE, "trunk\n");
  put("vendors/one/spec/triton/a.py", "a\nb\nc\nd\n");
  put("vendors/one/spec.ini", "[policy]\na.py = whole\n");
  put("vendors/two/" PATCH, DIFF "@@ -1,3 +1,4 @@\n a\n+two\n b\n c\n");
  put("vendors/two/spec.ini", "[backend]\nbase = one\n");
  put("vendors/acme/" PATCH, "diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n" DIFF
                             "@@ -2,3 +2,4 @@\n two\n b\n+acme\n c\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = two\n");
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  const spec_member *a = member_of(plan, &package, SPEC_OK);
  assert_text(a, "a\ntwo\nb\nacme\nc\nd\n");
  assert_spans(a, "1+1 a.py:1; 2+1 a.py.patch:5; 3+1 a.py:2; 4+1 a.py.patch:9; 5+2 a.py:3");
  assert_string_equal(a->spans[0].file, at("vendors/one/spec/triton/a.py"));
  assert_string_equal(a->spans[1].file, at("vendors/two/" PATCH));
  assert_string_equal(a->spans[3].file, at("vendors/acme/" PATCH));
  assert_true(a->executable);
  spec_plan_free(plan);
}

/* Two patches over the trunk's module: what is left of it is the trunk's. */
static void test_over_another_patch(void **state) {
  (void)state;
  put(MODULE, "a\nb\nc\nd\n");
  put("vendors/one/" PATCH, DIFF "@@ -1,3 +1,4 @@\n a\n+one\n b\n c\n");
  put("vendors/acme/" PATCH, DIFF "@@ -1,3 +1,4 @@\n a\n one\n+acme\n b\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = one\n");
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  const spec_member *a = member_of(plan, &package, SPEC_OK);
  assert_text(a, "a\none\nacme\nb\nc\nd\n");
  assert_spans(a, "1+1 a.py:1; 2+1 a.py.patch:5; 3+1 a.py.patch:6; 4+3 a.py:2");
  spec_plan_free(plan);
}

/* Every hunk that does not fit is told, not only the first. */
static void test_all_misfits_are_told(void **state) {
  (void)state;
  put(MODULE, "a\nb\nc\nd\n");
  put("vendors/acme/" PATCH,
      DIFF "@@ -1 +1 @@\n-x\n+y\n@@ -2 +2 @@\n-b\n+B\n@@ -3 +3 @@\n-y\n+z\n");
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  (void)member_of(plan, &package, SPEC_EREFUSED);
  assert_int_equal(found.count, 2);
  assert_non_null(strstr(found.items[0].message, "hunk 1 does not fit"));
  assert_non_null(strstr(found.items[1].message, "hunk 3 does not fit"));
  spec_plan_free(plan);
}

/* A hunk that is done already is an error, or a warning where redundancy is one. */
static void test_upstreamed_may_be_a_warning(void **state) {
  (void)state;
  put(MODULE, "a\nB\nc\nd\n");
  put("vendors/acme/" PATCH, DIFF "@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n d\n");
  for (int strict = 0; strict < 2; strict++) {
    spec_plan *plan = sound_plan(&found);
    spec_package package;
    plan->strict_redundant = strict != 0;
    const spec_member *a = member_of(plan, &package, strict ? SPEC_EREFUSED : SPEC_OK);
    assert_int_equal(find_said(&found, "patch-upstreamed")->severity,
                     strict ? SPEC_ERROR : SPEC_WARNING);
    if (!strict)
      assert_text(a, "a\nB\nc\nd\n");
    spec_plan_free(plan);
  }
}

static void test_creating_what_exists(void **state) {
  (void)state;
  put(MODULE, "a\n");
  put("vendors/acme/" PATCH, "--- /dev/null\n+++ a.py\n@@ -0,0 +1 @@\n+x\n");
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  (void)member_of(plan, &package, SPEC_EREFUSED);
  assert_non_null(strstr(find_said(&found, "patch-misfit")->message, "which exists"));
  spec_plan_free(plan);
}

static void test_memory(void **state) {
  (void)state;
  put(MODULE, "a\nb\nc\nd\n");
  put("vendors/acme/" PATCH, DIFF "@@ -2,4 +2,4 @@\n a\n-b\n+B\n c\n d\n");
  int rc = SPEC_ENOMEM;
  size_t n = 0;
  while (rc == SPEC_ENOMEM) {
    spec_plan *plan = sound_plan(&found);
    spec_package package;
    spec_err err = {0};
    (void)spec_arena_fail_at(++n);
    rc = spec_package_new(&package, plan, SPEC_PACKAGE_LIVE, &err);
    (void)spec_arena_fail_at(0);
    assert_true(rc == SPEC_OK || rc == SPEC_ENOMEM);
    spec_plan_free(plan);
  }
  assert_true(n > 30);
}

/* A module that the trunk lacks, and one that fails to be made. */
static void test_creation(void **state) {
  (void)state;
  put("trunk/python/triton/b.py", "");
  put("vendors/acme/" PATCH, "--- /dev/null\n+++ a.py\n@@ -0,0 +1,2 @@\n+a = 1\n+b = 2\n");
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  const spec_member *a = member_of(plan, &package, SPEC_OK);
  assert_text(a, "a = 1\nb = 2\n");
  assert_spans(a, "1+2 a.py.patch:4");
  spec_plan_free(plan);
  put("vendors/acme/" PATCH, "--- /dev/null\n+++ a.py\n@@ -0,0 +1 @@\n+(\n");
  plan = sound_plan(&found);
  (void)member_of(plan, &package, SPEC_EREFUSED);
  assert_non_null(find_said(&found, "patch-syntax"));
  spec_plan_free(plan);
}

/* Data is patched like a module, but is no Python. */
static void test_data(void **state) {
  (void)state;
  put("trunk/python/triton/x.json", "{\n\"a\": 1\n}\n");
  put("vendors/acme/spec/triton/x.json.patch",
      "--- x.json\n+++ x.json\n@@ -1,3 +1,3 @@\n {\n-\"a\": 1\n+\"a\": 2\n }\n");
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  (void)member_of(plan, &package, SPEC_OK);
  assert_text(spec_package_find(&package, "triton/x.json"), "{\n\"a\": 2\n}\n");
  assert_null(spec_package_find(&package, "triton/x.json.patch"));
  assert_int_equal(found.count, 0);
  spec_plan_free(plan);
}

/* A lock that knows the module makes the stated line the place. */
static void test_of_a_known_base(void **state) {
  (void)state;
  char id[SPEC_BLOB_ID_SIZE], lock[200];
  put(MODULE, "a\na\na\n");
  put("vendors/acme/" PATCH, DIFF "@@ -2 +2 @@\n-a\n+b\n");
  spec_blob_id(id, "a\na\na\n", 6);
  (void)snprintf(lock, sizeof lock, "# triton-spec lock 1\npython/triton/a.py\t%s\t-\n", id);
  put("vendors/acme/spec.lock", lock);
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  assert_text(member_of(plan, &package, SPEC_OK), "a\nb\na\n");
  spec_plan_free(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_over_the_trunk),
      IN_SCRATCH(test_over_other_layers),
      IN_SCRATCH(test_over_another_patch),
      IN_SCRATCH(test_all_misfits_are_told),
      IN_SCRATCH(test_upstreamed_may_be_a_warning),
      IN_SCRATCH(test_creating_what_exists),
      IN_SCRATCH(test_creation),
      IN_SCRATCH(test_data),
      IN_SCRATCH(test_of_a_known_base),
      IN_SCRATCH(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
