/* scan.c: a scanner that errs only towards more includes.
 *
 * It looks at lines, not at tokens: to skip comments one must know strings, to
 * know strings one must know raw strings, and one mistake there would lose an
 * include, which is the one error that must not happen. */
#define _GNU_SOURCE /* memmem */
#include "scan.h"

#include "base/err.h"
#include <string.h>

typedef struct cursor {
  const char *at, *end;
  unsigned line;
} cursor;

typedef struct collector {
  spec_arena *arena;
  spec_includes *out;
  size_t cap;
} collector;

static int collect(collector *c, const char *name, size_t len, spec_include_form form,
                   unsigned line, spec_err *err) {
  if (c->out->count == c->cap) {
    size_t cap = c->cap == 0 ? 16 : c->cap * 2;
    spec_include *items =
        spec_arena_grow(c->arena, c->out->items, c->cap * sizeof *items, cap * sizeof *items);
    if (items == NULL)
      return spec_fail_memory(err);
    c->out->items = items;
    c->cap = cap;
  }
  char *copy = spec_arena_strndup(c->arena, name, len);
  if (copy == NULL)
    return spec_fail_memory(err);
  c->out->items[c->out->count++] = (spec_include){copy, form, line};
  return SPEC_OK;
}

/* Length of a backslash-newline at p, or 0. */
static size_t splice(const char *p, const char *end) {
  if (p < end && *p == '\\') {
    if (p + 1 < end && p[1] == '\n')
      return 2;
    if (p + 2 < end && p[1] == '\r' && p[2] == '\n')
      return 3;
  }
  return 0;
}

static void step_splices(cursor *c) {
  size_t n;
  while ((n = splice(c->at, c->end)) != 0) {
    c->at += n;
    c->line++;
  }
}

/* The next character within the logical line, or 0 at its end. */
static char peek(cursor *c) {
  step_splices(c);
  return c->at < c->end && *c->at != '\n' ? *c->at : '\0';
}

static void skip_comment(cursor *c) {
  while (c->at < c->end) {
    if (c->end - c->at >= 2 && c->at[0] == '*' && c->at[1] == '/') {
      c->at += 2;
      return;
    }
    c->line += *c->at == '\n';
    c->at++;
  }
}

/* Spaces and whole comments. */
static void skip_space(cursor *c) {
  for (;;) {
    char here = peek(c);
    if (here == ' ' || here == '\t' || here == '\r' || here == '\v' || here == '\f') {
      c->at++;
    } else if (here == '/' && c->end - c->at >= 2 && c->at[1] == '*') {
      c->at += 2;
      skip_comment(c);
    } else {
      return;
    }
  }
}

static bool accept(cursor *c, const char *word) {
  cursor saved = *c;
  for (; *word != '\0'; word++) {
    if (peek(c) != *word) {
      *c = saved;
      return false;
    }
    c->at++;
  }
  return true;
}

/* Reads "x" or <x> at the cursor. */
static int read_name(collector *out, cursor *c, bool next, spec_err *err) {
  skip_space(c);
  unsigned line = c->line;
  char open = peek(c);
  char close = open == '<' ? '>' : open;
  if (open != '"' && open != '<') {
    const char *start = c->at;
    while (c->at < c->end && *c->at != '\n')
      c->at++;
    return start == c->at
               ? SPEC_OK
               : collect(out, start, (size_t)(c->at - start), SPEC_INCLUDE_MACRO, line, err);
  }
  const char *start = ++c->at;
  while (c->at < c->end && *c->at != close && *c->at != '\n')
    c->at++;
  if (c->at >= c->end || *c->at != close)
    return SPEC_OK; /* no name: the compiler will say so */
  size_t len = (size_t)(c->at - start);
  c->at++;
  spec_include_form form = next          ? SPEC_INCLUDE_NEXT
                           : open == '"' ? SPEC_INCLUDE_QUOTED
                                         : SPEC_INCLUDE_ANGLED;
  return collect(out, start, len, form, line, err);
}

/* The directive at the cursor, if it is one that includes. */
static int read_directive(collector *out, cursor *c, spec_err *err) {
  skip_space(c);
  if (!accept(c, "#") && !accept(c, "%:") && !accept(c, "?\?="))
    return SPEC_OK;
  skip_space(c);
  if (accept(c, "include_next"))
    return read_name(out, c, true, err);
  if (accept(c, "include") || accept(c, "import"))
    return read_name(out, c, false, err);
  return SPEC_OK;
}

/* Calls fn behind each occurrence of word, with the line number there. */
typedef int word_fn(collector *out, cursor *c, spec_err *err);

static int each_word(collector *out, const char *text, const char *end, const char *word,
                     word_fn *fn, spec_err *err) {
  const char *p = text, *counted = text;
  unsigned line = 1;
  int rc = 0;
  size_t len = strlen(word);
  while (rc == 0 && (p = memmem(p, (size_t)(end - p), word, len)) != NULL) {
    for (; counted < p; counted++)
      line += *counted == '\n';
    p += len;
    cursor c = {p, end, line};
    rc = fn(out, &c, err);
  }
  return rc;
}

/* `__has_include(x)` may stand anywhere in a condition. */
static int read_has_include(collector *out, cursor *c, spec_err *err) {
  accept(c, "_next");
  skip_space(c);
  if (!accept(c, "("))
    return SPEC_OK;
  skip_space(c);
  return peek(c) == '"' || peek(c) == '<' ? read_name(out, c, false, err) : SPEC_OK;
}

static bool may_start_directive(char c) {
  return c == '#' || c == '%' || c == '?' || c == '/' || c == '\\';
}

int spec_scan_c(spec_arena *arena, spec_includes *out, const char *text, size_t len,
                spec_err *err) {
  *out = (spec_includes){0};
  collector to = {arena, out, 0};
  const char *end = text + len, *p = text;
  int rc = 0;
  /* A byte order mark is not part of the first line. */
  if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    p += 3;
  for (unsigned line = 1; rc == 0 && p < end; line++) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\v' || *p == '\f'))
      p++;
    cursor c = {p, end, line};
    if (p < end && may_start_directive(*p))
      rc = read_directive(&to, &c, err);
    p = newline == NULL ? end : newline + 1;
  }
  /* A comment that ends in a line may be followed by a directive. */
  if (rc == 0)
    rc = each_word(&to, text, end, "*/", read_directive, err);
  if (rc == 0)
    rc = each_word(&to, text, end, "__has_include", read_has_include, err);
  return rc;
}

static int read_td_include(collector *out, cursor *c, spec_err *err) {
  while (c->at < c->end && strchr(" \t\r\n", *c->at) != NULL && *c->at != '\0')
    c->at++;
  if (c->at >= c->end || *c->at != '"')
    return SPEC_OK;
  const char *name = c->at + 1;
  const char *close = memchr(name, '"', (size_t)(c->end - name));
  return close == NULL
             ? SPEC_OK
             : collect(out, name, (size_t)(close - name), SPEC_INCLUDE_QUOTED, c->line, err);
}

int spec_scan_td(spec_arena *arena, spec_includes *out, const char *text, size_t len,
                 spec_err *err) {
  *out = (spec_includes){0};
  collector to = {arena, out, 0};
  return each_word(&to, text, text + len, "include", read_td_include, err);
}
