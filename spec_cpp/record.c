/* record.c: a head of "<key> <value>" lines, and the looks behind it. */
#include "record.h"

#include "base/err.h"
#include "base/path.h"
#include "core/drift.h"
#include <string.h>

static const char version[] = "triton-spec record 1";

/* --- making --- */

typedef struct filter {
  spec_looks *to;
  const char *dir, *stage;
} filter;

static int keep(void *user, spec_look_kind kind, const char *path, const spec_look *look) {
  filter *f = user;
  bool staged = kind == SPEC_LOOK_INSIDE && look->type == SPEC_FT_FILE &&
                spec_path_below(path, f->stage) != NULL;
  if (spec_path_is_absolute(path) && (staged || spec_path_below(path, f->dir) == NULL))
    spec_looks_add(f->to, kind, path, look);
  return 0;
}

int spec_record_new(spec_record *out, const spec_plan *plan, const char *dir, spec_err *err) {
  *out = (spec_record){.trunk = plan->trunk.root,
                       .backend = plan->backend,
                       .root_count = plan->root_count,
                       .strict_redundant = plan->strict_redundant,
                       .drift = plan->drift,
                       .targets = ""};
  const char **roots = spec_arena_array(plan->arena, plan->root_count, sizeof *roots);
  memcpy(out->drifted, plan->drifted, sizeof out->drifted);
  filter f = {NULL, dir, spec_path_join(plan->arena, dir, "stage")};
  if (roots == NULL || f.stage == NULL)
    return spec_fail_memory(err);
  memcpy(roots, plan->roots, plan->root_count * sizeof *roots);
  out->roots = roots;
  int rc = spec_looks_new(&out->looks, plan->arena, err);
  if (rc != 0)
    return rc;
  f.to = out->looks;
  spec_looks_set_time(out->looks, spec_looks_time(plan->looks));
  (void)spec_looks_each(plan->looks, keep, &f);
  if (!spec_looks_failed(plan->looks) && !spec_looks_failed(out->looks))
    return SPEC_OK;
  spec_looks_free(out->looks);
  out->looks = NULL;
  return spec_fail_memory(err);
}

/* --- text --- */

static void write_line(spec_buf *out, const char *key, const char *value) {
  spec_buf_printf(out, "%s ", key);
  spec_looks_write_path(out, value);
  spec_buf_char(out, '\n');
}

int spec_record_write(spec_arena *arena, const spec_record *r, const char *dir, const char *name,
                      spec_err *err) {
  const char *path = spec_path_join(arena, dir, name);
  spec_buf text = {0};
  spec_buf_printf(&text, "%s\n", version);
  write_line(&text, "trunk", r->trunk);
  write_line(&text, "backend", r->backend);
  for (size_t i = 0; i < r->root_count; i++)
    write_line(&text, "root", r->roots[i]);
  write_line(&text, "redundant", r->strict_redundant ? "error" : "warn");
  write_line(&text, "unused", r->strict_unused ? "error" : "warn");
  write_line(&text, "drift", spec_drift_name(r->drift));
  write_line(&text, "drifted", r->drifted);
  write_line(&text, "targets", r->targets);
  write_line(&text, "stage", r->stage);
  write_line(&text, "place", r->place);
  spec_looks_write(&text, r->looks);
  int rc = path == NULL || spec_buf_failed(&text)
               ? spec_fail_memory(err)
               : spec_fs_write(path, spec_buf_text(&text), text.len, false, NULL, err);
  spec_buf_dispose(&text);
  return rc;
}

static int damaged(const char *path, spec_err *err) {
  spec_fail(err, SPEC_EPARSE,
            "the record of what the build was configured from is damaged, or of "
            "another version");
  spec_fail_where(err, "%s", path);
  spec_fail_mend(err, "configure the build again");
  return SPEC_EPARSE;
}

static bool set_digest(char out[33], const char *value) {
  size_t len = strlen(value);
  if (len != 32 && len != 0)
    return false;
  memcpy(out, value, len + 1);
  return true;
}

static int add_root(spec_arena *arena, spec_record *r, size_t *cap, const char *root,
                    spec_err *err) {
  int rc = spec_arena_reserve(arena, &r->roots, r->root_count, cap, sizeof *r->roots, err);
  if (rc == 0)
    r->roots[r->root_count++] = root;
  return rc;
}

/* One line of the head; SPEC_EPARSE is not yet described. */
static int read_line(spec_arena *arena, spec_record *r, size_t *cap, char *line, spec_err *err) {
  char *value = strchr(line, ' ');
  if (value == NULL)
    return SPEC_EPARSE;
  *value++ = '\0';
  if (!spec_looks_read_path(value))
    return SPEC_EPARSE;
  if (strcmp(line, "root") == 0)
    return add_root(arena, r, cap, value, err);
  if (strcmp(line, "stage") == 0)
    return set_digest(r->stage, value) ? SPEC_OK : SPEC_EPARSE;
  if (strcmp(line, "place") == 0)
    return set_digest(r->place, value) ? SPEC_OK : SPEC_EPARSE;
  if (strcmp(line, "drifted") == 0)
    return set_digest(r->drifted, value) ? SPEC_OK : SPEC_EPARSE;
  if (strcmp(line, "trunk") == 0)
    r->trunk = value;
  else if (strcmp(line, "backend") == 0)
    r->backend = value;
  else if (strcmp(line, "targets") == 0)
    r->targets = value;
  else if (strcmp(line, "drift") == 0)
    r->drift = spec_drift_named(value);
  else if (strcmp(line, "redundant") == 0)
    r->strict_redundant = strcmp(value, "error") == 0;
  else if (strcmp(line, "unused") == 0)
    r->strict_unused = strcmp(value, "error") == 0;
  else
    return SPEC_EPARSE;
  return SPEC_OK;
}

static int parse(spec_arena *arena, spec_record *r, const char *text, size_t len, const char *path,
                 spec_err *err) {
  size_t cap = 0, size = sizeof version;
  if (len < size || memcmp(text, version, size - 1) != 0 || text[size - 1] != '\n')
    return damaged(path, err);
  for (const char *end = text + len, *line = text + size; line < end;) {
    if (end - line >= 6 && memcmp(line, "looks ", 6) == 0) {
      bool whole = r->trunk != NULL && r->backend != NULL && r->targets != NULL;
      return whole ? spec_looks_parse(r->looks, line, (size_t)(end - line), path, err)
                   : damaged(path, err);
    }
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    size_t n = newline == NULL ? 0 : (size_t)(newline - line);
    char *copy = spec_arena_strndup(arena, line, n);
    if (copy == NULL)
      return spec_fail_memory(err);
    int rc = newline == NULL ? SPEC_EPARSE : read_line(arena, r, &cap, copy, err);
    if (rc != 0)
      return rc == SPEC_EPARSE ? damaged(path, err) : rc;
    line = newline + 1;
  }
  return damaged(path, err);
}

int spec_record_parse(spec_arena *arena, spec_record *out, const char *text, size_t len,
                      const char *path, spec_err *err) {
  spec_record record = {0};
  int rc = spec_looks_new(&record.looks, arena, err);
  if (rc == 0)
    rc = parse(arena, &record, text, len, path, err);
  if (rc == 0)
    *out = record;
  else
    spec_looks_free(record.looks);
  return rc;
}

int spec_record_read(spec_arena *arena, spec_record *out, const char *dir, const char *name,
                     spec_err *err) {
  const char *path = spec_path_join(arena, dir, name), *text;
  size_t len;
  spec_ftype type;
  if (path == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_type(&type, path, err);
  if (rc != 0)
    return rc;
  if (type != SPEC_FT_FILE) {
    spec_fail(err, SPEC_ENOTFOUND, "nothing recorded what the build was configured from");
    spec_fail_where(err, "%s", path);
    spec_fail_mend(err, "configure the build again");
    return SPEC_ENOTFOUND;
  }
  rc = spec_fs_read(arena, &text, &len, path, err);
  return rc != 0 ? rc : spec_record_parse(arena, out, text, len, path, err);
}
