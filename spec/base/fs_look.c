/* fs_look.c: keeping what fs.c sees, and seeing it again. */
#define _POSIX_C_SOURCE 200809L /* st_mtim, and what S_ISLNK needs */

#include "base/digest.h"
#include "base/err.h"
#include "base/fs_sys.h"
#include "base/path.h"

#include <string.h>

static _Thread_local spec_looks *traced;

spec_looks *spec_fs_trace(spec_looks *looks) {
  spec_looks *before = traced;
  traced = looks;
  return before;
}

/* --- seeing -------------------------------------------------------------------------------- */

spec_ftype spec_sys_type(unsigned mode) {
  if (S_ISREG(mode))
    return SPEC_FT_FILE;
  if (S_ISDIR(mode))
    return SPEC_FT_DIR;
  if (S_ISLNK(mode))
    return SPEC_FT_LINK;
  return mode == 0 ? SPEC_FT_NONE : SPEC_FT_OTHER;
}

static int64_t nanoseconds(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static spec_look seen(spec_look_kind kind, const struct stat *st, uint64_t digest) {
  spec_look look = {.type = spec_sys_type(st->st_mode), .digest = digest};
  if (kind == SPEC_LOOK_SIZE || kind == SPEC_LOOK_INSIDE)
    look.size = (uint64_t)st->st_size;
  if (kind == SPEC_LOOK_INSIDE) {
    look.device = (uint64_t)st->st_dev;
    look.inode = (uint64_t)st->st_ino;
    look.modified = nanoseconds(st->st_mtim);
    look.changed = nanoseconds(st->st_ctim);
  }
  return look;
}

static uint64_t digest_of_list(const spec_dirent *entries, size_t count) {
  uint64_t digest = 1;
  for (size_t i = 0; i < count; i++)
    digest = spec_digest_64(entries[i].name, strlen(entries[i].name),
                            digest + (uint64_t)entries[i].type);
  return digest;
}

/* --- keeping ------------------------------------------------------------------------------- */

spec_ftype spec_sys_note(spec_look_kind kind, const char *path, const struct stat *st,
                         uint64_t digest) {
  if (traced != NULL) {
    const spec_look look = seen(kind, st, digest);
    spec_looks_add(traced, kind, path, &look);
  }
  return spec_sys_type(st->st_mode);
}

void spec_sys_note_text(spec_look_kind kind, const char *path, const char *text, size_t len) {
  if (traced != NULL) {
    const spec_look look = {.digest = spec_digest_64(text, len, 0)};
    spec_looks_add(traced, kind, path, &look);
  }
}

void spec_sys_note_bytes(const char *path, const struct stat *st, const char *data, size_t len) {
  const uint64_t executable = (st->st_mode & 0100) != 0; /* a copy of it would be so too */
  if (traced != NULL)
    (void)spec_sys_note(SPEC_LOOK_INSIDE, path, st, spec_digest_64(data, len, executable));
}

void spec_sys_note_list(const char *path, const struct stat *st, const spec_dirent *entries,
                        size_t count) {
  if (traced != NULL)
    (void)spec_sys_note(SPEC_LOOK_INSIDE, path, st, digest_of_list(entries, count));
}

/* --- seeing again -------------------------------------------------------------------------- */

int spec_fs_glance(spec_look *out, int kind, const char *path, spec_err *err) {
  struct stat st;
  int rc = spec_sys_look(&st, path, kind != SPEC_LOOK_LINK, err);
  if (rc == 0)
    *out = seen((spec_look_kind)kind, &st, 0);
  return rc;
}

static int look_inside(spec_arena *arena, const char *path, spec_ftype type, spec_err *err) {
  const char *data;
  spec_dirent *entries;
  size_t len;
  return type == SPEC_FT_DIR ? spec_fs_list(arena, &entries, &len, path, err)
                             : spec_fs_read(arena, &data, &len, path, err);
}

/* Asks as a run would, and takes what that notes. */
static int ask(spec_arena *arena, int kind, const char *path, spec_err *err) {
  const char *real;
  size_t size;
  spec_ftype type;
  int rc;
  switch (kind) {
  case SPEC_LOOK_TYPE:
    return spec_fs_type(&type, path, err);
  case SPEC_LOOK_LINK:
    return spec_fs_link_type(&type, path, err);
  case SPEC_LOOK_SIZE:
    return spec_sys_size(&size, path, err);
  case SPEC_LOOK_REAL:
    rc = spec_fs_real(arena, &real, path, err);
    return rc == SPEC_ENOTFOUND ? SPEC_OK : rc;
  default:
    rc = spec_fs_type(&type, path, err);
    return rc != 0 ? rc : look_inside(arena, path, type, err);
  }
}

int spec_fs_look(spec_look *out, int kind, const char *path, spec_err *err) {
  spec_arena *arena;
  spec_looks *looks = NULL;
  int rc = spec_arena_new(&arena, err);
  if (rc != 0)
    return rc;
  rc = spec_looks_new(&looks, arena, err);
  if (rc == 0) {
    spec_looks *before = spec_fs_trace(looks);
    rc = ask(arena, kind, path, err);
    (void)spec_fs_trace(before);
  }
  const spec_look *look = rc == 0 ? spec_looks_get(looks, (spec_look_kind)kind, path) : NULL;
  if (rc == 0 && (look == NULL || spec_looks_failed(looks)))
    rc = spec_fail_memory(err);
  if (rc == 0)
    *out = *look;
  spec_looks_free(looks);
  spec_arena_free(arena);
  return rc;
}

int spec_fs_look_again(spec_look *now, bool *touched, int kind, const char *path,
                       const spec_look *then, int64_t time, spec_err *err) {
  *touched = false;
  int rc = kind == SPEC_LOOK_REAL ? spec_fs_look(now, kind, path, err)
                                  : spec_fs_glance(now, kind, path, err);
  if (rc == 0 && kind == SPEC_LOOK_INSIDE) {
    *touched = !spec_look_is_untouched(then, now, time);
    if (!*touched)
      now->digest = then->digest;
    else if (now->type == SPEC_FT_FILE || now->type == SPEC_FT_DIR)
      rc = spec_fs_look(now, kind, path, err);
  }
  if (rc == SPEC_ENOMEM)
    return rc;
  if (rc != 0)
    *now = (spec_look){.type = SPEC_FT_OTHER};
  return SPEC_OK;
}
