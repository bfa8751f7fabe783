/* conflict.c */
#include "core/conflict.h"

#include <stdbool.h>
#include <string.h>

typedef struct line {
  const char *text; /* without the line end, CR LF too */
  size_t len;
} line;

/* Takes the next line; *at moves behind it. */
static line next_line(const char **at, const char *end) {
  const char *start = *at, *stop = memchr(start, '\n', (size_t)(end - start));
  size_t len = (size_t)((stop == NULL ? end : stop) - start);
  *at = stop == NULL ? end : stop + 1;
  if (len > 0 && start[len - 1] == '\r')
    len--;
  return (line){start, len};
}

/* Seven of the sign, and nothing or a blank and a label behind them. */
static bool is_mark(line l, char sign, bool labelled) {
  for (size_t i = 0; i < 7; i++)
    if (l.len < 7 || l.text[i] != sign)
      return false;
  return l.len == 7 || (labelled && l.text[7] == ' ');
}

static bool has_line(const char *text, size_t len, line wanted) {
  const char *at = text, *end = text == NULL ? NULL : text + len;
  while (at != end) {
    line l = next_line(&at, end);
    if (l.len == wanted.len && memcmp(l.text, wanted.text, l.len) == 0)
      return true;
  }
  return false;
}

/* `signs` are the marks that patches have before their lines: "" for a text that is none, else
 * those of the new text. */
static size_t find(const char *text, size_t len, const char *signs, const char *base,
                   size_t base_len) {
  static const char marks[] = {'<', '=', '>'};
  const char *at = text, *end = text + len;
  line found[3];
  size_t have = 0, begin = 0, number = 0;
  while (at != end) {
    line l = next_line(&at, end);
    number++;
    if (*signs != '\0') {
      if (l.len == 0 || strchr(signs, l.text[0]) == NULL)
        continue;
      l = (line){l.text + 1, l.len - 1};
    }
    if (is_mark(l, marks[0], true)) {
      have = 0;
      begin = number;
    } else if (have == 0 || !is_mark(l, marks[have], have == 2)) {
      continue;
    }
    found[have++] = l;
    if (have < 3)
      continue;
    have = 0;
    for (size_t i = 0; i < 3; i++)
      if (!has_line(base, base_len, found[i]))
        return begin;
  }
  return 0;
}

size_t spec_conflict_find(const char *text, size_t len, const char *base, size_t base_len) {
  return find(text, len, "", base, base_len);
}

size_t spec_conflict_find_in_patch(const char *text, size_t len, const char *base,
                                   size_t base_len) {
  size_t own = find(text, len, "", NULL, 0);
  return own != 0 ? own : find(text, len, " +", base, base_len);
}
