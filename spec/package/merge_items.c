/* merge_items.c: what the vendor's level holds: definitions and groups of them, imports that the
 * trunk lacks, and other statements. */
#include "package/merge_level.h"

#include "base/err.h"
#include "package/merge_imports.h"
#include <stdio.h>

/* Makes room for one more part: the room doubles whenever it is full. */
static void add_part(spec_merger *m, spec_item *item, const spec_py_statement *s) {
  size_t n = item->part_count;
  if (n == 0 || (n & (n - 1)) == 0) {
    const spec_py_statement **grown = spec_merge_alloc(m, n == 0 ? 1 : 2 * n, sizeof(void *));
    for (size_t i = 0; grown != NULL && i < n; i++)
      grown[i] = item->parts[i];
    item->parts = grown;
  }
  if (item->parts != NULL)
    item->parts[item->part_count++] = s;
}

static void add_item(spec_level *level, const spec_py_statement *s) {
  add_part(level->m, &level->items[level->item_count], s);
  level->item_count++;
}

/* Joins a definition to the one of its name that came before, if the two are one. */
static void add_definition(spec_level *level, spec_map *defined, const spec_py_statement *s) {
  spec_merger *m = level->m;
  const char *name = spec_merge_text(m, spec_defined(s));
  if (m->rc != 0)
    return;
  spec_item *before = spec_map_get(defined, name, NULL);
  if (before == NULL) {
    m->rc = spec_map_set(defined, name, &level->items[level->item_count], m->err);
    add_item(level, s);
    return;
  }
  const spec_py_statement *last = before->parts[before->part_count - 1];
  if (spec_continues(&m->vendor, last, s))
    add_part(m, before, s);
  else
    spec_merge_report(m, SPEC_F_MERGE_AMBIGUOUS, s->word_line, name, "the vendor's module",
                      spec_merge_printf(m, "%u and %u", last->word_line, s->word_line));
}

/* Reports each feature that the trunk's module does not ask for. */
static void check_future(spec_level *level, const spec_py_statement *s) {
  for (size_t i = 0; i < s->binds.count; i++) {
    bool known = false;
    for (size_t k = 0; k < level->trunk.count && !known; k++)
      known = spec_is_future_import(&level->m->trunk, &level->trunk.items[k]) &&
              spec_binds(&level->trunk.items[k], s->binds.items[i].name);
    if (!known)
      spec_merge_report(level->m, SPEC_F_MERGE_FUTURE, s->line,
                        spec_merge_text(level->m, s->binds.items[i].name), NULL, NULL);
  }
}

void spec_items(spec_level *level) {
  spec_merger *m = level->m;
  spec_imports imports = {0};
  spec_map *defined = NULL;
  level->items = spec_merge_alloc(m, level->vendor.count, sizeof *level->items);
  if (m->rc == 0)
    m->rc = spec_map_new(&defined, m->arena, m->err);
  if (m->rc == 0)
    spec_imports_read(&imports, level);
  for (size_t i = 0; i < level->vendor.count && m->rc == 0; i++) {
    const spec_py_statement *s = &level->vendor.items[i];
    if (spec_is_definition(s))
      add_definition(level, defined, s);
    else if (spec_is_future_import(&m->vendor, s))
      check_future(level, s);
    else if (!spec_is_idle(&m->vendor, s) && !spec_imports_have(&imports, level, s))
      add_item(level, s);
  }
  spec_imports_free(&imports);
  spec_map_free(defined);
}
