/* The merged tree as a plain folder: what it holds, exporting again, and runs that are stopped. */
#define _XOPEN_SOURCE 700
#include "base/digest.h"
#include "base/fs.h"
#include "export.h"
#include "whole.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static findings found;
static spec_exported done;
static spec_err err;

static int export_as(spec_export_mode mode) {
  spec_plan *plan;
  err = (spec_err){0};
  int rc = plan_backend(&found, &plan, "acme", &err);
  if (rc == SPEC_OK)
    rc = spec_build_export(&done, plan, at("tree"), mode, at("functions"), &err);
  spec_plan_free(plan);
  return rc;
}

static void export_soundly(void) {
  put("functions", "functions");
  int rc = export_as(SPEC_EXPORT_COPY);
  if (rc != SPEC_OK)
    print_error("%d %s: %s\n", rc, err.where, err.what);
  assert_int_equal(rc, SPEC_OK);
}

static void refused(const char *word) {
  int rc = export_as(SPEC_EXPORT_COPY);
  if (rc >= 0 || strstr(err.what, word) == NULL)
    print_error("%d: '%s' is not in '%s'\n", rc, word, err.what);
  assert_true(rc == SPEC_EINVAL || rc == SPEC_EPARSE);
  assert_non_null(strstr(err.what, word));
  assert_true(err.where[0] != '\0' && err.mend[0] != '\0');
}

static bool exists(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0;
}

/* Feeds names, types and contents of all that lies in a folder. */
static void add_folder(spec_digest *digest, const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, alphasort);
  assert_true(count >= 0);
  for (int i = 0; i < count; i++) {
    char child[4096];
    struct stat st;
    const char *name = entries[i]->d_name;
    assert_true(snprintf(child, sizeof child, "%s/%s", path, name) < (int)sizeof child);
    assert_int_equal(lstat(child, &st), 0);
    spec_digest_str(digest, name);
    if (S_ISDIR(st.st_mode) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
      spec_digest_str(digest, "(");
      add_folder(digest, child);
      spec_digest_str(digest, ")");
    } else if (S_ISREG(st.st_mode)) {
      spec_digest_str(digest, text_of(child));
    } else if (S_ISLNK(st.st_mode)) {
      spec_digest_str(digest, "->");
    }
    free(entries[i]);
  }
  free(entries);
}

typedef struct snapshot {
  char hex[33];
} snapshot;

static snapshot take(const char *path) {
  spec_arena *arena;
  snapshot out;
  assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
  spec_digest *digest = spec_digest_new(arena);
  add_folder(digest, path);
  spec_digest_hex(digest, out.hex);
  spec_arena_free(arena);
  return out;
}

/* --- what it holds --------------------------------------------------------------------------- */

static void test_merged_tree(void **state) {
  (void)state;
  put_whole();
  export_soundly();
  assert_true(holds_text("tree/CMakeLists.txt", "top"));
  assert_true(holds_text("tree/lib/CMakeLists.txt", "vendor"));
  assert_true(
      holds_text("tree/lib/a.cpp", "#include \"x/X.h\"\n#include \"Local.h\"\n// vendor\n"));
  assert_true(holds_text("tree/lib/b.cpp", "#include <x/Y.h>\n"));
  assert_true(holds_text("tree/lib/Added.cpp", "#include \"Local.h\"\n"));
  assert_true(holds_text("tree/include/x/Y.h", "base"));
  assert_true(holds_text("tree/python/src/ir.cc", "vendor"));
  assert_true(holds_text("tree/python/triton/spec/acme/triton/__init__.py", "hooks"));
  assert_true(holds_text("tree/python/triton/language/new.py", "vendor"));
  assert_false(exists("tree/lib/removed.cpp"));
  assert_int_equal(done.removed, 1);
  assert_true(done.has_script);
  /* of a layer outside the trunk with a spec.cmake: all that this may name */
  assert_true(holds_text("tree/.triton-spec/acme/spec.cmake", "vendor"));
  assert_true(holds_text("tree/.triton-spec/acme/spec_cpp/lib/CMakeLists.txt", "vendor"));
  assert_false(exists("tree/.triton-spec/base"));
  assert_true(holds_text("tree/.triton-spec/SpecExport.cmake", "functions"));
  const char *script = text_of("tree/.triton-spec/overlay.cmake");
  assert_non_null(strstr(script, "\"lib/removed.cpp\""));
  assert_non_null(strstr(script, "\".triton-spec/acme/spec.cmake\""));
  assert_false(exists("tree/.triton-spec/writing.json"));
}

static const json_t *origin_of(const json_t *root, const char *path) {
  const json_t *files = json_object_get(root, "files");
  for (size_t i = 0; i < json_array_size(files); i++) {
    const json_t *entry = json_array_get(files, i);
    if (strcmp(json_string_value(json_object_get(entry, "path")), path) == 0)
      return entry;
  }
  return NULL;
}

static const char *member(const json_t *entry, const char *key) {
  return json_string_value(json_object_get(entry, key));
}

static void test_origins(void **state) {
  (void)state;
  put_whole();
  export_soundly();
  const char *text = text_of("tree/.triton-spec/origin.json");
  json_t *root;
  assert_int_equal(spec_json_parse(&root, text, strlen(text), "origin", NULL), SPEC_OK);
  const json_t *trunk = origin_of(root, "lib/b.cpp"), *base = origin_of(root, "include/x/Y.h"),
               *hooks = origin_of(root, "python/triton/spec/acme/triton/__init__.py");
  assert_string_equal(member(trunk, "from"), "trunk");
  assert_int_equal(strlen(member(trunk, "digest")), 32);
  assert_null(member(trunk, "layer"));
  assert_string_equal(member(base, "layer"), "base");
  assert_string_equal(member(base, "action"), "replace");
  assert_string_equal(member(base, "vendor"), at("vendors/base/spec_cpp/include/x/Y.h"));
  assert_string_equal(member(hooks, "action"), "hooks");
  assert_null(origin_of(root, "lib/removed.cpp"));
  assert_int_equal(json_array_size(json_object_get(root, "files")),
                   done.trunk_files + done.vendor_files);
  json_decref(root);
}

static void test_links_of_the_trunk(void **state) {
  (void)state;
  put("trunk/real/a.h", "a");
  put("trunk/.git", "gitdir: elsewhere");
  put_folder("trunk/sub");
  put_link("../real/a.h", "trunk/sub/file.h");
  put_link(at("trunk/real"), "trunk/sub/folder");
  put_link("gone", "trunk/sub/gone");
  put("vendors/acme/spec_cpp/real/b.h", "b");
  export_soundly();
  assert_true(holds_text("tree/sub/file.h", "a"));
  assert_true(is_link_to("tree/sub/folder", "../real"));
  assert_true(holds_text("tree/sub/folder/b.h", "b"));
  assert_false(exists("tree/sub/gone") || exists("tree/.git"));
  put("outside/c.h", "c");
  put_link(at("outside"), "trunk/sub/outside");
  refused("link to a folder outside");
  assert_int_equal(export_as(SPEC_EXPORT_LINKS), SPEC_OK);
  assert_true(is_link_to("tree/sub/outside", at("outside")));
}

static void test_override_below_a_linked_folder(void **state) {
  (void)state;
  put("trunk/real/a.h", "a");
  put("trunk/real/b.h", "b");
  put_link("real", "trunk/linked");
  put("vendors/acme/spec_cpp/linked/a.h", "vendor");
  export_soundly();
  assert_true(holds_text("tree/linked/a.h", "vendor") && holds_text("tree/linked/b.h", "b"));
  assert_true(holds_text("tree/real/a.h", "a"));
}

static void test_modes(void **state) {
  (void)state;
  put_whole();
  assert_int_equal(chmod("trunk/lib/b.cpp", 0555), 0);
  export_soundly();
  struct stat st;
  assert_int_equal(stat("tree/lib/b.cpp", &st), 0);
  assert_int_equal(st.st_mode & 0777, 0555);
  snapshot copies = take("tree");
  assert_int_equal(export_as(SPEC_EXPORT_LINKS), SPEC_OK);
  assert_true(is_link_to("tree/lib/b.cpp", at("trunk/lib/b.cpp")));
  assert_true(is_link_to("tree/lib/a.cpp", at("vendors/acme/spec_cpp/lib/a.cpp")));
  export_soundly();
  assert_string_equal(take("tree").hex, copies.hex);
  int rc = export_as(SPEC_EXPORT_REFLINK); /* equal files stay, whatever the disk can do */
  assert_int_equal(rc, SPEC_OK);
}

/* --- exporting again ------------------------------------------------------------------------- */

static void test_twice_is_once(void **state) {
  (void)state;
  put_whole();
  export_soundly();
  snapshot first = take("tree");
  struct stat before, after;
  assert_int_equal(stat("tree/.triton-spec/origin.json", &before), 0);
  export_soundly();
  assert_string_equal(take("tree").hex, first.hex);
  assert_int_equal(stat("tree/.triton-spec/origin.json", &after), 0);
  assert_int_equal(before.st_ino, after.st_ino);
  assert_int_equal(done.pruned, 0);
}

static void test_what_goes_and_what_stays(void **state) {
  (void)state;
  put_whole();
  put("vendors/acme/spec_cpp/new/deep/x.h", "");
  export_soundly();
  put("tree/build/own.o", "somebody's");
  put("tree/new/own.txt", "somebody's");
  put("tree/lib/b.cpp", "edited");
  assert_int_equal(unlink("vendors/acme/spec_cpp/new/deep/x.h"), 0);
  assert_int_equal(unlink("vendors/acme/spec_cpp/lib/a.cpp"), 0);
  assert_int_equal(unlink("vendors/acme/spec_cpp/lib/Added.cpp"), 0);
  assert_int_equal(unlink("vendors/acme/spec.cmake"), 0);
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n[policy]\ntriton/knobs.py = whole\n");
  export_soundly();
  assert_true(holds_text("tree/lib/a.cpp", "base") && exists("tree/lib/removed.cpp"));
  assert_false(exists("tree/lib/Added.cpp") || exists("tree/new/deep"));
  assert_false(exists("tree/.triton-spec/overlay.cmake") || exists("tree/.triton-spec/acme"));
  assert_false(exists("tree/.triton-spec/SpecExport.cmake") || done.has_script);
  assert_true(holds_text("tree/lib/b.cpp", "#include <x/Y.h>\n"));
  assert_true(exists("tree/build/own.o") && exists("tree/new/own.txt"));
}

static void test_files_and_folders_change_places(void **state) {
  (void)state;
  put("trunk/a", "a");
  put("trunk/d/x", "x");
  put("vendors/acme/spec_cpp/x.h", "");
  export_soundly();
  assert_int_equal(unlink("trunk/a") | unlink("trunk/d/x") | rmdir("trunk/d"), 0);
  put("trunk/a/deep/x", "x");
  put("trunk/d", "d");
  export_soundly();
  assert_true(holds_text("tree/a/deep/x", "x") && holds_text("tree/d", "d"));
}

static void test_nothing_is_removed_through_links(void **state) {
  (void)state;
  put("trunk/lib/a.c", "a");
  put("vendors/acme/spec_cpp/lib/b.c", "b");
  export_soundly();
  put("precious/b.c", "precious");
  assert_int_equal(rename("tree/lib", "elsewhere"), 0);
  put_link(at("precious"), "tree/lib");
  assert_int_equal(unlink("vendors/acme/spec_cpp/lib/b.c"), 0);
  put("vendors/acme/spec_cpp/lib/c.c", "c");
  export_soundly();
  assert_true(holds_text("precious/b.c", "precious") && !exists("precious/c.c"));
  assert_true(holds_text("tree/lib/c.c", "c"));
}

/* --- refused --------------------------------------------------------------------------------- */

static void test_refused_folders(void **state) {
  (void)state;
  put_whole();
  put("tree/x", "");
  refused("is not empty");
  assert_int_equal(count_entries("tree"), 1);
  assert_int_equal(unlink("tree/x"), 0);
  put("tree/.triton-spec/x", "");
  refused("holds what no export made");
  assert_int_equal(unlink("tree/.triton-spec/x") | rmdir("tree/.triton-spec") | rmdir("tree"), 0);
  put("tree", "");
  refused("is none");
  assert_int_equal(unlink("tree"), 0);
  put_link(at("trunk"), "tree");
  refused("holds");
  assert_int_equal(unlink("tree"), 0);
  put_link(at("trunk/new"), "tree");
  put_folder("trunk/new");
  refused("lies in");
  assert_int_equal(unlink("tree"), 0);
  put_link(at("vendors"), "tree");
  refused("holds");
  assert_int_equal(unlink("tree"), 0);
  put("trunk/.triton-spec/origin.json", "{}");
  refused("is an export itself");
}

static void test_forged_lists(void **state) {
  (void)state;
  put_whole();
  put("precious", "");
  static const char *const lists[] = {
      "",
      "{}",
      "[]",
      "{\"files\": {}}",
      "{\"files\": [1]}",
      "{\"files\": [{\"path\": 1}]}",
      "{\"files\": [{\"path\": \"../precious\"}]}",
      "{\"files\": [{\"path\": \"..\"}]}",
      "{\"files\": [{\"path\": \"/etc\"}]}",
      "{\"files\": [{\"path\": \"a/../../precious\"}]}",
  };
  for (size_t i = 0; i < COUNT(lists); i++) {
    put("tree/.triton-spec/origin.json", lists[i]);
    refused("");
    assert_true(exists("precious"));
  }
}

/* --- stopped --------------------------------------------------------------------------------- */

static void put_change(bool on) {
  put("vendors/acme/spec_cpp/lib/b.cpp", on ? "// vendor\n" : "// old\n");
  put(on ? "vendors/acme/spec_cpp/on/x.h" : "vendors/acme/spec_cpp/off/x.h", "");
  (void)unlink(on ? "vendors/acme/spec_cpp/off/x.h" : "vendors/acme/spec_cpp/on/x.h");
}

/* Each system call fails in a run of its own, with all later ones: as if it had been killed there.
 */
static void test_stopped_anywhere(void **state) {
  (void)state;
  put_whole();
  put("functions", "functions");
  put_change(true);
  export_soundly();
  const snapshot after = take("tree");
  size_t step = getenv("SPEC_TEST_FULL") != NULL ? 1 : 11, descriptors = count_descriptors();
  size_t stops = 0;
  for (size_t n = 1;; n += step) {
    put_change(false);
    export_soundly();
    put_change(true);
    (void)spec_fs_fail_at(n, EIO);
    int rc = export_as(SPEC_EXPORT_COPY);
    if (spec_fs_fail_at(0, 0) < n)
      break;
    stops += rc != SPEC_OK;
    assert_true(rc == SPEC_OK || (rc == SPEC_EIO && err.what[0] != '\0' && err.where[0] != '\0'));
    if (exists("tree/.triton-spec/writing.json")) /* what a process leaves that is killed */
      put("tree/lib/.b.cpp.12.3.tmp", "half");
    export_soundly();
    if (strcmp(take("tree").hex, after.hex) != 0)
      print_error("stopped at call %zu\n", n);
    assert_string_equal(take("tree").hex, after.hex);
  }
  assert_true(stops > 20);
  assert_int_equal(count_descriptors(), descriptors);
}

static void test_first_run_stopped(void **state) {
  (void)state;
  put_whole();
  put_folder("tree/.triton-spec");
  put("tree/.triton-spec/.writing.json.7.0.tmp", "half");
  export_soundly();
  assert_false(exists("tree/.triton-spec/.writing.json.7.0.tmp"));
}

static void test_out_of_memory(void **state) {
  (void)state;
  put_whole();
  put("functions", "functions");
  export_soundly();
  const snapshot whole = take("tree");
  for (size_t n = 1;; n += 3) {
    (void)spec_arena_fail_at(n);
    int rc = export_as(SPEC_EXPORT_COPY);
    bool reached = spec_arena_fail_at(0) >= n;
    if (rc != (reached ? SPEC_ENOMEM : SPEC_OK))
      print_error("allocation %zu: %d %s\n", n, rc, err.what);
    assert_int_equal(rc, reached ? SPEC_ENOMEM : SPEC_OK);
    if (!reached)
      break;
  }
  export_soundly();
  assert_string_equal(take("tree").hex, whole.hex);
}

/* A module that a patch makes is a text of neither folder: it is written, whatever the mode. */
static void test_patched_modules(void **state) {
  (void)state;
  static const char patch[] = "--- a.py\n+++ a.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n";
  put("functions", "");
  put("trunk/python/triton/a.py", "a\nb\nc\n");
  put("vendors/base/spec/triton/b.py", "a\nb\nc\n"); /* an addition that another layer patches */
  put("vendors/acme/spec/triton/a.py.patch", patch);
  put("vendors/acme/spec/triton/b.py.patch", "--- b.py\n+++ b.py\n@@ -3 +3,2 @@\n c\n+d\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  for (int mode = SPEC_EXPORT_COPY; mode <= SPEC_EXPORT_LINKS; mode++) {
    assert_int_equal(export_as((spec_export_mode)mode), SPEC_OK);
    assert_true(holds_text("tree/python/triton/a.py", "a\nB\nc\n"));
    assert_true(holds_text("tree/python/triton/b.py", "a\nb\nc\nd\n"));
    assert_false(exists("tree/python/triton/a.py.patch"));
  }
  put("vendors/acme/spec/triton/a.py.patch", "");
  assert_int_equal(export_as(SPEC_EXPORT_COPY), SPEC_EREFUSED);
  assert_non_null(find_said(&found, "patch-broken"));
  assert_true(holds_text("tree/python/triton/a.py", "a\nB\nc\n")); /* as it was */
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_patched_modules),
      IN_SCRATCH(test_merged_tree),
      IN_SCRATCH(test_origins),
      IN_SCRATCH(test_links_of_the_trunk),
      IN_SCRATCH(test_override_below_a_linked_folder),
      IN_SCRATCH(test_modes),
      IN_SCRATCH(test_twice_is_once),
      IN_SCRATCH(test_what_goes_and_what_stays),
      IN_SCRATCH(test_files_and_folders_change_places),
      IN_SCRATCH(test_nothing_is_removed_through_links),
      IN_SCRATCH(test_refused_folders),
      IN_SCRATCH(test_forged_lists),
      IN_SCRATCH(test_stopped_anywhere),
      IN_SCRATCH(test_first_run_stopped),
      IN_SCRATCH(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
