/* cache_list.c: what is in a cache, for people. */
#include "package/cache.h"

#include "base/err.h"
#include "base/json.h"
#include "base/looks.h"
#include "base/path.h"
#include <string.h>

/* The bytes of a folder's files. What cannot be looked at has none. */
static int add_bytes(spec_arena *arena, uint64_t *bytes, const char *folder, spec_err *err) {
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc = spec_fs_list(arena, &entries, &count, folder, NULL) == SPEC_ENOMEM
               ? spec_fail_memory(err)
               : SPEC_OK;
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *path = spec_path_join(arena, folder, entries[i].name);
    spec_look look;
    if (path == NULL)
      rc = spec_fail_memory(err);
    else if (entries[i].type == SPEC_FT_DIR)
      rc = add_bytes(arena, bytes, path, err);
    else if (entries[i].type == SPEC_FT_FILE &&
             spec_fs_glance(&look, SPEC_LOOK_INSIDE, path, NULL) == 0)
      *bytes += look.size;
  }
  return rc;
}

static const char *text_in(spec_arena *arena, const json_t *manifest, const char *key) {
  const char *text = json_string_value(json_object_get(manifest, key));
  return spec_arena_strdup(arena, text == NULL ? "?" : text);
}

static int read_manifest(spec_arena *arena, spec_cached *out, const char *stage, spec_err *err) {
  const char *text, *path = spec_path_join(arena, stage, "manifest.json");
  size_t len;
  json_t *root = NULL;
  if (path == NULL)
    return spec_fail_memory(err);
  if (spec_fs_read(arena, &text, &len, path, NULL) == SPEC_OK)
    (void)spec_json_parse(&root, text, len, path, NULL);
  out->backend = text_in(arena, root, "backend");
  out->trunk = text_in(arena, root, "trunk");
  json_decref(root);
  return out->backend == NULL || out->trunk == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static int read_stage(spec_arena *arena, spec_cached *out, const char *stage, spec_err *err) {
  const char *lock = spec_path_join(arena, stage, ".lock");
  spec_look look = {0};
  int hold;
  if (lock == NULL)
    return spec_fail_memory(err);
  (void)spec_fs_glance(&look, SPEC_LOOK_INSIDE, lock, NULL);
  out->unused = (spec_fs_now() - look.modified) / 1000000000;
  int rc = spec_fs_hold(&hold, lock, SPEC_HOLD_ALONE, NULL);
  out->in_use = rc == SPEC_EBUSY;
  if (rc == 0)
    spec_fs_unlock(hold);
  rc = read_manifest(arena, out, stage, err);
  return rc != 0 ? rc : add_bytes(arena, &out->bytes, stage, err);
}

int spec_cache_list(spec_arena *arena, spec_cached **out, size_t *count, const char *cache,
                    spec_err *err) {
  const char *stages = spec_path_join(arena, cache, "stages");
  spec_dirent *entries = NULL;
  size_t entry_count = 0;
  spec_ftype type;
  int rc = stages == NULL ? spec_fail_memory(err) : spec_fs_type(&type, stages, err);
  if (rc == 0 && type == SPEC_FT_DIR)
    rc = spec_fs_list(arena, &entries, &entry_count, stages, err);
  *count = 0;
  *out = rc != 0 ? NULL : spec_arena_array(arena, entry_count, sizeof **out);
  if (rc == 0 && *out == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; rc == 0 && i < entry_count; i++) {
    if (entries[i].type != SPEC_FT_DIR || !spec_cache_is_key(entries[i].name))
      continue;
    spec_cached *stage = &(*out)[(*count)++];
    const char *path = spec_path_join(arena, stages, entries[i].name);
    memcpy(stage->key, entries[i].name, sizeof stage->key);
    rc = path == NULL ? spec_fail_memory(err) : read_stage(arena, stage, path, err);
  }
  return rc;
}

int spec_cache_clear(spec_arena *arena, spec_cached *stages, size_t count, const char *cache,
                     spec_err *err) {
  const char *plans = spec_path_join(arena, cache, "plans");
  int rc = plans == NULL ? spec_fail_memory(err) : spec_fs_remove_tree(plans, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *path = spec_arena_printf(arena, "%s/stages/%s", cache, stages[i].key);
    if (path == NULL)
      return spec_fail_memory(err);
    stages[i].removed = spec_cache_remove(arena, path);
    stages[i].in_use = !stages[i].removed;
  }
  return rc;
}
