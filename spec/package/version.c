/* version.c */
#include "package/version.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"

#include <string.h>

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_alphanumeric(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
}

static bool is_separator(char c) {
  return c == '-' || c == '_' || c == '.';
}

/* --- names --------------------------------------------------------------------------------- */

static int refuse_name(const char *name, const char *path, spec_err *err) {
  (void)spec_fail(err, SPEC_EINVAL, "'%s' is not the name of a wheel", name);
  (void)spec_fail_where(err, "%s", path);
  (void)spec_fail_mend(err, "give the wheel the name that it was published under, "
                            "<project>-<version>-<python>-<abi>-<platform>.whl");
  return SPEC_EINVAL;
}

int spec_wheel_name_parse(spec_wheel_name *out, spec_arena *arena, const char *path,
                          spec_err *err) {
  const char *name = spec_path_basename(path);
  size_t len = strlen(name), parts = 1, start = 0, ends[2] = {0};
  if (len < 4 || strcmp(name + len - 4, ".whl") != 0)
    return refuse_name(name, path, err);
  len -= 4;
  for (size_t i = 0; i <= len; i++) {
    if (i < len && name[i] != '-')
      continue;
    if (i == start) /* an empty part */
      return refuse_name(name, path, err);
    if (parts <= 2)
      ends[parts - 1] = i;
    parts += i < len;
    start = i + 1;
  }
  if (parts != 5 && parts != 6) /* the sixth is a build tag, which begins with a digit */
    return refuse_name(name, path, err);
  if (parts == 6 && !is_digit(name[ends[1] + 1]))
    return refuse_name(name, path, err);
  out->project = spec_arena_strndup(arena, name, ends[0]);
  out->version = spec_arena_strndup(arena, name + ends[0] + 1, ends[1] - ends[0] - 1);
  out->tail = spec_arena_strndup(arena, name + ends[1] + 1, len - ends[1] - 1);
  if (out->project == NULL || out->version == NULL || out->tail == NULL)
    return spec_fail_memory(err);
  return SPEC_OK;
}

/* The next character of a name in which a run of separators counts as one. */
static char next_of_name(const char **at) {
  if (!is_separator(**at))
    return lower(*(*at)++);
  while (is_separator(**at))
    (*at)++;
  return '-';
}

bool spec_project_equal(const char *a, const char *b) {
  while (*a != '\0' && *b != '\0')
    if (next_of_name(&a) != next_of_name(&b))
      return false;
  return *a == *b;
}

/* --- versions ------------------------------------------------------------------------------ */

/* Skips the zeros before a number, which begins at `at` when no digit is before it. */
static const char *skip_zeros(const char *at, char before) {
  while (!is_digit(before) && *at == '0' && is_digit(at[1]))
    at++;
  return at;
}

bool spec_version_equal(const char *a, const char *b) {
  char before = '.';
  a += lower(*a) == 'v';
  b += lower(*b) == 'v';
  for (;;) {
    a = skip_zeros(a, before);
    b = skip_zeros(b, before);
    char x = is_separator(*a) ? '.' : lower(*a), y = is_separator(*b) ? '.' : lower(*b);
    if (x != y || x == '\0')
      return x == y;
    before = x;
    a++;
    b++;
  }
}

/* Whether text is letters and digits, in groups parted by single separators. */
static bool is_label(const char *text) {
  if (!is_alphanumeric(*text))
    return false;
  for (; *text != '\0'; text++)
    if (!is_alphanumeric(*text) && !(is_separator(*text) && is_alphanumeric(text[1])))
      return false;
  return true;
}

/* Appends a label in its normal form: small letters, '.' between groups, numbers without zeros
 * before them. */
static void add_label(spec_buf *out, const char *label) {
  while (*label != '\0') {
    size_t len = strcspn(label, "-_."), digits = strspn(label, "0123456789");
    if (digits == len) /* a group that is a number */
      for (; len > 1 && *label == '0'; len--)
        label++;
    for (size_t i = 0; i < len; i++)
      spec_buf_char(out, lower(label[i]));
    label += len;
    if (*label != '\0') {
      spec_buf_char(out, '.');
      label++;
    }
  }
}

/* Whether `len` bytes of text can be a version without a local label. */
static bool is_public(const char *text, size_t len) {
  if (len == 0 || !(is_digit(*text) || lower(*text) == 'v'))
    return false;
  for (size_t i = 0; i < len; i++)
    if (!is_alphanumeric(text[i]) && !is_separator(text[i]) && text[i] != '!')
      return false;
  return true;
}

int spec_version_with_label(const char **out, spec_arena *arena, const char *version,
                            const char *label, spec_err *err) {
  size_t len = strcspn(version, "+");
  const char *old = version[len] == '+' ? version + len + 1 : NULL;
  if (!is_public(version, len) || (old != NULL && !is_label(old))) {
    (void)spec_fail(err, SPEC_EINVAL, "'%s' is not a version, so it can have no local label",
                    version);
    return spec_fail_mend(err, "versions are described in PEP 440");
  }
  if (!is_label(label)) {
    (void)spec_fail(err, SPEC_EINVAL, "'%s' cannot be the local label of a version", label);
    return spec_fail_mend(err, "give letters and digits, with single dots between: --label LABEL");
  }
  spec_buf text = {0};
  spec_buf_add(&text, version, len);
  spec_buf_char(&text, '+');
  if (old != NULL) {
    add_label(&text, old);
    spec_buf_char(&text, '.');
  }
  add_label(&text, label);
  const char *made = spec_buf_failed(&text) ? NULL : spec_arena_strdup(arena, spec_buf_text(&text));
  spec_buf_dispose(&text);
  if (made == NULL)
    return spec_fail_memory(err);
  *out = made;
  return SPEC_OK;
}

const char *spec_version_in_name(spec_arena *arena, const char *version) {
  char *out = spec_arena_strdup(arena, version);
  for (char *c = out; c != NULL && *c != '\0'; c++)
    if (*c == '-')
      *c = '_';
  return out;
}
