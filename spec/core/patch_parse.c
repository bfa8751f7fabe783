/* patch_parse.c: reads a unified diff of one file.
 *
 * Strict on purpose: a line that is not understood may be one that was to be applied. */
#include "core/patch.h"

#include "base/err.h"
#include "base/path.h"
#include "core/patch_read.h"
#include <string.h>

static const char remake[] =
    "make the patch anew, with 'diff -u' or 'git diff', of this one file alone";

int spec_patch_bad(const spec_patch_reader *r, size_t number, const char *mend, spec_err *err) {
  (void)spec_fail_where(err, "%s:%zu", r->path, number);
  (void)spec_fail_mend(err, "%s", mend != NULL ? mend : remake);
  return SPEC_EPARSE;
}

bool spec_patch_next(spec_patch_reader *r) {
  if (r->at == r->end)
    return false;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->line = r->at;
  r->len = (size_t)((newline != NULL ? newline : r->end) - r->at);
  r->at = newline != NULL ? newline + 1 : r->end;
  r->cr = newline != NULL && r->len > 0 && r->line[r->len - 1] == '\r';
  r->bare = r->len - r->cr;
  r->number++;
  return true;
}

bool spec_patch_starts(const spec_patch_reader *r, const char *with) {
  size_t len = strlen(with);
  return r->bare >= len && memcmp(r->line, with, len) == 0;
}

/* "--- name" or "+++ name"; the blank may be gone where the name is empty. */
static bool is_name_line(const char *line, const char *end, const char *mark) {
  size_t len = (size_t)(end - line);
  if (len < 3 || memcmp(line, mark, 3) != 0)
    return false;
  return len == 3 || line[3] == ' ' || line[3] == '\r' || line[3] == '\n';
}

bool spec_patch_at_names(const spec_patch_reader *r) {
  return is_name_line(r->line, r->line + r->len, "---") && is_name_line(r->at, r->end, "+++");
}

static int binary(const spec_patch_reader *r, spec_err *err) {
  (void)spec_fail(err, SPEC_EPARSE, "a binary patch: only text can be patched");
  return spec_patch_bad(r, r->number, "put the whole file into the overlay instead", err);
}

static bool is_binary(const spec_patch_reader *r) {
  return spec_patch_starts(r, "GIT binary patch") || spec_patch_starts(r, "Binary files ");
}

int spec_patch_second_file(const spec_patch_reader *r, spec_err *err) {
  (void)spec_fail(err, SPEC_EPARSE, "a second file begins: a patch changes one");
  return spec_patch_bad(r, r->number, "split the patch: one beside each file's path", err);
}

/* One escape of a quoted name, after its backslash; moves *p behind it. */
static char unescape(const char **p, const char *end) {
  static const char codes[] = "abtnvfr", values[] = "\a\b\t\n\v\f\r";
  char c = *(*p)++;
  const char *code = strchr(codes, c);
  if (c != '\0' && code != NULL)
    return values[code - codes];
  if (c < '0' || c > '7')
    return c;
  unsigned value = (unsigned)(c - '0');
  for (int i = 0; i < 2 && *p < end && **p >= '0' && **p <= '7'; i++)
    value = value * 8 + (unsigned)(*(*p)++ - '0');
  return (char)value;
}

/* The name that begins at p: to a tab, or quoted as in C.  NULL when memory is out. */
static const char *name_at(spec_arena *arena, const char *p, const char *end) {
  char *out = spec_arena_alloc(arena, (size_t)(end - p) + 1);
  size_t len = 0;
  if (out == NULL)
    return NULL;
  if (p < end && *p == '"') {
    for (p++; p < end && *p != '"';)
      if (*p == '\\' && p + 1 < end) {
        p++;
        out[len++] = unescape(&p, end);
      } else {
        out[len++] = *p++;
      }
    return out;
  }
  const char *tab = memchr(p, '\t', (size_t)(end - p));
  for (end = tab != NULL ? tab : end; end > p && end[-1] == ' ';)
    end--;
  memcpy(out, p, (size_t)(end - p));
  return out;
}

/* Whether `name` is the target's but for a suffix that copies of a file are given. */
static bool names_target(const char *name, const char *target) {
  static const char *const suffixes[] = {"", ".orig", ".old", ".new", ".bak", "~"};
  const char *base = spec_path_basename(name);
  size_t len = strlen(target);
  if (strncmp(base, target, len) != 0)
    return false;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(base + len, suffixes[i]) == 0)
      return true;
  return false;
}

static int check_name(const spec_patch_reader *r, const char *name, size_t number, spec_err *err) {
  if (name == NULL)
    return spec_fail_memory(err);
  if (*name == '\0' || strcmp(name, "-") == 0 || strcmp(name, "/dev/null") == 0 ||
      names_target(name, r->target))
    return SPEC_OK;
  (void)spec_fail(err, SPEC_EPARSE, "the patch is of '%s', but its own name says '%s'", name,
                  r->target);
  return spec_patch_bad(r, number, "name the patch after the file that it changes", err);
}

/* The name of a "---" or "+++" line; *none: it says that there is no such file. */
static int name_line(spec_patch_reader *r, bool *none, spec_err *err) {
  const char *end = r->line + r->bare;
  const char *name = name_at(r->arena, r->bare < 4 ? end : r->line + 4, end);
  int rc = check_name(r, name, r->number, err);
  *none = rc == 0 && strcmp(name, "/dev/null") == 0;
  return rc;
}

static int names(spec_patch_reader *r, spec_err *err) {
  bool no_old, no_new = false;
  size_t number = r->number;
  int rc = name_line(r, &no_old, err);
  if (rc == 0 && spec_patch_next(r))
    rc = name_line(r, &no_new, err);
  if (rc != 0)
    return rc;
  if (no_old && no_new) {
    (void)spec_fail(err, SPEC_EPARSE, "the patch changes /dev/null into /dev/null");
    return spec_patch_bad(r, number, NULL, err);
  }
  r->out->creates |= no_old;
  r->out->deletes |= no_new;
  return spec_patch_hunks(r, err);
}

static unsigned octal(const spec_patch_reader *r, const char *before) {
  unsigned value = 0;
  for (size_t i = strlen(before); i < r->bare && r->line[i] >= '0' && r->line[i] <= '7'; i++)
    value = (value * 8 + (unsigned)(r->line[i] - '0')) & 0777777;
  return value;
}

/* A line between "diff --git" and the names; false: it is none of those known. */
static bool extended(spec_patch_reader *r) {
  static const char *const idle[] = {"index ", "old mode ", "similarity index ",
                                     "dissimilarity index "};
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    if (spec_patch_starts(r, idle[i]))
      return true;
  if (spec_patch_starts(r, "new mode ")) {
    r->out->new_mode = octal(r, "new mode ");
  } else if (spec_patch_starts(r, "new file mode ")) {
    r->out->new_mode = octal(r, "new file mode ");
    r->out->creates = true;
  } else if (spec_patch_starts(r, "deleted file mode ")) {
    r->out->deletes = true;
  } else {
    return false;
  }
  return true;
}

/* The new file's name in "diff --git a/x b/x", where only the end of the line is sure to be one
 * name: its last component. */
static const char *last_name(const spec_patch_reader *diff) {
  const char *start = diff->line + strlen("diff --git "), *end = diff->line + diff->bare, *p = end;
  if (p > start && p[-1] == '"') {
    for (p--; p > start && (p[-1] != '"' || p[-2] == '\\');)
      p--;
    return name_at(diff->arena, p > start ? p - 1 : p, end);
  }
  char before = memchr(start, '/', (size_t)(end - start)) != NULL ? '/' : ' ';
  while (p > start && p[-1] != before)
    p--;
  return name_at(diff->arena, p, end);
}

/* A git header that no hunk follows: an empty file comes or goes. */
static int no_hunks(spec_patch_reader *r, const spec_patch_reader *diff, bool more, spec_err *err) {
  if (!r->out->creates && !r->out->deletes) {
    (void)spec_fail(err, SPEC_EPARSE, "the patch changes nothing%s",
                    r->out->new_mode != 0 ? " but the file's mode" : "");
    return spec_patch_bad(r, diff->number, "delete it, or make it anew with the change in it", err);
  }
  const char *name = last_name(diff);
  int rc = check_name(r, name, diff->number, err);
  if (rc == 0 && *name == '\0') {
    (void)spec_fail(err, SPEC_EPARSE, "a git header without a name");
    rc = spec_patch_bad(r, diff->number, NULL, err);
  }
  return rc != 0 || !more ? rc : spec_patch_tail(r, err);
}

static int git_header(spec_patch_reader *r, spec_err *err) {
  static const char *const moves[] = {"rename from ", "rename to ", "copy from ", "copy to "};
  const spec_patch_reader diff = *r;
  bool more;
  while ((more = spec_patch_next(r)) && !spec_patch_at_names(r)) {
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
      if (spec_patch_starts(r, moves[i])) {
        (void)spec_fail(err, SPEC_EPARSE, "the patch %s a file", i < 2 ? "renames" : "copies");
        return spec_patch_bad(r, r->number, "make it with 'git diff --no-renames'", err);
      }
    if (is_binary(r))
      return binary(r, err);
    if (spec_patch_starts(r, "diff "))
      return spec_patch_second_file(r, err);
    if (spec_patch_starts(r, "@@")) {
      (void)spec_fail(err, SPEC_EPARSE, "a hunk without '---' and '+++' lines ahead of it");
      return spec_patch_bad(r, r->number, NULL, err);
    }
    if (r->bare == 0 || spec_patch_is_signature(r))
      return no_hunks(r, &diff, true, err);
    if (!extended(r)) {
      (void)spec_fail(err, SPEC_EPARSE, "not a line of a git header");
      return spec_patch_bad(r, r->number, NULL, err);
    }
  }
  return more ? names(r, err) : no_hunks(r, &diff, false, err);
}

/* Text that is no header of a diff ends: says what was met instead. */
static int no_header(const spec_patch_reader *r, size_t hunk, spec_err *err) {
  if (hunk != 0) {
    (void)spec_fail(err, SPEC_EPARSE, "a hunk without '---' and '+++' lines ahead of it");
    return spec_patch_bad(r, hunk, "add them, or make the patch anew with 'diff -u'", err);
  }
  (void)spec_fail(err, SPEC_EPARSE, "no unified diff: no line '--- ...' with '+++ ...' below it");
  return spec_patch_bad(r, r->number > 0 ? r->number : 1, NULL, err);
}

static int read_patch(spec_patch_reader *r, spec_err *err) {
  size_t hunk = 0;
  while (spec_patch_next(r)) {
    if (spec_patch_starts(r, "diff --git "))
      return git_header(r, err);
    if (spec_patch_at_names(r))
      return names(r, err);
    if (is_binary(r))
      return binary(r, err);
    if (spec_patch_starts(r, "diff --cc ") || spec_patch_starts(r, "diff --combined ")) {
      (void)spec_fail(err, SPEC_EPARSE, "the combined diff of a merge");
      return spec_patch_bad(r, r->number, "make it against one parent: 'git diff <base>'", err);
    }
    if (spec_patch_starts(r, "***************")) {
      (void)spec_fail(err, SPEC_EPARSE, "a context diff: only unified ones are read");
      return spec_patch_bad(r, r->number, "make it with 'diff -u'", err);
    }
    if (hunk == 0 && spec_patch_starts(r, "@@ -"))
      hunk = r->number;
  }
  return no_header(r, hunk, err);
}

int spec_patch_parse(spec_patch *out, spec_arena *arena, const char *text, size_t len,
                     const char *path, const char *target, spec_err *err) {
  static const char bom[] = "\xEF\xBB\xBF";
  spec_patch patch = {.path = path};
  spec_patch_reader r = {.arena = arena,
                         .at = text,
                         .end = text + len,
                         .path = path,
                         .target = spec_path_basename(target),
                         .out = &patch};
  if (len >= 3 && memcmp(text, bom, 3) == 0)
    r.at += 3;
  int rc = read_patch(&r, err);
  if (rc == 0)
    *out = patch;
  return rc;
}
