/* reach.c: what one unit reaches. */
#include "graph.h"

#include "base/err.h"
#include "base/path.h"
#include <stdlib.h>
#include <string.h>

typedef struct reaching {
  spec_graph *graph;
  spec_context *context;
  bool *dirs;            /* context's folders that lead to a staged file */
  spec_unit_node **todo; /* to look at; a list and no recursion: nobody bounds the depth */
  size_t todo_count, todo_cap;
  node_list found; /* overridden files */
  bool opaque;
  spec_err *err;
} reaching;

/* Marks a file of this context as one to look at, once. */
static int add(reaching *r, spec_unit_node *u) {
  if (u->visited == r->graph->walk)
    return SPEC_OK;
  u->visited = r->graph->walk;
  int rc = spec_arena_reserve(r->graph->arena, &r->todo, r->todo_count, &r->todo_cap,
                              sizeof *r->todo, r->err);
  if (rc == 0)
    r->todo[r->todo_count++] = u;
  return rc;
}

static int visit(reaching *r, const spec_unit_node *u) {
  node *n = u->file;
  r->opaque |= n->opaque;
  int rc = 0;
  if (n->override != NULL && n->override->action != SPEC_REMOVE) {
    rc = spec_arena_reserve(r->graph->arena, &r->found.items, r->found.count, &r->found.cap,
                            sizeof *r->found.items, r->err);
    if (rc == 0)
      r->found.items[r->found.count++] = n;
  }
  for (size_t e = 0; rc == 0 && e < u->edge_count; e++) {
    const edge *to = &u->edges[e];
    if (to->via != (size_t)BESIDE && to->to->file->staged)
      r->dirs[to->via] = true;
    if (to->to->leads)
      rc = add(r, to->to);
  }
  return rc;
}

static int visit_all(reaching *r, spec_unit_node *unit) {
  int rc = add(r, unit);
  while (rc == 0 && r->todo_count > 0)
    rc = visit(r, r->todo[--r->todo_count]);
  return rc;
}

static int compare_nodes(const void *a, const void *b) {
  return strcmp((*(node *const *)a)->id, (*(node *const *)b)->id);
}

/* Whether the folder has a staged file that comes before one of the overrides. */
static int comes_before(reaching *r, bool *out, size_t dir, const node *override) {
  spec_context *c = r->context;
  int rc = 0;
  for (size_t d = dir + 1; rc == 0 && !*out && d < c->dir_count; d++) {
    const char *name = spec_path_below(override->id, c->dirs[d]->id);
    node *earlier = NULL;
    if (name != NULL)
      rc = spec_graph_look_up(r->graph, &earlier, c->dirs[dir], name, r->err);
    *out = earlier != NULL && earlier->staged;
  }
  return rc;
}

/* An opaque unit may include anything: every overridden header and every
 * folder with staged files. */
static int reach_everything(reaching *r) {
  const spec_plan *plan = r->graph->view->plan;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++) {
    node *n = spec_map_get(r->graph->nodes, plan->overrides[i].trunk, NULL);
    bool known = n == NULL || plan->overrides[i].kind != SPEC_KIND_HEADER;
    for (size_t k = 0; !known && k < r->found.count; k++)
      known = r->found.items[k] == n;
    if (known)
      continue;
    rc = spec_arena_reserve(r->graph->arena, &r->found.items, r->found.count, &r->found.cap,
                            sizeof *r->found.items, r->err);
    if (rc == 0)
      r->found.items[r->found.count++] = n;
  }
  for (size_t d = 0; d < r->context->dir_count; d++)
    for (size_t i = 0; rc == 0 && i < r->found.count; i++) {
      r->dirs[d] |= spec_path_below(r->found.items[i]->id, r->context->dirs[d]->id) != NULL;
      rc = comes_before(r, &r->dirs[d], d, r->found.items[i]);
    }
  return rc;
}

int spec_graph_reach(spec_graph *graph, spec_reach *out, spec_unit_node *unit, spec_err *err) {
  *out = (spec_reach){0};
  if (!unit->leads)
    return SPEC_OK;
  spec_context *c = unit->context;
  reaching r = {.graph = graph, .context = c, .err = err};
  r.dirs = spec_arena_array(graph->arena, c->dir_count, sizeof *r.dirs);
  out->dirs = spec_arena_array(graph->arena, c->dir_count, sizeof *out->dirs);
  if (r.dirs == NULL || out->dirs == NULL)
    return spec_fail_memory(err);
  graph->walk++;
  int rc = visit_all(&r, unit);
  if (rc == 0 && r.opaque)
    rc = reach_everything(&r);
  if (rc != 0)
    return rc;
  if (r.found.count > 0)
    qsort(r.found.items, r.found.count, sizeof *r.found.items, compare_nodes);
  out->overrides = spec_arena_array(graph->arena, r.found.count, sizeof *out->overrides);
  if (out->overrides == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < r.found.count; i++)
    out->overrides[i] = r.found.items[i]->override;
  out->override_count = r.found.count;
  for (size_t d = 0; d < c->dir_count; d++)
    if (r.dirs[d] && !spec_path_is_absolute(c->dirs[d]->id))
      out->dirs[out->dir_count++] = c->dirs[d]->id;
  return SPEC_OK;
}
