/* Placing a small overlay among any targets: an answer or an error that names a line; and what is
 * written for CMake is text in which every quote closes and nothing lies outside the stage. */
#define _XOPEN_SOURCE 700

#include "fuzz.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/path.h"
#include "spec_build.h"

#include <string.h>

static spec_arena *arena; /* of the tree's paths; lives as long as the program */
static const char *root;

static const char *const files[][2] = {
    {"trunk/lib/a.c", "#include \"h.h\"\n#include <x/y.h>\n"},
    {"trunk/lib/b.c", "#include NAME\n#include \"../include/x/y.h\"\n"},
    {"trunk/lib/h.h", "#include_next <x/y.h>\n"},
    {"trunk/include/x/y.h", ""},
    {"trunk/include/o.td", "include \"x/b.td\"\n"},
    {"trunk/include/x/b.td", ""},
    {"vendors/acme/spec_cpp/lib/a.c", "#include \"h.h\"\n// vendor\n"},
    {"vendors/acme/spec_cpp/lib/n.c", ""},
    {"vendors/acme/spec_cpp/include/x/y.h", "// vendor\n"},
    {"vendors/acme/spec_cpp/include/x/b.td", "// vendor\n"},
    {"vendors/acme/spec.ini", "[remove]\npath = lib/b.c\n"},
};

static void remove_root(void) {
  (void)spec_fs_remove_tree(root, NULL);
  spec_arena_free(arena);
}

static void make_root(void) {
  static char name[] = "/tmp/spec-fuzz-XXXXXX";
  CHECK(mkdtemp(name) != NULL && spec_arena_new(&arena, NULL) == SPEC_OK);
  spec_json_init();
  root = name;
  CHECK(atexit(remove_root) == 0);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *path = spec_path_join(arena, root, files[i][0]);
    CHECK(spec_fs_mkdirs(spec_path_dirname(arena, path), NULL) == SPEC_OK);
    CHECK(spec_fs_write(path, files[i][1], strlen(files[i][1]), false, NULL, NULL) == SPEC_OK);
  }
}

/* Quotes close, and a backslash stands before another character. */
static void check_cmake(const char *text) {
  bool quoted = false;
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '\\')
      CHECK(*++p != '\0');
    else if (*p == '"')
      quoted = !quoted;
  }
  CHECK(!quoted);
}

/* Runs both steps of a build with this target list. */
static void place(spec_arena *run, const char *out, const char *list) {
  const char *const roots[] = {spec_path_join(run, root, "vendors")};
  const spec_options options = {.trunk = spec_path_join(run, root, "trunk"),
                                .backend = "acme",
                                .roots = roots,
                                .root_count = 1};
  spec_plan *plan;
  spec_err err = {0};
  CHECK(spec_plan_new(&plan, &options, &err) == SPEC_OK);
  int rc = spec_build_place(plan, out, list, false, &err);
  spec_plan_free(plan);
  if (rc != SPEC_OK && rc != SPEC_EREFUSED && rc != SPEC_EPARSE)
    (void)fprintf(stderr, "%d: %s\n", rc, err.what);
  CHECK(rc == SPEC_OK || rc == SPEC_EREFUSED || (rc == SPEC_EPARSE && err.where[0] != '\0'));
  const char *text;
  size_t len;
  if (rc != SPEC_OK)
    return;
  CHECK(spec_fs_read(run, &text, &len, spec_path_join(run, out, "place.cmake"), NULL) == SPEC_OK);
  check_cmake(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (root == NULL)
    make_root();
  spec_arena *run;
  CHECK(spec_arena_new(&run, NULL) == SPEC_OK);
  /* '@' is where the trees lie, so that a corpus fits everywhere. */
  spec_buf text = {0};
  for (size_t i = 0; i < size; i++)
    if (data[i] == '@')
      spec_buf_str(&text, root);
    else
      spec_buf_add(&text, (const char *)data + i, 1);
  const char *list = spec_path_join(run, root, "targets.txt");
  CHECK(spec_fs_write(list, spec_buf_text(&text), text.len, false, NULL, NULL) == SPEC_OK);
  place(run, spec_path_join(run, root, "out"), list);
  spec_buf_dispose(&text);
  spec_arena_free(run);
  return 0;
}
