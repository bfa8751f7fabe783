/* arrange.c */
#include "diff/arrange.h"

#include <string.h>

/* The text in which a change has lines, and which these are. */
typedef struct group {
  const spec_lines *text;
  size_t start, end;
} group;

static bool is_pure(const spec_change *c) {
  return (c->old_count == 0) != (c->new_count == 0);
}

static group group_of(const spec_change *c, const spec_lines *old, const spec_lines *new) {
  if (c->new_count == 0)
    return (group){old, c->old, c->old + c->old_count};
  return (group){new, c->new, c->new + c->new_count};
}

/* How many lines a change can go up, `most` being those between it and the change ahead. */
static size_t room_above(const group *g, size_t most) {
  size_t n = 0;
  while (n < most && g->text->ids[g->start - 1 - n] == g->text->ids[g->end - 1 - n])
    n++;
  return n;
}

static size_t room_below(const group *g, size_t most) {
  size_t n = 0;
  while (n < most && g->text->ids[g->start + n] == g->text->ids[g->end + n])
    n++;
  return n;
}

static void move_up(spec_change *c, size_t by) {
  c->old -= by;
  c->new -= by;
}

static void move_down(spec_change *c, size_t by) {
  c->old += by;
  c->new += by;
}

/* Columns ahead of a line's first visible byte, a tab reaching to the next eighth; *blank: it has
 * none. */
static size_t indent_of(const spec_line *line, bool *blank) {
  size_t column = 0, i = 0;
  for (; i < line->len && (line->text[i] == ' ' || line->text[i] == '\t'); i++)
    column = line->text[i] == '\t' ? column / 8 * 8 + 8 : column + 1;
  *blank = i == line->len || line->text[i] == '\n' || line->text[i] == '\r';
  return column;
}

/* Whether a line goes on with, or ends, what the lines above have begun. */
static bool is_closing(const spec_line *line) {
  static const char *const words[] = {"else", "elif", "except", "finally", "#endif", "#else"};
  size_t i = 0;
  while (i < line->len && (line->text[i] == ' ' || line->text[i] == '\t'))
    i++;
  if (i < line->len && memchr("})]", line->text[i], 3) != NULL)
    return true;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    size_t len = strlen(words[k]);
    if (line->len - i >= len && memcmp(line->text + i, words[k], len) == 0)
      return true;
  }
  return false;
}

/* How badly a text is divided ahead of line `at`: best between paragraphs that begin far left. */
static size_t badness(const spec_lines *text, size_t at) {
  enum { INDENT = 4, CLOSING = 8, UNPARTED = 2, BLANK = 1, LOOK_AHEAD = 20 };
  bool blank = true;
  size_t indent = 0, next = at;
  for (; next < text->count && next - at < LOOK_AHEAD; next++) {
    indent = indent_of(&text->lines[next], &blank);
    if (!blank)
      break;
  }
  bool parted = false;
  if (at > 0)
    (void)indent_of(&text->lines[at - 1], &parted);
  size_t bad = parted ? 0 : UNPARTED;
  if (blank)
    return bad; /* the text ends here, but for blank lines */
  bad += indent * INDENT + (next > at ? BLANK : 0);
  return bad + (is_closing(&text->lines[next]) ? CLOSING : 0);
}

/* Moves a change down by up to `most` lines, to the place that divides its text best. */
static void settle(spec_change *c, const group *g, size_t most) {
  /* More than these are a pattern, not a place. */
  enum { PLACES = 200 };
  size_t best = most, least = SIZE_MAX;
  for (size_t n = 0; n <= most && n < PLACES; n++) {
    size_t by = most - n;
    size_t bad = badness(g->text, g->start + by) + badness(g->text, g->end + by);
    if (bad < least) {
      least = bad;
      best = by;
    }
  }
  move_down(c, best);
}

static void join(spec_change *first, const spec_change *second) {
  first->old_count += second->old_count;
  first->new_count += second->new_count;
}

/* Every change as high as it can be; returns how many are left. */
static size_t lift(spec_change *items, size_t count, const spec_lines *old, const spec_lines *new) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    items[kept] = items[i];
    for (bool more = true; more;) {
      spec_change *c = &items[kept], *ahead = kept > 0 ? c - 1 : NULL;
      size_t most = c->old - (ahead == NULL ? 0 : ahead->old + ahead->old_count);
      size_t ahead_new = c->new - (ahead == NULL ? 0 : ahead->new + ahead->new_count);
      most = ahead_new < most ? ahead_new : most;
      if (is_pure(c)) {
        group g = group_of(c, old, new);
        size_t by = room_above(&g, most);
        move_up(c, by);
        most -= by;
      }
      more = ahead != NULL && most == 0;
      if (more) {
        join(ahead, c);
        kept--;
      }
    }
    kept++;
  }
  return kept;
}

/* From last to first: down to the one below, with which it becomes one if it reaches it, or else to
 * its best place.  The changes end up at the end of the array; returns the first's index. */
static size_t lower(spec_change *items, size_t count, const spec_lines *old,
                    const spec_lines *new) {
  size_t first = count;
  for (size_t i = count; i-- > 0;) {
    spec_change c = items[i];
    while (is_pure(&c)) {
      group g = group_of(&c, old, new);
      size_t below = first < count ? items[first].old : old->count;
      size_t most = below - (c.old + c.old_count), by = room_below(&g, most);
      if (by < most || first == count) {
        settle(&c, &g, by);
        break;
      }
      move_down(&c, by);
      join(&c, &items[first++]);
    }
    items[--first] = c;
  }
  return first;
}

void spec_changes_arrange(spec_changes *changes, const spec_lines *old, const spec_lines *new) {
  size_t count = lift(changes->items, changes->count, old, new);
  size_t first = lower(changes->items, count, old, new);
  changes->items += first;
  changes->count = count - first;
}
