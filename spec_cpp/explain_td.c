/* explain_td.c: which TableGen rules read a file, and through which includes. */
#include "explaining.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

/* One file of a rule, and how it was met first. */
typedef struct td_mark {
  const char *id;
  size_t parent;
  spec_step step;
} td_mark;

typedef struct td_walk {
  spec_explaining *x;
  const char **ids; /* all that the rule reads */
  size_t id_count;
  td_mark *items;
  size_t count, cap;
} td_walk;

/* Whether an include of that name can mean the file: a path ends in the name. */
static bool can_mean(const char *id, const char *name) {
  size_t have = strlen(id), len = strlen(name);
  return have >= len && strcmp(id + have - len, name) == 0 &&
         (have == len || id[have - len - 1] == '/');
}

static int follow(td_walk *w, size_t at, spec_err *err) {
  const char *from = w->items[at].id, *text;
  spec_includes includes = {0};
  size_t len;
  int rc = spec_merged_read(&w->x->p.view, w->x->p.arena, &text, &len, from, err);
  if (rc == 0)
    rc = spec_scan_td(w->x->p.arena, &includes, text, len, err);
  for (size_t i = 0; rc == 0 && i < includes.count; i++)
    for (size_t k = 0; rc == 0 && k < w->id_count; k++) {
      if (w->ids[k] == NULL || !can_mean(w->ids[k], includes.items[i].name))
        continue;
      const char *name = includes.items[i].name;
      char *dir = spec_arena_strndup(w->x->p.arena, w->ids[k], strlen(w->ids[k]) - strlen(name));
      rc = dir == NULL ? spec_fail_memory(err)
                       : spec_arena_reserve(w->x->p.arena, &w->items, w->count, &w->cap,
                                            sizeof *w->items, err);
      if (rc != 0)
        return rc;
      if (*dir != '\0')
        dir[strlen(dir) - 1] = '\0'; /* the slash before the name */
      w->items[w->count++] = (td_mark){w->ids[k], at, {from, w->ids[k], &includes.items[i], dir}};
      w->ids[k] = NULL; /* met */
    }
  return rc;
}

static int unwind(const td_walk *w, spec_chain *out, size_t last, spec_err *err) {
  for (size_t i = last; i != 0; i = w->items[i].parent)
    out->count++;
  out->steps = spec_arena_array(w->x->p.arena, out->count, sizeof *out->steps);
  if (out->steps == NULL)
    return spec_fail_memory(err);
  size_t n = out->count;
  for (size_t i = last; i != 0; i = w->items[i].parent)
    out->steps[--n] = w->items[i].step;
  return SPEC_OK;
}

/* The way from a rule's own file to the path; *reads tells whether it reads it at all. */
static int find_chain(spec_explaining *x, spec_chain *out, bool *reads, const char *top,
                      const spec_list *files, spec_err *err) {
  td_walk w = {.x = x, .ids = spec_arena_array(x->p.arena, files->count, sizeof *w.ids)};
  if (w.ids == NULL)
    return spec_fail_memory(err);
  *out = (spec_chain){0};
  *reads = false;
  for (size_t i = 0; i < files->count; i++) {
    const char *id = spec_merged_id(&x->p.view, files->items[i]);
    if (id != NULL && strcmp(id, top) != 0)
      w.ids[w.id_count++] = id;
    *reads |= id != NULL && strcmp(id, x->path) == 0;
  }
  int rc = *reads ? spec_arena_reserve(x->p.arena, &w.items, 0, &w.cap, sizeof *w.items, err) : 0;
  if (rc != 0 || !*reads)
    return rc;
  w.items[w.count++] = (td_mark){.id = top};
  for (size_t i = 0; rc == 0 && i < w.count; i++) {
    if (strcmp(w.items[i].id, x->path) == 0)
      return unwind(&w, out, i, err);
    rc = follow(&w, i, err);
  }
  return rc;
}

static int push_rule(spec_explaining *x, json_t *list, const spec_pair *td, const spec_chain *chain,
                     spec_err *err) {
  json_t *steps = spec_explain_steps(x, chain, err);
  if (steps == NULL)
    return err->code != 0 ? err->code : spec_fail_memory(err);
  json_t *item = json_object();
  int rc = spec_json_put(item, "target", spec_json_text(td->second, NULL));
  rc |= spec_json_put(item, "source", spec_json_text(td->first, NULL));
  rc |= spec_json_put(item, "chain", steps);
  if (rc != 0)
    json_decref(item);
  else
    rc = spec_json_push(list, item);
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

int spec_explain_tds(spec_explaining *x, spec_err *err) {
  const spec_targets *targets = &x->p.targets;
  json_t *list = json_array();
  int rc = list == NULL ? spec_fail_memory(err) : 0;
  for (size_t i = 0; rc == 0 && targets->td_reads != NULL && i < targets->td_count; i++) {
    const spec_pair *td = &targets->tds[i];
    const spec_list *files = spec_map_get(targets->td_reads, td->first, NULL);
    spec_chain chain;
    bool reads = false;
    if (files != NULL)
      rc = find_chain(x, &chain, &reads, td->first, files, err);
    if (rc == 0 && reads)
      rc = push_rule(x, list, td, &chain, err);
  }
  if (rc != 0) {
    json_decref(list);
    return rc;
  }
  return spec_json_put(x->root, "rules", list) != 0 ? spec_fail_memory(err) : SPEC_OK;
}
