/* read_text.c: brackets, strings and nesting, for all parts of the reader. */
#include "reader.h"

#include <string.h>

void *tc_reader_alloc(tc_reader *r, size_t size) {
  void *made = tc_alloc(r->arena, size);
  if (made == NULL)
    (void)tc_no_memory(&r->scan);
  return made;
}

bool tc_deeper(tc_reader *r) {
  if (r->depth >= TC_MAX_DEPTH)
    return tc_refuse(&r->scan, "nested more than %d deep", TC_MAX_DEPTH);
  r->depth++;
  return true;
}

const char *tc_read_balanced(tc_reader *r, size_t *len) {
  static const char opening[] = "<([{", closing[] = ">)]}";
  const char *start = r->scan.token.start;
  char open[TC_MAX_DEPTH];
  size_t depth = 0;
  do {
    const tc_token t = r->scan.token;
    char c = t.kind == TC_PUNCT ? *t.start : ' ';
    const char *opens = strchr(opening, c), *closes = strchr(closing, c);
    if (t.kind == TC_END)
      return (void)tc_refuse_at(&r->scan, start, "a bracket that is not closed"), NULL;
    if (opens != NULL && depth == TC_MAX_DEPTH)
      return (void)tc_refuse(&r->scan, "nested more than %d deep", TC_MAX_DEPTH), NULL;
    if (opens != NULL)
      open[depth++] = closing[opens - opening];
    if (closes != NULL && open[--depth] != c)
      return (void)tc_refuse(&r->scan, "'%c' is wanted before '%c'", open[depth], c), NULL;
    *len = (size_t)(t.start + t.len - start);
    if (!tc_next(&r->scan))
      return NULL;
  } while (depth > 0);
  return start;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

const char *tc_unquote(tc_reader *r, const char *start, size_t len, size_t *made_len) {
  static const char plain[] = "\"\"\\\\n\nt\t"; /* what stands behind the backslash, and for what */
  char *made = tc_reader_alloc(r, len);
  size_t count = 0;
  if (made == NULL)
    return NULL;
  for (const char *at = start + 1, *end = start + len - 1; at < end; at++) {
    if (*at != '\\') {
      made[count++] = *at;
      continue;
    }
    const char *one = NULL;
    for (const char *p = plain; *p != '\0' && one == NULL; p += 2)
      one = *p == at[1] ? p + 1 : NULL;
    int high = hex_digit(at[1]), low = high < 0 ? -1 : hex_digit(at[2]);
    if (one == NULL && low < 0)
      return (void)tc_refuse_at(&r->scan, at, "an unknown escape in a string"), NULL;
    made[count++] = (char)(one != NULL ? *one : high << 4 | low);
    at += one != NULL ? 1 : 2;
  }
  made[count] = '\0';
  *made_len = count;
  return made;
}
