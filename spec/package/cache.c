/* cache.c: where stages are kept, and when they go. */
#define _POSIX_C_SOURCE 200809L
#include "package/cache.h"
#include "base/err.h"
#include "base/looks.h"
#include "base/path.h"
#include "package/key.h"
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_DAYS = 30, MOST_DAYS = 100000 };

static const char days_variable[] = "TRITON_SPEC_CACHE_DAYS";

/* A folder named by a variable, with `below` behind it; NULL: the variable is not set. */
static int from_variable(spec_arena *arena, const char **out, const char *name, const char *below,
                         spec_err *err) {
  const char *text = getenv(name), *cwd;
  *out = NULL;
  if (text == NULL || *text == '\0')
    return SPEC_OK;
  int rc = spec_fs_cwd(arena, &cwd, err);
  if (rc != 0)
    return rc;
  *out = spec_path_resolve(arena, cwd, text);
  if (*out != NULL)
    *out = spec_path_join(arena, *out, below);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

int spec_cache_folder(spec_arena *arena, const char **out, spec_err *err) {
  static const struct {
    const char *variable, *below;
  } places[] = {
      {"TRITON_SPEC_CACHE", ""},
      {"XDG_CACHE_HOME", "triton-spec"},
      {"HOME", ".cache/triton-spec"},
  };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const char *found;
    int rc = from_variable(arena, &found, places[i].variable, places[i].below, err);
    if (rc != 0 || found != NULL) {
      *out = found;
      return rc;
    }
  }
  spec_fail(err, SPEC_EINVAL, "there is no place for the cache: HOME is not set");
  return spec_fail_mend(err, "set TRITON_SPEC_CACHE to a folder");
}

static int read_days(long *out, spec_err *err) {
  const char *text = getenv(days_variable);
  *out = DEFAULT_DAYS;
  if (text == NULL || *text == '\0')
    return SPEC_OK;
  char *end;
  *out = strtol(text, &end, 10);
  if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && *out <= MOST_DAYS)
    return SPEC_OK;
  spec_fail(err, SPEC_EINVAL, "%s is '%s', which is no number of days", days_variable, text);
  return spec_fail_mend(err, "set it to a number from 0 to %d", MOST_DAYS);
}

bool spec_cache_is_key(const char *name) {
  return strlen(name) == 32 && name[strspn(name, "0123456789abcdef")] == '\0';
}

static bool is_temporary(const char *name) {
  return name[0] == '.' && strcmp(spec_path_ext(name), ".tmp") == 0;
}

/* Whether a file is from before that time, a stage's lock from its last use; what is not there is.
 */
static bool is_old(const char *path, int64_t time) {
  spec_look look;
  return spec_fs_glance(&look, SPEC_LOOK_INSIDE, path, NULL) == 0 && look.modified < time;
}

bool spec_cache_remove(spec_arena *arena, const char *stage) {
  const char *gone, *lock = spec_path_join(arena, stage, ".lock");
  bool taken = true;
  int hold = -1;
  int rc = lock == NULL ? SPEC_ENOMEM : spec_fs_hold(&hold, lock, SPEC_HOLD_ALONE, NULL);
  if (rc != 0 && rc != SPEC_ENOTFOUND) /* one without a lock is nobody's */
    return false;
  rc = spec_fs_temporary_folder(arena, &gone, stage, NULL);
  if (rc == 0)
    rc = spec_fs_rename_folder(stage, gone, &taken, NULL);
  if (rc == 0)
    (void)spec_fs_remove_tree(gone, NULL);
  spec_fs_unlock(hold);
  return rc == 0 && !taken;
}

static void clean_entry(spec_arena *arena, const char *stages, const char *name, int64_t time) {
  const char *path = spec_path_join(arena, stages, name);
  const char *lock = path == NULL ? NULL : spec_path_join(arena, path, ".lock");
  if (lock == NULL)
    return;
  if (is_temporary(name))
    (void)spec_fs_remove_tree(path, NULL);
  else if (spec_cache_is_key(name) && is_old(lock, time))
    (void)spec_cache_remove(arena, path);
}

/* What plans came to is thought through again when it is wanted. */
static void clean_plans(spec_arena *arena, const char *plans, int64_t time) {
  spec_dirent *entries = NULL;
  size_t count = 0;
  if (spec_fs_list(arena, &entries, &count, plans, NULL) != 0)
    return;
  for (size_t i = 0; i < count; i++) {
    const char *path = spec_path_join(arena, plans, entries[i].name);
    if (path != NULL && is_old(path, time))
      (void)spec_fs_remove(path, NULL);
  }
}

int spec_cache_clean(spec_arena *arena, const char *stages, spec_err *err) {
  static const int64_t day = (int64_t)24 * 60 * 60 * 1000000000;
  long days;
  int rc = read_days(&days, err);
  if (rc != 0)
    return rc;
  const char *path = spec_path_join(arena, stages, ".lock");
  int lock;
  if (path == NULL)
    return spec_fail_memory(err);
  if (spec_fs_hold(&lock, path, SPEC_HOLD_ALONE | SPEC_HOLD_CREATE, NULL) != 0)
    return SPEC_OK; /* somebody makes a stage: another time */
  const int64_t time = spec_fs_now() - days * day;
  const char *cache = spec_path_dirname(arena, stages);
  const char *plans = cache == NULL ? NULL : spec_path_join(arena, cache, "plans");
  spec_dirent *entries = NULL;
  size_t count = 0;
  if (spec_fs_list(arena, &entries, &count, stages, NULL) == 0)
    for (size_t i = 0; i < count; i++)
      clean_entry(arena, stages, entries[i].name, time);
  if (plans != NULL)
    clean_plans(arena, plans, time);
  spec_fs_unlock(lock);
  return SPEC_OK;
}
