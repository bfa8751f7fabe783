/* stands.c: whether a step would only do again what the last run did.
 *
 * Most configure runs change nothing for the overlay.  The record of the last one then tells so
 * for one system call a look, where a step would read and write everything. */
#include "core/results.h"
#include "spec_build.h"
#include "steps.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

/* --- adding to the record --- */

/* The program's file: another program may come to other results. */
static int find_program(spec_arena *arena, const char **out, spec_err *err) {
  spec_looks *before = spec_fs_trace(NULL);
  int rc = spec_fs_real(arena, out, "/proc/self/exe", err);
  (void)spec_fs_trace(before);
  return rc;
}

/* Looks at a file's bytes, or at a folder and all folders in it; links are not followed. */
static int look_at(spec_arena *arena, const char *path, spec_err *err) {
  spec_ftype type;
  const char *data;
  spec_dirent *entries;
  size_t count;
  int rc = spec_fs_link_type(&type, path, err);
  if (rc == 0 && type == SPEC_FT_FILE)
    return spec_fs_read(arena, &data, &count, path, err);
  if (rc != 0 || type != SPEC_FT_DIR)
    return rc;
  rc = spec_fs_list(arena, &entries, &count, path, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *below = spec_path_join(arena, path, entries[i].name);
    if (below == NULL)
      return spec_fail_memory(err);
    if (entries[i].type == SPEC_FT_DIR)
      rc = look_at(arena, below, err);
  }
  return rc;
}

/* Traces looks at the program and at these names in the folder. */
static int note(spec_record *record, const spec_plan *plan, const char *out,
                const char *const *names, size_t count, spec_err *err) {
  const char *program;
  if (plan->report.said > 0)
    return SPEC_OK;
  spec_looks *before = spec_fs_trace(record->looks);
  int rc = find_program(plan->arena, &program, err);
  if (rc == 0)
    rc = look_at(plan->arena, program, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *path = spec_path_join(plan->arena, out, names[i]);
    rc = path == NULL ? spec_fail_memory(err) : look_at(plan->arena, path, err);
  }
  (void)spec_fs_trace(before);
  return rc == 0 && spec_looks_failed(record->looks) ? spec_fail_memory(err) : rc;
}

int spec_step_note_stage(spec_record *record, const spec_plan *plan, const char *out,
                         spec_err *err) {
  static const char *const names[] = {"plan.cmake", "tblgen", "python"};
  return note(record, plan, out, names, sizeof names / sizeof *names, err);
}

int spec_step_note_place(spec_record *record, const spec_plan *plan, const char *out,
                         spec_err *err) {
  static const char *const names[] = {"place.cmake", "log.txt", "targets.txt", "stage"};
  return note(record, plan, out, names, sizeof names / sizeof *names, err);
}

/* --- asking it --- */

typedef struct asker {
  const spec_record *then;
  spec_err *err;
} asker;

/* 1 when the look sees something else now. */
static int differs(void *user, spec_look_kind kind, const char *path, const spec_look *then) {
  const asker *a = user;
  spec_look now;
  bool touched;
  if (kind == SPEC_LOOK_PAST)
    return 0;
  int rc = spec_fs_look_again(&now, &touched, (int)kind, path, then,
                              spec_looks_time(a->then->looks), a->err);
  if (rc != 0)
    return rc;
  return spec_look_is_same(kind, then, &now) ? 0 : 1;
}

static bool has_options(const spec_record *r, const spec_options *options, const char *cwd,
                        spec_arena *arena) {
  const char *trunk = spec_path_resolve(arena, cwd, options->trunk);
  bool same = trunk != NULL && strcmp(r->trunk, trunk) == 0 &&
              strcmp(r->backend, options->backend) == 0 &&
              r->strict_redundant == options->strict_redundant && r->drift == options->drift &&
              r->root_count == options->root_count;
  for (size_t i = 0; same && i < r->root_count; i++) {
    const char *root = spec_path_resolve(arena, cwd, options->roots[i]);
    same = root != NULL && strcmp(r->roots[i], root) == 0;
  }
  return same;
}

/* Whether the run saw that file, and noted it as one of those that must stay. */
static bool noted(const spec_record *r, const char *path) {
  return path != NULL && spec_looks_get(r->looks, SPEC_LOOK_INSIDE, path) != NULL;
}

/* Whether both files are there: the mark for Ninja, and the manifest, which verify completes. */
static int has_results(spec_arena *arena, bool *has, const char *out, spec_err *err) {
  const char *mark = spec_path_join(arena, out, SPEC_STALE);
  const char *manifest = spec_path_join(arena, out, "manifest.json");
  spec_ftype first = SPEC_FT_NONE, second = SPEC_FT_NONE;
  if (mark == NULL || manifest == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_link_type(&first, mark, err);
  if (rc == 0)
    rc = spec_fs_link_type(&second, manifest, err);
  *has = first == SPEC_FT_FILE && second == SPEC_FT_FILE;
  return rc;
}

/* What a step is asked; targets is NULL for the first. */
typedef struct question {
  const spec_options *options;
  const char *out, *targets;
  bool strict_unused;
} question;

/* Whether the last run was asked the same as this one, by the same program, and came to an end. */
static int is_alike(spec_arena *arena, bool *alike, const spec_record *then, const question *q,
                    spec_err *err) {
  const char *cwd, *program;
  bool has = false;
  *alike = false;
  int rc = spec_fs_cwd(arena, &cwd, err);
  if (rc == 0)
    rc = find_program(arena, &program, err);
  if (rc == 0)
    rc = has_results(arena, &has, q->out, err);
  if (rc != 0 || !has || !noted(then, program) || !has_options(then, q->options, cwd, arena))
    return rc;
  *alike =
      q->targets == NULL || (then->strict_unused == q->strict_unused && noted(then, q->targets));
  return SPEC_OK;
}

/* Compares all looks; nobody writes the folder meanwhile, and what killed runs left is removed. */
static int compare(spec_arena *arena, bool *stands, const spec_record *then,
                   const spec_options *options, const char *out, spec_err *err) {
  const spec_reporter report = {arena, options->on_event, options->user, 0, false, 0};
  spec_run_lock lock = {-1};
  asker a = {then, err};
  int rc = spec_results_open(&lock, &report, out, err);
  if (rc == 0)
    rc = spec_looks_each(then->looks, differs, &a);
  *stands = rc == 0;
  spec_run_lock_release(&lock);
  return rc > 0 ? SPEC_OK : rc;
}

int spec_build_stands(bool *stands, const spec_options *options, const char *out,
                      const char *targets, bool strict_unused, spec_err *err) {
  spec_arena *arena;
  spec_record then = {0};
  const question asked = {options, out, targets, strict_unused};
  bool alike = false;
  *stands = false;
  int rc = spec_arena_new(&arena, err);
  if (rc != 0)
    return rc;
  rc = spec_record_read(arena, &then, out, SPEC_RECORD, err);
  if (rc == 0)
    rc = is_alike(arena, &alike, &then, &asked, err);
  else if (rc != SPEC_ENOMEM) /* no record, or none that can be read: the step will say more */
    rc = SPEC_OK;
  if (rc == 0 && alike) /* only now is the folder known to be ours */
    rc = compare(arena, stands, &then, options, out, err);
  spec_looks_free(then.looks);
  spec_arena_free(arena);
  return rc;
}
