/* merge_reach.c: what is new and may be called while the module runs. The trunk's statement
 * `table = make()` evaluates `make`; what make's body mentions must be bound by then, and so on.
 * That cannot be known exactly, so it is a wish: new definitions come early rather than late. */
#include "package/merge_level.h"

#include "base/err.h"

typedef struct reach {
  spec_level *level;
  spec_map *binders;    /* name -> the trunk's statements that bind it, as spec_mentions */
  spec_map *seen;       /* names that were looked into */
  spec_mentions *items; /* by statement of the trunk's: the items that come instead of it, into it
                           or behind it */
  spec_py_text *stack;
  size_t count, cap;
  size_t at; /* the statement of the trunk's that is running */
} reach;

static void append(reach *r, spec_mentions *list, size_t at) {
  spec_mention *made = spec_merge_alloc(r->level->m, 1, sizeof *made);
  if (made == NULL)
    return;
  made->at = at;
  if (list->last == NULL)
    list->first = made;
  else
    list->last->next = made;
  list->last = made;
}

static void add_binder(reach *r, spec_py_text name, size_t at) {
  spec_merger *m = r->level->m;
  spec_mentions *list = spec_map_get_n(r->binders, name.text, name.len, NULL);
  if (list == NULL) {
    list = spec_merge_alloc(m, 1, sizeof *list);
    const char *key = spec_merge_text(m, name);
    if (m->rc == 0)
      m->rc = spec_map_set(r->binders, key, list, m->err);
  }
  if (m->rc == 0 && (list->last == NULL || list->last->at != at))
    append(r, list, at);
}

static void find_binders(reach *r) {
  spec_level *level = r->level;
  for (size_t i = 0; i < level->trunk.count; i++)
    for (size_t k = 0; k < level->trunk.items[i].binds.count && level->m->rc == 0; k++)
      add_binder(r, level->trunk.items[i].binds.items[k].name, i);
  for (size_t i = 0; i < level->item_count; i++) {
    const spec_item *item = &level->items[i];
    if (item->how <= SPEC_HOW_INTO)
      append(r, &r->items[item->target], i);
  }
}

/* Notes a name to look into, once. */
static void look_into(reach *r, spec_py_text name) {
  spec_merger *m = r->level->m;
  bool seen;
  (void)spec_map_get_n(r->seen, name.text, name.len, &seen);
  if (seen || m->rc != 0)
    return;
  if (spec_map_intern(r->seen, name.text, name.len) == NULL)
    m->rc = spec_fail_memory(m->err);
  else
    m->rc = spec_arena_reserve(m->arena, &r->stack, r->count, &r->cap, sizeof *r->stack, m->err);
  if (m->rc == 0)
    r->stack[r->count++] = name;
}

/* Looks into all names of a statement that anybody here binds. The trunk's own text does not mean
 * what is new: it may have a local variable of that name. */
static void look_into_statement(reach *r, const spec_py_module *module, const spec_py_statement *s,
                                bool vendor) {
  for (size_t i = s->first; i < s->last; i++) {
    const spec_py_token *t = &module->tokens.items[i];
    spec_py_text name = {module->source.text + t->start, t->end - t->start};
    if (t->kind != SPEC_PY_NAME || spec_py_is(&module->source, t - 1, "."))
      continue;
    bool bound = spec_map_get_n(r->binders, name.text, name.len, NULL) != NULL;
    const spec_known *known = vendor ? spec_known_of(r->level, name) : NULL;
    if (bound || (known != NULL && known->binds.first != NULL))
      look_into(r, name);
  }
}

static void look_into_name(reach *r, spec_py_text name) {
  spec_level *level = r->level;
  spec_mentions *list = spec_map_get_n(r->binders, name.text, name.len, NULL);
  for (spec_mention *n = list != NULL ? list->first : NULL; n != NULL; n = n->next)
    if (!level->replaced[n->at])
      look_into_statement(r, &level->m->trunk, &level->trunk.items[n->at], false);
  const spec_known *known = spec_known_of(level, name);
  for (spec_mention *n = known != NULL ? known->binds.first : NULL; n != NULL; n = n->next) {
    spec_item *item = &level->items[n->at];
    if (2 * r->at < item->early)
      item->early = 2 * r->at;
    for (size_t p = 0; p < item->part_count; p++)
      look_into_statement(r, &level->m->vendor, item->parts[p], true);
  }
}

/* What a statement evaluates is looked into as far as it leads. */
static void evaluate(reach *r, const spec_py_statement *s) {
  spec_level *level = r->level;
  for (size_t i = 0; i < s->uses.count; i++)
    if (spec_counts(level, &s->uses.items[i]))
      look_into(r, s->uses.items[i].name);
  while (r->count > 0 && level->m->rc == 0)
    look_into_name(r, r->stack[--r->count]);
}

/* The statements of the trunk's and what comes for them, in the order in which they run. */
static void run(reach *r) {
  spec_level *level = r->level;
  for (size_t at = 0; at < level->trunk.count && level->m->rc == 0; at++) {
    r->at = at;
    if (!level->replaced[at])
      evaluate(r, &level->trunk.items[at]);
    for (const spec_mention *n = r->items[at].first; n != NULL; n = n->next) {
      const spec_item *item = &level->items[n->at];
      r->at = item->how == SPEC_HOW_BEHIND ? at + 1 : at;
      for (size_t p = 0; p < item->part_count; p++)
        evaluate(r, item->parts[p]);
    }
  }
}

void spec_reach(spec_level *level) {
  spec_merger *m = level->m;
  bool any = false;
  for (size_t i = 0; i < level->item_count; i++) {
    level->items[i].early = SIZE_MAX;
    any |= level->items[i].how == SPEC_HOW_NEW;
  }
  if (!any || level->depth > 0 || m->rc != 0)
    return;
  reach r = {.level = level,
             .items = spec_merge_alloc(m, level->trunk.count, sizeof(spec_mentions))};
  if (m->rc == 0)
    m->rc = spec_map_new(&r.binders, m->arena, m->err);
  if (m->rc == 0)
    m->rc = spec_map_new(&r.seen, m->arena, m->err);
  if (m->rc == 0)
    find_binders(&r);
  if (m->rc == 0)
    run(&r);
  spec_map_free(r.binders);
  spec_map_free(r.seen);
}
