/* tokens.c */
#include "diff/tokens.h"

#include "base/err.h"
#include <string.h>

/* Longest first; what is not here is a token of one character. */
static const char *const OPERATORS[] = {"<<=", ">>=", "...", "**=", "//=", "->*", "<=>", "::",
                                        "->",  "==",  "!=",  "<=",  ">=",  "&&",  "||",  "<<",
                                        ">>",  "++",  "--",  "+=",  "-=",  "*=",  "/=",  "%=",
                                        "&=",  "|=",  "^=",  ":=",  "**",  "//",  "##"};

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

static bool is_space(char c, bool ends) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || (c == '\n' && !ends);
}

/* The length of a string that ends on its line, or 0: an apostrophe in a comment begins none. */
static size_t string_at(const char *at, const char *end) {
  for (const char *p = at + 1; p < end && *p != '\n'; p++) {
    if (*p == '\\' && p + 1 < end && p[1] != '\n')
      p++;
    else if (*p == *at)
      return (size_t)(p - at) + 1;
  }
  return 0;
}

static size_t token_at(const char *at, const char *end) {
  size_t len = 0, left = (size_t)(end - at);
  while (len < left && is_word(at[len]))
    len++;
  if (len == 0 && (*at == '"' || *at == '\''))
    len = string_at(at, end);
  for (size_t i = 0; len == 0 && i < sizeof OPERATORS / sizeof *OPERATORS; i++) {
    size_t size = strlen(OPERATORS[i]);
    if (size <= left && memcmp(at, OPERATORS[i], size) == 0)
      len = size;
  }
  return len == 0 ? 1 : len;
}

/* Splits into `out`, or counts when it is NULL. */
static size_t split(spec_line *out, const char *text, size_t len, bool ends) {
  size_t count = 0;
  const char *at = text, *end = text + len;
  for (;;) {
    while (at < end && is_space(*at, ends))
      at++;
    size_t size = at < end ? token_at(at, end) : 0;
    if (out != NULL)
      out[count] = (spec_line){at, size};
    count++;
    if (size == 0)
      return count;
    at += size;
  }
}

int spec_tokens_split(spec_tokens *out, spec_arena *arena, const char *text, size_t len, bool ends,
                      spec_err *err) {
  const char *from = len == 0 ? "" : text;
  size_t count = split(NULL, from, len, ends);
  if (count >= UINT32_MAX / 4)
    return spec_fail(err, SPEC_EREFUSED, "a text of %zu tokens is too long to be compared", count);
  spec_lines items = {spec_arena_array(arena, count, sizeof *items.lines), count,
                      spec_arena_array(arena, count, sizeof *items.ids)};
  if (items.lines == NULL || items.ids == NULL)
    return spec_fail_memory(err);
  split(items.lines, from, len, ends);
  *out = (spec_tokens){items, from, len};
  return SPEC_OK;
}

spec_line spec_tokens_with_lead(const spec_tokens *tokens, size_t first, size_t count) {
  const spec_line *lines = tokens->items.lines;
  const char *start = first == 0 ? tokens->text : lines[first - 1].text + lines[first - 1].len;
  if (count == 0)
    return (spec_line){start, 0};
  const spec_line *last = &lines[first + count - 1];
  return (spec_line){start, (size_t)(last->text + last->len - start)};
}

spec_line spec_tokens_lead(const spec_tokens *tokens, size_t index) {
  spec_line whole = spec_tokens_with_lead(tokens, index, 1);
  whole.len -= tokens->items.lines[index].len;
  return whole;
}

bool spec_token_is_word(const spec_line *token) {
  return token->len > 0 && is_word(*token->text);
}
