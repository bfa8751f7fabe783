/* cache_key.c */
#include "package/cache_key.h"

#include "base/err.h"
#include "package/made.h"
#include <string.h>

static bool is_home(const char *path) {
  return strcmp(path, SPEC_COMPILER) == 0 || strcmp(path, SPEC_CACHE) == 0;
}

static bool defines_key(const char *text) {
  static const char start[] = "def triton_key(";
  for (const char *line = text; line != NULL;) {
    if (strncmp(line, start, sizeof start - 1) == 0)
      return true;
    line = strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  return false;
}

int spec_cache_key_add(spec_member *member, bool *added, spec_arena *arena, const char digest[33],
                       spec_err *err) {
  *added = is_home(member->path) && defines_key(member->text);
  if (!*added)
    return SPEC_OK;
  const char *comment = spec_arena_printf(arena, "# spec: overlay %s\n", digest);
  return comment == NULL ? spec_fail_memory(err) : spec_made_append(member, arena, comment, err);
}
