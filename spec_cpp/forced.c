/* forced.c: options and lists that name a header by its path, to come before a unit's own text. */
#include "place.h"

#include "base/err.h"
#include "base/path.h"
#include "usage.h"
#include <string.h>

/* The stage's path of a file that must be reached through it, or NULL. When memory is out, `to`,
 * which the path is meant for, counts as failed. */
static const char *staged_path(const spec_placing *p, spec_buf *to, const char *dir,
                               const char *text) {
  const char *path = spec_path_resolve(p->arena, dir, text);
  to->failed |= path == NULL;
  const char *id = path == NULL ? NULL : spec_merged_id(&p->view, path);
  if (id == NULL || *id == '\0' || !spec_graph_is_staged(p->graph, id))
    return NULL;
  const char *staged = spec_path_join(p->arena, p->view.stage, id);
  to->failed |= staged == NULL;
  return staged;
}

/* Rewrites the absolute paths in one option, "-include" before them or not. */
static bool rewrite_option(const spec_placing *p, spec_buf *out, const char *option) {
  static const char flag[] = "-include";
  bool changed = false;
  while (*option != '\0') {
    size_t len = strcspn(option, " \t$<>,:;\"'");
    const char *word = spec_arena_strndup(p->arena, option, len);
    size_t skip = word != NULL && strncmp(word, flag, sizeof flag - 1) == 0 ? sizeof flag - 1 : 0;
    bool absolute = word != NULL && word[skip] == '/';
    const char *path = absolute ? staged_path(p, out, "/", word + skip) : NULL;
    out->failed |= word == NULL;
    changed |= path != NULL;
    spec_buf_add(out, option, path != NULL ? skip : len);
    if (path != NULL)
      spec_buf_str(out, path);
    option += len;
    if (*option != '\0')
      spec_buf_char(out, *option++);
  }
  return changed;
}

/* Rewrites one header of a list to precompile; names in <> or "" are looked for. */
static bool rewrite_header(const spec_placing *p, spec_buf *out, const char *dir,
                           const char *header) {
  if (strstr(header, "$<") != NULL)
    return rewrite_option(p, out, header);
  const char *path = *header == '<' || *header == '"' ? NULL : staged_path(p, out, dir, header);
  spec_buf_str(out, path != NULL ? path : header);
  return path != NULL;
}

static int swap_items(spec_placing *p, const spec_target *target, const char *property,
                      const spec_list *items, bool headers, spec_err *err) {
  spec_swap swap = {target, property, {0}};
  spec_buf text = {0};
  bool changed = false;
  swap.items.items = spec_arena_array(p->arena, items->count, sizeof *swap.items.items);
  int rc = swap.items.items == NULL ? spec_fail_memory(err) : 0;
  for (size_t i = 0; rc == 0 && swap.items.items != NULL && i < items->count; i++) {
    spec_buf_clear(&text);
    changed |= headers ? rewrite_header(p, &text, target->dir, items->items[i])
                       : rewrite_option(p, &text, items->items[i]);
    const char *item =
        spec_buf_failed(&text) ? NULL : spec_arena_strdup(p->arena, spec_buf_text(&text));
    if (item == NULL)
      rc = spec_fail_memory(err);
    else
      swap.items.items[swap.items.count++] = item;
  }
  spec_buf_dispose(&text);
  if (rc != 0 || !changed)
    return rc;
  rc = spec_arena_reserve(p->arena, &p->swaps, p->swap_count, &p->swap_cap, sizeof *p->swaps, err);
  if (rc == 0)
    p->swaps[p->swap_count++] = swap;
  return rc;
}

/* An absolute path in flags, or in a source's own options, stays as it is. */
static int check_fixed(spec_placing *p, const spec_target *target, spec_err *err) {
  spec_list names;
  spec_buf failed = {0};
  int rc = spec_usage_fixed_forced(p->arena, &names, &p->targets, target, err);
  for (size_t i = 0; rc == 0 && i < names.count; i++) {
    const char *name = names.items[i];
    if (!spec_path_is_absolute(name) || staged_path(p, &failed, "/", name) == NULL)
      continue;
    const char *id = spec_merged_id(&p->view, spec_path_normal(p->arena, name));
    spec_report(&p->plan->report, SPEC_F_FIXED_INCLUDE, name, target->name, id, NULL);
  }
  return rc == 0 && spec_buf_failed(&failed) ? spec_fail_memory(err) : rc;
}

int spec_place_swap_forced(spec_placing *p, const spec_target *target, spec_err *err) {
  int rc = check_fixed(p, target, err);
  if (rc == 0)
    rc = swap_items(p, target, "COMPILE_OPTIONS", &target->options, false, err);
  if (rc == 0)
    rc = swap_items(p, target, "INTERFACE_COMPILE_OPTIONS", &target->ioptions, false, err);
  if (rc == 0)
    rc = swap_items(p, target, "PRECOMPILE_HEADERS", &target->pch, true, err);
  if (rc == 0)
    rc = swap_items(p, target, "INTERFACE_PRECOMPILE_HEADERS", &target->ipch, true, err);
  return rc;
}
