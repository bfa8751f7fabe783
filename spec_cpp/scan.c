/* scan.c: a scanner that errs only towards more includes.
 *
 * It looks for '#', not at tokens: to skip comments one must know strings, to
 * know strings one must know raw strings, and one mistake there would lose an
 * include, which is the one error that must not happen.  Whatever stands before
 * it on its line, a '#' counts, its digraph and trigraph too; each is looked at
 * by itself, for a bounded time, so that all of it grows with the text alone. */
#define _GNU_SOURCE /* memmem */
#include "scan.h"

#include "base/err.h"
#include <ctype.h>
#include <string.h>

/* Bounds, without which each '#' of a hostile text would read all that follows it.
 *   comments between '#' and the name, and bytes of the name: with more, it counts as one that
 *   only the preprocessor knows, of which the beginning is kept
 *   bytes of a comment between `include` and the name in TableGen text */
enum { MOST_COMMENTS = 64, LONGEST_NAME = 1024, LONGEST_MACRO = 256, LONGEST_TD_COMMENT = 4096 };

enum { LINE_END = -1 };

typedef struct scanner {
  spec_arena *arena;
  const char *text, *end;
  const char *word; /* the directive being looked at */
  const char *at;   /* the place being looked at */
  size_t comments;  /* skipped at this place */
  struct {
    const char *open, *close; /* the comment skipped last as the n-th of a place */
  } known[MOST_COMMENTS];
  const char *searched; /* up to here for __has_include */
  bool crosses_lines;   /* a condition may go on behind a comment over several lines */
  spec_includes *out;
  size_t cap;
  spec_err *err;
} scanner;

static int collect(scanner *s, const char *name, size_t len, spec_include_form form) {
  int rc = spec_arena_reserve(s->arena, &s->out->items, s->out->count, &s->cap,
                              sizeof *s->out->items, s->err);
  if (rc != 0)
    return rc;
  char *copy = spec_arena_strndup(s->arena, name, len);
  if (copy == NULL)
    return spec_fail_memory(s->err);
  s->out->items[s->out->count++] = (spec_include){copy, form, (size_t)(s->word - s->text)};
  return SPEC_OK;
}

/* Length of a continued line's end at p, or 0: a backslash or its trigraph, blanks, a line break.
 * Compilers allow the blanks, with a warning. */
static size_t splice_at(const char *p, const char *end) {
  const char *q = p;
  if (*q == '\\')
    q++;
  else if (end - q >= 3 && memcmp(q, "?\?/", 3) == 0)
    q += 3;
  else
    return 0;
  while (q < end && (*q == ' ' || *q == '\t' || *q == '\r' || *q == '\v' || *q == '\f'))
    q++;
  return q < end && *q == '\n' ? (size_t)(q + 1 - p) : 0;
}

static inline size_t splice(const char *p, const char *end) {
  return p == end || (*p != '\\' && *p != '?') ? 0 : splice_at(p, end);
}

/* The next character of the logical line, or LINE_END. */
static int peek(scanner *s) {
  size_t n;
  while ((n = splice(s->at, s->end)) != 0)
    s->at += n;
  return s->at < s->end && *s->at != '\n' && *s->at != '\r' ? (unsigned char)*s->at : LINE_END;
}

/* Compilers ignore a NUL, with a warning. */
static bool is_blank(int c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

static void skip_blanks(scanner *s) {
  while (is_blank(peek(s)))
    s->at++;
}

/* Moves behind the n-th comment of this place, which is open. Another place may have met the same
 * comment before: every byte of it has the same end. */
static void skip_comment(scanner *s, size_t n) {
  if (s->known[n].open == NULL || s->at < s->known[n].open || s->at > s->known[n].close) {
    const char *close = memmem(s->at, (size_t)(s->end - s->at), "*/", 2);
    s->known[n].open = s->at;
    s->known[n].close = close == NULL ? s->end : close;
  }
  const char *close = s->known[n].close;
  s->at = close == s->end ? close : close + 2;
}

/* Blanks and whole comments; false when there are too many of those. */
static bool skip_space(scanner *s) {
  for (;;) {
    skip_blanks(s);
    if (s->end - s->at < 2 || s->at[0] != '/' || s->at[1] != '*')
      return true;
    if (s->comments == MOST_COMMENTS)
      return false;
    s->at += 2;
    skip_comment(s, s->comments++);
  }
}

static bool accept(scanner *s, const char *word) {
  const char *start = s->at;
  for (; *word != '\0'; word++, s->at++)
    if (peek(s) != (unsigned char)*word) {
      s->at = start;
      return false;
    }
  return true;
}

/* What stands from start to stop, continued lines joined. */
static int collect_name(scanner *s, const char *start, const char *stop, spec_include_form form) {
  size_t len = (size_t)(stop - start);
  if (memchr(start, '\\', len) == NULL && memchr(start, '?', len) == NULL)
    return collect(s, start, len, form);
  char *name = spec_arena_alloc(s->arena, len);
  len = 0;
  if (name == NULL)
    return spec_fail_memory(s->err);
  while (start < stop) {
    size_t n = splice(start, stop);
    if (n == 0)
      name[len++] = *start++;
    start += n;
  }
  return collect(s, name, len, form);
}

/* Reads "x", <x> or the name of a macro. */
static int read_name(scanner *s, bool next) {
  int open = skip_space(s) ? peek(s) : '/', close = open == '<' ? '>' : open;
  bool quoted = open == '"' || open == '<';
  if (open == LINE_END)
    return SPEC_OK;
  const char *start = s->at += quoted;
  size_t limit = quoted ? LONGEST_NAME : LONGEST_MACRO;
  while (peek(s) != LINE_END && !(quoted && *s->at == close) && (size_t)(s->at - start) < limit)
    s->at++;
  if (!quoted || (peek(s) != LINE_END && *s->at != close))
    return collect_name(s, start, s->at, SPEC_INCLUDE_MACRO);
  if (peek(s) == LINE_END)
    return SPEC_OK; /* no name: the compiler will say so */
  return collect_name(s, start, s->at,
                      next          ? SPEC_INCLUDE_NEXT
                      : open == '"' ? SPEC_INCLUDE_QUOTED
                                    : SPEC_INCLUDE_ANGLED);
}

/* `__has_include(x)` at this place. What is there decides the text as an include does; a macro may
 * name it here too. */
static int read_has_include(scanner *s) {
  bool next = accept(s, "_next");
  s->comments = 0;
  if (!skip_space(s) || !accept(s, "(") || !skip_space(s) || peek(s) == ')')
    return SPEC_OK;
  return read_name(s, next);
}

/* It may stand anywhere in a condition, or in a macro that one uses. */
static int read_has_includes(scanner *s) {
  int rc = 0;
  bool in_comment = false;
  if (s->at < s->searched)
    s->at = s->searched; /* an earlier '#' of this line */
  for (int c; rc == 0 && (c = peek(s)) != LINE_END;) {
    if (c == '_' && (accept(s, "__has_include") || accept(s, "__has_embed")))
      rc = read_has_include(s);
    else if (c == '/' && accept(s, "/*"))
      in_comment = true;
    else if (c == '*' && accept(s, "*/"))
      in_comment = false;
    else
      s->at++;
  }
  s->searched = s->at;
  s->crosses_lines |= in_comment;
  return rc;
}

/* `#define NAME "x"` or `<x>`: what an include by a macro of this file may mean. */
static int read_defined_name(scanner *s) {
  if (!skip_space(s))
    return SPEC_OK;
  for (int c; (c = peek(s)) != LINE_END && !is_blank(c) && c != '(';)
    s->at++;
  int open = skip_space(s) ? peek(s) : LINE_END, close = open == '<' ? '>' : open;
  if (open != '"' && open != '<')
    return SPEC_OK;
  const char *start = ++s->at;
  for (int c; (c = peek(s)) != LINE_END && s->at - start < LONGEST_NAME; s->at++)
    if (c == close)
      return collect_name(s, start, s->at, open == '"' ? SPEC_INCLUDE_QUOTED : SPEC_INCLUDE_ANGLED);
  return SPEC_OK;
}

static int read_define(scanner *s) {
  const char *start = s->at;
  int rc = read_defined_name(s);
  s->at = start;
  s->comments = 0;
  if (rc == 0 && skip_space(s))
    (void)(accept(s, "__has_include") || accept(s, "__has_embed")); /* itself defined: no use */
  return rc != 0 ? rc : read_has_includes(s);
}

/* The directive whose '#' was just read. */
static int read_directive(scanner *s) {
  if (!skip_space(s))
    return collect(s, "", 0, SPEC_INCLUDE_MACRO);
  if (accept(s, "include_next"))
    return read_name(s, true);
  if (accept(s, "include") || accept(s, "import") || accept(s, "embed"))
    return read_name(s, false);
  if (accept(s, "define"))
    return read_define(s);
  if (accept(s, "if") || accept(s, "elif"))
    return read_has_includes(s);
  return SPEC_OK;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* `import "x";` or `import <x>;` of C++20: no directive's '#' leads to it. */
static int read_import(scanner *s) {
  const char *before = s->word;
  if (before > s->text && is_word(before[-1]))
    return SPEC_OK;
  while (before > s->text && is_blank(before[-1]))
    before--;
  if (before > s->text && before[-1] == '#') /* read as a directive */
    return SPEC_OK;
  return skip_space(s) && (peek(s) == '"' || peek(s) == '<') ? read_name(s, false) : SPEC_OK;
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

/* Calls fn behind each occurrence of word. */
typedef int place_fn(scanner *s);

static int each_word(scanner *s, const char *text, const char *word, place_fn *fn) {
  int rc = 0;
  size_t len = strlen(word);
  for (const char *p = text; rc == 0 && p < s->end; p += len) {
    p = find(p, s->end, word, len);
    if (p == NULL)
      break;
    s->word = p;
    s->at = p + len;
    s->comments = 0;
    rc = fn(s);
  }
  return rc;
}

size_t spec_scan_line(const char *text, size_t offset) {
  size_t line = 1;
  const char *end = text + offset;
  while ((text = memchr(text, '\n', (size_t)(end - text))) != NULL) {
    line++;
    text++;
  }
  return line;
}

int spec_scan_c(spec_arena *arena, spec_includes *out, const char *text, size_t len,
                spec_err *err) {
  static const char *const hashes[] = {"#", "%:", "?\?="};
  *out = (spec_includes){0};
  scanner s = {.arena = arena, .text = text, .end = text + len, .out = out, .err = err};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < sizeof hashes / sizeof *hashes; i++) {
    s.searched = text;
    rc = each_word(&s, text, hashes[i], read_directive);
  }
  if (rc == 0 && s.crosses_lines)
    rc = each_word(&s, text, "__has_include", read_has_include);
  if (rc == 0 && s.crosses_lines)
    rc = each_word(&s, text, "__has_embed", read_has_include);
  return rc != 0 ? rc : each_word(&s, text, "import", read_import);
}

/* --- TableGen ------------------------------------------------------------------------------- */

/* Moves behind the comment at this place; false when there is none. TableGen's comments nest. */
static bool skip_td_comment(scanner *s) {
  if (s->end - s->at < 2 || s->at[0] != '/' || (s->at[1] != '/' && s->at[1] != '*'))
    return false;
  if (s->at[1] == '/') {
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = newline == NULL ? s->end : newline;
    return true;
  }
  const char *start = s->at;
  for (size_t depth = 0; s->end - s->at >= 2 && s->at - start < LONGEST_TD_COMMENT;) {
    bool opens = s->at[0] == '/' && s->at[1] == '*', closes = s->at[0] == '*' && s->at[1] == '/';
    depth += opens;
    depth -= closes;
    s->at += opens || closes ? 2 : 1;
    if (depth == 0)
      return true;
  }
  return false;
}

static int read_td_include(scanner *s) {
  do {
    while (s->at < s->end && (is_blank(*s->at) || *s->at == '\n' || *s->at == '\r'))
      s->at++;
  } while (s->comments++ < MOST_COMMENTS && skip_td_comment(s));
  if (s->at >= s->end || *s->at != '"')
    return SPEC_OK;
  const char *name = s->at + 1;
  const char *close = memchr(name, '"', (size_t)(s->end - name));
  return close == NULL ? SPEC_OK : collect(s, name, (size_t)(close - name), SPEC_INCLUDE_QUOTED);
}

int spec_scan_td(spec_arena *arena, spec_includes *out, const char *text, size_t len,
                 spec_err *err) {
  *out = (spec_includes){0};
  scanner s = {.arena = arena, .text = text, .end = text + len, .out = out, .err = err};
  return each_word(&s, text, "include", read_td_include);
}
