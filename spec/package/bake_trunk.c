/* bake_trunk.c: a wheel's package as a folder, as far as planning looks at it. */
#include "package/bake.h"

#include "base/err.h"
#include "base/path.h"

#include <string.h>

typedef struct unpacker {
  const spec_wheel *wheel;
  const char *folder;
  spec_arena *arena;
  spec_map *made;    /* folders */
  const char *empty; /* a file that stands for all but modules, once there is one */
} unpacker;

static bool is_module(const char *name) {
  return strcmp(spec_path_ext(name), ".py") == 0;
}

static int make_parent(unpacker *u, const char *path, spec_err *err) {
  bool made;
  const char *parent = spec_path_dirname(u->arena, path);
  if (parent == NULL)
    return spec_fail_memory(err);
  (void)spec_map_get(u->made, parent, &made);
  int rc = made ? SPEC_OK : spec_fs_mkdirs(parent, err);
  return rc < 0 || made ? rc : spec_map_set(u->made, parent, u, err);
}

/* Makes an empty file. They are names of one file as far as possible: that is much less work for
 * the file system than hundreds of files. */
static int create_empty(unpacker *u, const char *path, spec_err *err) {
  const spec_fs_file file = {.data = ""};
  if (u->empty != NULL) {
    int rc = spec_fs_link(u->empty, path, err);
    if (rc != SPEC_EBUSY)
      return rc;
  }
  u->empty = path;
  return spec_fs_create(path, &file, err);
}

static int unpack_member(unpacker *u, const spec_wheel_member *member, spec_err *err) {
  const char *name = member->entry->name;
  if (member->is_folder || spec_path_below(name, "triton") == NULL)
    return SPEC_OK;
  spec_fs_file file = {0};
  const char *path = spec_path_join(u->arena, u->folder, name);
  int rc = path == NULL ? spec_fail_memory(err) : make_parent(u, path, err);
  if (rc != SPEC_OK)
    return rc;
  if (!is_module(name))
    return create_empty(u, path, err);
  rc = spec_wheel_read(u->wheel, u->arena, &file.data, &file.len, member, err);
  return rc != SPEC_OK ? rc : spec_fs_create(path, &file, err);
}

int spec_bake_unpack(const spec_wheel *wheel, const char *folder, spec_err *err) {
  unpacker u = {wheel, folder, wheel->arena, NULL, NULL};
  int rc = spec_map_new(&u.made, u.arena, err);
  for (size_t i = 0; i < wheel->count && rc == SPEC_OK; i++)
    rc = unpack_member(&u, &wheel->members[i], err);
  spec_map_free(u.made);
  return rc;
}

/* In memory of its own: a library may have hundreds of megabytes. */
static int unpack_whole(const spec_wheel *wheel, const char *path, const spec_wheel_member *member,
                        spec_err *err) {
  spec_arena *arena;
  const char *data;
  size_t len;
  int rc = spec_arena_new(&arena, err);
  if (rc != SPEC_OK)
    return rc;
  rc = spec_wheel_read(wheel, arena, &data, &len, member, err);
  if (rc == SPEC_OK)
    rc = spec_fs_write(path, data, len, false, NULL, err);
  spec_arena_free(arena);
  return rc;
}

int spec_bake_unpack_replaced(const spec_wheel *wheel, const char *folder, const spec_plan *plan,
                              spec_err *err) {
  size_t count;
  const spec_override *overrides = spec_plan_overrides(plan, &count);
  int rc = SPEC_OK;
  for (size_t i = 0; i < count && rc == SPEC_OK; i++) {
    const char *name = overrides[i].trunk;
    const spec_wheel_member *member = spec_wheel_find(wheel, name);
    if (member == NULL || is_module(name))
      continue;
    const char *path = spec_path_join(wheel->arena, folder, name);
    rc = path == NULL ? spec_fail_memory(err) : unpack_whole(wheel, path, member, err);
  }
  return rc;
}
