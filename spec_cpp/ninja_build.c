/* ninja_build.c: just enough of Ninja's language to know a build's outputs. */
#include "ninja_build.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include <string.h>

enum { MAX_DEPTH = 8 };

typedef struct cursor {
  const char *at, *end;
} cursor;

/* A path ends there; a NUL, which strchr would find in any list, is no end. */
static bool ends_path(char c) {
  return c == ' ' || c == ':' || c == '|' || c == '\n';
}

/* Reads one path: ends at a space, ':', '|' or the line's end, unless escaped by
 * '$'.  Variables are not expanded: CMake writes none into outputs but
 * "${cmake_ninja_workdir}" for a second spelling, which is kept as it is. */
static int read_path(spec_arena *arena, const char **out, cursor *c, spec_err *err) {
  spec_buf text = {0};
  while (c->at < c->end && !ends_path(*c->at)) {
    if (*c->at == '$' && c->at + 1 < c->end && (c->at[1] == '$' || ends_path(c->at[1]))) {
      c->at++;
      if (*c->at == '\n') { /* a continued line: its indentation is dropped */
        c->at++;
        while (c->at < c->end && *c->at == ' ')
          c->at++;
        continue;
      }
    }
    spec_buf_char(&text, *c->at++);
  }
  *out = spec_buf_failed(&text) ? NULL : spec_arena_strdup(arena, spec_buf_text(&text));
  spec_buf_dispose(&text);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static void skip_separators(cursor *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '|'))
    c->at++;
}

/* `build <outputs> [| <implicit>]: <rule> ...`; the cursor is behind "build". */
static int read_statement(spec_arena *arena, spec_map *outputs, spec_ninja_edge **out, cursor c,
                          spec_err *err) {
  spec_ninja_edge *edge = spec_arena_alloc(arena, sizeof *edge);
  if (edge == NULL)
    return spec_fail_memory(err);
  edge->rule = "";
  for (;;) {
    skip_separators(&c);
    if (c.at >= c.end || *c.at == ':' || *c.at == '\n')
      break;
    const char *name;
    int rc = read_path(arena, &name, &c, err);
    if (rc == 0)
      rc = spec_map_set(outputs, name, edge, err);
    if (rc != 0)
      return rc;
  }
  *out = edge;
  if (c.at >= c.end || *c.at != ':')
    return SPEC_OK;
  c.at++;
  skip_separators(&c);
  int rc = read_path(arena, &edge->rule, &c, err);
  edge->inputs = c.at;
  edge->end = c.end;
  return rc;
}

int spec_ninja_next_input(spec_arena *arena, const char **out, const char **at,
                          const spec_ninja_edge *edge, spec_err *err) {
  cursor c = {*at, edge->end};
  *out = NULL;
  if (c.at == NULL)
    return SPEC_OK;
  while (c.at < c.end && (*c.at == ' ' || *c.at == '|' || *c.at == ':'))
    c.at++;
  int rc = c.at >= c.end || *c.at == '\n' ? SPEC_OK : read_path(arena, out, &c, err);
  *at = c.at;
  return rc;
}

static bool begins(const char *line, const char *end, const char *word) {
  size_t len = strlen(word);
  return (size_t)(end - line) > len && memcmp(line, word, len) == 0;
}

int spec_ninja_build_parse(spec_arena *arena, spec_map *outputs, const char *text, size_t len,
                           spec_ninja_include_fn *include, void *user, spec_err *err) {
  static const char command[] = "  COMMAND = ";
  const char *end = text + len;
  spec_ninja_edge *edge = NULL; /* the statement whose variables follow */
  int rc = 0;
  for (const char *line = text; rc == 0 && line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline == NULL ? end : newline;
    if (begins(line, end, "build ")) {
      rc = read_statement(arena, outputs, &edge, (cursor){line + 6, end}, err);
    } else if (edge != NULL && begins(line, end, command)) {
      const char *value = line + sizeof command - 1;
      edge->command = spec_arena_strndup(arena, value, (size_t)(stop - value));
      rc = edge->command == NULL ? spec_fail_memory(err) : SPEC_OK;
    } else if (begins(line, end, "include ") || begins(line, end, "subninja ")) {
      cursor c = {line + (*line == 'i' ? 8 : 9), end};
      const char *path;
      rc = read_path(arena, &path, &c, err);
      if (rc == 0)
        rc = include(user, path, err);
    }
    line = newline == NULL ? end : newline + 1;
  }
  return rc;
}

typedef struct loader {
  spec_arena *arena;
  spec_map *outputs;
  const char *dir;
  size_t depth;
} loader;

static int load(void *user, const char *name, spec_err *err) {
  loader *l = user;
  const char *path = spec_path_resolve(l->arena, l->dir, name), *text = NULL;
  size_t len = 0;
  if (path == NULL)
    return spec_fail_memory(err);
  if (l->depth == MAX_DEPTH)
    return spec_fail(err, SPEC_EPARSE, "'%s' is included more than %d deep", path, MAX_DEPTH);
  int rc = spec_fs_read(l->arena, &text, &len, path, err);
  if (rc != 0)
    return rc;
  l->depth++;
  rc = spec_ninja_build_parse(l->arena, l->outputs, text, len, load, l, err);
  l->depth--;
  return rc;
}

int spec_ninja_build_outputs(spec_arena *arena, spec_map *outputs, const char *dir, spec_err *err) {
  const char *path = spec_path_join(arena, dir, "build.ninja");
  if (path == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, path, err);
  if (rc != 0)
    return rc;
  if (type != SPEC_FT_FILE) {
    spec_fail(err, SPEC_ENOTFOUND, "'%s' is not a build folder of Ninja", dir);
    spec_fail_where(err, "%s", path);
    return spec_fail_mend(err, "configure it with -G Ninja");
  }
  loader l = {arena, outputs, dir, 0};
  return load(&l, "build.ninja", err);
}
