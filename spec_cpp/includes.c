/* includes.c: the include graph of the merged view. */
#include "includes.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "scan.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct node node;
typedef struct node_list {
  node **items;
  size_t count, cap;
} node_list;

/* A file. */
struct node {
  const char *id;
  const char *dir; /* id of its folder */
  const spec_override *override;
  spec_includes includes;
  node **beside; /* for each include: the file found relative to this one, or NULL */
  node_list included_beside_by;
  bool scanned;
  bool opaque; /* includes something that only the preprocessor knows */
  bool must;   /* must be reached through the stage */
  bool staged; /* lies in the stage */
};

typedef struct edge {
  spec_unit_node *to;
  size_t via; /* index of the context's folder, or BESIDE */
} edge;

enum { BESIDE = -1 };

/* A file in a context: what its includes resolve to there. */
struct spec_unit_node {
  node *file;
  spec_context *context;
  edge *edges;
  size_t edge_count;
  bool loaded;
  bool leads;     /* a file that must be staged, or an opaque one, is reachable */
  size_t visited; /* the last walk that came here */
};

struct spec_context {
  const char **dirs;
  size_t dir_count;
  spec_map *found; /* include name -> edge target on the search path, or NULL */
  spec_map *files; /* id -> spec_unit_node */
  spec_unit_node **order;
  size_t order_count, order_cap;
};

struct spec_graph {
  spec_arena *arena;
  const spec_merged *view;
  spec_map *nodes;    /* id -> node */
  spec_map *contexts; /* joined dirs -> spec_context */
  spec_context **all;
  size_t context_count, context_cap;
  size_t walk;
};

/* What a name resolves to on a context's search path. */
typedef struct found {
  node *file;
  size_t via;
} found;

static int grow(spec_arena *arena, void *array, size_t count, size_t *cap, size_t size,
                spec_err *err) {
  if (count < *cap)
    return SPEC_OK;
  void **slot = array;
  size_t wanted = *cap == 0 ? 8 : *cap * 2;
  void *grown = spec_arena_grow(arena, *slot, *cap * size, wanted * size);
  if (grown == NULL)
    return spec_fail_memory(err);
  *slot = grown;
  *cap = wanted;
  return SPEC_OK;
}

int spec_graph_new(spec_graph **out, spec_arena *arena, const spec_merged *view, spec_err *err) {
  spec_graph *g = spec_arena_alloc(arena, sizeof *g);
  if (g == NULL)
    return spec_fail_memory(err);
  g->arena = arena;
  g->view = view;
  int rc = spec_map_new(&g->nodes, arena, err);
  if (rc == 0)
    rc = spec_map_new(&g->contexts, arena, err);
  if (rc != 0) {
    spec_graph_free(g);
    return rc;
  }
  *out = g;
  return SPEC_OK;
}

void spec_graph_free(spec_graph *graph) {
  if (graph == NULL)
    return;
  for (size_t i = 0; i < graph->context_count; i++) {
    spec_map_free(graph->all[i]->found);
    spec_map_free(graph->all[i]->files);
  }
  spec_map_free(graph->nodes);
  spec_map_free(graph->contexts);
}

/* --- load --- */

static int get_node(spec_graph *g, node **out, const char *id, spec_err *err) {
  node *n = spec_map_get(g->nodes, id, NULL);
  if (n == NULL) {
    n = spec_arena_alloc(g->arena, sizeof *n);
    if (n == NULL)
      return spec_fail_memory(err);
    n->id = spec_arena_strdup(g->arena, id);
    n->dir = n->id == NULL ? NULL : spec_path_dirname(g->arena, n->id);
    if (n->dir == NULL)
      return spec_fail_memory(err);
    n->override = spec_merged_override(g->view, id);
    int rc = spec_map_set(g->nodes, id, n, err);
    if (rc != 0)
      return rc;
  }
  *out = n;
  return SPEC_OK;
}

/* The node of dir/name when the view has it, else NULL. */
static int look_up(spec_graph *g, node **out, const char *dir, const char *name, spec_err *err) {
  const char *id = spec_merged_resolve(g->view, dir, name);
  *out = NULL;
  if (id == NULL || *id == '\0')
    return SPEC_OK;
  bool has;
  int rc = spec_merged_has(g->view, &has, id, err);
  return rc != 0 || !has ? rc : get_node(g, out, id, err);
}

static int scan(spec_graph *g, node *n, spec_err *err) {
  if (n->scanned)
    return SPEC_OK;
  n->scanned = true;
  const char *file = spec_merged_file(g->view, n->id), *text;
  size_t len;
  if (file == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_read(g->arena, &text, &len, file, err);
  if (rc == 0)
    rc = spec_scan_c(g->arena, &n->includes, text, len, err);
  if (rc != 0)
    return rc;
  n->beside = spec_arena_array(g->arena, n->includes.count, sizeof *n->beside);
  if (n->beside == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; rc == 0 && i < n->includes.count; i++) {
    const spec_include *inc = &n->includes.items[i];
    n->opaque |= inc->form == SPEC_INCLUDE_MACRO;
    if (inc->form != SPEC_INCLUDE_QUOTED)
      continue;
    rc = look_up(g, &n->beside[i], n->dir, inc->name, err);
    node *to = n->beside[i];
    if (rc != 0 || to == NULL)
      continue;
    node_list *by = &to->included_beside_by;
    rc = grow(g->arena, &by->items, by->count, &by->cap, sizeof *by->items, err);
    if (rc == 0)
      by->items[by->count++] = n;
  }
  return rc;
}

int spec_graph_context(spec_graph *graph, spec_context **out, const char *const *ids, size_t count,
                       spec_err *err) {
  spec_buf key = {0};
  for (size_t i = 0; i < count; i++)
    spec_buf_printf(&key, "%s\n", ids[i]);
  int rc = spec_buf_failed(&key) ? spec_fail_memory(err) : 0;
  spec_context *c = rc == 0 ? spec_map_get(graph->contexts, spec_buf_text(&key), NULL) : NULL;
  if (rc == 0 && c == NULL) {
    c = spec_arena_alloc(graph->arena, sizeof *c);
    const char **dirs = spec_arena_array(graph->arena, count, sizeof *dirs);
    if (c == NULL || dirs == NULL) {
      spec_buf_dispose(&key);
      return spec_fail_memory(err);
    }
    for (size_t i = 0; i < count; i++)
      dirs[i] = ids[i];
    c->dirs = dirs;
    c->dir_count = count;
    rc = grow(graph->arena, &graph->all, graph->context_count, &graph->context_cap,
              sizeof *graph->all, err);
    if (rc == 0)
      graph->all[graph->context_count++] = c;
    if (rc == 0)
      rc = spec_map_new(&c->found, graph->arena, err);
    if (rc == 0)
      rc = spec_map_new(&c->files, graph->arena, err);
    if (rc == 0)
      rc = spec_map_set(graph->contexts, spec_buf_text(&key), c, err);
  }
  spec_buf_dispose(&key);
  if (rc == 0)
    *out = c;
  return rc;
}

/* First match on the context's search path; NULL when there is none of ours. */
static int search(spec_graph *g, found **out, spec_context *c, const char *name, spec_err *err) {
  bool known;
  *out = spec_map_get(c->found, name, &known);
  if (known)
    return SPEC_OK;
  found *f = NULL;
  node *file = NULL;
  int rc = 0;
  for (size_t i = 0; rc == 0 && file == NULL && i < c->dir_count; i++) {
    rc = look_up(g, &file, c->dirs[i], name, err);
    if (rc != 0 || file == NULL)
      continue;
    f = spec_arena_alloc(g->arena, sizeof *f);
    if (f == NULL)
      return spec_fail_memory(err);
    *f = (found){file, i};
  }
  if (rc == 0)
    rc = spec_map_set(c->found, name, f, err);
  if (rc == 0)
    *out = f;
  return rc;
}

static int in_context(spec_graph *g, spec_unit_node **out, spec_context *c, node *file,
                      spec_err *err) {
  spec_unit_node *u = spec_map_get(c->files, file->id, NULL);
  if (u == NULL) {
    u = spec_arena_alloc(g->arena, sizeof *u);
    if (u == NULL)
      return spec_fail_memory(err);
    u->file = file;
    u->context = c;
    int rc = spec_map_set(c->files, file->id, u, err);
    if (rc == 0)
      rc = grow(g->arena, &c->order, c->order_count, &c->order_cap, sizeof *c->order, err);
    if (rc != 0)
      return rc;
    c->order[c->order_count++] = u;
  }
  *out = u;
  return SPEC_OK;
}

static int add_edge(spec_graph *g, spec_unit_node *from, size_t *cap, node *to, size_t via,
                    spec_err *err) {
  edge e = {.via = via};
  int rc = in_context(g, &e.to, from->context, to, err);
  if (rc == 0)
    rc = grow(g->arena, &from->edges, from->edge_count, cap, sizeof *from->edges, err);
  if (rc == 0)
    from->edges[from->edge_count++] = e;
  return rc;
}

/* #include_next starts behind the folder where the includer was found; which
 * one that was is not tracked, so every folder that has the name counts. */
static int add_every_match(spec_graph *g, spec_unit_node *u, size_t *cap, const char *name,
                           spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < u->context->dir_count; i++) {
    node *file;
    rc = look_up(g, &file, u->context->dirs[i], name, err);
    if (rc == 0 && file != NULL)
      rc = add_edge(g, u, cap, file, i, err);
  }
  return rc;
}

/* Resolves the includes of one file in its context. */
static int resolve_edges(spec_graph *g, spec_unit_node *u, spec_err *err) {
  node *n = u->file;
  size_t cap = 0;
  u->loaded = true;
  int rc = scan(g, n, err);
  for (size_t i = 0; rc == 0 && i < n->includes.count; i++) {
    const spec_include *inc = &n->includes.items[i];
    if (inc->form == SPEC_INCLUDE_MACRO)
      continue;
    if (inc->form == SPEC_INCLUDE_NEXT) {
      rc = add_every_match(g, u, &cap, inc->name, err);
      continue;
    }
    if (n->beside[i] != NULL) {
      rc = add_edge(g, u, &cap, n->beside[i], (size_t)BESIDE, err);
      continue;
    }
    found *f;
    rc = search(g, &f, u->context, inc->name, err);
    if (rc == 0 && f != NULL)
      rc = add_edge(g, u, &cap, f->file, f->via, err);
  }
  return rc;
}

static int add_forced(spec_graph *g, spec_unit_node *u, const char *name, spec_err *err) {
  size_t cap = u->edge_count;
  node *file;
  int rc = look_up(g, &file, "", name, err);
  if (rc != 0)
    return rc;
  if (file != NULL)
    return add_edge(g, u, &cap, file, (size_t)BESIDE, err);
  found *f;
  rc = search(g, &f, u->context, name, err);
  return rc != 0 || f == NULL ? rc : add_edge(g, u, &cap, f->file, f->via, err);
}

int spec_graph_load(spec_graph *graph, spec_unit_node **out, spec_context *context, const char *id,
                    const char *const *forced, size_t forced_count, spec_err *err) {
  node *file;
  int rc = get_node(graph, &file, id, err);
  if (rc == 0)
    rc = in_context(graph, out, context, file, err);
  if (rc != 0)
    return rc;
  size_t next = context->order_count; /* what this unit adds comes from here on */
  if (!(*out)->loaded)
    rc = resolve_edges(graph, *out, err);
  for (size_t i = 0; rc == 0 && i < forced_count; i++)
    rc = add_forced(graph, *out, forced[i], err);
  for (; rc == 0 && next < context->order_count; next++)
    if (!context->order[next]->loaded)
      rc = resolve_edges(graph, context->order[next], err);
  return rc;
}

/* --- close --- */

typedef struct closing {
  spec_graph *graph;
  spec_stage *stage;
  spec_reporter *report;
  node_list todo;
  spec_err *err;
} closing;

static int push(closing *c, node *n) {
  int rc = grow(c->graph->arena, &c->todo.items, c->todo.count, &c->todo.cap, sizeof *c->todo.items,
                c->err);
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
    rc = scan(c->graph, n, c->err);
    for (size_t i = 0; rc == 0 && i < n->includes.count; i++)
      if (n->beside[i] != NULL)
        rc = stage_node(c, n->beside[i]);
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
              spec_path_below(u->edges[e].to->file->id, context->dirs[u->edges[e].via]);
          for (size_t d = u->edges[e].via + 1; name != NULL && d < context->dir_count; d++) {
            const char *later = spec_path_is_absolute(context->dirs[d])
                                    ? NULL
                                    : spec_path_join(g->arena, context->dirs[d], name);
            if (later != NULL && spec_stage_has(c->stage, later))
              rc = stage_node(c, u->edges[e].to->file);
          }
        }
    }
  }
  return rc;
}

/* Marks files from which a must-be-staged or an opaque one is reachable. */
static void mark_leads(spec_context *c) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = c->order_count; i-- > 0;) {
      spec_unit_node *u = c->order[i];
      bool leads = u->leads || u->file->must || u->file->opaque;
      for (size_t e = 0; !leads && e < u->edge_count; e++)
        leads = u->edges[e].to->leads;
      changed |= leads != u->leads;
      u->leads = leads;
    }
  }
}

int spec_graph_close(spec_graph *graph, spec_stage *stage, spec_reporter *report, spec_err *err) {
  closing c = {graph, stage, report, {0}, err};
  /* Overrides that no unit reaches are staged as well: what they include beside
   * them must be there when something does reach them. */
  const spec_plan *plan = graph->view->plan;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++) {
    const spec_override *o = &plan->overrides[i];
    node *n;
    if ((o->kind == SPEC_KIND_SOURCE || o->kind == SPEC_KIND_HEADER) && o->action != SPEC_REMOVE) {
      rc = get_node(graph, &n, o->trunk, err);
      if (rc == 0)
        rc = scan(graph, n, err);
    }
  }
  if (rc == 0)
    rc = spec_map_each(graph->nodes, seed_must, &c);
  if (rc == 0)
    rc = spread_must(&c);
  if (rc == 0)
    rc = spec_map_each(graph->nodes, stage_must, &c);
  if (rc == 0)
    rc = spread_staged(&c);
  for (size_t before = 0; rc == 0 && before != spec_stage_count(stage);) {
    before = spec_stage_count(stage);
    rc = stage_shadowers(&c);
    if (rc == 0)
      rc = spread_staged(&c);
  }
  for (size_t k = 0; rc == 0 && k < graph->context_count; k++)
    mark_leads(graph->all[k]);
  return rc;
}

bool spec_graph_is_staged(const spec_graph *graph, const char *id) {
  const node *n = spec_map_get(graph->nodes, id, NULL);
  return n != NULL && n->must;
}

/* --- reach --- */

typedef struct reaching {
  spec_graph *graph;
  spec_context *context;
  bool *dirs;      /* context's folders that lead to a staged file */
  node_list found; /* overridden files */
  bool opaque;
  spec_err *err;
} reaching;

static int visit(reaching *r, spec_unit_node *u) {
  if (u->visited == r->graph->walk)
    return SPEC_OK;
  u->visited = r->graph->walk;
  node *n = u->file;
  r->opaque |= n->opaque;
  int rc = 0;
  if (n->override != NULL && n->override->action != SPEC_REMOVE) {
    rc = grow(r->graph->arena, &r->found.items, r->found.count, &r->found.cap,
              sizeof *r->found.items, r->err);
    if (rc == 0)
      r->found.items[r->found.count++] = n;
  }
  for (size_t e = 0; rc == 0 && e < u->edge_count; e++) {
    const edge *to = &u->edges[e];
    if (to->via != (size_t)BESIDE && to->to->file->staged)
      r->dirs[to->via] = true;
    if (to->to->leads)
      rc = visit(r, to->to);
  }
  return rc;
}

static int compare_nodes(const void *a, const void *b) {
  return strcmp((*(node *const *)a)->id, (*(node *const *)b)->id);
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
    rc = grow(r->graph->arena, &r->found.items, r->found.count, &r->found.cap,
              sizeof *r->found.items, r->err);
    if (rc == 0)
      r->found.items[r->found.count++] = n;
  }
  for (size_t d = 0; d < r->context->dir_count; d++)
    for (size_t i = 0; i < r->found.count; i++)
      r->dirs[d] |= spec_path_below(r->found.items[i]->id, r->context->dirs[d]) != NULL;
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
  int rc = visit(&r, unit);
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
    if (r.dirs[d] && !spec_path_is_absolute(c->dirs[d]))
      out->dirs[out->dir_count++] = c->dirs[d];
  return SPEC_OK;
}
