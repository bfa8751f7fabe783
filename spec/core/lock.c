/* lock.c */
#include "core/lock.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/blob_id.h"
#include <string.h>

static const char head[] = "# triton-spec lock ";
static const char version[] = "1";

enum { FIELDS = 4 };

/* One field of a line. */
typedef struct span {
  const char *text;
  size_t len;
} span;

static bool is(span s, const char *text) {
  return s.len == strlen(text) && memcmp(s.text, text, s.len) == 0;
}

static bool is_id(span s) {
  return is(s, "-") || spec_blob_id_is_valid(s.text, s.len);
}

/* Relative, without empty parts, "." and "..". */
static bool is_trunk_path(span s) {
  for (size_t at = 0; at <= s.len;) {
    const char *slash = at < s.len ? memchr(s.text + at, '/', s.len - at) : NULL;
    size_t len = slash == NULL ? s.len - at : (size_t)(slash - s.text) - at;
    if (len == 0 || (len <= 2 && memcmp(s.text + at, "..", len) == 0))
      return false;
    at += len + 1;
  }
  return true;
}

/* The line's fields, FIELDS at most; one more is counted. */
static size_t split(span fields[FIELDS], const char *text, size_t len) {
  size_t count = 0, at = 0;
  for (; at <= len; count++) {
    const char *tab = at < len ? memchr(text + at, '\t', len - at) : NULL;
    size_t end = tab == NULL ? len : (size_t)(tab - text);
    if (count == FIELDS)
      return FIELDS + 1;
    fields[count] = (span){text + at, end - at};
    at = end + 1;
  }
  return count;
}

/* What is wrong with a line, or NULL. */
static const char *problem_of(const span *fields, size_t count) {
  if (count < 3 || count > FIELDS)
    return "a line is '<trunk path> TAB <blob id> TAB <commit>', and maybe TAB 'review'";
  if (!is_trunk_path(fields[0]) || memchr(fields[0].text, '\0', fields[0].len) != NULL)
    return "the first field is a path below the trunk, without '..'";
  if (!is_id(fields[1]))
    return "the second field is a blob id of 40 hexadecimal digits, or '-'";
  if (!is_id(fields[2]))
    return "the third field is a commit of 40 hexadecimal digits, or '-'";
  return count == FIELDS && !is(fields[3], "review") ? "the fourth field can only be 'review'"
                                                     : NULL;
}

static int fail_line(const char *problem, const char *file, size_t line, spec_err *err) {
  spec_fail(err, SPEC_EPARSE, "%s", problem);
  spec_fail_where(err, "%s:%zu", file, line);
  return spec_fail_mend(err,
                        "mend the line; or delete the file, and write it anew: triton-spec lock");
}

/* The first line; it decides how the others are read. */
static int read_head(const char *text, size_t len, const char *file, spec_err *err) {
  size_t head_len = sizeof head - 1;
  if (len < head_len || memcmp(text, head, head_len) != 0)
    return fail_line("this is no lock: its first line is not '# triton-spec lock 1'", file, 1, err);
  if (is((span){text + head_len, len - head_len}, version))
    return SPEC_OK;
  spec_fail(err, SPEC_EPARSE, "this lock has version '%.*s' of the format; known is %s",
            (int)(len - head_len > 20 ? 20 : len - head_len), text + head_len, version);
  spec_fail_where(err, "%s:1", file);
  return spec_fail_mend(err, "use the triton-spec that wrote it, or a later one");
}

static const char *copy(spec_lock *lock, span s) {
  return is(s, "-") ? "-" : spec_arena_strndup(lock->arena, s.text, s.len);
}

static int append(spec_lock *lock, const spec_lock_line *line, spec_err *err) {
  int rc = spec_arena_reserve(lock->arena, &lock->lines, lock->count, &lock->cap,
                              sizeof *lock->lines, err);
  if (rc == 0)
    lock->lines[lock->count++] = *line;
  return rc;
}

static int read_line(spec_lock *lock, span text, const char *file, size_t number, spec_err *err) {
  span fields[FIELDS];
  size_t count = split(fields, text.text, text.len);
  const char *problem = problem_of(fields, count);
  if (problem != NULL)
    return fail_line(problem, file, number, err);
  const spec_lock_line line = {.trunk = copy(lock, fields[0]),
                               .blob = copy(lock, fields[1]),
                               .commit = copy(lock, fields[2]),
                               .review = count == FIELDS,
                               .line = number};
  if (line.trunk == NULL || line.blob == NULL || line.commit == NULL)
    return spec_fail_memory(err);
  if (lock->count > 0) {
    int order = strcmp(lock->lines[lock->count - 1].trunk, line.trunk);
    if (order == 0)
      return fail_line("this path has a line already, the one above", file, number, err);
    if (order > 0)
      return fail_line("lines are sorted bytewise by path, and this one is not", file, number, err);
  }
  return append(lock, &line, err);
}

int spec_lock_parse(spec_lock *out, const char *text, size_t len, const char *file, spec_err *err) {
  size_t number = 0, at = 0;
  int rc = 0;
  do {
    const char *newline = at < len ? memchr(text + at, '\n', len - at) : NULL;
    size_t end = newline == NULL ? len : (size_t)(newline - text);
    span line = {text + at, end - at};
    if (line.len > 0 && line.text[line.len - 1] == '\r')
      line.len--;
    if (++number == 1)
      rc = read_head(line.text, line.len, file, err);
    else if (line.len > 0 && line.text[0] != '#')
      rc = read_line(out, line, file, number, err);
    at = end + 1;
  } while (rc == 0 && at < len);
  return rc;
}

int spec_lock_read(spec_lock *out, bool *exists, const char *backend_dir, spec_err *err) {
  const char *path = spec_path_join(out->arena, backend_dir, SPEC_LOCK_FILE), *text;
  size_t len;
  spec_ftype type;
  if (path == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_type(&type, path, err);
  if (rc != 0)
    return rc;
  if (exists != NULL)
    *exists = type != SPEC_FT_NONE;
  if (type == SPEC_FT_NONE)
    return SPEC_OK;
  rc = spec_fs_read(out->arena, &text, &len, path, err);
  return rc != 0 ? rc : spec_lock_parse(out, text, len, path, err);
}

/* Index of the first line whose path is not before `trunk`. */
static size_t place_of(const spec_lock *lock, const char *trunk) {
  size_t low = 0, high = lock->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(lock->lines[middle].trunk, trunk) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool has_at(const spec_lock *lock, size_t at, const char *trunk) {
  return at < lock->count && strcmp(lock->lines[at].trunk, trunk) == 0;
}

const spec_lock_line *spec_lock_find(const spec_lock *lock, const char *trunk) {
  size_t at = place_of(lock, trunk);
  return has_at(lock, at, trunk) ? &lock->lines[at] : NULL;
}

int spec_lock_set(spec_lock *lock, const spec_lock_line *line, spec_err *err) {
  spec_lock_line new = *line;
  new.trunk = spec_arena_strdup(lock->arena, line->trunk);
  new.blob = spec_arena_strdup(lock->arena, line->blob);
  new.commit = spec_arena_strdup(lock->arena, line->commit);
  if (new.trunk == NULL || new.blob == NULL || new.commit == NULL)
    return spec_fail_memory(err);
  size_t at = place_of(lock, line->trunk);
  if (!has_at(lock, at, line->trunk)) {
    int rc = append(lock, &new, err);
    if (rc != 0)
      return rc;
    memmove(&lock->lines[at + 1], &lock->lines[at], (lock->count - 1 - at) * sizeof new);
  }
  lock->lines[at] = new;
  return SPEC_OK;
}

void spec_lock_drop(spec_lock *lock, const char *trunk) {
  size_t at = place_of(lock, trunk);
  if (has_at(lock, at, trunk)) {
    memmove(&lock->lines[at], &lock->lines[at + 1], (lock->count - at - 1) * sizeof *lock->lines);
    lock->count--;
  }
}

void spec_lock_text(spec_buf *out, const spec_lock *lock) {
  spec_buf_printf(out, "%s%s\n", head, version);
  for (size_t i = 0; i < lock->count; i++) {
    const spec_lock_line *l = &lock->lines[i];
    spec_buf_printf(out, "%s\t%s\t%s%s\n", l->trunk, l->blob, l->commit,
                    l->review ? "\treview" : "");
  }
}

int spec_lock_write(const spec_lock *lock, bool *changed, const char *backend_dir, spec_err *err) {
  const char *path = spec_path_join(lock->arena, backend_dir, SPEC_LOCK_FILE);
  if (path == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < lock->count; i++) {
    const char *trunk = lock->lines[i].trunk;
    if (strpbrk(trunk, "\t\r\n") != NULL || trunk[0] == '#')
      return spec_fail(err, SPEC_EINVAL, "a lock cannot hold the path '%s'", trunk);
  }
  spec_buf text = {0};
  spec_lock_text(&text, lock);
  int rc = spec_buf_failed(&text)
               ? spec_fail_memory(err)
               : spec_fs_write(path, spec_buf_text(&text), text.len, false, changed, err);
  spec_buf_dispose(&text);
  return rc;
}
