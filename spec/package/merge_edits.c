/* merge_edits.c: places become changes of the trunk's text. */
#include "package/merge_level.h"

#include <stdlib.h>

static spec_edit *add_edit(spec_merger *m, size_t from, size_t to) {
  if (m->rc == 0)
    m->rc = spec_arena_reserve(m->arena, &m->edits, m->edit_count, &m->edit_cap, sizeof *m->edits,
                               m->err);
  if (m->rc != 0)
    return NULL;
  m->edits[m->edit_count] = (spec_edit){.from = from, .to = to, .order = m->edit_count};
  return &m->edits[m->edit_count++];
}

static void set_indent(spec_edit *edit, const spec_level *level) {
  edit->indent = level->indent;
  edit->indent_len = level->indent_len;
  edit->vendor_indent = level->vendor_indent;
  edit->vendor_indent_len = level->vendor_indent_len;
}

void spec_edit_body(const spec_level *inner, size_t from, size_t to) {
  spec_edit *edit = add_edit(inner->m, from, to);
  if (edit == NULL)
    return;
  edit->opens_body = true;
  set_indent(edit, inner);
}

/* Whether a class body is on the line of its class, so that nothing can come before its first
 * statement. */
static bool is_inlined(const spec_level *level) {
  const spec_py_statement *first = level->trunk.items;
  return level->depth > 0 && level->m->trunk.tokens.items[first->first - 1].kind != SPEC_PY_LINE;
}

/* Where in the text the place before statement i is. */
static size_t offset_of(const spec_level *level, size_t i) {
  if (i == 0 && level->trunk.count == 0)
    return level->m->trunk.source.len;
  if (i == 0 && is_inlined(level))
    return level->trunk.items[level->trunk.count - 1].lines_end;
  return i == 0 ? level->trunk.items[0].lines_start : level->trunk.items[i - 1].lines_end;
}

static void edit_instead(spec_level *level, const spec_item *item) {
  const spec_py_statement *t = &level->trunk.items[item->target];
  spec_edit *edit = add_edit(level->m, t->lines_start, t->lines_end);
  if (edit == NULL)
    return;
  edit->item = item;
  edit->gap = level->depth == 0 ? 2 : 1;
  set_indent(edit, level);
  for (size_t i = 0; i < item->gone_count; i++)
    (void)add_edit(level->m, item->gone[i]->lines_start, item->gone[i]->lines_end);
}

static void edit_between(spec_level *level, const spec_item *item) {
  size_t i = item->place / 2, at = offset_of(level, i);
  bool defines = spec_is_definition(item->parts[0]);
  bool follows = i > 0 && spec_is_definition(&level->trunk.items[i - 1]);
  spec_edit *edit = add_edit(level->m, at, at);
  if (edit == NULL)
    return;
  edit->item = item;
  edit->gap = level->depth == 0 ? 2 : 1;
  edit->blanks = defines ? edit->gap : 0;
  edit->first_blanks = defines || follows ? edit->gap : 0;
  set_indent(edit, level);
}

static int compare_places(const void *a, const void *b) {
  const spec_item *x = *(spec_item *const *)a, *y = *(spec_item *const *)b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void spec_item_edits(spec_level *level) {
  spec_merger *m = level->m;
  if (m->rc == 0 && level->item_count > 0)
    qsort(level->order, level->item_count, sizeof(void *), compare_places);
  for (size_t i = 0; i < level->item_count && m->rc == 0; i++) {
    const spec_item *item = level->order[i];
    m->changes += item->how != SPEC_HOW_INTO;
    if (item->how == SPEC_HOW_INTO)
      spec_merge_class(level, item);
    else if (item->how == SPEC_HOW_INSTEAD)
      edit_instead(level, item);
    else
      edit_between(level, item);
  }
}
