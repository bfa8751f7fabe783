/* provoking_patch.c: patches that each break one rule. */
#include "package/package.h"
#include "provoking.h"

#define DIFF "--- a.py\n+++ a.py\n"

static void patched(spec_finding finding, spec_severity severity, const char *patch,
                    const char *where, const char *word) {
  put("trunk/python/triton/a.py", "a\nb\nc\nd\n");
  put("vendors/acme/spec/triton/a.py.patch", patch);
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  assert_int_equal(spec_package_new(&package, plan, SPEC_PACKAGE_LIVE, NULL),
                   severity == SPEC_ERROR ? SPEC_EREFUSED : SPEC_OK);
  spec_plan_free(plan);
  expect(finding, severity, where, word);
}

void test_patch_findings(void **state) {
  (void)state;
  patched(SPEC_F_PATCH_BROKEN, SPEC_ERROR, DIFF "@@ -1 +1 @@\n", "/a.py.patch:3",
          "cannot be read: the hunk ends after 0 old and 0 new lines");
  patched(SPEC_F_PATCH_MISFIT, SPEC_ERROR, DIFF "@@ -1 +1 @@\n-x\n+y\n", "/a.py.patch:4",
          "hunk 1 does not fit 'python/triton/a.py'");
  patched(SPEC_F_PATCH_UPSTREAMED, SPEC_ERROR, DIFF "@@ -1,5 +1,4 @@\n a\n-x\n b\n c\n d\n",
          "/a.py.patch:3",
          "what hunk 1 does to 'python/triton/a.py' is done there already, at line 1");
  patched(SPEC_F_PATCH_DELETES, SPEC_ERROR,
          "--- a.py\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-a\n-b\n-c\n-d\n", "/a.py.patch",
          "deletes the whole file");
  patched(SPEC_F_PATCH_SYNTAX, SPEC_ERROR, DIFF "@@ -1,2 +1,2 @@\n-a\n+(a\n b\n", "/a.py.patch:5",
          "with the patch applied, 'python/triton/a.py' is no Python: ");
  patched(SPEC_F_PATCH_MOVED, SPEC_NOTE, DIFF "@@ -1,3 +1,3 @@\n b\n-c\n+x\n d\n", "/a.py.patch",
          "hunk 1 of 'python/triton/a.py' applies at line 2, 1 line later than it states");
  patched(SPEC_F_PATCH_LINE_ENDS, SPEC_NOTE, "--- a.py\r\n+++ a.py\r\n@@ -1 +1 @@\r\n-a\r\n+x\r\n",
          "/a.py.patch", "'spec/triton/a.py.patch' has lost its line ends");
}
