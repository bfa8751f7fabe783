/* journal_text.c: the journal as a text. */
#include "core/journal_parts.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

#define FIRST_LINE "# triton-spec upgrade 1"

static const char *const FORMS[] = {"copy", "patch", "lock"};

enum { FIELDS = 7 };

/* --- writing -------------------------------------------------------------------------------- */

static int add_field(spec_buf *out, const char *text, char end, spec_err *err) {
  if (text != NULL && strpbrk(text, "\t\r\n") != NULL)
    return spec_fail(err, SPEC_EREFUSED, "'%s' has a tab or a line end in its name", text);
  spec_buf_str(out, text == NULL ? "-" : text);
  spec_buf_char(out, end);
  return SPEC_OK;
}

int spec_journal_text_of(spec_buf *out, const spec_journal *journal, spec_err *err) {
  spec_buf_str(out, FIRST_LINE "\nto\t");
  int rc = add_field(out, journal->commit, '\t', err);
  if (rc == 0)
    rc = add_field(out, journal->rev, '\n', err);
  for (size_t i = 0; rc == 0 && i < journal->count; i++) {
    const spec_journal_change *c = &journal->changes[i];
    spec_buf_printf(out, "change\t%s\t%s\t%c%c\t", c->conflict ? "conflict" : "clean",
                    FORMS[c->form], c->old.executable ? 'x' : '-', c->new.executable ? 'x' : '-');
    rc = add_field(out, c->trunk, '\t', err);
    if (rc == 0)
      rc = add_field(out, c->old_path, '\t', err);
    if (rc == 0)
      rc = add_field(out, c->new_path, '\n', err);
  }
  return rc != 0 ? rc : spec_buf_failed(out) ? spec_fail_memory(err) : SPEC_OK;
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct reading {
  spec_journal *out;
  spec_arena *arena;
  const char *file;
  size_t line;
  spec_err *err;
} reading;

static int refuse(reading *r, const char *what) {
  spec_fail(r->err, SPEC_EPARSE, "%s", what);
  spec_fail_where(r->err, "%s:%zu", r->file, r->line);
  return spec_fail_mend(r->err, "the files as they were are in old/ beside it: put them back by "
                                "hand and remove the folder");
}

/* Splits a line at its tabs; returns how many fields there are, FIELDS + 1 for more. */
static size_t split(char *line, char *fields[FIELDS]) {
  size_t count = 0;
  for (char *at = line; at != NULL; count++) {
    if (count == FIELDS)
      return FIELDS + 1;
    char *tab = strchr(at, '\t');
    fields[count] = at;
    if (tab != NULL)
      *tab++ = '\0';
    at = tab;
  }
  return count;
}

/* A path below the folder, or "-" for none.  False: it leaves the folder. */
static bool take_path(const char **out, spec_arena *arena, const char *field) {
  *out = NULL;
  if (strcmp(field, "-") == 0)
    return true;
  const char *normal = spec_path_normal(arena, field);
  *out = field;
  return normal != NULL && strcmp(normal, field) == 0 && !spec_path_is_absolute(field) &&
         strcmp(field, ".") != 0 && strcmp(field, "..") != 0 && strncmp(field, "../", 3) != 0;
}

static int read_change(reading *r, char *const fields[FIELDS]) {
  spec_journal *out = r->out;
  int rc = spec_arena_reserve(r->arena, &out->changes, out->count, &out->cap, sizeof *out->changes,
                              r->err);
  if (rc != 0)
    return rc;
  spec_journal_change *c = &out->changes[out->count];
  *c = (spec_journal_change){.conflict = strcmp(fields[1], "conflict") == 0, .trunk = fields[4]};
  if (!c->conflict && strcmp(fields[1], "clean") != 0)
    return refuse(r, "neither clean nor in conflict");
  size_t form = 0;
  while (form < sizeof FORMS / sizeof *FORMS && strcmp(FORMS[form], fields[2]) != 0)
    form++;
  if (form == sizeof FORMS / sizeof *FORMS)
    return refuse(r, "a change of no known form");
  c->form = (spec_change_form)form;
  const char *flags = fields[3];
  if (strlen(flags) != 2 || strspn(flags, "x-") != 2)
    return refuse(r, "flags are two of 'x' and '-'");
  c->old.executable = flags[0] == 'x';
  c->new.executable = flags[1] == 'x';
  if (!take_path(&c->old_path, r->arena, fields[5]) ||
      !take_path(&c->new_path, r->arena, fields[6]))
    return refuse(r, "a path that leaves the backend's folder");
  out->count++;
  return SPEC_OK;
}

static int read_line(reading *r, char *line) {
  char *fields[FIELDS];
  if (r->line == 1)
    return strcmp(line, FIRST_LINE) == 0
               ? SPEC_OK
               : refuse(r, "not a journal of this version of triton-spec");
  size_t count = split(line, fields);
  if (r->line == 2) {
    if (count != 3 || strcmp(fields[0], "to") != 0)
      return refuse(r, "does not say which revision it is about");
    r->out->commit = fields[1];
    r->out->rev = fields[2];
    return SPEC_OK;
  }
  if (count != FIELDS || strcmp(fields[0], "change") != 0)
    return refuse(r, "not a change");
  return read_change(r, fields);
}

int spec_journal_parse(spec_journal *out, spec_arena *arena, const char *text, size_t len,
                       const char *file, spec_err *err) {
  *out = (spec_journal){0};
  reading r = {out, arena, file, 0, err};
  char *copy = spec_arena_strndup(arena, len > 0 ? text : "", len);
  if (copy == NULL)
    return spec_fail_memory(err);
  int rc = SPEC_OK;
  if (strlen(copy) != len)
    return refuse(&r, "has a NUL");
  for (char *at = copy; rc == 0 && *at != '\0';) {
    char *end = strchr(at, '\n');
    r.line++;
    if (end == NULL)
      return refuse(&r, "ends within a line");
    *end = '\0';
    rc = read_line(&r, at);
    at = end + 1;
  }
  if (rc == 0 && r.line < 2)
    rc = refuse(&r, "is not whole");
  return rc;
}
