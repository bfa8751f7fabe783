/* ini.c: spec.ini, read with inih.  Unknown sections and keys are errors: a
 * misspelt key must not be silently without effect. */
#include "core/backend.h"

#include "base/err.h"
#include "base/path.h"
#include <ini.h>
#include <string.h>

/* inih cuts longer lines silently, so they are refused before it sees them. */
enum { LINE_LIMIT = 199 };

typedef struct reader {
  spec_arena *arena;
  spec_backend *backend;
  const char *at, *end; /* what is left of the text */
  int line;             /* the one that was read last, from 1 */
  size_t cap;
  const char *problem; /* what the handler refused first, and on which line */
  int problem_line;
  bool failed;
} reader;

static bool is_one_of(const char *value, const char *const *choices) {
  for (; *choices != NULL; choices++)
    if (strcmp(value, *choices) == 0)
      return true;
  return false;
}

static bool is_trunk_path(const char *path) {
  if (*path == '\0' || *path == '/')
    return false;
  for (const char *part = path; part != NULL; part = strchr(part, '/')) {
    part += *part == '/';
    size_t len = strcspn(part, "/");
    if (len == 0 || (len == 1 && part[0] == '.') || (len == 2 && part[0] == '.' && part[1] == '.'))
      return false;
  }
  return true;
}

/* What is wrong with a line, or NULL. */
static const char *problem_of(const char *section, const char *key, const char *value) {
  static const char *const policies[] = {"whole", "merge", "closed", NULL};
  static const char *const modes[] = {"ignore", "warn", "error", NULL};
  if (strcmp(section, "backend") == 0)
    return strcmp(key, "base") == 0 ? NULL : "[backend] knows only 'base'";
  if (strcmp(section, "policy") == 0) {
    if (!is_trunk_path(key))
      return "a [policy] key is a path below the trunk, without '..'";
    return is_one_of(value, policies) ? NULL : "a policy is 'whole', 'merge' or 'closed'";
  }
  if (strcmp(section, "remove") == 0) {
    if (strcmp(key, "path") != 0)
      return "[remove] knows only 'path'";
    return is_trunk_path(value) ? NULL : "a removed path is relative to the trunk, without '..'";
  }
  if (strcmp(section, "drift") == 0) {
    if (strcmp(key, "mode") != 0)
      return "[drift] knows only 'mode'";
    return is_one_of(value, modes) ? NULL : "a drift mode is 'ignore', 'warn' or 'error'";
  }
  if (strcmp(section, "device") == 0)
    return NULL; /* the device backend's own */
  return "the sections are [backend], [policy], [remove], [drift] and [device]";
}

/* The second of two values would win silently; only lists and the device's own keys repeat. */
static bool is_said_twice(const spec_backend *backend, const char *section, const char *key) {
  if (strcmp(section, "remove") == 0 || strcmp(section, "device") == 0)
    return false;
  for (size_t i = 0; i < backend->setting_count; i++)
    if (strcmp(backend->settings[i].section, section) == 0 &&
        strcmp(backend->settings[i].key, key) == 0)
      return true;
  return false;
}

static int on_line(void *user, const char *section, const char *key, const char *value) {
  reader *r = user;
  spec_backend *b = r->backend;
  if (r->problem != NULL || r->failed) /* inih goes on, but names the first line refused */
    return 0;
  r->problem = problem_of(section, key, value);
  if (r->problem == NULL && is_said_twice(b, section, key))
    r->problem = "this key is set twice in its section";
  r->problem_line = r->line;
  if (r->problem != NULL)
    return 0;
  r->failed = spec_arena_reserve(r->arena, &b->settings, b->setting_count, &r->cap,
                                 sizeof *b->settings, NULL) != 0;
  if (r->failed)
    return 0;
  spec_setting setting = {spec_arena_strdup(r->arena, section), spec_arena_strdup(r->arena, key),
                          spec_arena_strdup(r->arena, value)};
  r->failed = b->settings == NULL || setting.section == NULL || setting.key == NULL ||
              setting.value == NULL;
  if (r->failed)
    return 0;
  b->settings[b->setting_count++] = setting;
  if (strcmp(section, "backend") == 0)
    b->base = setting.value;
  return 1;
}

/* Gives inih its next line; an ini_reader. It tells handlers no line numbers, so they are counted
 * here. */
static char *next_line(char *out, int size, void *user) {
  reader *r = user;
  if (r->at == r->end)
    return NULL;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  size_t len = (size_t)((newline == NULL ? r->end : newline + 1) - r->at);
  if (len > (size_t)size - 1)
    len = (size_t)size - 1;
  memcpy(out, r->at, len);
  out[len] = '\0';
  r->at += len;
  r->line++;
  return out;
}

/* The number of the first line that inih would cut, or of one with a NUL; 0: none. */
static size_t unreadable_line(const char *text, size_t len) {
  size_t line = 1, column = 0;
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '\0' || ++column > LINE_LIMIT)
      return line;
    if (text[i] == '\n') {
      line++;
      column = 0;
    }
  }
  return 0;
}

int spec_backend_parse(spec_arena *arena, spec_backend *backend, const char *text, size_t len,
                       const char *file, spec_err *err) {
  size_t bad = unreadable_line(text, len);
  if (bad != 0) {
    spec_fail(err, SPEC_EPARSE, "line %zu is longer than %d bytes or holds a NUL", bad, LINE_LIMIT);
    return spec_fail_where(err, "%s:%zu", file, bad);
  }
  reader r = {.arena = arena, .backend = backend, .at = text, .end = text + len};
  int line = ini_parse_stream(next_line, &r, on_line, &r);
  if (r.failed || line < 0)
    return spec_fail_memory(err);
  if (line == 0)
    return SPEC_OK;
  bool refused = r.problem != NULL && r.problem_line == line;
  spec_fail(err, SPEC_EPARSE, "%s",
            refused ? r.problem : "this is neither '[section]' nor 'key = value'");
  spec_fail_where(err, "%s:%d", file, line);
  return spec_fail_mend(err, "see docs/reference/spec-ini.md for sections and keys");
}
