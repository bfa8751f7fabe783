/* spec.ini: what parses holds only what the sections allow; what does not has a line and a reason.
 */
#include "fuzz.h"

#include "core/backend.h"
#include "core/policy.h"

#include <string.h>

/* Whether no part of path is "", "." or "..". */
static bool is_clean(const char *path) {
  for (;;) {
    size_t len = strcspn(path, "/");
    if (len == 0 || (len <= 2 && strncmp(path, "..", len) == 0))
      return false;
    if (path[len] == '\0')
      return true;
    path += len + 1;
  }
}

static void check_setting(const spec_backend *backend, const spec_setting *s) {
  CHECK(s->section != NULL && s->key != NULL && s->value != NULL);
  CHECK(strlen(s->value) < 200 && strlen(s->key) < 200);
  if (strcmp(s->section, "backend") == 0)
    CHECK(strcmp(s->key, "base") == 0 && strcmp(backend->base, s->value) == 0);
  else if (strcmp(s->section, "remove") == 0)
    CHECK(strcmp(s->key, "path") == 0 && is_clean(s->value));
  else if (strcmp(s->section, "policy") == 0)
    CHECK(strstr("whole merge closed", s->value) != NULL && is_clean(s->key));
  else
    CHECK(strcmp(s->section, "drift") == 0 || strcmp(s->section, "device") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_backend backend = {0};
  spec_err err = {0};
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  int rc = spec_backend_parse(arena, &backend, text, size, "f", &err);
  CHECK(rc == SPEC_OK || rc == SPEC_EPARSE);
  CHECK(rc == SPEC_OK || (err.what[0] != '\0' && strncmp(err.where, "f:", 2) == 0));
  CHECK(rc == SPEC_EPARSE || memchr(text, '\0', size) == NULL);
  for (size_t i = 0; rc == SPEC_OK && i < backend.setting_count; i++) {
    check_setting(&backend, &backend.settings[i]);
    (void)spec_policy_for(&backend, backend.settings[i].key);
  }
  spec_arena_free(arena);
  return 0;
}
