/* closure.c: what must be reached through the stage. */
#include "graph.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include <string.h>

typedef struct closing {
  spec_graph *graph;
  spec_stage *stage;
  spec_reporter *report;
  node_list todo;
  node_list opaque; /* files that include by a macro */
  node_list twins;  /* files that lie in the stage beside an overridden CMakeLists.txt */
  spec_err *err;
} closing;

static int push(closing *c, node *n) {
  int rc = spec_arena_reserve(c->graph->arena, &c->todo.items, c->todo.count, &c->todo.cap,
                              sizeof *c->todo.items, c->err);
  if (rc == 0)
    c->todo.items[c->todo.count++] = n;
  return rc;
}

static int seed_must(void *user, const char *id, void *value) {
  (void)id;
  closing *c = user;
  node *n = value;
  if (n->override == NULL || n->override->action == SPEC_REMOVE || n->must)
    return SPEC_OK;
  n->must = true;
  return push(c, n);
}

/* Collects the files that include by a macro. */
static int collect_opaque(void *user, const char *id, void *value) {
  closing *c = user;
  node *n = value;
  if (!n->opaque || spec_path_is_absolute(id))
    return SPEC_OK;
  int rc = spec_arena_reserve(c->graph->arena, &c->opaque.items, c->opaque.count, &c->opaque.cap,
                              sizeof *c->opaque.items, c->err);
  if (rc == 0)
    c->opaque.items[c->opaque.count++] = n;
  return rc;
}

static bool has_overridden_header(const closing *c, const char *dir) {
  const spec_plan *plan = c->graph->view->plan;
  for (size_t i = 0; i < plan->override_count; i++) {
    const spec_override *o = &plan->overrides[i];
    const char *below = o->kind == SPEC_KIND_HEADER && o->action != SPEC_REMOVE
                            ? spec_path_below(o->trunk, dir)
                            : NULL;
    if (below != NULL && strchr(below, '/') == NULL)
      return true;
  }
  return false;
}

/* A macro can mean any header beside its file: where one of those is overridden, the file
 * must be staged. */
static int seed_opaque(closing *c) {
  int rc = spec_map_each(c->graph->nodes, collect_opaque, c);
  for (size_t i = 0; rc == 0 && i < c->opaque.count; i++) {
    node *n = c->opaque.items[i];
    if (n->must || !has_overridden_header(c, n->dir->id))
      continue;
    n->must = true;
    rc = push(c, n);
  }
  return rc;
}

static int stage_node(closing *c, node *n);

/* The trunk's headers beside a staged file that includes by a macro. */
static int stage_neighbours(closing *c, const node *n) {
  spec_graph *g = c->graph;
  const char *full = spec_path_join(g->arena, g->view->plan->trunk.root, n->dir->id);
  spec_dirent *entries = NULL;
  size_t count = 0;
  spec_ftype type;
  if (full == NULL)
    return spec_fail_memory(c->err);
  int rc = spec_fs_type(&type, full, c->err);
  if (rc == 0 && type == SPEC_FT_DIR)
    rc = spec_fs_list(g->arena, &entries, &count, full, c->err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *id = spec_path_join(g->arena, n->dir->id, entries[i].name);
    bool has = false;
    node *beside;
    if (id == NULL)
      return spec_fail_memory(c->err);
    if (spec_kind_of(id) == SPEC_KIND_HEADER)
      rc = spec_merged_has(g->view, &has, id, c->err);
    if (rc == 0 && has)
      rc = spec_graph_node(g, &beside, id, c->err);
    if (rc == 0 && has)
      rc = stage_node(c, beside);
  }
  return rc;
}

/* Whoever includes a must-be-staged file relative to itself must be staged. */
static int spread_must(closing *c) {
  int rc = 0;
  while (rc == 0 && c->todo.count > 0) {
    node *n = c->todo.items[--c->todo.count];
    for (size_t i = 0; rc == 0 && i < n->included_beside_by.count; i++) {
      node *by = n->included_beside_by.items[i];
      if (by->must)
        continue;
      if (spec_path_is_absolute(by->id)) {
        spec_report(c->report, SPEC_F_OUT_OF_REACH, by->id, by->id, n->id, NULL);
        continue;
      }
      by->must = true;
      rc = push(c, by);
    }
  }
  return rc;
}

static int stage_node(closing *c, node *n) {
  if (n->staged || spec_path_is_absolute(n->id))
    return SPEC_OK;
  n->staged = true;
  if (spec_stage_has(c->stage, n->id))
    return push(c, n);
  const char *file = spec_merged_file(c->graph->view, n->id);
  if (file == NULL)
    return spec_fail_memory(c->err);
  int rc = spec_stage_add(c->stage, n->id, file, c->err);
  return rc != 0 ? rc : push(c, n);
}

static int stage_must(void *user, const char *id, void *value) {
  (void)id;
  node *n = value;
  return n->must ? stage_node(user, n) : SPEC_OK;
}

/* A staged file finds beside it only what is staged too. */
static int spread_staged(closing *c) {
  int rc = 0;
  while (rc == 0 && c->todo.count > 0) {
    node *n = c->todo.items[--c->todo.count];
    rc = spec_graph_scan(c->graph, n, c->err);
    for (size_t i = 0; rc == 0 && i < n->includes.count; i++)
      if (n->beside[i] != NULL)
        rc = stage_node(c, n->beside[i]);
  }
  return rc;
}

static int collect_twin(void *user, const char *id, void *value) {
  closing *c = user;
  node *n = value;
  if (n->staged || !spec_stage_has(c->stage, id))
    return SPEC_OK;
  int rc = spec_arena_reserve(c->graph->arena, &c->twins.items, c->twins.count, &c->twins.cap,
                              sizeof *c->twins.items, c->err);
  if (rc == 0)
    c->twins.items[c->twins.count++] = n;
  return rc;
}

/* A folder that is entered through its twin has its sources compiled there: what these include
 * by a way that leaves the twin must be there too. */
static int stage_out_of_twins(closing *c) {
  int rc = spec_map_each(c->graph->nodes, collect_twin, c);
  for (size_t i = 0; rc == 0 && i < c->twins.count; i++) {
    node *n = c->twins.items[i];
    rc = spec_graph_scan(c->graph, n, c->err);
    for (size_t k = 0; rc == 0 && k < n->includes.count; k++)
      if (n->beside[k] != NULL && !spec_stage_has(c->stage, n->beside[k]->id))
        rc = stage_node(c, n->beside[k]);
  }
  return rc;
}

/* The stage's folders come first on the search path.  A staged file must not
 * win there over one that an earlier folder has under the same name, so that
 * one is staged too. */
static int stage_shadowers(closing *c) {
  spec_graph *g = c->graph;
  int rc = 0;
  for (size_t k = 0; rc == 0 && k < g->context_count; k++) {
    spec_context *context = g->all[k];
    for (size_t i = 0; rc == 0 && i < context->order_count; i++) {
      spec_unit_node *u = context->order[i];
      for (size_t e = 0; rc == 0 && e < u->edge_count; e++)
        if (u->edges[e].via != (size_t)BESIDE && !u->edges[e].to->file->staged) {
          const char *name =
              spec_path_below(u->edges[e].to->file->id, context->dirs[u->edges[e].via]->id);
          for (size_t d = u->edges[e].via + 1; name != NULL && d < context->dir_count; d++) {
            const char *later = spec_path_is_absolute(context->dirs[d]->id)
                                    ? NULL
                                    : spec_path_join(g->arena, context->dirs[d]->id, name);
            if (later != NULL && spec_stage_has(c->stage, later))
              rc = stage_node(c, u->edges[e].to->file);
          }
        }
    }
  }
  return rc;
}

/* The folder's own name for an overridden header, or NULL. */
static const char *name_in(const folder *dir, const spec_override *o) {
  if (o->kind != SPEC_KIND_HEADER || o->action == SPEC_REMOVE || spec_path_is_absolute(dir->id))
    return NULL;
  return spec_path_below(o->trunk, dir->id);
}

/* The same for what a macro may name: any overridden header, wherever a folder has it. */
static int stage_opaque_shadowers(closing *c, spec_context *context) {
  const spec_plan *plan = c->graph->view->plan;
  int rc = 0;
  for (size_t i = 0; i < context->order_count; i++)
    context->opaque |= context->order[i]->file->opaque;
  for (size_t i = 0; rc == 0 && context->opaque && i < plan->override_count; i++)
    for (size_t d = 1; rc == 0 && d < context->dir_count; d++) {
      const char *name = name_in(context->dirs[d], &plan->overrides[i]);
      for (size_t e = 0; rc == 0 && name != NULL && e < d; e++) {
        node *earlier;
        rc = spec_graph_look_up(c->graph, &earlier, context->dirs[e], name, c->err);
        if (rc == 0 && earlier != NULL)
          rc = stage_node(c, earlier);
      }
    }
  return rc;
}

/* Marks files from which a staged or an opaque one is reachable. Staged are also the trunk's
 * files that an earlier folder has: a unit that sees the stage must find those there first. */
static void mark_leads(spec_context *c) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = c->order_count; i-- > 0;) {
      spec_unit_node *u = c->order[i];
      bool leads = u->leads || u->file->staged || u->file->opaque;
      for (size_t e = 0; !leads && e < u->edge_count; e++)
        leads = u->edges[e].to->leads;
      changed |= leads != u->leads;
      u->leads = leads;
    }
  }
}

int spec_graph_close(spec_graph *graph, spec_stage *stage, spec_reporter *report, spec_err *err) {
  closing c = {.graph = graph, .stage = stage, .report = report, .err = err};
  /* Overrides that no unit reaches are staged as well: what they include beside
   * them must be there when something does reach them. */
  const spec_plan *plan = graph->view->plan;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++) {
    const spec_override *o = &plan->overrides[i];
    node *n;
    if ((o->kind == SPEC_KIND_SOURCE || o->kind == SPEC_KIND_HEADER) && o->action != SPEC_REMOVE) {
      rc = spec_graph_node(graph, &n, o->trunk, err);
      if (rc == 0)
        rc = spec_graph_scan(graph, n, err);
    }
  }
  if (rc == 0)
    rc = spec_map_each(graph->nodes, seed_must, &c);
  if (rc == 0)
    rc = seed_opaque(&c);
  if (rc == 0)
    rc = spread_must(&c);
  if (rc == 0)
    rc = spec_map_each(graph->nodes, stage_must, &c);
  for (size_t i = 0; rc == 0 && i < c.opaque.count; i++)
    rc = c.opaque.items[i]->must ? stage_neighbours(&c, c.opaque.items[i]) : 0;
  for (size_t k = 0; rc == 0 && k < graph->context_count; k++)
    rc = stage_opaque_shadowers(&c, graph->all[k]);
  if (rc == 0)
    rc = stage_out_of_twins(&c);
  if (rc == 0)
    rc = spread_staged(&c);
  for (size_t before = 0; rc == 0 && before != spec_stage_count(stage);) {
    before = spec_stage_count(stage);
    rc = stage_shadowers(&c);
    if (rc == 0)
      rc = spread_staged(&c);
  }
  for (size_t i = 0; rc == 0 && i < graph->passed_count; i++)
    rc = spec_stage_add_dir(stage, graph->passed[i], err);
  for (size_t k = 0; rc == 0 && k < graph->context_count; k++)
    mark_leads(graph->all[k]);
  return rc;
}

bool spec_graph_is_staged(const spec_graph *graph, const char *id) {
  const node *n = spec_map_get(graph->nodes, id, NULL);
  return n != NULL && n->must;
}
