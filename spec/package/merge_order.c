/* merge_order.c: where each item goes. What it evaluates when the module runs must be bound before,
 * and whoever evaluates its name must come later. */
#include "package/merge_builtins.h"
#include "package/merge_level.h"

enum { NOT_VISITED, BEING_VISITED, VISITED };
enum { CHAIN = 1000 }; /* items each of which needs a later one of the vendor's */

static void need(spec_level *level, spec_item *item, spec_item *needed, spec_py_text name) {
  if (item == NULL || item == needed)
    return;
  spec_need *made = spec_merge_alloc(level->m, 1, sizeof *made);
  if (made == NULL)
    return;
  *made = (spec_need){needed, name, item->needs};
  item->needs = made;
}

/* Who needs whom for one name that items bind: a user needs the binding before it, or else the
 * first one; a binding comes behind the users of the one before. */
static void need_of_name(spec_level *level, const spec_known *known) {
  const spec_mention *u = known->uses.first;
  spec_item *bound = NULL;
  for (const spec_mention *b = known->binds.first; b != NULL; b = b->next) {
    spec_item *next = &level->items[b->at];
    for (; u != NULL && u->at <= b->at; u = u->next) {
      spec_item *user = &level->items[u->at];
      bool trunks = bound == NULL && spec_means_trunks(known, user);
      if (bound != NULL)
        need(level, user, bound, known->name);
      else if (!trunks)
        need(level, user, next, known->name);
      if (bound != NULL || trunks)
        need(level, next, user, known->name);
    }
    if (bound != NULL)
      need(level, next, bound, known->name);
    bound = next;
  }
  for (; u != NULL && bound != NULL; u = u->next)
    need(level, &level->items[u->at], bound, known->name);
}

static int need_of(void *user, const char *key, void *value) {
  (void)key;
  need_of_name(user, value);
  return 0;
}

/* --- ranks ---------------------------------------------------------------------------------- */

static uint32_t line_of(const spec_item *item) {
  return item->parts[0]->word_line;
}

static const char *name_of(spec_merger *m, const spec_item *item) {
  spec_py_names binds = item->parts[0]->binds;
  return binds.count > 0 ? spec_merge_text(m, binds.items[0].name) : "this statement";
}

static void refuse_circle(spec_level *level, const spec_item *item, const spec_need *n) {
  spec_merger *m = level->m;
  const char *behind = spec_merge_printf(m, "line %u, which binds '%.*s'", line_of(n->item),
                                         (int)n->name.len, n->name.text);
  spec_merge_report(m, SPEC_F_MERGE_ORDER, line_of(item), name_of(m, item), behind,
                    "that line, which needs it in turn");
}

static void rank(spec_level *level, spec_item *item, size_t *next, size_t depth) {
  item->visit = BEING_VISITED;
  for (const spec_need *n = item->needs; n != NULL && level->m->rc == 0; n = n->next) {
    if (n->item->visit == BEING_VISITED || (n->item->visit == NOT_VISITED && depth == CHAIN))
      refuse_circle(level, item, n);
    else if (n->item->visit == NOT_VISITED)
      rank(level, n->item, next, depth + 1);
  }
  item->visit = VISITED;
  item->rank = *next;
  level->order[(*next)++] = item;
}

/* --- bounds --------------------------------------------------------------------------------- */

/* The place behind a statement of the trunk's, and behind whatever shares its lines. */
static spec_place behind(const spec_level *level, size_t at) {
  while (at + 1 < level->trunk.count &&
         level->trunk.items[at + 1].lines_end == level->trunk.items[at].lines_end)
    at++;
  return 2 * (at + 1);
}

static const spec_mention *first_binding(const spec_known *known) {
  const spec_mention *n = known->trunk_binds.first;
  while (n != NULL && n->name->unbound)
    n = n->next;
  return n;
}

static bool is_class_member(const spec_level *level, const spec_item *item, spec_py_text name) {
  const spec_py_statement *class = &level->trunk.items[item->target];
  for (size_t i = 0; i < class->body.count; i++)
    if (spec_binds(&class->body.items[i], name))
      return true;
  return false;
}

/* The first place where the trunk lets the name be evaluated; 0: everywhere. `wish`: where it is
 * bound for the last time. */
static spec_place bound_at(const spec_level *level, const spec_item *item, const spec_known *known,
                           bool wish, const spec_py_statement **binder) {
  const spec_mention *n = first_binding(known);
  const spec_mention *use = known->trunk_uses.first;
  if (n == NULL || (item->how == SPEC_HOW_INTO && is_class_member(level, item, known->name)))
    return 0;
  if (wish)
    return behind(level, known->trunk_binds.last->at);
  /* Evaluated by the trunk before it binds it: a builtin, or the work of `import *`. */
  bool known_before = use != NULL && use->at < n->at;
  if (known_before || spec_is_builtin(known->name))
    return 0;
  *binder = &level->trunk.items[n->at];
  return behind(level, n->at);
}

/* The name of a use, if it counts on this level and is not the item's own. */
static const spec_known *evaluated(const spec_level *level, const spec_item *item, size_t part,
                                   size_t i) {
  const spec_py_name *use = &item->parts[part]->uses.items[i];
  bool own =
      spec_is_definition(item->parts[0]) && spec_same_text(use->name, spec_defined(item->parts[0]));
  return spec_counts(level, use) && !own ? spec_known_of(level, use->name) : NULL;
}

static void not_before(spec_item *item, spec_place place, spec_reason reason) {
  if (place > item->earliest) {
    item->earliest = place;
    item->not_before = reason;
  }
}

static void find_earliest(spec_level *level, spec_item *item) {
  bool fixed = item->how == SPEC_HOW_INSTEAD || item->how == SPEC_HOW_INTO;
  item->earliest = fixed                          ? 2 * item->target + 1
                   : item->how == SPEC_HOW_BEHIND ? behind(level, item->target)
                                                  : level->first;
  for (size_t p = 0; p < item->part_count; p++)
    for (size_t i = 0; i < item->parts[p]->uses.count; i++) {
      const spec_known *known = evaluated(level, item, p, i);
      spec_reason reason = {.name = item->parts[p]->uses.items[i].name};
      if (known != NULL) {
        spec_place place = bound_at(level, item, known, false, &reason.statement);
        /* What the trunk's own statement there evaluates is bound there. */
        bool used = fixed && spec_uses(&level->trunk.items[item->target], known->name);
        not_before(item, used ? 0 : place, reason);
      }
    }
  for (const spec_need *n = item->needs; n != NULL; n = n->next)
    not_before(item, n->item->earliest + n->item->earliest % 2,
               (spec_reason){n->item->parts[0], true, n->name});
}

/* The first statement of the trunk's behind the last that binds the name, and behind `target`,
 * which evaluates it. */
static void find_latest(spec_level *level, spec_item *item) {
  item->latest = 2 * level->trunk.count;
  if (item->how == SPEC_HOW_INSTEAD || item->how == SPEC_HOW_INTO)
    item->latest = 2 * item->target + 1;
  if (item->how != SPEC_HOW_BEHIND)
    return;
  for (size_t i = 0; i < item->parts[0]->binds.count; i++) {
    const spec_known *known = spec_known_of(level, item->parts[0]->binds.items[i].name);
    if (known == NULL || known->trunk_binds.last == NULL)
      continue;
    const spec_mention *n = known->trunk_uses.first;
    while (n != NULL && (n->at <= known->trunk_binds.last->at || level->replaced[n->at]))
      n = n->next;
    if (n != NULL && 2 * n->at < item->latest && !item->extends) {
      item->latest = 2 * n->at;
      item->not_behind = (spec_reason){&level->trunk.items[n->at], false, known->name};
    }
  }
}

/* Whatever the item needs must come before it. */
static void limit_needed(spec_item *item) {
  for (const spec_need *n = item->needs; n != NULL; n = n->next)
    if (n->item->latest > item->latest) {
      n->item->latest = item->latest - item->latest % 2;
      n->item->not_behind = (spec_reason){item->parts[0], true, n->name};
    }
}

static const char *describe(spec_merger *m, const spec_reason *reason, const char *verb) {
  if (reason->statement == NULL)
    return "the end of the module";
  return spec_merge_printf(m, "line %u%s, which %s '%.*s'", reason->statement->word_line,
                           reason->vendor ? "" : " of the trunk's", verb, (int)reason->name.len,
                           reason->name.text);
}

static void refuse_order(spec_level *level, const spec_item *item) {
  spec_merger *m = level->m;
  const char *before = describe(m, &item->not_behind, "evaluates");
  if (item->how == SPEC_HOW_INSTEAD || item->how == SPEC_HOW_INTO)
    before = spec_merge_printf(m, "line %u of the trunk's, in whose place it comes",
                               level->trunk.items[item->target].word_line);
  spec_merge_report(m, SPEC_F_MERGE_ORDER, line_of(item), name_of(m, item),
                    describe(m, &item->not_before, "binds"), before);
}

/* --- choice --------------------------------------------------------------------------------- */

/* What is new goes before the next of the vendor's definitions that has a place in the trunk. */
static spec_place before_next_fixed(const spec_level *level, const spec_item *item) {
  if (level->depth > 0)
    return level->end;
  for (const spec_item *next = item + 1; next < level->items + level->item_count; next++)
    if (spec_is_definition(next->parts[0]) &&
        (next->how == SPEC_HOW_INSTEAD || next->how == SPEC_HOW_INTO))
      return 2 * next->target;
  return level->end;
}

static spec_place wished(spec_level *level, const spec_item *item) {
  if (item->how == SPEC_HOW_LAST)
    return spec_is_main_guard(&level->m->vendor, item->parts[0]) ? 2 * level->trunk.count
                                                                 : level->end;
  if (item->how == SPEC_HOW_IMPORT)
    return level->imports;
  if (item->how != SPEC_HOW_NEW)
    return item->earliest;
  spec_place wish = before_next_fixed(level, item);
  wish = level->stars > wish && level->stars <= item->latest ? level->stars : wish;
  for (size_t p = 0; p < item->part_count; p++)
    for (size_t i = 0; i < item->parts[p]->uses.count; i++) {
      const spec_known *known = evaluated(level, item, p, i);
      const spec_py_statement *binder;
      spec_place bound = known != NULL ? bound_at(level, item, known, true, &binder) : 0;
      wish = bound > wish && bound <= item->latest ? bound : wish;
    }
  return wish < item->early ? wish : item->early;
}

static void choose(spec_level *level, spec_item *item) {
  spec_place wish = wished(level, item);
  wish = wish > item->earliest ? wish : item->earliest;
  wish = wish < item->latest ? wish : item->latest;
  for (const spec_need *n = item->needs; n != NULL; n = n->next) {
    spec_place least = n->item->place + n->item->place % 2;
    wish = least > wish ? least : wish;
  }
  item->place = wish;
}

void spec_item_places(spec_level *level) {
  spec_merger *m = level->m;
  size_t next = 0;
  level->order = spec_merge_alloc(m, level->item_count, sizeof(void *));
  if (m->rc == 0)
    (void)spec_map_each(level->known, need_of, level);
  for (size_t i = 0; i < level->item_count && m->rc == 0; i++)
    if (level->items[i].visit == NOT_VISITED)
      rank(level, &level->items[i], &next, 0);
  if (m->rc != 0)
    return;
  for (size_t i = 0; i < level->item_count; i++)
    find_earliest(level, level->order[i]);
  /* Before limits are passed on: what they would make impossible is seen where they come from. */
  for (size_t i = 0; i < level->item_count && m->rc == 0; i++) {
    find_latest(level, level->order[i]);
    if (level->order[i]->earliest > level->order[i]->latest)
      refuse_order(level, level->order[i]);
  }
  for (size_t i = level->item_count; i > 0; i--)
    limit_needed(level->order[i - 1]);
  for (size_t i = 0; i < level->item_count && m->rc == 0; i++)
    choose(level, level->order[i]);
}
