/* extract_write.c: the backend's folder. */
#include "git/extract.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/lock.h"
#include <string.h>

static int make_file(spec_arena *arena, const char *dir, const char *path, const spec_fs_file *file,
                     spec_err *err) {
  const char *full = spec_path_join(arena, dir, path);
  const char *folder = full == NULL ? NULL : spec_path_dirname(arena, full);
  if (folder == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_mkdirs(folder, err);
  return rc != 0 ? rc : spec_fs_create(full, file, err);
}

static int write_texts(const spec_extract *e, const char *dir, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < e->count; i++) {
    const spec_extract_item *item = &e->items[i];
    if (item->text == NULL)
      continue;
    /* What a patch changes has the mode, not the patch. */
    spec_fs_file file = {item->text, item->len,
                         item->executable && item->form != SPEC_EXTRACT_PATCH, spec_fs_now()};
    rc = make_file(e->arena, dir, item->overlay, &file, err);
  }
  return rc;
}

static bool has_policy(const spec_extract_item *item) {
  return item->policy != NULL;
}

static bool is_removal(const spec_extract_item *item) {
  return item->form == SPEC_EXTRACT_REMOVAL;
}

/* A section with a line for each item that belongs into it, or nothing. */
static void put_section(spec_buf *out, const spec_extract *e, const char *name,
                        bool (*belongs)(const spec_extract_item *)) {
  bool any = false;
  for (size_t i = 0; i < e->count; i++) {
    const spec_extract_item *item = &e->items[i];
    if (!belongs(item))
      continue;
    if (!any)
      spec_buf_printf(out, "%s[%s]\n", out->len > 0 ? "\n" : "", name);
    any = true;
    if (is_removal(item))
      spec_buf_printf(out, "path = %s\n", item->trunk);
    else
      spec_buf_printf(out, "%s = whole\n", item->policy);
  }
}

static int write_ini(const spec_extract *e, const char *dir, spec_err *err) {
  spec_buf text = {0};
  put_section(&text, e, "policy", has_policy);
  put_section(&text, e, "remove", is_removal);
  spec_fs_file file = {spec_buf_text(&text), text.len, false, spec_fs_now()};
  int rc = spec_buf_failed(&text) ? spec_fail_memory(err)
           : text.len > 0         ? make_file(e->arena, dir, "spec.ini", &file, err)
                                  : SPEC_OK;
  spec_buf_dispose(&text);
  return rc;
}

/* The commit of an item's base file: that of the revision, or of what is checked out in the folder
 * if the file is the same there. */
static int commit_of(const spec_extract *e, const char **out, const spec_extract_item *item,
                     const spec_revision *head, spec_repository *repository, spec_err *err) {
  spec_entry entry = {0};
  const char *commit = e->base->folder == NULL ? e->base->revision.commit : "";
  int rc = 0;
  if (e->base->folder != NULL && head != NULL) {
    rc = spec_repository_entry(repository, &entry, head, item->trunk, err);
    bool same =
        item->base == NULL ? entry.type == SPEC_ENTRY_NONE : strcmp(entry.id, item->base->id) == 0;
    commit = same ? head->commit : "";
  }
  *out = *commit == '\0' ? "-" : commit;
  return rc;
}

static int write_lock(const spec_extract *e, const char *dir, const spec_revision *head,
                      spec_repository *repository, spec_err *err) {
  spec_lock lock = {.arena = e->arena};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < e->count; i++) {
    const spec_extract_item *item = &e->items[i];
    if (item->form >= SPEC_EXTRACT_OWN)
      continue;
    spec_lock_line line = {.trunk = item->trunk, .blob = item->base == NULL ? "-" : item->base->id};
    rc = commit_of(e, &line.commit, item, head, repository, err);
    if (rc == 0)
      rc = spec_lock_set(&lock, &line, err);
  }
  return rc != 0 ? rc : spec_lock_write(&lock, NULL, dir, err);
}

int spec_extract_write(const spec_extract *e, const char *dir, const spec_revision *head,
                       spec_repository *repository, spec_err *err) {
  int rc = write_texts(e, dir, err);
  if (rc == 0)
    rc = write_ini(e, dir, err);
  return rc != 0 ? rc : write_lock(e, dir, head, repository, err);
}
