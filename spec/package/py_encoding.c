/* py_encoding.c */
#include "package/py_encoding.h"

#include "base/path.h"
#include <string.h>

size_t spec_py_bom(const spec_py_source *source) {
  return source->len >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Where the line that begins at `at` ends, its break not counted. */
static size_t line_end(const spec_py_source *source, size_t at) {
  while (at < source->len && source->text[at] != '\n' && source->text[at] != '\r')
    at++;
  return at;
}

/* Where the next line begins. */
static size_t next_line(const spec_py_source *source, size_t end) {
  bool two = end + 1 < source->len && source->text[end] == '\r' && source->text[end + 1] == '\n';
  return end + (two ? 2 : end < source->len ? 1 : 0);
}

static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

/* Whether that is a name of UTF-8, as Python's codecs know it. */
static bool names_utf8(const char *name, size_t len) {
  static const char *const names[] = {"utf-8", "utf8", "u8", "utf"};
  char lower[16] = {0};
  for (size_t i = 0; i < len && i < sizeof lower - 1; i++)
    lower[i] =
        name[i] == '_' ? '-' : (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(lower, names[i]) == 0)
      return true;
  return strncmp(lower, "utf-8-", 6) == 0;
}

/* What a coding line names: the length of *name, 0 when the comment is none. */
static size_t coding(const char **name, const char *comment, size_t len) {
  for (size_t i = 0; i + 7 < len; i++) {
    if (memcmp(comment + i, "coding", 6) != 0 || (comment[i + 6] != ':' && comment[i + 6] != '='))
      continue;
    size_t from = i + 7, to;
    while (from < len && (comment[from] == ' ' || comment[from] == '\t'))
      from++;
    for (to = from; to < len && is_name_byte(comment[to]);)
      to++;
    *name = comment + from;
    if (to > from)
      return to - from;
  }
  return 0;
}

/* The coding line is the first or second; the first only passes the question on when it is empty or
 * a comment. */
static bool check_coding(spec_py_fault *fault, const spec_py_source *source) {
  size_t at = spec_py_bom(source);
  for (size_t line = 1; line <= 2; line++) {
    size_t end = line_end(source, at);
    while (at < end &&
           (source->text[at] == ' ' || source->text[at] == '\t' || source->text[at] == '\f'))
      at++;
    if (at < end && source->text[at] != '#')
      return true;
    const char *name;
    size_t len = coding(&name, source->text + at, end - at);
    if (len > 0 && !names_utf8(name, len)) {
      *fault = (spec_py_fault){"its coding line names another encoding", line, true};
      return false;
    }
    if (len > 0)
      return true;
    at = next_line(source, end);
  }
  return true;
}

bool spec_py_is_utf8(spec_py_fault *fault, const spec_py_source *source) {
  bool whole = spec_text_is_utf8(source->text, source->len);
  bool nul = source->len > 0 && memchr(source->text, '\0', source->len) != NULL;
  if (source->len >= UINT32_MAX) {
    *fault = (spec_py_fault){"it is larger than 4 GiB", 1, false};
    return false;
  }
  for (size_t at = 0, line = 1; (!whole || nul) && at < source->len; line++) {
    size_t end = line_end(source, at);
    if (!spec_text_is_utf8(source->text + at, end - at)) {
      *fault = (spec_py_fault){"a byte that is not UTF-8", line, true};
      return false;
    }
    if (end > at && memchr(source->text + at, '\0', end - at) != NULL) {
      *fault = (spec_py_fault){"a NUL byte", line, false};
      return false;
    }
    at = next_line(source, end);
  }
  return check_coding(fault, source);
}
