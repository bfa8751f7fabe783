/* scan.c: a scanner that errs only towards more includes.
 *
 * It looks for '#', not at tokens: to skip comments one must know strings, to
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
  int rc = spec_arena_reserve(c->arena, &c->out->items, c->out->count, &c->cap,
                              sizeof *c->out->items, err);
  if (rc != 0)
    return rc;
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

/* `__has_include(x)` may stand anywhere in a condition, or in a macro that one uses. */
static int read_has_includes(collector *out, cursor *c, spec_err *err) {
  static const char word[] = "__has_include";
  while (peek(c) != '\0') {
    if (peek(c) != '_' || !accept(c, word)) {
      c->at++;
      continue;
    }
    accept(c, "_next");
    skip_space(c);
    if (!accept(c, "("))
      continue;
    skip_space(c);
    if (peek(c) == '"' || peek(c) == '<') {
      int rc = read_name(out, c, false, err);
      if (rc != 0)
        return rc;
    }
  }
  return SPEC_OK;
}

/* The directive whose '#' was just read. */
static int read_directive(collector *out, cursor *c, spec_err *err) {
  skip_space(c);
  if (accept(c, "include_next"))
    return read_name(out, c, true, err);
  if (accept(c, "include") || accept(c, "import"))
    return read_name(out, c, false, err);
  if (accept(c, "if") || accept(c, "elif") || accept(c, "define"))
    return read_has_includes(out, c, err);
  return SPEC_OK;
}

/* The next occurrence of word, or NULL.  Short words begin with a rare byte,
 * which memchr finds many times faster than memmem finds the word. */
static const char *find(const char *p, const char *end, const char *word, size_t len) {
  if (len > 3)
    return memmem(p, (size_t)(end - p), word, len);
  while (p < end && (p = memchr(p, *word, (size_t)(end - p))) != NULL) {
    if ((size_t)(end - p) >= len && memcmp(p, word, len) == 0)
      return p;
    p++;
  }
  return NULL;
}

/* Calls fn behind each occurrence of word, with the line number there. */
typedef int word_fn(collector *out, cursor *c, spec_err *err);

static int each_word(collector *out, const char *text, const char *end, const char *word,
                     word_fn *fn, spec_err *err) {
  const char *p = text, *counted = text;
  unsigned line = 1;
  int rc = 0;
  size_t len = strlen(word);
  while (rc == 0 && p < end && (p = find(p, end, word, len)) != NULL) {
    while ((counted = memchr(counted, '\n', (size_t)(p - counted))) != NULL) {
      line++;
      counted++;
    }
    counted = p;
    p += len;
    cursor c = {p, end, line};
    rc = fn(out, &c, err);
  }
  return rc;
}

/* Whatever stands before it on its line, a '#' counts: a comment that ends
 * there, most often.  Its digraph and trigraph do too. */
int spec_scan_c(spec_arena *arena, spec_includes *out, const char *text, size_t len,
                spec_err *err) {
  static const char *const hashes[] = {"#", "%:", "?\?="};
  *out = (spec_includes){0};
  collector to = {arena, out, 0};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < sizeof hashes / sizeof *hashes; i++)
    rc = each_word(&to, text, text + len, hashes[i], read_directive, err);
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
