/* headers.c */
#include "package/headers.h"

#include <string.h>

/* Where the line that begins at `at` ends: behind its newline, or at the end of the text. */
static size_t line_end(const char *text, size_t len, size_t at) {
  const char *newline = memchr(text + at, '\n', len - at);
  return newline == NULL ? len : (size_t)(newline - text) + 1;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether a name, in any case, and ':' stand at `at`. */
static bool has_name(const char *text, size_t len, size_t at, const char *name) {
  for (; *name != '\0'; name++, at++) {
    char a = at < len ? text[at] : '\0', b = *name;
    if (a >= 'A' && a <= 'Z')
      a = (char)(a - 'A' + 'a');
    if (b >= 'A' && b <= 'Z')
      b = (char)(b - 'A' + 'a');
    if (a != b)
      return false;
  }
  return at < len && text[at] == ':';
}

/* text[start, end) without the blanks around it; at `start` when there is nothing else. */
static spec_header trimmed(const char *text, size_t start, size_t end) {
  size_t at = start;
  while (at < end && is_blank(text[at]))
    at++;
  if (at == end)
    return (spec_header){start, 0};
  while (is_blank(text[end - 1]))
    end--;
  return (spec_header){at, end - at};
}

size_t spec_headers_find(spec_header *out, const char *text, size_t len, const char *name) {
  size_t count = 0, at = 0, next;
  for (; at < len; at = next) {
    size_t end = line_end(text, len, at);
    if (trimmed(text, at, end).len == 0)
      break;
    for (next = end; next < len && (text[next] == ' ' || text[next] == '\t');) {
      size_t further = line_end(text, len, next);
      if (trimmed(text, next, further).len == 0)
        break;
      next = further;
    }
    if (!has_name(text, len, at, name))
      continue;
    if (count++ == 0)
      *out = trimmed(text, at + strlen(name) + 1, next);
  }
  return count;
}

const char *spec_headers_replace(spec_arena *arena, size_t *new_len, const char *text, size_t len,
                                 const spec_header *header, const char *value) {
  size_t value_len = strlen(value), rest = len - header->at - header->len;
  char *out = spec_arena_alloc(arena, len - header->len + value_len + 1);
  if (out == NULL)
    return NULL;
  memcpy(out, text, header->at);
  memcpy(out + header->at, value, value_len);
  memcpy(out + header->at + value_len, text + header->at + header->len, rest);
  *new_len = header->at + value_len + rest;
  return out;
}
