/* extract_owners.c: where files are among others: folders of a tree, CMake files above a source. */
#include "git/extract_parts.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include <string.h>

/* The first file whose path is not less than `path`. */
static size_t lower_bound(const spec_snapshot *s, const char *path) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(s->files[middle].path, path) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool spec_extract_is_folder(const spec_snapshot *s, const char *path) {
  size_t len = strlen(path);
  /* "a.c" and "a-b" sort between "a" and "a/b". */
  for (size_t i = lower_bound(s, path); i < s->count && strncmp(s->files[i].path, path, len) == 0;
       i++)
    if (s->files[i].path[len] == '/')
      return true;
  return false;
}

bool spec_extract_is_under_file(const spec_snapshot *s, const char *path) {
  char folder[4096];
  for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    size_t len = (size_t)(slash - path);
    if (len >= sizeof folder)
      return true;
    memcpy(folder, path, len);
    folder[len] = '\0';
    if (spec_snapshot_find(s, folder) != NULL)
      return true;
  }
  return false;
}

bool spec_extract_own_is_new(const spec_extract *e) {
  return !spec_extract_is_folder(e->base, e->own);
}

static const spec_extract_item *item_of(const spec_extract *e, const char *trunk) {
  size_t low = 0, high = e->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(e->items[middle].trunk, trunk);
    if (order == 0)
      return &e->items[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* Whether the CMakeLists.txt of a folder, as a build with the overlay reads it, has the name. */
static int names(const spec_extract *e, bool *out, const char *folder, const char *name,
                 spec_err *err) {
  const char *path = spec_path_join(e->arena, folder, "CMakeLists.txt");
  const spec_snapshot_file *file = path == NULL ? NULL : spec_snapshot_find(e->fork, path);
  const spec_extract_item *item = file == NULL ? NULL : item_of(e, path);
  const char *text;
  size_t len;
  *out = false;
  if (path == NULL)
    return spec_fail_memory(err);
  if (file == NULL || file->type != SPEC_ENTRY_FILE ||
      (item != NULL && item->form == SPEC_EXTRACT_REST))
    return SPEC_OK;
  int rc = spec_snapshot_read(e->fork, e->arena, &text, &len, file, err);
  *out = rc == 0 && strstr(text, name) != NULL;
  return rc;
}

int spec_extract_find_owners(spec_extract *e, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < e->count; i++) {
    spec_extract_item *item = &e->items[i];
    if (item->form != SPEC_EXTRACT_ADDITION || spec_kind_of(item->trunk) != SPEC_KIND_SOURCE)
      continue;
    bool named = false;
    for (const char *folder = item->trunk; rc == 0 && !named && *folder != '\0';) {
      folder = spec_path_dirname(e->arena, folder);
      rc = folder == NULL ? spec_fail_memory(err)
                          : names(e, &named, folder, spec_path_basename(item->trunk), err);
      if (folder == NULL)
        break;
    }
    item->unowned = !named;
  }
  return rc;
}
