/* extract_prove.c: the overlay that was written, put over the base, against the fork.
 *
 * Nothing that the extraction knew is used but what it has listed as the rest: the folder is read
 * as the engine reads every overlay. */
#include "git/extract.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/blob_id.h"
#include "core/patch.h"
#include "core/vendor_files.h"
#include "git/extract_parts.h"
#include <string.h>

/* A file as it comes out. */
typedef struct outcome {
  bool exists, executable;
  char id[SPEC_BLOB_ID_SIZE];
} outcome;

typedef struct proving {
  const spec_extract *e;
  const char *dir;
  spec_arena *arena; /* of one file */
  spec_vendor_file *files;
  size_t file_count, at; /* `at`: the next in order */
  size_t used;           /* overrides that stand for a file of either side */
  size_t item;           /* likewise of the items */
  bool own_is_new;
} proving;

static int read_overlay(proving *p, spec_err *err) {
  spec_backend backend = {.name = p->e->name, .dir = p->dir};
  const char *ini = spec_path_join(p->e->arena, p->dir, "spec.ini"), *text;
  spec_ftype type = SPEC_FT_NONE;
  size_t len;
  int rc = ini == NULL ? spec_fail_memory(err) : spec_fs_type(&type, ini, err);
  if (rc == 0 && type == SPEC_FT_FILE) {
    rc = spec_fs_read(p->e->arena, &text, &len, ini, err);
    if (rc == 0)
      rc = spec_backend_parse(p->e->arena, &backend, text, len, ini, err);
  }
  return rc != 0 ? rc : spec_vendor_files(p->e->arena, &p->files, &p->file_count, &backend, err);
}

static void set_text(outcome *out, const char *text, size_t len, bool executable) {
  *out = (outcome){.exists = true, .executable = executable};
  spec_blob_id(out->id, text, len);
}

/* The base's file with the patch applied. */
static int apply(const proving *p, outcome *out, const spec_fs_file *patch_file,
                 const spec_vendor_file *file, const spec_snapshot_file *base, spec_err *err) {
  spec_patch patch;
  spec_patched made;
  spec_patch_base text = {.path = file->trunk, .is_exact = true};
  int rc = base == NULL
               ? SPEC_OK
               : spec_snapshot_read(p->e->base, p->arena, &text.text, &text.len, base, err);
  if (rc == 0)
    rc = spec_patch_parse(&patch, p->arena, patch_file->data, patch_file->len, file->overlay,
                          file->trunk, err);
  if (rc == 0)
    rc = spec_patch_apply(&made, p->arena, &patch, &text, err);
  if (rc != 0)
    return rc;
  bool executable =
      patch.new_mode != 0 ? patch.new_mode == 0100755 : base != NULL && base->executable;
  if (made.text != NULL)
    set_text(out, made.text, made.len, executable);
  else
    *out = (outcome){0};
  return SPEC_OK;
}

/* What an override makes of the base's file. */
static int compose(const proving *p, outcome *out, const spec_vendor_file *file,
                   const spec_snapshot_file *base, spec_err *err) {
  spec_fs_file loaded;
  if (file->action == SPEC_REMOVE) {
    *out = (outcome){0};
    return SPEC_OK;
  }
  if (file->action == SPEC_REPLACE && file->policy == SPEC_POLICY_MERGE && base != NULL)
    return spec_fail(err, SPEC_EREFUSED, "'%s' would be merged into the trunk's module",
                     file->overlay);
  int rc = spec_fs_load(p->arena, &loaded, file->path, err);
  if (rc == 0 && file->action == SPEC_PATCH)
    return apply(p, out, &loaded, file, base, err);
  if (rc == 0)
    set_text(out, loaded.data, loaded.len, loaded.executable);
  return rc;
}

/* A file of the backend's own folder, which lies where the fork has it when the overlay lies
 * there. */
static int load_own(const proving *p, outcome *out, const char *path, spec_err *err) {
  spec_fs_file loaded;
  spec_ftype type;
  const char *full = spec_path_join(p->arena, p->dir, path);
  int rc = full == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, full, err);
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  rc = spec_fs_load(p->arena, &loaded, full, err);
  if (rc == 0)
    set_text(out, loaded.data, loaded.len, loaded.executable);
  return rc;
}

static int come_out(proving *p, outcome *out, const char *path, const spec_snapshot_file *base,
                    spec_err *err) {
  while (p->at < p->file_count && strcmp(p->files[p->at].trunk, path) < 0)
    p->at++;
  *out = (outcome){.exists = base != NULL, .executable = base != NULL && base->executable};
  if (base != NULL)
    memcpy(out->id, base->id, sizeof out->id);
  bool overridden = p->at < p->file_count && strcmp(p->files[p->at].trunk, path) == 0;
  p->used += overridden;
  if (overridden)
    return compose(p, out, &p->files[p->at], base, err);
  const char *own = p->own_is_new ? spec_path_below(path, p->e->own) : NULL;
  return own == NULL || *own == '\0' ? SPEC_OK : load_own(p, out, own, err);
}

static bool is_fork(const outcome *out, const spec_snapshot_file *fork) {
  if (fork == NULL || !out->exists)
    return fork == NULL && !out->exists;
  return out->executable == fork->executable && strcmp(out->id, fork->id) == 0;
}

static bool is_listed(proving *p, const char *path) {
  while (p->item < p->e->count && strcmp(p->e->items[p->item].trunk, path) < 0)
    p->item++;
  return p->item < p->e->count && strcmp(p->e->items[p->item].trunk, path) == 0 &&
         p->e->items[p->item].form == SPEC_EXTRACT_REST;
}

static int prove_file(proving *p, spec_extract_proof *out, const char *path,
                      const spec_snapshot_file *base, const spec_snapshot_file *fork,
                      spec_err *err) {
  if (is_listed(p, path)) {
    out->listed++;
    return SPEC_OK;
  }
  outcome got;
  int rc = spec_arena_new(&p->arena, err);
  if (rc != 0)
    return rc;
  rc = come_out(p, &got, path, base, err);
  spec_arena_free(p->arena);
  if (rc == 0 && !is_fork(&got, fork))
    rc = spec_fail(err, SPEC_EREFUSED, "'%s' does not come out as the fork has it", path);
  out->equal += rc == 0;
  return rc;
}

int spec_extract_prove(spec_extract_proof *out, const spec_extract *e, const char *dir,
                       spec_err *err) {
  proving p = {.e = e, .dir = dir};
  spec_extract_proof proof = {0};
  int rc = read_overlay(&p, err);
  p.own_is_new = spec_extract_own_is_new(e);
  for (size_t i = 0, k = 0; rc == 0;) {
    const spec_snapshot_file *b = i < e->base->count ? &e->base->files[i] : NULL;
    const spec_snapshot_file *f = k < e->fork->count ? &e->fork->files[k] : NULL;
    if (b == NULL && f == NULL)
      break;
    int order = b == NULL ? 1 : f == NULL ? -1 : strcmp(b->path, f->path);
    i += order <= 0;
    k += order >= 0;
    rc = prove_file(&p, &proof, order <= 0 ? b->path : f->path, order <= 0 ? b : NULL,
                    order >= 0 ? f : NULL, err);
  }
  if (rc == 0 && p.used != p.file_count)
    rc = spec_fail(err, SPEC_EREFUSED, "%zu overrides stand for no file of the fork or its base",
                   p.file_count - p.used);
  if (rc == 0)
    *out = proof;
  return rc;
}
