/* merge_place.c: how each item comes into the trunk's level: instead of what it names, behind it,
 * or as something new. */
#include "package/merge_check.h"
#include "package/merge_level.h"

/* What the trunk's level does to one name. */
typedef struct bound {
  size_t definitions; /* by def and class */
  size_t first, last; /* of them */
  bool one;           /* they are one definition */
  size_t others;      /* bindings by other statements */
  size_t other;      /* the last of those that do not make the name from itself, as x = f(x) does */
  bool rebound;      /* that is behind the definitions */
  size_t behind_all; /* the last statement that binds or deletes it */
} bound;

static bound bound_of(const spec_level *level, const spec_known *known) {
  bound b = {.one = true};
  size_t before = SIZE_MAX;
  for (const spec_mention *n = known->trunk_binds.first; n != NULL; n = n->next) {
    const spec_py_statement *s = &level->trunk.items[n->at];
    bool repeated = n->at == before;
    before = b.behind_all = n->at;
    if (repeated || (n->name->unbound && b.definitions > 0))
      continue;
    if (!spec_is_definition(s)) {
      bool wraps = b.definitions > 0 && spec_uses(s, known->name);
      b.others++;
      b.other = wraps ? b.other : n->at;
      b.rebound |= !wraps && b.definitions > 0;
      continue;
    }
    if (b.definitions++ == 0)
      b.first = n->at;
    else
      b.one &= spec_continues(&level->m->trunk, &level->trunk.items[b.last], s);
    b.last = n->at;
    b.rebound = false;
  }
  return b;
}

/* The lines of the trunk's definitions of a name, as in "3, 8". */
static const char *lines_of(spec_level *level, const spec_known *known) {
  const char *lines = "";
  for (const spec_mention *n = known->trunk_binds.first; n != NULL; n = n->next) {
    const spec_py_statement *s = &level->trunk.items[n->at];
    if (spec_is_definition(s))
      lines =
          spec_merge_printf(level->m, "%s%s%u", lines, *lines != '\0' ? ", " : "", s->word_line);
  }
  return lines;
}

/* Whether the block inside a compound statement, at whatever depth, defines the name. */
static bool defines_inside(const spec_py_statement *s, spec_py_text name) {
  for (size_t i = 0; i < s->body.count && s->kind != SPEC_PY_CLASS; i++) {
    const spec_py_statement *inner = &s->body.items[i];
    bool defines = spec_is_definition(inner) && spec_same_text(spec_defined(inner), name);
    if (defines || (!spec_is_definition(inner) && defines_inside(inner, name)))
      return true;
  }
  return false;
}

static void put_behind(spec_level *level, spec_item *item, size_t target) {
  const spec_py_statement *s = &level->trunk.items[target];
  item->how = SPEC_HOW_BEHIND;
  item->target = target;
  if (spec_is_definition(item->parts[0]) && defines_inside(s, spec_defined(item->parts[0])))
    spec_merge_report(level->m, SPEC_F_MERGE_BRANCH, item->parts[0]->word_line,
                      spec_merge_text(level->m, spec_defined(item->parts[0])),
                      spec_merge_printf(level->m, "%u", s->line), NULL);
}

/* The item stands for the trunk's definitions of a name. */
static void put_instead(spec_level *level, spec_item *item, const spec_known *known, bound b) {
  spec_merger *m = level->m;
  item->how = SPEC_HOW_INSTEAD;
  item->target = b.last;
  level->replaced[b.last] = true;
  item->gone = spec_merge_alloc(m, b.definitions, sizeof(void *));
  for (const spec_mention *n = known->trunk_binds.first; n != NULL && m->rc == 0; n = n->next) {
    const spec_py_statement *s = &level->trunk.items[n->at];
    if (spec_is_definition(s) && n->at != b.last)
      item->gone[item->gone_count++] = s;
  }
  if (m->rc == 0 && spec_is_definition(item->parts[0]))
    spec_check_replaced(m, &level->trunk.items[b.first], &level->trunk.items[b.last], item,
                        level->depth);
}

/* A definition or one simple binding of a name that the trunk defines by def or class. */
static void replace_definition(spec_level *level, spec_item *item, const spec_known *known,
                               bound b) {
  spec_merger *m = level->m;
  if (!b.one) {
    spec_merge_report(m, SPEC_F_MERGE_AMBIGUOUS, item->parts[0]->word_line,
                      spec_merge_text(m, known->name), "the trunk's module",
                      lines_of(level, known));
    return;
  }
  if (!b.rebound) {
    put_instead(level, item, known, b);
    return;
  }
  put_behind(level, item, b.other);
  item->rebound = true;
  item->defined = b.last;
}

/* Whether a statement assigns to exactly one name and nothing else is on its lines. */
static bool is_one_assignment(const spec_py_statement *s) {
  return (s->kind == SPEC_PY_ASSIGN || s->kind == SPEC_PY_TYPE) && s->binds.count == 1 &&
         !s->shares_line;
}

/* Whether an item of the vendor's before this one binds the name, or keeps what the trunk binds. */
static bool is_taken(const spec_level *level, const spec_known *known, const spec_item *item) {
  if (&level->items[known->binds.first->at] < item)
    return true;
  for (const spec_mention *n = known->uses.first; n != NULL; n = n->next)
    if (&level->items[n->at] < item && spec_means_trunks(known, &level->items[n->at]))
      return true;
  return false;
}

static void place_name(spec_level *level, spec_item *item, spec_py_text name) {
  const spec_py_statement *s = item->parts[0];
  const spec_known *known = spec_known_of(level, name);
  if (known == NULL || known->trunk_binds.first == NULL)
    return;
  bound b = bound_of(level, known);
  bool own = spec_uses(s, name) && !spec_is_definition(s);
  bool first = !is_taken(level, known, item) && !own;
  size_t last = known->trunk_binds.last->at;
  bool single = b.definitions == 0 && known->trunk_binds.first->at == last &&
                is_one_assignment(&level->trunk.items[last]);
  if (first && b.definitions > 0) {
    replace_definition(level, item, known, b);
  } else if (first && single) {
    item->how = SPEC_HOW_INSTEAD;
    item->target = last;
    level->replaced[last] = true;
  } else {
    put_behind(level, item, b.behind_all);
  }
}

/* Behind the last statement of the trunk's that binds any of the names. */
static void place_names(spec_level *level, spec_item *item) {
  const spec_py_statement *s = item->parts[0];
  for (size_t i = 0; i < s->binds.count; i++) {
    const spec_known *known = spec_known_of(level, s->binds.items[i].name);
    if (known == NULL || known->trunk_binds.last == NULL)
      continue;
    size_t last = known->trunk_binds.last->at;
    if (item->how != SPEC_HOW_BEHIND || last > item->target)
      put_behind(level, item, last);
  }
}

/* `__all__` adds to the trunk's, behind all that is said about it there. */
static void place_all(spec_level *level, spec_item *item) {
  const spec_known *known = spec_known_of(level, item->parts[0]->binds.items[0].name);
  if (known == NULL || known->trunk_binds.last == NULL) {
    spec_merge_report(level->m, SPEC_F_MERGE_ALL, item->parts[0]->line, NULL, NULL, NULL);
    return;
  }
  size_t target = known->trunk_binds.last->at;
  for (const spec_mention *n = known->trunk_uses.first; n != NULL; n = n->next)
    if (n->at > target && level->trunk.items[n->at].kind == SPEC_PY_EXPRESSION)
      target = n->at;
  put_behind(level, item, target);
  item->extends = item->parts[0]->kind == SPEC_PY_ASSIGN &&
                  !spec_uses(item->parts[0], known->name) &&
                  !item->parts[0]->binds.items[0].unbound;
}

static void place_item(spec_level *level, spec_item *item) {
  spec_merger *m = level->m;
  const spec_py_statement *s = item->parts[0];
  bool binds = spec_is_definition(s) || s->kind == SPEC_PY_ASSIGN || s->kind == SPEC_PY_TYPE ||
               spec_is_import(&m->vendor, s);
  item->how = spec_is_import(&m->vendor, s) ? SPEC_HOW_IMPORT : SPEC_HOW_NEW;
  if (spec_is_star_import(&m->vendor, s))
    spec_merge_report(m, SPEC_F_MERGE_STAR, s->line, NULL, NULL, NULL);
  else if (s->kind == SPEC_PY_CLASS && spec_marked(m, "methods", s))
    spec_place_class(level, item);
  else if (!binds || s->binds.count == 0)
    item->how = SPEC_HOW_LAST;
  else if (level->depth == 0 && s->binds.count == 1 &&
           spec_is_text(s->binds.items[0].name, "__all__"))
    place_all(level, item);
  else if (s->binds.count == 1)
    place_name(level, item, s->binds.items[0].name);
  else
    place_names(level, item);
}

/* Between the trunk's definition and the statement that binds the name again nothing may evaluate
 * it.
 */
static void check_rebound(spec_level *level, const spec_item *item) {
  spec_merger *m = level->m;
  const spec_known *known = spec_known_of(level, spec_defined(item->parts[0]));
  for (const spec_mention *n = known->trunk_uses.first; n != NULL; n = n->next)
    if (n->at > item->defined && n->at < item->target && !level->replaced[n->at]) {
      spec_merge_report(m, SPEC_F_MERGE_REBOUND, item->parts[0]->word_line,
                        spec_merge_text(m, known->name),
                        spec_merge_printf(m, "%u", level->trunk.items[n->at].line),
                        spec_merge_printf(m, "%u", level->trunk.items[item->target].line));
      return;
    }
}

void spec_item_hows(spec_level *level) {
  level->replaced = spec_merge_alloc(level->m, level->trunk.count, sizeof *level->replaced);
  for (size_t i = 0; i < level->item_count && level->m->rc == 0; i++)
    place_item(level, &level->items[i]);
  for (size_t i = 0; i < level->item_count && level->m->rc == 0; i++)
    if (level->items[i].rebound)
      check_rebound(level, &level->items[i]);
}
