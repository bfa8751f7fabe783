/* cache_key.c */
#include "package/cache_key.h"

#include "base/buf.h"
#include "base/err.h"
#include "package/made.h"
#include "package/spans.h"
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
  int rc = member->span_count == 0 ? spec_span_whole(member, arena, err) : SPEC_OK;
  if (rc != 0)
    return rc;
  spec_buf text = {0};
  spec_buf_add(&text, member->text, member->len);
  if (member->len > 0 && member->text[member->len - 1] != '\n')
    spec_buf_char(&text, '\n');
  spec_buf_printf(&text, "# spec: overlay %s\n", digest);
  member->len = text.len;
  member->text = spec_buf_failed(&text) ? NULL : spec_arena_strndup(arena, text.data, text.len);
  member->origin = SPEC_MADE;
  member->file = NULL;
  member->modified = SPEC_MADE_DATE;
  spec_buf_dispose(&text);
  return member->text == NULL ? spec_fail_memory(err) : SPEC_OK;
}
