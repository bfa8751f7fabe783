/* merge_unite.c: two additions at one place.  Either order is a guess unless it does not matter, so
 * only what is known to commute is put side by side. */
#include "diff/merge_steps.h"

#include "base/err.h"
#include <string.h>

/* Beginnings of lines that may stand in any order among their like. */
static const struct {
  const char *start;
  int like;
} FREE[] = {
    {"#include ", 1},     {"import ", 2},           {"from ", 2},
    {"using ", 3},        {"add_subdirectory(", 4}, {"include ", 5}, /* TableGen's */
    {"@pytest.mark.", 6}, {"extern ", 7},
};

/* Beginnings of a Python statement that defines something. */
static const char *const DEFINES[] = {"def ", "class ", "async def ", "@", "#"};

/* Steps through the lines of a text; false at its end. */
static bool next_line(spec_line *line, spec_line *rest) {
  if (rest->len == 0)
    return false;
  const char *lf = memchr(rest->text, '\n', rest->len);
  size_t len = lf == NULL ? rest->len : (size_t)(lf - rest->text) + 1;
  *line = (spec_line){rest->text, len};
  rest->text += len;
  rest->len -= len;
  return true;
}

static size_t indent(const spec_line *line) {
  size_t i = 0;
  while (i < line->len && (line->text[i] == ' ' || line->text[i] == '\t'))
    i++;
  return i;
}

/* Without white space at both ends. */
static spec_line trimmed(spec_line line) {
  size_t skip = indent(&line);
  line.text += skip;
  line.len -= skip;
  while (line.len > 0 && strchr(" \t\r\n", line.text[line.len - 1]) != NULL)
    line.len--;
  return line;
}

static bool starts(const spec_line *line, const char *with) {
  size_t len = strlen(with);
  return line->len >= len && memcmp(line->text, with, len) == 0;
}

static bool path_ends(const char *path, const char *with) {
  size_t len = strlen(path), size = strlen(with);
  return len >= size && strcmp(path + len - size, with) == 0;
}

static spec_line last_line(spec_line text) {
  size_t from = text.len;
  while (from > 0 && text.text[from - 1] == '\n' && from == text.len)
    from--;
  while (from > 0 && text.text[from - 1] != '\n')
    from--;
  return (spec_line){text.text + from, text.len - from};
}

static bool ends_line(spec_line text) {
  return text.len > 0 && text.text[text.len - 1] == '\n';
}

static bool ends_blank(spec_line text) {
  return trimmed(last_line(text)).len == 0;
}

static bool starts_blank(spec_line text) {
  spec_line line = {0};
  return !next_line(&line, &text) || trimmed(line).len == 0;
}

bool spec_merge_in_import(spec_line before) {
  for (spec_line left = before; left.len > 0;) {
    spec_line whole = last_line(left), line = trimmed(whole);
    if (starts(&line, "from ") || starts(&line, "import "))
      return true;
    if (line.len == 0 || line.text[line.len - 1] != ',' || memchr(line.text, '(', line.len) != NULL)
      return false;
    left.len -= whole.len;
  }
  return false;
}

/* The kind of line of which there may be several in any order; 0: none. */
static int like_of(const spec_line *line) {
  for (size_t i = 0; i < sizeof FREE / sizeof *FREE; i++)
    if (starts(line, FREE[i].start))
      return FREE[i].like;
  return 0;
}

/* The kind of all lines of a text but blank ones; 0: several, or none. */
static int like_of_all(spec_line text) {
  int like = -1;
  for (spec_line whole; next_line(&whole, &text);) {
    spec_line line = trimmed(whole);
    int own = like_of(&line);
    if (line.len > 0 && (own == 0 || (like >= 0 && own != like)))
      return 0;
    like = line.len > 0 ? own : like;
  }
  return like < 0 ? 0 : like;
}

/* Whether every line is one item of a list. */
static bool is_list(spec_line text, bool commas) {
  bool any = false;
  for (spec_line whole; next_line(&whole, &text); any = true) {
    spec_line line = trimmed(whole);
    if (line.len == 0 || (commas && line.text[line.len - 1] != ','))
      return false;
    for (size_t i = 0; i < line.len; i++)
      if (strchr(commas ? "()[]{}=:" : "()\"$# ", line.text[i]) != NULL)
        return false;
  }
  return any;
}

static bool has_line(spec_line text, const spec_line *line) {
  spec_line wanted = trimmed(*line);
  for (spec_line other; next_line(&other, &text);) {
    other = trimmed(other);
    if (other.len == wanted.len && memcmp(other.text, wanted.text, wanted.len) == 0)
      return true;
  }
  return false;
}

/* Whether a text consists of whole definitions at one depth. */
static bool defines(spec_line text, const char *path) {
  bool python = path_ends(path, ".py");
  size_t depth = SIZE_MAX;
  long open = 0;
  spec_line line;
  for (spec_line rest = text; next_line(&line, &rest);)
    if (trimmed(line).len > 0 && indent(&line) < depth)
      depth = indent(&line);
  if (depth == SIZE_MAX || (!python && depth > 0))
    return false;
  for (spec_line rest = text; next_line(&line, &rest);) {
    spec_line bare = trimmed(line);
    bool known = !python || bare.len == 0 || indent(&line) > depth || open > 0;
    for (size_t i = 0; i < sizeof DEFINES / sizeof *DEFINES && !known; i++)
      known = starts(&bare, DEFINES[i]);
    for (size_t i = 0; i < bare.len; i++)
      open += strchr("([{", bare.text[i]) != NULL   ? 1
              : strchr(")]}", bare.text[i]) != NULL ? -1
                                                    : 0;
    if (open < 0 || !known)
      return false;
  }
  return open == 0;
}

/* Whether both have the same line at the outermost depth: then they define the same. */
static bool define_same(spec_line ours, spec_line theirs) {
  for (spec_line line; next_line(&line, &ours);)
    if (indent(&line) == 0 && trimmed(line).len > 1 && has_line(theirs, &line) &&
        memchr(line.text, '(', line.len) != NULL && line.text[0] != '@')
      return true;
  return false;
}

static int join(spec_line *out, spec_arena *arena, spec_line a, spec_line b, spec_err *err) {
  char *text = spec_arena_alloc(arena, a.len + b.len + 1);
  if (text == NULL)
    return spec_fail_memory(err);
  memcpy(text, a.text, a.len);
  memcpy(text + a.len, b.text, b.len);
  *out = (spec_line){text, a.len + b.len};
  return SPEC_OK;
}

static bool is_sorted(spec_line text) {
  spec_line last = {0}, line;
  while (next_line(&line, &text)) {
    size_t len = last.len < line.len ? last.len : line.len;
    if (len > 0 && memcmp(last.text, line.text, len) > 0)
      return false;
    last = line;
  }
  return true;
}

static int compare(const spec_line *a, const spec_line *b) {
  int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);
  return order != 0 ? order : a->len < b->len ? -1 : a->len > b->len;
}

/* Lines of both, each once: in order of the alphabet if both are, else ours first. */
static int join_lines(spec_line *out, spec_arena *arena, spec_line ours, spec_line theirs,
                      spec_err *err) {
  const bool sorted = is_sorted(ours) && is_sorted(theirs);
  char *text = spec_arena_alloc(arena, ours.len + theirs.len + 1), *at = text;
  if (text == NULL)
    return spec_fail_memory(err);
  const spec_line all_ours = ours;
  spec_line a, b;
  bool has_a = next_line(&a, &ours), has_b = next_line(&b, &theirs);
  while (has_a || has_b) {
    bool take_ours = has_a && (!has_b || !sorted || compare(&a, &b) <= 0);
    const spec_line *line = take_ours ? &a : &b;
    if (take_ours || !has_line(all_ours, line)) {
      memcpy(at, line->text, line->len);
      at += line->len;
    }
    if (take_ours)
      has_a = next_line(&a, &ours);
    else
      has_b = next_line(&b, &theirs);
  }
  *out = (spec_line){text, (size_t)(at - text)};
  return SPEC_OK;
}

static bool commutes(const spec_merge_region *r) {
  int like = like_of_all(r->ours);
  if (like != 0 && like == like_of_all(r->theirs))
    return true;
  if (is_list(r->ours, true) && is_list(r->theirs, true) && spec_merge_in_import(r->before))
    return true;
  return (path_ends(r->path, "CMakeLists.txt") || path_ends(r->path, ".cmake")) &&
         is_list(r->ours, false) && is_list(r->theirs, false);
}

int spec_merge_unite(spec_line *text, spec_arena *arena, const spec_merge_region *r,
                     spec_err *err) {
  if (!ends_line(r->ours) || !ends_line(r->theirs))
    return SPEC_OK;
  if (commutes(r))
    return join_lines(text, arena, r->ours, r->theirs, err);
  const bool ours = defines(r->ours, r->path), theirs = defines(r->theirs, r->path);
  const bool ours_end = ends_blank(r->ours), theirs_end = ends_blank(r->theirs);
  if (ours && theirs && !define_same(r->ours, r->theirs) &&
      ((ours_end && theirs_end) || (starts_blank(r->ours) && starts_blank(r->theirs))))
    return join(text, arena, r->ours, r->theirs, err);
  /* Definitions that stand by themselves, and lines that belong to what follows. */
  if (!ends_blank(r->before) && r->before.len > 0)
    return SPEC_OK;
  if (theirs && theirs_end && !ours_end)
    return join(text, arena, r->theirs, r->ours, err);
  if (ours && ours_end && !theirs_end)
    return join(text, arena, r->ours, r->theirs, err);
  return SPEC_OK;
}
