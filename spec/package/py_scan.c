/* py_scan.c: CPython's own tokenizer in short. f-strings are split as PEP 701 has it, which gives
 * the same ends for what older versions accept. */
#include "package/py_scan.h"

#include "base/err.h"
#include "package/py_encoding.h"
#include "package/py_scanner.h"
#include <string.h>

void spec_py_scan_fault(spec_py_scanner *s, const char *what, size_t line) {
  if (s->fault.what == NULL)
    s->fault = (spec_py_fault){.what = what, .line = line};
}

void spec_py_add(spec_py_scanner *s, spec_py_token_kind kind, int op, size_t start, size_t line) {
  if (s->rc == 0)
    s->rc = spec_arena_reserve(s->arena, &s->tokens, s->count, &s->cap, sizeof *s->tokens, s->err);
  if (s->rc != 0)
    return;
  s->tokens[s->count++] = (spec_py_token){.start = (uint32_t)start,
                                          .end = (uint32_t)s->at,
                                          .line = (uint32_t)line,
                                          .end_line = s->line,
                                          .kind = (uint8_t)kind,
                                          .op = (uint8_t)op};
}

void spec_py_open(spec_py_scanner *s, spec_py_frame opened, size_t start, size_t line) {
  if (s->depth == SPEC_PY_FRAMES) {
    spec_py_scan_fault(s, "brackets and f-strings are nested too deeply", line);
    return;
  }
  opened.token = (uint32_t)s->count;
  s->frames[s->depth++] = opened;
  spec_py_add(s, SPEC_PY_OPEN, opened.op, start, line);
}

void spec_py_close(spec_py_scanner *s, size_t start) {
  const spec_py_frame *top = &s->frames[--s->depth];
  spec_py_add(s, SPEC_PY_CLOSE, top->op, start, s->line);
  if (s->rc != 0)
    return;
  s->tokens[s->count - 1].mate = top->token;
  s->tokens[top->token].mate = (uint32_t)(s->count - 1);
}

/* --- comments ------------------------------------------------------------------------------- */

/* Passes a comment; one that begins with "spec:" is kept. */
static void comment(spec_py_scanner *s) {
  size_t start = s->at++;
  while (!spec_py_at_end(s) && spec_py_peek(s, 0) != '\n' && spec_py_peek(s, 0) != '\r')
    s->at++;
  size_t from = start + 1, to = s->at;
  while (from < to && (s->text[from] == ' ' || s->text[from] == '\t'))
    from++;
  if (to - from < 5 || memcmp(s->text + from, "spec:", 5) != 0)
    return;
  from += 5;
  while (from < to && (s->text[from] == ' ' || s->text[from] == '\t'))
    from++;
  while (to > from && (s->text[to - 1] == ' ' || s->text[to - 1] == '\t'))
    to--;
  s->rc = spec_arena_reserve(s->arena, &s->marks, s->mark_count, &s->mark_cap, sizeof *s->marks,
                             s->err);
  if (s->rc == 0)
    s->marks[s->mark_count++] =
        (spec_py_mark){.word = s->text + from, .len = to - from, .start = start, .line = s->line};
}

/* --- beginnings of lines -------------------------------------------------------------------- */

/* Passes a backslash and the line break that it hides. */
static void join_lines(spec_py_scanner *s) {
  s->at++;
  if (!spec_py_pass_break(s))
    spec_py_scan_fault(s, "something follows the backslash that continues a line", s->line);
  else if (spec_py_at_end(s))
    spec_py_scan_fault(s, "the file ends behind a backslash that continues a line", s->line - 1);
}

/* Passes the blanks before a line's first token and measures them. A line that is continued before
 * its first token has the indentation of its first part. */
static spec_py_column indentation(spec_py_scanner *s) {
  spec_py_column here = {0}, first = {0};
  bool joined = false;
  while (spec_py_scan_goes_on(s)) {
    if (spec_py_pass(s, ' ')) {
      here.wide++;
      here.narrow++;
    } else if (spec_py_pass(s, '\t')) {
      here.wide = (here.wide / 8 + 1) * 8;
      here.narrow++;
    } else if (spec_py_pass(s, '\f')) {
      here = (spec_py_column){0};
    } else if (spec_py_peek(s, 0) == '\\') {
      first = joined && first.wide > 0 ? first : here;
      joined = true;
      join_lines(s);
    } else {
      break;
    }
  }
  return joined && first.wide > 0 ? first : here;
}

static void indent_to(spec_py_scanner *s, spec_py_column here, size_t line) {
  static const spec_py_column none = {0};
  const spec_py_column *top = s->level > 0 ? &s->indents[s->level - 1] : &none;
  bool mixed = (here.wide == top->wide && here.narrow != top->narrow) ||
               (here.wide > top->wide && here.narrow <= top->narrow);
  if (here.wide > top->wide && s->level == SPEC_PY_INDENTS)
    spec_py_scan_fault(s, "too many levels of indentation", line);
  else if (here.wide > top->wide)
    s->indents[s->level++] = here;
  while (s->level > 0 && here.wide < s->indents[s->level - 1].wide)
    s->level--;
  top = s->level > 0 ? &s->indents[s->level - 1] : &none;
  if (here.wide != top->wide)
    spec_py_scan_fault(s, "the indentation matches no enclosing block", line);
  else if (mixed || here.narrow != top->narrow)
    spec_py_scan_fault(s, "tabs and spaces are mixed in the indentation", line);
}

/* Passes empty lines and comments, up to the first token of a logical line or the end. */
static void begin_line(spec_py_scanner *s) {
  size_t start = s->at, line = s->line;
  spec_py_column here = indentation(s);
  if (!spec_py_scan_goes_on(s))
    return;
  if (spec_py_peek(s, 0) == '#')
    comment(s);
  if (spec_py_at_end(s)) {
    spec_py_add(s, SPEC_PY_END, 0, s->at, s->line);
    return;
  }
  if (s->rc != 0 || spec_py_pass_break(s))
    return;
  indent_to(s, here, s->line);
  spec_py_add(s, SPEC_PY_LINE, 0, start, line);
  if (s->rc == 0)
    s->tokens[s->count - 1].level = (uint16_t)s->level;
  s->begins = false;
}

static void end_line(spec_py_scanner *s) {
  if (s->depth > 0 && spec_py_at_end(s)) {
    const spec_py_token *opened = &s->tokens[s->frames[s->depth - 1].token];
    spec_py_scan_fault(s, "a bracket is never closed", opened->line);
  } else if (s->depth > 0) {
    (void)spec_py_pass_break(s);
  } else {
    size_t start = s->at, line = s->line;
    (void)spec_py_pass_break(s);
    spec_py_add(s, SPEC_PY_NEWLINE, 0, start, line);
    s->begins = true;
  }
}

/* --- names, numbers, operators -------------------------------------------------------------- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

/* Whether a name before a quote is a string's prefix; *formatted and *raw: of which sort. */
static bool is_prefix(const char *name, size_t len, bool *formatted, bool *raw) {
  static const char *const prefixes[] = {"r",  "b",  "u",  "f",  "t", "br",
                                         "rb", "fr", "rf", "tr", "rt"};
  char lower[3] = {0};
  if (len > 2)
    return false;
  for (size_t i = 0; i < len; i++)
    lower[i] = (char)(name[i] | 0x20);
  *raw = strchr(lower, 'r') != NULL;
  *formatted = strchr(lower, 'f') != NULL || strchr(lower, 't') != NULL;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strcmp(lower, prefixes[i]) == 0)
      return true;
  return false;
}

static void name_or_string(spec_py_scanner *s) {
  size_t start = s->at;
  bool formatted, raw;
  while (!spec_py_at_end(s) && (is_letter(spec_py_peek(s, 0)) || is_digit(spec_py_peek(s, 0))))
    s->at++;
  bool quoted = spec_py_peek(s, 0) == '"' || spec_py_peek(s, 0) == '\'';
  if (quoted && is_prefix(s->text + start, s->at - start, &formatted, &raw))
    spec_py_string(s, start, formatted, raw);
  else
    spec_py_add(s, SPEC_PY_NAME, 0, start, s->line);
}

static void digits(spec_py_scanner *s, bool hexadecimal) {
  for (;;) {
    char c = spec_py_peek(s, 0), lower = (char)(c | 0x20);
    if (!is_digit(c) && c != '_' && !(hexadecimal && lower >= 'a' && lower <= 'f'))
      return;
    s->at++;
  }
}

/* A number ends before a word that follows it directly, as in "1if x else y". */
static void number(spec_py_scanner *s) {
  size_t start = s->at;
  char base = (char)(spec_py_peek(s, 1) | 0x20);
  if (spec_py_peek(s, 0) == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    s->at += 2;
    digits(s, base == 'x');
  } else {
    digits(s, false);
    if (spec_py_pass(s, '.'))
      digits(s, false);
    size_t sign = spec_py_peek(s, 1) == '+' || spec_py_peek(s, 1) == '-' ? 1 : 0;
    if ((spec_py_peek(s, 0) | 0x20) == 'e' && is_digit(spec_py_peek(s, 1 + sign))) {
      s->at += 1 + sign;
      digits(s, false);
    }
    if ((spec_py_peek(s, 0) | 0x20) == 'j')
      s->at++;
  }
  spec_py_add(s, SPEC_PY_NUMBER, 0, start, s->line);
}

/* The longest operator that begins here; *op what it is. 0: none. */
static size_t operator_length(const spec_py_scanner *s, int *op) {
  static const struct {
    char text[4];
    uint8_t op;
  } operators[] = {
      {"...", 'O'}, {"**=", 'A'}, {"//=", 'A'}, {">>=", 'A'}, {"<<=", 'A'},
      {"->", '>'},  {":=", 'W'},  {"**", 'P'},  {"==", 'O'},  {"!=", 'O'},
      {"<=", 'O'},  {">=", 'O'},  {"<>", 'O'},  {"//", 'O'},  {">>", 'O'},
      {"<<", 'O'},  {"+=", 'A'},  {"-=", 'A'},  {"*=", 'A'},  {"/=", 'A'},
      {"%=", 'A'},  {"&=", 'A'},  {"|=", 'A'},  {"^=", 'A'},  {"@=", 'A'},
  };
  bool longer = strchr("=*/<>.", spec_py_peek(s, 1)) != NULL;
  for (size_t i = 0; longer && i < sizeof operators / sizeof *operators; i++) {
    size_t len = strlen(operators[i].text);
    if (*operators[i].text == spec_py_peek(s, 0) && len <= s->len - s->at &&
        memcmp(s->text + s->at, operators[i].text, len) == 0) {
      *op = operators[i].op;
      return len;
    }
  }
  char c = spec_py_peek(s, 0);
  *op = strchr("+-/%&|^~<>", c) != NULL ? SPEC_PY_OPERATOR : c;
  return strchr("+-/%&|^~<>=*@.,:;", c) != NULL ? 1 : 0;
}

/* In a replacement field: what ends its expression. False: nothing does here. */
static bool end_expression(spec_py_scanner *s) {
  spec_py_frame *top = s->depth > 0 ? &s->frames[s->depth - 1] : NULL;
  if (top == NULL || top->op != SPEC_PY_FIELD)
    return false;
  if (spec_py_pass(s, ':')) {
    top->spec = true;
    return true;
  }
  if (spec_py_peek(s, 0) != '!' || spec_py_peek(s, 1) == '=')
    return false;
  for (s->at++;
       is_letter(spec_py_peek(s, 0)) || spec_py_peek(s, 0) == ' ';) /* the conversion is no name */
    s->at++;
  return true;
}

/* A closing bracket that is here. */
static void closing(spec_py_scanner *s) {
  const spec_py_frame *top = s->depth > 0 ? &s->frames[s->depth - 1] : NULL;
  char c = spec_py_peek(s, 0);
  int wanted = c == ')'                                  ? '('
               : c == ']'                                ? '['
               : top != NULL && top->op == SPEC_PY_FIELD ? SPEC_PY_FIELD
                                                         : '{';
  size_t start = s->at++;
  if (top == NULL)
    spec_py_scan_fault(s, "a closing bracket has no opening one", s->line);
  else if (top->op != wanted)
    spec_py_scan_fault(s, "a closing bracket does not match the opening one", s->line);
  else
    spec_py_close(s, start);
}

static void token(spec_py_scanner *s) {
  char c = spec_py_peek(s, 0);
  size_t start = s->at;
  int op;
  if (spec_py_at_end(s) || c == '\n' || c == '\r') {
    end_line(s);
  } else if (c == ' ' || c == '\t' || c == '\f') {
    s->at++;
  } else if (c == '#') {
    comment(s);
  } else if (c == '\\') {
    join_lines(s);
  } else if (is_letter(c)) {
    name_or_string(s);
  } else if (is_digit(c) || (c == '.' && is_digit(spec_py_peek(s, 1)))) {
    number(s);
  } else if (c == '"' || c == '\'') {
    spec_py_string(s, start, false, false);
  } else if (c == '(' || c == '[' || c == '{') {
    s->at++;
    spec_py_open(s, (spec_py_frame){.op = (uint8_t)c}, start, s->line);
  } else if (c == ')' || c == ']' || c == '}') {
    closing(s);
  } else if (!end_expression(s)) {
    size_t len = operator_length(s, &op);
    s->at += len;
    if (len == 0)
      spec_py_scan_fault(s, "a character that no Python text has outside of strings", s->line);
    else
      spec_py_add(s, SPEC_PY_OP, op, start, s->line);
  }
}

int spec_py_scan(spec_py_tokens *out, spec_py_fault *found, spec_arena *arena,
                 const spec_py_source *source, spec_err *err) {
  *found = (spec_py_fault){0};
  if (!spec_py_is_utf8(found, source))
    return SPEC_OK;
  spec_py_scanner *s = spec_arena_alloc(arena, sizeof *s);
  if (s == NULL)
    return spec_fail_memory(err);
  *s = (spec_py_scanner){.arena = arena,
                         .text = source->text,
                         .len = source->len,
                         .at = spec_py_bom(source),
                         .line = 1,
                         .begins = true,
                         .err = err};
  while (spec_py_scan_goes_on(s) &&
         (s->count == 0 || s->tokens[s->count - 1].kind != SPEC_PY_END)) {
    if (spec_py_in_string(s))
      spec_py_string_text(s);
    else if (s->begins)
      begin_line(s);
    else
      token(s);
  }
  *found = s->fault;
  if (s->rc == 0 && s->fault.what == NULL)
    *out = (spec_py_tokens){s->tokens, s->count, s->marks, s->mark_count};
  return s->rc;
}
