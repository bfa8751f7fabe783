/* scan.c: tokens of MLIR's generic form. */
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_name(char c) {
  return is_letter(c) || is_digit(c) || c == '$' || c == '.';
}

/* From the last place on, if that is not behind it: operations ask in their order. */
void tc_place_of(tc_scan *scan, const char *place, size_t *line, size_t *column) {
  if (scan->known == NULL || place < scan->known) {
    scan->known = scan->known_start = scan->text;
    scan->known_line = 1;
  }
  for (; scan->known < place; scan->known++)
    if (*scan->known == '\n') {
      scan->known_line++;
      scan->known_start = scan->known + 1;
    }
  *line = scan->known_line;
  *column = (size_t)(place - scan->known_start) + 1;
}

static void note(tc_scan *scan, const char *place, const char *format, va_list args) {
  if (scan->failed)
    return;
  scan->failed = true;
  *scan->err = (tc_err){.code = TC_EREFUSED};
  tc_place_of(scan, place, &scan->err->line, &scan->err->column);
  (void)vsnprintf(scan->err->what, sizeof scan->err->what, format, args);
}

bool tc_refuse(tc_scan *scan, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(scan, scan->token.start, format, args);
  va_end(args);
  return false;
}

bool tc_refuse_at(tc_scan *scan, const char *place, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(scan, place, format, args);
  va_end(args);
  return false;
}

bool tc_mend(tc_scan *scan, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (scan->err->mend[0] == '\0')
    (void)vsnprintf(scan->err->mend, sizeof scan->err->mend, format, args);
  va_end(args);
  return false;
}

bool tc_no_memory(tc_scan *scan) {
  if (!scan->failed) {
    scan->failed = true;
    *scan->err = (tc_err){.code = TC_ENOMEM, .what = "out of memory"};
  }
  return false;
}

static void skip_blanks(tc_scan *scan) {
  while (scan->at < scan->end) {
    if (strchr(" \t\r\n", *scan->at) != NULL && *scan->at != '\0') {
      scan->at++;
    } else if (scan->end - scan->at > 1 && scan->at[0] == '/' && scan->at[1] == '/') {
      const char *lf = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
      scan->at = lf == NULL ? scan->end : lf;
    } else {
      return;
    }
  }
}

static void skip_while(tc_scan *scan, bool (*belongs)(char)) {
  while (scan->at < scan->end && belongs(*scan->at))
    scan->at++;
}

static bool in_suffix(char c) {
  return in_name(c) || c == '-';
}

/* A string from its quote on; no line end belongs to one. */
static bool skip_quoted(tc_scan *scan) {
  const char *start = scan->at++;
  while (scan->at < scan->end && *scan->at != '"' && *scan->at != '\n')
    scan->at += *scan->at == '\\' && scan->end - scan->at > 1 ? 2 : 1;
  if (scan->at >= scan->end || *scan->at != '"')
    return tc_refuse_at(scan, start, "a string without its closing quote");
  scan->at++;
  return true;
}

static void skip_number(tc_scan *scan) {
  if (scan->end - scan->at > 2 && scan->at[0] == '0' && scan->at[1] == 'x' && is_hex(scan->at[2])) {
    scan->at += 2;
    skip_while(scan, is_hex);
    return;
  }
  skip_while(scan, is_digit);
  if (scan->at == scan->end || *scan->at != '.')
    return;
  scan->at++;
  skip_while(scan, is_digit);
  const char *at = scan->at;
  if (at < scan->end && (*at == 'e' || *at == 'E')) {
    at++;
    at += at < scan->end && (*at == '+' || *at == '-');
    if (at < scan->end && is_digit(*at)) {
      scan->at = at;
      skip_while(scan, is_digit);
    }
  }
}

static bool finish(tc_scan *scan, tc_token_kind kind) {
  scan->token.kind = kind;
  scan->token.len = (size_t)(scan->at - scan->token.start);
  return true;
}

/* %name, ^name, @name, #name, !name. */
static bool scan_marked(tc_scan *scan, char mark) {
  scan->at++;
  if (mark == '@' && scan->at < scan->end && *scan->at == '"')
    return skip_quoted(scan) && finish(scan, TC_AT);
  skip_while(scan, mark == '%' || mark == '^' ? in_suffix : in_name);
  if (scan->at - scan->token.start == 1 && mark != '#') /* "#<" is left to who asks */
    return tc_refuse(scan, "'%c' without a name", mark);
  return finish(scan, mark == '%'   ? TC_VALUE
                      : mark == '^' ? TC_LABEL
                      : mark == '@' ? TC_AT
                      : mark == '#' ? TC_HASH
                                    : TC_BANG);
}

bool tc_next(tc_scan *scan) {
  if (scan->failed)
    return false;
  skip_blanks(scan);
  scan->token = (tc_token){TC_END, scan->at, 0};
  if (scan->at == scan->end)
    return true;
  char c = *scan->at;
  if (c == '"')
    return skip_quoted(scan) && finish(scan, TC_QUOTED);
  if (c == '%' || c == '^' || c == '@' || c == '#' || c == '!')
    return scan_marked(scan, c);
  if (is_digit(c)) {
    skip_number(scan);
    return finish(scan, TC_NUMBER);
  }
  if (is_letter(c)) {
    skip_while(scan, in_name);
    return finish(scan, TC_NAME);
  }
  scan->at++;
  if (c == '-' && scan->at < scan->end && *scan->at == '>') {
    scan->at++;
    return finish(scan, TC_ARROW);
  }
  if (c != '\0' && strchr("()[]{}<>,:=?*+-/|", c) != NULL)
    return finish(scan, TC_PUNCT);
  return tc_refuse(scan, "the byte 0x%02x belongs to no token", (unsigned)(unsigned char)c);
}

bool tc_next_at(tc_scan *scan, const char *at) {
  scan->at = at;
  return tc_next(scan);
}

void tc_scan_begin(tc_scan *scan, const char *text, size_t len, tc_err *err) {
  *scan = (tc_scan){.text = text, .end = text + len, .at = text, .err = err};
  scan->token.start = text;
}

bool tc_is(const tc_scan *scan, char c) {
  return scan->token.kind == TC_PUNCT && *scan->token.start == c;
}

bool tc_is_name(const tc_scan *scan, const char *name) {
  return scan->token.kind == TC_NAME && scan->token.len == strlen(name) &&
         memcmp(scan->token.start, name, scan->token.len) == 0;
}

bool tc_took(tc_scan *scan, char c) {
  return tc_is(scan, c) && tc_next(scan);
}

bool tc_expect(tc_scan *scan, char c) {
  if (tc_is(scan, c))
    return tc_next(scan);
  if (scan->token.kind == TC_END)
    return tc_refuse(scan, "the text ends where '%c' is wanted", c);
  return tc_refuse(scan, "'%c' is wanted, not '%.*s'", c,
                   scan->token.len > 60 ? 60 : (int)scan->token.len, scan->token.start);
}
