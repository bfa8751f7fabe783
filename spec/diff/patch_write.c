/* patch_write.c */
#include "diff/patch_write.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "diff/arrange.h"
#include "diff/context.h"
#include "diff/myers.h"
#include <string.h>

enum { CONTEXT = 3, CONTEXT_MOST = 30 };

typedef struct writer {
  spec_buf out;
  const spec_patch_side *sides[2];
  spec_lines old, new;
  spec_changes changes;
  const spec_hunk_range *hunks;
  size_t hunk_count;
  const char *path;
  size_t seen, opening; /* lines looked at for openings, and the last one found, from 1; 0: none */
} writer;

/* Whether readers would take a name for something else if it stood there as it is. */
static bool needs_quotes(const char *path) {
  for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++)
    if (*p < ' ' || *p == 0x7F || *p == '"' || *p == '\\')
      return true;
  return !spec_text_is_utf8(path, strlen(path));
}

/* A name as git writes it: quoted as in C where it must be. */
static void put_name(spec_buf *out, const char *folder, const char *path) {
  if (!needs_quotes(path)) {
    spec_buf_str(out, folder);
    spec_buf_str(out, path);
    return;
  }
  spec_buf_char(out, '"');
  spec_buf_str(out, folder);
  for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      spec_buf_printf(out, "\\%c", *p);
    else if (*p < ' ' || *p >= 0x7F)
      spec_buf_printf(out, "\\%03o", *p);
    else
      spec_buf_char(out, (char)*p);
  spec_buf_char(out, '"');
}

/* "--- name"; a tab ends a name that has blanks, which readers would cut otherwise. */
static void put_name_line(writer *w, const char *mark, const char *folder,
                          const spec_patch_side *side) {
  spec_buf_str(&w->out, mark);
  if (side->text == NULL) {
    spec_buf_str(&w->out, "/dev/null");
  } else {
    put_name(&w->out, folder, w->path);
    if (strchr(w->path, ' ') != NULL && !needs_quotes(w->path))
      spec_buf_char(&w->out, '\t');
  }
  spec_buf_char(&w->out, '\n');
}

static const char *mode_of(const spec_patch_side *side) {
  return side->executable ? "100755" : "100644";
}

static void put_header(writer *w) {
  const spec_patch_side *old = w->sides[0], *new = w->sides[1];
  bool exists = old->text != NULL && new->text != NULL;
  if (!exists || old->executable != new->executable) {
    spec_buf_str(&w->out, "diff --git ");
    put_name(&w->out, "a/", w->path);
    spec_buf_char(&w->out, ' ');
    put_name(&w->out, "b/", w->path);
    if (exists)
      spec_buf_printf(&w->out, "\nold mode %s\nnew mode %s\n", mode_of(old), mode_of(new));
    else if (new->text != NULL)
      spec_buf_printf(&w->out, "\nnew file mode %s\n", mode_of(new));
    else
      spec_buf_printf(&w->out, "\ndeleted file mode %s\n", mode_of(old));
  }
  if (w->hunk_count > 0) {
    put_name_line(w, "--- ", "a/", old);
    put_name_line(w, "+++ ", "b/", new);
  }
}

/* Whether a line opens what those below belong to: as git sees it, and Python's methods too. */
static bool is_opening(const spec_line *line) {
  static const char *const words[] = {"def ", "class ", "async def "};
  char c = line->len > 0 ? line->text[0] : '\0';
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$')
    return true;
  size_t i = 0;
  while (i < line->len && (line->text[i] == ' ' || line->text[i] == '\t'))
    i++;
  for (size_t k = 0; i > 0 && k < sizeof words / sizeof *words; k++) {
    size_t len = strlen(words[k]);
    if (line->len - i > len && memcmp(line->text + i, words[k], len) == 0)
      return true;
  }
  return false;
}

/* Behind "@@": the last opening line ahead of the hunk, cut, without blanks at its end. */
static void put_opening(writer *w, size_t before) {
  enum { SHOWN = 80 };
  for (; w->seen < before; w->seen++)
    if (is_opening(&w->old.lines[w->seen]))
      w->opening = w->seen + 1;
  if (w->opening == 0)
    return;
  const spec_line *line = &w->old.lines[w->opening - 1];
  size_t len = line->len < SHOWN ? line->len : SHOWN;
  while (len < line->len && len > 0 && ((unsigned char)line->text[len] & 0xC0) == 0x80)
    len--; /* not within a character */
  while (len > 0 && (line->text[len - 1] == ' ' ||
                     (line->text[len - 1] >= '\t' && line->text[len - 1] <= '\r')))
    len--;
  spec_buf_char(&w->out, ' ');
  spec_buf_add(&w->out, line->text, len);
}

static void put_lines(writer *w, char mark, const spec_lines *text, size_t from, size_t count) {
  for (size_t i = from; i < from + count; i++) {
    const spec_line *line = &text->lines[i];
    spec_buf_char(&w->out, mark);
    spec_buf_add(&w->out, line->text, line->len);
    if (line->text[line->len - 1] != '\n')
      spec_buf_str(&w->out, "\n\\ No newline at end of file\n");
  }
}

/* "12,3", or "12" for one line; no line: the one ahead. */
static void put_range(writer *w, char mark, size_t start, size_t count) {
  spec_buf_printf(&w->out, " %c%zu", mark, start + (count > 0));
  if (count != 1)
    spec_buf_printf(&w->out, ",%zu", count);
}

static void put_hunk(writer *w, const spec_hunk_range *h) {
  const spec_change *first = &w->changes.items[h->first];
  size_t new_start = first->new - (first->old - h->old), old_count = h->old_end - h->old;
  size_t new_count = old_count, at = h->old;
  for (size_t i = 0; i < h->count; i++)
    new_count = new_count + first[i].new_count - first[i].old_count;
  spec_buf_str(&w->out, "@@");
  put_range(w, '-', h->old, old_count);
  put_range(w, '+', new_start, new_count);
  spec_buf_str(&w->out, " @@");
  put_opening(w, h->old);
  spec_buf_char(&w->out, '\n');
  for (const spec_change *c = first; c < first + h->count; c++) {
    put_lines(w, ' ', &w->old, at, c->old - at);
    put_lines(w, '-', &w->old, c->old, c->old_count);
    put_lines(w, '+', &w->new, c->new, c->new_count);
    at = c->old + c->old_count;
  }
  put_lines(w, ' ', &w->old, at, h->old_end - at);
}

static int compare(writer *w, spec_arena *arena, spec_err *err) {
  const spec_patch_side *old = w->sides[0], *new = w->sides[1];
  spec_lines *texts[] = {&w->old, &w->new};
  int rc = spec_lines_split(&w->old, arena, old->text, old->text == NULL ? 0 : old->len, err);
  if (rc == 0)
    rc = spec_lines_split(&w->new, arena, new->text, new->text == NULL ? 0 : new->len, err);
  if (rc == 0)
    rc = spec_lines_number(NULL, arena, texts, 2, err);
  if (rc == 0)
    rc = spec_diff_myers(&w->changes, arena, &w->old, &w->new, err);
  if (rc == 0)
    spec_changes_arrange(&w->changes, &w->old, &w->new);
  return rc;
}

static int write_all(spec_patch_made *out, spec_arena *arena, writer *w, spec_err *err) {
  put_header(w);
  for (size_t i = 0; i < w->hunk_count; i++) {
    put_hunk(w, &w->hunks[i]);
    out->ambiguous += !w->hunks[i].is_unique;
  }
  out->hunks = w->hunk_count;
  out->removed = w->changes.removed;
  out->added = w->changes.added;
  out->len = w->out.len;
  out->text = spec_buf_failed(&w->out) ? NULL : spec_arena_strndup(arena, w->out.data, w->out.len);
  return out->text == NULL ? spec_fail_memory(err) : SPEC_OK;
}

int spec_patch_make(spec_patch_made *out, spec_arena *arena, const spec_patch_make_options *options,
                    const spec_patch_side *old, const spec_patch_side *new, spec_err *err) {
  writer w = {.sides = {old, new}, .path = options->path};
  bool exists = old->text != NULL && new->text != NULL;
  spec_patch_made made = {.text = "", .mode_changed = exists && old->executable != new->executable};
  int rc = compare(&w, arena, err);
  if (rc != 0)
    return rc;
  if (w.changes.count > 0 || (old->text == NULL) != (new->text == NULL)) {
    spec_hunk_range *hunks;
    spec_hunk_width width = {options->context > 0 ? options->context : CONTEXT,
                             options->context_most > 0 ? options->context_most : CONTEXT_MOST};
    rc = spec_hunk_ranges(&hunks, &w.hunk_count, arena, &w.changes, &w.old, width, err);
    w.hunks = hunks;
    if (rc == 0)
      rc = write_all(&made, arena, &w, err);
  }
  spec_buf_dispose(&w.out);
  if (rc == 0)
    *out = made;
  return rc;
}
