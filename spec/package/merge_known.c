/* merge_known.c: who binds and who uses the names that the vendor's level mentions. */
#include "package/merge_level.h"

#include "base/err.h"

spec_known *spec_known_of(const spec_level *level, spec_py_text name) {
  return spec_map_get_n(level->known, name.text, name.len, NULL);
}

bool spec_counts(const spec_level *level, const spec_py_name *use) {
  bool evaluated = !use->annotation || !level->m->lazy_annotations;
  return evaluated && (use->local == 0 || use->local == level->depth);
}

static spec_known *know(spec_level *level, spec_py_text name) {
  spec_merger *m = level->m;
  spec_known *known = spec_known_of(level, name);
  if (known != NULL || m->rc != 0)
    return known;
  const char *key = spec_map_intern(level->known, name.text, name.len);
  known = spec_merge_alloc(m, 1, sizeof *known);
  if (key == NULL)
    m->rc = spec_fail_memory(m->err);
  if (m->rc == 0)
    m->rc = spec_map_set(level->known, key, known, m->err);
  if (m->rc != 0)
    return NULL;
  known->name = name;
  return known;
}

static void mention(spec_level *level, spec_mentions *list, size_t at, const spec_py_name *name) {
  spec_mention *made = spec_merge_alloc(level->m, 1, sizeof *made);
  if (made == NULL)
    return;
  *made = (spec_mention){.at = at, .name = name};
  if (list->last == NULL)
    list->first = made;
  else
    list->last->next = made;
  list->last = made;
}

static void know_item(spec_level *level, size_t at) {
  const spec_item *item = &level->items[at];
  for (size_t p = 0; p < item->part_count; p++) {
    const spec_py_statement *s = item->parts[p];
    for (size_t i = 0; i < s->uses.count && level->m->rc == 0; i++)
      if (spec_counts(level, &s->uses.items[i])) {
        spec_known *known = know(level, s->uses.items[i].name);
        if (known != NULL)
          mention(level, &known->uses, at, &s->uses.items[i]);
      }
    for (size_t i = 0; i < s->binds.count && level->m->rc == 0; i++) {
      spec_known *known = know(level, s->binds.items[i].name);
      if (known != NULL)
        mention(level, &known->binds, at, &s->binds.items[i]);
    }
  }
}

static void know_statement(spec_level *level, size_t at) {
  const spec_py_statement *s = &level->trunk.items[at];
  for (size_t i = 0; i < s->uses.count; i++) {
    spec_known *known = spec_known_of(level, s->uses.items[i].name);
    if (known != NULL && spec_counts(level, &s->uses.items[i]))
      mention(level, &known->trunk_uses, at, &s->uses.items[i]);
  }
  for (size_t i = 0; i < s->binds.count; i++) {
    spec_known *known = spec_known_of(level, s->binds.items[i].name);
    if (known != NULL)
      mention(level, &known->trunk_binds, at, &s->binds.items[i]);
  }
}

void spec_known_names(spec_level *level) {
  for (size_t i = 0; i < level->item_count && level->m->rc == 0; i++)
    know_item(level, i);
  for (size_t i = 0; i < level->trunk.count && level->m->rc == 0; i++)
    know_statement(level, i);
}

bool spec_means_trunks(const spec_known *known, const spec_item *user) {
  return user->parts[0]->kind == SPEC_PY_ASSIGN && known->trunk_binds.first != NULL;
}
