/* new_backend.c: templates filled in a temporary folder, locked, planned, and renamed. */
#include "core/new_backend.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/backend.h"
#include "core/blob_id.h"
#include "core/lock.h"
#include "core/template.h"
#include "core/vendor_files.h"
#include <string.h>

enum { NAME_MAX_BYTES = 32 };

/* Names that would be taken for something else: of Triton's own backends, of the one that templates
 * stand on, and Python's keywords that such a name can be. */
static const char *const taken_names[] = {
    "nvidia", "amd",    "cpu",     "triton",   "spec",     "and",    "as",   "assert",
    "async",  "await",  "break",   "class",    "continue", "def",    "del",  "elif",
    "else",   "except", "finally", "for",      "from",     "global", "if",   "import",
    "in",     "is",     "lambda",  "nonlocal", "not",      "or",     "pass", "raise",
    "return", "try",    "while",   "with",     "yield",
};

static int check_name(const char *name, spec_err *err) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
  bool sound = *name >= 'a' && *name <= 'z' && name[strspn(name, letters)] == '\0';
  if (!sound || strlen(name) > NAME_MAX_BYTES) {
    spec_fail(err, SPEC_EINVAL, "'%s' cannot be a backend's name", name);
    return spec_fail_mend(err, "take up to %d of a-z, 0-9 and '_', a letter first", NAME_MAX_BYTES);
  }
  for (size_t i = 0; i < sizeof taken_names / sizeof *taken_names; i++)
    if (strcmp(name, taken_names[i]) == 0) {
      spec_fail(err, SPEC_EINVAL, "'%s' has a meaning already, for Triton or for Python", name);
      return spec_fail_mend(err, "take another name");
    }
  return SPEC_OK;
}

static int fail_taken(const char *dir, spec_err *err) {
  spec_fail(err, SPEC_EINVAL, "'%s' is there already", dir);
  return spec_fail_mend(err, "nothing was written; take another name or --in another folder");
}

/* One line of the lock: what the trunk has at that path, of no known commit. */
static int lock_file(spec_arena *arena, spec_lock *lock, const char *root, const char *trunk,
                     spec_err *err) {
  char blob[SPEC_BLOB_ID_SIZE] = "-";
  spec_ftype type;
  const char *path = spec_path_join(arena, root, trunk);
  int rc = path == NULL ? spec_fail_memory(err) : spec_fs_type(&type, path, err);
  if (rc == 0 && type == SPEC_FT_FILE)
    rc = spec_blob_id_of_file(arena, blob, path, err);
  const spec_lock_line line = {.trunk = trunk, .blob = blob, .commit = "-"};
  return rc != 0 ? rc : spec_lock_set(lock, &line, err);
}

static int write_lock(spec_arena *arena, const spec_new_backend *what, const char *root,
                      spec_err *err) {
  spec_backend *layers;
  spec_vendor_file *files;
  size_t count, layer_count;
  spec_lock lock = {.arena = arena};
  int rc = spec_backend_layers(arena, &layers, &layer_count, what->name, &root, 1, err);
  if (rc == 0)
    rc = spec_vendor_files(arena, &files, &count, &layers[layer_count - 1], err);
  for (size_t i = 0; rc == 0 && i < count; i++)
    rc = lock_file(arena, &lock, what->trunk, files[i].trunk, err);
  return rc != 0 ? rc : spec_lock_write(&lock, NULL, layers[layer_count - 1].dir, err);
}

/* What a plan finds in the temporary folder is told of the templates, which stay. */
typedef struct telling {
  const spec_new_backend *what;
  spec_arena *arena;
  const char *dir;
} telling;

static void tell(void *user, const spec_event *event) {
  const telling *t = user;
  spec_event told = *event;
  const char *inside = event->where == NULL ? NULL : spec_path_below(event->where, t->dir);
  const char *template =
      inside == NULL ? NULL : spec_path_join(t->arena, t->what->templates, inside);
  if (template != NULL)
    told.where = template;
  t->what->on_event(t->what->user, &told);
}

static int check_plan(spec_arena *arena, const spec_new_backend *what, const char *root,
                      const char *dir, spec_err *err) {
  telling user = {what, arena, dir};
  spec_options options = {.trunk = what->trunk,
                          .backend = what->name,
                          .roots = &root,
                          .root_count = 1,
                          .strict_redundant = true,
                          .on_event = what->on_event == NULL ? NULL : tell,
                          .user = &user};
  spec_plan *plan = NULL;
  int rc = spec_plan_new(&plan, &options, err);
  spec_plan_free(plan);
  if (rc != SPEC_EREFUSED)
    return rc;
  spec_fail(err, SPEC_EREFUSED, "the overrides of a new backend do not stand against this trunk");
  spec_fail_where(err, "%s", what->trunk);
  spec_fail_mend(err, "nothing was written; they are made for triton-spec's small trunk: give "
                      "--trunk <checkout of triton-spec>/tests/trunk");
  return rc;
}

static int fill(spec_arena *arena, size_t *files, const spec_new_backend *what, const char *root,
                const char *dir, spec_err *err) {
  int rc = spec_template_fill(arena, files, what->templates, dir, what->name, err);
  if (rc == 0)
    rc = write_lock(arena, what, root, err);
  if (rc == 0)
    ++*files; /* spec.lock */
  return rc != 0 ? rc : check_plan(arena, what, root, dir, err);
}

int spec_new_backend_write(spec_arena *arena, size_t *files, const spec_new_backend *what,
                           spec_err *err) {
  const char *target = spec_path_join(arena, what->parent, what->name), *root = NULL, *dir;
  spec_ftype type = SPEC_FT_NONE;
  bool taken = false;
  int rc = check_name(what->name, err);
  if (rc == 0)
    rc = target == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, target, err);
  if (rc == 0 && type != SPEC_FT_NONE)
    return fail_taken(target, err);
  if (rc == 0)
    rc = spec_fs_mkdirs(what->parent, err);
  if (rc == 0)
    rc = spec_fs_temporary_folder(arena, &root, target, err);
  if (rc != 0)
    return rc;
  *files = 0;
  dir = spec_path_join(arena, root, what->name);
  rc = dir == NULL ? spec_fail_memory(err) : fill(arena, files, what, root, dir, err);
  if (rc == 0)
    rc = spec_fs_rename_folder(dir, target, &taken, err);
  if (rc == 0 && taken)
    rc = fail_taken(target, err);
  (void)spec_fs_remove_tree(root, NULL);
  return rc;
}
