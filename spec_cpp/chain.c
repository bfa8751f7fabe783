/* chain.c: shortest ways through the include graph. */
#include "chain.h"

#include "base/err.h"
#include "graph.h"

/* A file that was reached, and from which one: the trail is the queue of the search. */
typedef struct mark {
  void *at; /* spec_unit_node or node */
  size_t parent;
  spec_step step; /* that led here; of the first nothing is set */
} mark;

typedef struct trail {
  spec_arena *arena;
  mark *items;
  size_t count, cap;
} trail;

static int add_mark(trail *t, void *at, size_t parent, const spec_step *step, spec_err *err) {
  int rc = spec_arena_reserve(t->arena, &t->items, t->count, &t->cap, sizeof *t->items, err);
  if (rc == 0)
    t->items[t->count++] = (mark){at, parent, *step};
  return rc;
}

/* The steps that led to a mark, first to last, with room for one more. */
static int unwind(const trail *t, spec_chain *out, size_t last, spec_err *err) {
  size_t count = 0;
  for (size_t i = last; i != 0; i = t->items[i].parent)
    count++;
  out->steps = spec_arena_array(t->arena, count + 1, sizeof *out->steps);
  if (out->steps == NULL)
    return spec_fail_memory(err);
  out->count = count;
  for (size_t i = last; i != 0; i = t->items[i].parent)
    out->steps[--count] = t->items[i].step;
  return SPEC_OK;
}

static const spec_include *macro_of(const node *n) {
  for (size_t i = 0; i < n->includes.count; i++)
    if (n->includes.items[i].form == SPEC_INCLUDE_MACRO)
      return &n->includes.items[i];
  return NULL;
}

/* --- from a unit --- */

/* Marks what a file includes that no shorter way led to. */
static int follow(spec_graph *graph, trail *t, size_t at, spec_err *err) {
  const spec_unit_node *u = t->items[at].at;
  int rc = 0;
  for (size_t e = 0; rc == 0 && e < u->edge_count; e++) {
    const edge *to = &u->edges[e];
    if (to->to->visited == graph->walk)
      continue;
    to->to->visited = graph->walk;
    const spec_step step = {
        .from = u->file->id,
        .to = to->to->file->id,
        .include = to->include == (size_t)FORCED ? NULL : &u->file->includes.items[to->include],
        .dir = to->via == (size_t)BESIDE ? NULL : u->context->dirs[to->via]->id,
    };
    rc = add_mark(t, to->to, at, &step, err);
  }
  return rc;
}

/* The way to the nearest file that includes by a macro, and that include. */
static int end_at_macro(const trail *t, spec_chain *out, const char *id, spec_err *err) {
  for (size_t i = 0; i < t->count; i++) {
    const node *n = ((const spec_unit_node *)t->items[i].at)->file;
    if (!n->opaque)
      continue;
    int rc = unwind(t, out, i, err);
    if (rc != 0)
      return rc;
    out->steps[out->count++] = (spec_step){n->id, id, macro_of(n), NULL};
    out->opaque = true;
    return SPEC_OK;
  }
  return SPEC_OK;
}

int spec_graph_chain(spec_graph *graph, spec_chain *out, spec_unit_node *unit, const char *id,
                     spec_err *err) {
  trail t = {.arena = graph->arena};
  const node *wanted = spec_map_get(graph->nodes, id, NULL);
  *out = (spec_chain){0};
  if (wanted == NULL)
    return SPEC_OK;
  unit->visited = ++graph->walk;
  int rc = add_mark(&t, unit, 0, &(spec_step){0}, err);
  for (size_t i = 0; rc == 0 && i < t.count; i++) {
    if (((const spec_unit_node *)t.items[i].at)->file == wanted)
      return unwind(&t, out, i, err);
    rc = follow(graph, &t, i, err);
  }
  bool macro = rc == 0 && wanted->override != NULL && wanted->override->kind == SPEC_KIND_HEADER &&
               wanted->override->action != SPEC_REMOVE;
  return macro ? end_at_macro(&t, out, id, err) : rc;
}

/* --- into the stage --- */

static bool is_overridden(const node *n) {
  return n->override != NULL && n->override->action != SPEC_REMOVE;
}

static spec_step step_beside(const node *from, size_t include) {
  return (spec_step){from->id, from->beside[include]->id, &from->includes.items[include], NULL};
}

/* The way from a file that must be staged to the overridden one: each finds the next beside it. */
static int find_cause(const spec_graph *graph, spec_chain *out, node *n, spec_err *err) {
  trail t = {.arena = graph->arena};
  spec_map *seen = NULL;
  int rc = spec_map_new(&seen, graph->arena, err);
  if (rc == 0)
    rc = add_mark(&t, n, 0, &(spec_step){0}, err);
  bool done = false;
  for (size_t i = 0; rc == 0 && !done && i < t.count; i++) {
    node *at = t.items[i].at;
    done = is_overridden(at);
    if (done)
      rc = unwind(&t, out, i, err);
    for (size_t k = 0; rc == 0 && !done && k < at->includes.count; k++) {
      node *to = at->beside[k];
      if (to == NULL || !to->must || spec_map_get(seen, to->id, NULL) != NULL)
        continue;
      const spec_step step = step_beside(at, k);
      rc = spec_map_set(seen, to->id, to, err);
      if (rc == 0)
        rc = add_mark(&t, to, i, &step, err);
    }
  }
  spec_map_free(seen);
  return rc;
}

static int one_step(const spec_graph *graph, spec_chain *out, spec_step step, spec_err *err) {
  out->steps = spec_arena_array(graph->arena, 1, sizeof *out->steps);
  if (out->steps == NULL)
    return spec_fail_memory(err);
  out->steps[0] = step;
  out->count = 1;
  return SPEC_OK;
}

/* The staged file that finds another beside it. */
static int find_includer(const spec_graph *graph, spec_chain *out, const node *n, spec_err *err) {
  for (size_t i = 0; i < n->included_beside_by.count; i++) {
    const node *by = n->included_beside_by.items[i];
    for (size_t k = 0; by->staged && k < by->includes.count; k++)
      if (by->beside[k] == n)
        return one_step(graph, out, step_beside(by, k), err);
  }
  return SPEC_OK;
}

typedef struct neighbour {
  const folder *dir;
  const node *found;
} neighbour;

static int is_macro_beside(void *user, const char *id, void *value) {
  (void)id;
  neighbour *n = user;
  const node *at = value;
  if (!at->opaque || !at->staged || at->dir != n->dir)
    return 0;
  n->found = at;
  return 1;
}

/* Of a file that neither an override nor an include put there. */
static int explain_rest(const spec_graph *graph, spec_staging *out, spec_chain *chain,
                        const node *n, spec_err *err) {
  neighbour beside = {.dir = n->dir};
  *out = SPEC_STAGING_NAMESAKE;
  if (spec_map_each(graph->nodes, is_macro_beside, &beside) == 0)
    return SPEC_OK;
  *out = SPEC_STAGING_NEIGHBOUR;
  chain->opaque = true;
  return one_step(graph, chain, (spec_step){beside.found->id, n->id, macro_of(beside.found), NULL},
                  err);
}

int spec_graph_staging(const spec_graph *graph, spec_staging *out, spec_chain *chain,
                       const char *id, spec_err *err) {
  node *n = spec_map_get(graph->nodes, id, NULL);
  *chain = (spec_chain){0};
  *out = SPEC_STAGING_NONE;
  if (n == NULL || !n->staged)
    return SPEC_OK;
  *out = SPEC_STAGING_OVERRIDDEN;
  if (is_overridden(n))
    return SPEC_OK;
  int rc = n->must ? find_cause(graph, chain, n, err) : find_includer(graph, chain, n, err);
  if (rc != 0)
    return rc;
  *out = n->must ? SPEC_STAGING_INCLUDES : SPEC_STAGING_BESIDE;
  if (chain->count > 0)
    return SPEC_OK;
  if (!n->must)
    return explain_rest(graph, out, chain, n, err);
  *out = SPEC_STAGING_MACRO;
  chain->opaque = true;
  return one_step(graph, chain, (spec_step){n->id, n->dir->id, macro_of(n), NULL}, err);
}
