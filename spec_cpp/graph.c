/* graph.c: loading the include graph of the merged view. */
#include "graph.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

int spec_graph_new(spec_graph **out, spec_arena *arena, const spec_merged *view, spec_err *err) {
  spec_graph *g = spec_arena_alloc(arena, sizeof *g);
  if (g == NULL)
    return spec_fail_memory(err);
  g->arena = arena;
  g->view = view;
  int rc = spec_map_new(&g->nodes, arena, err);
  if (rc == 0)
    rc = spec_map_new(&g->folders, arena, err);
  if (rc == 0)
    rc = spec_map_new(&g->contexts, arena, err);
  if (rc != 0) {
    spec_graph_free(g);
    return rc;
  }
  *out = g;
  return SPEC_OK;
}

static int free_folder(void *user, const char *id, void *value) {
  (void)user, (void)id;
  spec_map_free(((folder *)value)->found);
  return 0;
}

void spec_graph_free(spec_graph *graph) {
  if (graph == NULL)
    return;
  if (graph->folders != NULL)
    spec_map_each(graph->folders, free_folder, NULL);
  for (size_t i = 0; i < graph->context_count; i++) {
    spec_map_free(graph->all[i]->found);
    spec_map_free(graph->all[i]->files);
  }
  spec_map_free(graph->nodes);
  spec_map_free(graph->folders);
  spec_map_free(graph->contexts);
}

static int get_folder(spec_graph *g, folder **out, const char *id, spec_err *err) {
  folder *f = spec_map_get(g->folders, id, NULL);
  if (f == NULL) {
    f = spec_arena_alloc(g->arena, sizeof *f);
    if (f == NULL)
      return spec_fail_memory(err);
    int rc = spec_map_set(g->folders, id, f, err);
    if (rc == 0)
      rc = spec_map_new(&f->found, g->arena, err);
    f->id = spec_arena_strdup(g->arena, id);
    if (rc == 0 && f->id == NULL)
      rc = spec_fail_memory(err);
    if (rc != 0)
      return rc;
  }
  *out = f;
  return SPEC_OK;
}

int spec_graph_node(spec_graph *g, node **out, const char *id, spec_err *err) {
  node *n = spec_map_get(g->nodes, id, NULL);
  if (n == NULL) {
    n = spec_arena_alloc(g->arena, sizeof *n);
    if (n == NULL)
      return spec_fail_memory(err);
    n->id = spec_arena_strdup(g->arena, id);
    const char *dir = n->id == NULL ? NULL : spec_path_dirname(g->arena, n->id);
    if (dir == NULL)
      return spec_fail_memory(err);
    n->override = spec_merged_override(g->view, id);
    int rc = get_folder(g, &n->dir, dir, err);
    if (rc == 0)
      rc = spec_map_set(g->nodes, id, n, err);
    if (rc != 0)
      return rc;
  }
  *out = n;
  return SPEC_OK;
}

static int find_in_view(spec_graph *g, node **out, const char *dir, const char *name,
                        spec_err *err) {
  const char *id;
  *out = NULL;
  int rc = spec_merged_resolve(g->view, &id, dir, name, err);
  if (rc != 0 || id == NULL || *id == '\0')
    return rc;
  bool has;
  rc = spec_merged_has(g->view, &has, id, err);
  return rc != 0 || !has ? rc : spec_graph_node(g, out, id, err);
}

int spec_graph_look_up(spec_graph *g, node **out, folder *dir, const char *name, spec_err *err) {
  bool known;
  *out = spec_map_get(dir->found, name, &known);
  if (known)
    return SPEC_OK;
  int rc = find_in_view(g, out, dir->id, name, err);
  return rc != 0 ? rc : spec_map_set(dir->found, name, *out, err);
}

/* The text goes into an arena of its own: all texts together would be most of the memory. */
static int read_includes(spec_graph *g, node *n, spec_err *err) {
  const char *text;
  size_t len;
  spec_arena *scratch;
  int rc = spec_arena_new(&scratch, err);
  if (rc != 0)
    return rc;
  rc = spec_merged_read(g->view, scratch, &text, &len, n->id, err);
  if (rc == 0)
    rc = spec_scan_c(g->arena, &n->includes, text, len, err);
  spec_arena_free(scratch);
  return rc;
}

int spec_graph_scan(spec_graph *g, node *n, spec_err *err) {
  if (n->scanned)
    return SPEC_OK;
  n->scanned = true;
  int rc = read_includes(g, n, err);
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
    rc = spec_graph_look_up(g, &n->beside[i], n->dir, inc->name, err);
    node *to = n->beside[i];
    if (rc != 0 || to == NULL)
      continue;
    node_list *by = &to->included_beside_by;
    rc = spec_arena_reserve(g->arena, &by->items, by->count, &by->cap, sizeof *by->items, err);
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
    folder **dirs = spec_arena_array(graph->arena, count, sizeof *dirs);
    if (c == NULL || dirs == NULL) {
      spec_buf_dispose(&key);
      return spec_fail_memory(err);
    }
    for (size_t i = 0; rc == 0 && i < count; i++)
      rc = get_folder(graph, &dirs[i], ids[i], err);
    c->dirs = dirs;
    c->dir_count = count;
    if (rc == 0)
      rc = spec_arena_reserve(graph->arena, &graph->all, graph->context_count, &graph->context_cap,
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
    rc = spec_graph_look_up(g, &file, c->dirs[i], name, err);
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
      rc = spec_arena_reserve(g->arena, &c->order, c->order_count, &c->order_cap, sizeof *c->order,
                              err);
    if (rc != 0)
      return rc;
    c->order[c->order_count++] = u;
  }
  *out = u;
  return SPEC_OK;
}

static int add_edge(spec_graph *g, spec_unit_node *from, size_t *cap, node *to, size_t via,
                    size_t include, spec_err *err) {
  edge e = {.via = via, .include = include};
  int rc = in_context(g, &e.to, from->context, to, err);
  if (rc == 0)
    rc =
        spec_arena_reserve(g->arena, &from->edges, from->edge_count, cap, sizeof *from->edges, err);
  if (rc == 0)
    from->edges[from->edge_count++] = e;
  return rc;
}

/* "u/../x.h" is found only where a folder u is, so the stage must have it as well. */
static int remember_passed(spec_graph *g, const char *dir, const char *name, spec_err *err) {
  static const char up[] = "/../";
  int rc = 0;
  for (const char *p = strstr(name, up); rc == 0 && p != NULL; p = strstr(p + 1, up)) {
    const char *prefix = spec_arena_strndup(g->arena, name, (size_t)(p - name));
    const char *id;
    if (prefix == NULL)
      return spec_fail_memory(err);
    rc = spec_merged_resolve(g->view, &id, dir, prefix, err);
    if (rc != 0 || id == NULL || *id == '\0' || spec_path_is_absolute(id) ||
        strcmp(spec_path_basename(prefix), "..") == 0)
      continue;
    rc = spec_arena_reserve(g->arena, &g->passed, g->passed_count, &g->passed_cap,
                            sizeof *g->passed, err);
    if (rc == 0)
      g->passed[g->passed_count++] = id;
  }
  return rc;
}

/* #include_next starts behind the folder where the includer was found; which
 * one that was is not tracked, so every folder that has the name counts. */
static int add_every_match(spec_graph *g, spec_unit_node *u, size_t *cap, size_t include,
                           spec_err *err) {
  const char *name = u->file->includes.items[include].name;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < u->context->dir_count; i++) {
    node *file;
    rc = spec_graph_look_up(g, &file, u->context->dirs[i], name, err);
    if (rc == 0 && file != NULL)
      rc = add_edge(g, u, cap, file, i, include, err);
  }
  return rc;
}

/* Resolves the includes of one file in its context. */
static int resolve_edges(spec_graph *g, spec_unit_node *u, spec_err *err) {
  node *n = u->file;
  size_t cap = 0;
  u->loaded = true;
  int rc = spec_graph_scan(g, n, err);
  for (size_t i = 0; rc == 0 && i < n->includes.count; i++) {
    const spec_include *inc = &n->includes.items[i];
    if (inc->form == SPEC_INCLUDE_MACRO)
      continue;
    if (inc->form == SPEC_INCLUDE_NEXT) {
      rc = add_every_match(g, u, &cap, i, err);
      continue;
    }
    if (n->beside[i] != NULL) {
      rc = remember_passed(g, n->dir->id, inc->name, err);
      if (rc == 0)
        rc = add_edge(g, u, &cap, n->beside[i], (size_t)BESIDE, i, err);
      continue;
    }
    found *f;
    rc = search(g, &f, u->context, inc->name, err);
    if (rc == 0 && f != NULL)
      rc = remember_passed(g, u->context->dirs[f->via]->id, inc->name, err);
    if (rc == 0 && f != NULL)
      rc = add_edge(g, u, &cap, f->file, f->via, i, err);
  }
  return rc;
}

/* An absolute path means its file, a name is looked for on the include path. */
static int add_forced(spec_graph *g, spec_unit_node *u, const char *name, spec_err *err) {
  size_t cap = u->edge_count;
  if (spec_path_is_absolute(name)) {
    node *file;
    int rc = find_in_view(g, &file, "", name, err);
    return rc != 0 || file == NULL
               ? rc
               : add_edge(g, u, &cap, file, (size_t)BESIDE, (size_t)FORCED, err);
  }
  found *f;
  int rc = search(g, &f, u->context, name, err);
  return rc != 0 || f == NULL ? rc : add_edge(g, u, &cap, f->file, f->via, (size_t)FORCED, err);
}

/* What the context gained since it had `next` files. */
static int resolve_new(spec_graph *g, spec_context *context, size_t next, spec_err *err) {
  int rc = 0;
  for (; rc == 0 && next < context->order_count; next++)
    if (!context->order[next]->loaded)
      rc = resolve_edges(g, context->order[next], err);
  return rc;
}

int spec_graph_load(spec_graph *graph, spec_unit_node **out, spec_context *context, const char *id,
                    const char *const *forced, size_t forced_count, spec_err *err) {
  node *file;
  int rc = spec_graph_node(graph, &file, id, err);
  if (rc == 0)
    rc = in_context(graph, out, context, file, err);
  if (rc != 0)
    return rc;
  size_t next = context->order_count; /* what this unit adds comes from here on */
  if (!(*out)->loaded)
    rc = resolve_edges(graph, *out, err);
  for (size_t i = 0; rc == 0 && i < forced_count; i++)
    rc = add_forced(graph, *out, forced[i], err);
  return rc != 0 ? rc : resolve_new(graph, context, next, err);
}

int spec_graph_load_forced(spec_graph *graph, spec_unit_node **out, spec_context *context,
                           const char *name, const char *const *forced, size_t forced_count,
                           spec_err *err) {
  node *file = NULL;
  int rc = spec_graph_node(graph, &file, name, err);
  if (rc == 0)
    rc = in_context(graph, out, context, file, err);
  if (rc != 0)
    return rc;
  file->scanned = (*out)->loaded = true; /* it has no text */
  size_t next = context->order_count;
  for (size_t i = 0; rc == 0 && i < forced_count; i++)
    rc = add_forced(graph, *out, forced[i], err);
  return rc != 0 ? rc : resolve_new(graph, context, next, err);
}
