/* Include scanners: whatever a compiler's own order of work (join lines, drop comments, then look
 * for directives) finds must be among what the fast scanner finds. */
#include "fuzz.h"

#include "scan.h"

#include <string.h>

/* Joins continued lines; `to` has room for len + 1. */
static size_t join_lines(char *to, const char *text, size_t len) {
  size_t out = 0;
  for (size_t i = 0; i < len;) {
    size_t k = i + (text[i] == '\\' ? 1 : i + 3 <= len && memcmp(text + i, "?\?/", 3) == 0 ? 3 : 0);
    size_t start = k;
    while (k < len && strchr(" \t\v\f\r", text[k]) != NULL && text[k] != '\0')
      k++;
    if (start > i && k < len && text[k] == '\n')
      i = k + 1;
    else
      to[out++] = text[i++];
  }
  return out;
}

/* Puts a blank for each comment, in place. Strings end with their line at the latest. */
static size_t drop_comments(char *text, size_t len) {
  size_t out = 0;
  for (size_t i = 0; i < len;) {
    bool two = i + 1 < len && text[i] == '/';
    if (two && text[i + 1] == '*') {
      for (i += 2; i < len && !(text[i] == '*' && i + 1 < len && text[i + 1] == '/'); i++)
        continue;
      i = i + 2 < len ? i + 2 : len;
      text[out++] = ' ';
    } else if (two && text[i + 1] == '/') {
      while (i < len && text[i] != '\n' && text[i] != '\r')
        i++;
    } else if (text[i] == '"' || text[i] == '\'') {
      char quote = text[i];
      do {
        if (text[i] == '\\' && i + 1 < len && text[i + 1] != '\n' && text[i + 1] != '\r')
          text[out++] = text[i++];
        text[out++] = text[i++];
      } while (i < len && text[i] != quote && text[i] != '\n' && text[i] != '\r');
      if (i < len && text[i] == quote)
        text[out++] = text[i++];
    } else {
      text[out++] = text[i++];
    }
  }
  return out;
}

static bool has(const spec_includes *in, const char *name, size_t len) {
  for (size_t i = 0; i < in->count; i++)
    if (in->items[i].form == SPEC_INCLUDE_MACRO ||
        (strncmp(in->items[i].name, name, len) == 0 && strlen(in->items[i].name) <= len))
      return true;
  return false;
}

/* The name that the line at p includes must have been found. */
static void check_line(const spec_includes *in, char *p) {
  static const char *const marks[] = {"#", "%:", "?\?="}, *const words[] = {"include", "import"};
  size_t mark = 0, word = 0;
  for (p += strspn(p, " \t\v\f"); mark < 3 && strncmp(p, marks[mark], strlen(marks[mark])) != 0;)
    mark++;
  if (mark == 3)
    return;
  p += strlen(marks[mark]);
  for (p += strspn(p, " \t\v\f"); word < 2 && strncmp(p, words[word], strlen(words[word])) != 0;)
    word++;
  if (word == 2)
    return;
  p += strlen(words[word]);
  p += strncmp(p, "_next", 5) == 0 ? 5 : 0;
  p += strspn(p, " \t\v\f");
  const char *close = *p == '"' ? strchr(p + 1, '"') : *p == '<' ? strchr(p + 1, '>') : NULL;
  /* Between < and > there are no comments, but they were dropped there too, each for a blank. */
  bool changed = close != NULL && *p == '<' && memchr(p, ' ', (size_t)(close - p)) != NULL;
  CHECK(close == NULL || changed || has(in, p + 1, (size_t)(close - p - 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_includes found, again;
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  CHECK(spec_scan_c(arena, &found, text, size, NULL) == SPEC_OK);
  CHECK(spec_scan_td(arena, &again, text, size, NULL) == SPEC_OK);
  char *copy = spec_arena_alloc(arena, size + 1);
  size_t bom = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  size_t len = drop_comments(copy, join_lines(copy, text + bom, size - bom));
  copy[len] = '\0';
  for (char *line = copy; memchr(text, '\0', size) == NULL && *line != '\0';) {
    size_t n = strcspn(line, "\r\n");
    char *next = line + n + (line[n] != '\0');
    line[n] = '\0';
    check_line(&found, line);
    line = next;
  }
  spec_arena_free(arena);
  return 0;
}
