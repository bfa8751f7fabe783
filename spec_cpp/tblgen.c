/* tblgen.c: the closure of TableGen includes, a superset where the search path
 * is not known. */
#include "tblgen.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "core/results.h"
#include "digest_overrides.h"
#include "scan.h"
#include "shell.h"
#include <stdlib.h>
#include <string.h>

typedef struct td_file {
  const char *id;
  spec_includes includes;
  struct td_file *next_alike; /* another file of the same base name */
  size_t visited;
} td_file;

typedef struct scanner {
  spec_arena *arena;
  const spec_merged *view;
  spec_map *files;   /* id -> td_file */
  spec_map *by_name; /* base name -> first td_file */
  size_t walk;
} scanner;

/* Folders that Triton puts on every search path, in its order. */
static const char *const usual_roots[] = {"", "include", "third_party"};

static int add_file(scanner *s, const char *id, spec_err *err) {
  if (spec_map_get(s->files, id, NULL) != NULL)
    return SPEC_OK;
  td_file *f = spec_arena_alloc(s->arena, sizeof *f);
  if (f == NULL)
    return spec_fail_memory(err);
  f->id = spec_arena_strdup(s->arena, id);
  const char *text;
  size_t len;
  if (f->id == NULL)
    return spec_fail_memory(err);
  int rc = spec_merged_read(s->view, s->arena, &text, &len, id, err);
  if (rc == 0)
    rc = spec_scan_td(s->arena, &f->includes, text, len, err);
  if (rc == 0)
    rc = spec_map_set(s->files, id, f, err);
  const char *name = spec_path_basename(f->id);
  f->next_alike = spec_map_get(s->by_name, name, NULL);
  return rc != 0 ? rc : spec_map_set(s->by_name, name, f, err);
}

static int on_trunk_file(void *user, const char *path, spec_err *err) {
  if (strcmp(spec_path_ext(path), ".td") != 0)
    return SPEC_OK;
  /* Overlays inside the trunk mirror its paths; they are no part of it. */
  if (strstr(path, "/spec_cpp/") != NULL)
    return SPEC_OK;
  return add_file(user, path, err);
}

typedef struct closure {
  scanner *scan;
  const char *top_dir; /* folder of the rule's own file: tblgen's first */
  const td_file **items;
  size_t count, cap;
  spec_err *err;
} closure;

/* Adds a file, once; close_over() goes on from it. */
static int add(closure *c, td_file *f) {
  if (f->visited == c->scan->walk)
    return SPEC_OK;
  f->visited = c->scan->walk;
  int rc =
      spec_arena_reserve(c->scan->arena, &c->items, c->count, &c->cap, sizeof *c->items, c->err);
  if (rc == 0)
    c->items[c->count++] = f;
  return rc;
}

static int add_id(closure *c, bool *hit, const char *dir, const char *name) {
  const char *id;
  int rc = spec_merged_resolve(c->scan->view, &id, dir, name, c->err);
  td_file *f = rc != 0 || id == NULL ? NULL : spec_map_get(c->scan->files, id, NULL);
  *hit = f != NULL;
  return f == NULL ? rc : add(c, f);
}

/* Every file that an include can mean: the first of the usual folders that has
 * it, and where none has, all files whose path ends in it. */
static int add_include(closure *c, const char *name) {
  bool hit;
  int rc = add_id(c, &hit, c->top_dir, name);
  for (size_t i = 0; rc == 0 && !hit && i < sizeof usual_roots / sizeof *usual_roots; i++)
    rc = add_id(c, &hit, usual_roots[i], name);
  if (rc != 0 || hit)
    return rc;
  size_t len = strlen(name);
  td_file *f = spec_map_get(c->scan->by_name, spec_path_basename(name), NULL);
  for (; rc == 0 && f != NULL; f = f->next_alike) {
    size_t have = strlen(f->id);
    if (have > len && f->id[have - len - 1] == '/' && strcmp(f->id + have - len, name) == 0)
      rc = add(c, f);
  }
  return rc;
}

/* All that top includes. A list and no recursion: nobody bounds the depth. */
static int close_over(closure *c, td_file *top) {
  int rc = add(c, top);
  for (size_t i = 0; rc == 0 && i < c->count; i++)
    for (size_t k = 0; rc == 0 && k < c->items[i]->includes.count; k++)
      rc = add_include(c, c->items[i]->includes.items[k].name);
  return rc;
}

static int compare_ids(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Fills td from a closure; td->override_count stays 0 when it is unaffected. */
static int describe(const closure *c, spec_td *td, const td_file *top) {
  spec_arena *arena = c->scan->arena;
  *td = (spec_td){.path = top->id, .file_count = c->count};
  td->files = spec_arena_array(arena, c->count, sizeof *td->files);
  td->overrides = spec_arena_array(arena, c->count, sizeof *td->overrides);
  if (td->files == NULL || td->overrides == NULL)
    return spec_fail_memory(c->err);
  for (size_t i = 0; i < c->count; i++)
    td->files[i] = c->items[i]->id;
  qsort(td->files, td->file_count, sizeof *td->files, compare_ids);
  for (size_t i = 0; i < td->file_count; i++) {
    const spec_override *o = spec_merged_override(c->scan->view, td->files[i]);
    if (o == NULL || o->action == SPEC_REMOVE)
      continue;
    td->overrides[td->override_count++] = o;
    td->replaced |= strcmp(td->files[i], top->id) == 0;
  }
  return td->override_count == 0 ? SPEC_OK
                                 : spec_digest_overrides(arena, td->digest, c->scan->view->plan,
                                                         td->overrides, td->override_count, c->err);
}

typedef struct gather {
  scanner *scan;
  spec_tds *out;
  size_t cap;
  spec_err *err;
} gather;

static int on_file(void *user, const char *id, void *value) {
  gather *g = user;
  td_file *f = value;
  g->scan->walk++;
  closure c = {.scan = g->scan, .top_dir = spec_path_dirname(g->scan->arena, id), .err = g->err};
  if (c.top_dir == NULL)
    return spec_fail_memory(g->err);
  spec_td td;
  int rc = close_over(&c, f);
  if (rc == 0)
    rc = describe(&c, &td, f);
  if (rc != 0 || td.override_count == 0)
    return rc;
  rc =
      spec_arena_reserve(g->scan->arena, &g->out->items, g->out->count, &g->cap, sizeof td, g->err);
  if (rc == 0)
    g->out->items[g->out->count++] = td;
  return rc;
}

static int compare_tds(const void *a, const void *b) {
  return strcmp(((const spec_td *)a)->path, ((const spec_td *)b)->path);
}

static int scan_all(scanner *s, spec_tds *out, spec_err *err) {
  const spec_plan *plan = s->view->plan;
  int rc = spec_map_new(&s->files, s->arena, err);
  if (rc == 0)
    rc = spec_map_new(&s->by_name, s->arena, err);
  if (rc == 0)
    rc = spec_tree_walk(plan->trunk.tree, "", on_trunk_file, s, err);
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    if (plan->overrides[i].kind == SPEC_KIND_TD && plan->overrides[i].action != SPEC_REMOVE)
      rc = add_file(s, plan->overrides[i].trunk, err);
  gather g = {s, out, 0, err};
  if (rc == 0)
    rc = spec_map_each(s->files, on_file, &g);
  if (rc == 0 && out->count > 0)
    qsort(out->items, out->count, sizeof *out->items, compare_tds);
  return rc;
}

int spec_tblgen_scan(spec_arena *arena, spec_tds *out, const spec_merged *view, spec_err *err) {
  *out = (spec_tds){0};
  bool any = false;
  for (size_t i = 0; i < view->plan->override_count; i++)
    any |= view->plan->overrides[i].kind == SPEC_KIND_TD;
  if (!any)
    return SPEC_OK;
  scanner s = {.arena = arena, .view = view};
  int rc = scan_all(&s, out, err);
  spec_map_free(s.files);
  spec_map_free(s.by_name);
  return rc;
}

char *spec_tblgen_wrapper(spec_arena *arena, const char *out, const spec_td *td) {
  return spec_arena_printf(arena, "%s/tblgen/%.16s/tblgen", out, td->digest);
}

/* The wrapper gets the real tblgen as its first argument, so that CMake knows
 * it as a dependency and a target's name still works. */
static void wrapper_text(spec_buf *out, const spec_merged *view) {
  spec_buf_str(out, "#!/bin/sh\n"
                    "# Made by triton-spec: puts each folder's twin in the stage before it.\n"
                    "trunk=");
  spec_shell_quote(out, view->plan->trunk.root);
  spec_buf_str(out, "\nstage=");
  spec_shell_quote(out, view->stage);
  spec_buf_str(
      out, "\n"
           "tblgen=$1\n"
           "shift\n"
           "n=$#\n"
           "while [ \"$n\" -gt 0 ]; do\n"
           "  word=$1\n"
           "  if [ \"$word\" = -I ] && [ \"$n\" -gt 1 ]; then\n"
           "    shift\n"
           "    n=$((n - 1))\n"
           "    word=-I$1\n"
           "  fi\n"
           "  case $word in\n"
           "    \"-I$stage\"*) ;;\n"
           "    \"-I$trunk\" | \"-I$trunk\"/*) set -- \"$@\" \"-I$stage${word#\"-I$trunk\"}\" ;;\n"
           "  esac\n"
           "  set -- \"$@\" \"$word\"\n"
           "  shift\n"
           "  n=$((n - 1))\n"
           "done\n"
           "exec \"$tblgen\" \"$@\"\n");
}

static int prune(spec_arena *arena, const spec_tds *tds, const char *dir, spec_err *err) {
  spec_ftype type;
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc = spec_fs_link_type(&type, dir, err);
  if (rc == 0 && type == SPEC_FT_DIR)
    rc = spec_fs_list(arena, &entries, &count, dir, err);
  else if (rc == 0 && type != SPEC_FT_NONE)
    rc = spec_fs_remove(dir, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    bool wanted = false;
    for (size_t k = 0; !wanted && k < tds->count; k++)
      wanted = strncmp(entries[i].name, tds->items[k].digest, 16) == 0;
    if (wanted)
      continue;
    const char *path = spec_path_join(arena, dir, entries[i].name);
    rc = path == NULL ? spec_fail_memory(err) : spec_fs_remove_tree(path, err);
  }
  return rc;
}

int spec_tblgen_write_wrappers(spec_arena *arena, const spec_tds *tds, const spec_merged *view,
                               const char *out, spec_err *err) {
  const char *dir = spec_path_join(arena, out, "tblgen");
  if (dir == NULL)
    return spec_fail_memory(err);
  spec_buf text = {0};
  wrapper_text(&text, view);
  int rc = spec_buf_failed(&text) ? spec_fail_memory(err) : prune(arena, tds, dir, err);
  for (size_t i = 0; rc == 0 && i < tds->count; i++) {
    const char *path = spec_tblgen_wrapper(arena, out, &tds->items[i]);
    const char *folder = path == NULL ? NULL : spec_path_dirname(arena, path);
    rc = folder == NULL ? spec_fail_memory(err)
                        : spec_results_folder(arena, out, spec_path_below(folder, out), err);
    if (rc == 0)
      rc = spec_results_clean(arena, folder, err);
    if (rc == 0)
      rc = spec_fs_write(path, text.data, text.len, true, NULL, err);
  }
  spec_buf_dispose(&text);
  return rc;
}
