/* vendor_files.c */
#include "core/vendor_files.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include "core/overlay.h"
#include "core/policy.h"
#include <stdlib.h>
#include <string.h>

typedef struct gathering {
  spec_arena *arena;
  const spec_backend *layer;
  const char *overlay_dir, *trunk_dir; /* of the walk: a folder here, and what it mirrors */
  bool (*takes)(const char *path, spec_kind kind);
  spec_vendor_file *files;
  size_t count, cap;
} gathering;

static bool takes_spec_cpp(const char *path, spec_kind kind) {
  return kind != SPEC_KIND_PYTHON && kind != SPEC_KIND_OTHER && strcmp(path, "CMakeLists.txt") != 0;
}

/* FlagTree's place for the extension's sources and headers; the rest there is the vendor's own. */
static bool takes_python_src(const char *path, spec_kind kind) {
  (void)path;
  return kind == SPEC_KIND_SOURCE || kind == SPEC_KIND_HEADER;
}

static bool takes_spec(const char *path, spec_kind kind) {
  (void)kind;
  return spec_path_below(path, "triton") != NULL;
}

/* The backend's hooks; a patch of that name is one of the trunk's module. */
static bool is_hooks(const char *overlay_dir, const char *path) {
  return strcmp(overlay_dir, "spec") == 0 && strcmp(path, "triton/__init__.py") == 0;
}

/* As a plan has it. */
static spec_policy policy_of(const spec_backend *layer, const char *trunk) {
  const char *inner = spec_path_below(trunk, "python");
  if (inner == NULL || spec_path_below(inner, "triton") == NULL)
    return SPEC_POLICY_NONE;
  return spec_policy_of_file(spec_policy_for(layer, inner), inner);
}

static int append(gathering *g, const spec_vendor_file *file, spec_err *err) {
  int rc = spec_arena_reserve(g->arena, &g->files, g->count, &g->cap, sizeof *g->files, err);
  if (rc == 0)
    g->files[g->count++] = *file;
  return rc;
}

static int on_file(void *user, const char *path, spec_err *err) {
  gathering *g = user;
  size_t patched = spec_kind_patched(path);
  const char *name = patched == 0 ? path : spec_arena_strndup(g->arena, path, patched);
  if (name == NULL)
    return spec_fail_memory(err);
  spec_kind kind = spec_kind_of(name);
  if (spec_kind_is_ignored(path) || is_hooks(g->overlay_dir, path) || !g->takes(name, kind))
    return SPEC_OK;
  bool is_python = strcmp(g->trunk_dir, "python") == 0;
  spec_vendor_file file = {.action = patched > 0 ? SPEC_PATCH : SPEC_REPLACE,
                           .kind = is_python ? SPEC_KIND_PYTHON : kind,
                           .trunk = spec_path_join(g->arena, g->trunk_dir, name),
                           .overlay = spec_path_join(g->arena, g->overlay_dir, path)};
  file.path = file.overlay == NULL ? NULL : spec_path_join(g->arena, g->layer->dir, file.overlay);
  if (file.trunk == NULL || file.path == NULL)
    return spec_fail_memory(err);
  file.policy = is_python ? policy_of(g->layer, file.trunk) : SPEC_POLICY_NONE;
  return append(g, &file, err);
}

/* spec.ini may name a module without "python/". */
static int add_removal(gathering *g, const char *named, spec_err *err) {
  bool inner = spec_path_below(named, "triton") != NULL;
  const char *trunk = inner ? spec_path_join(g->arena, "python", named) : named;
  const char *ini = spec_path_join(g->arena, g->layer->dir, "spec.ini");
  if (trunk == NULL || ini == NULL)
    return spec_fail_memory(err);
  spec_policy policy = policy_of(g->layer, trunk);
  const spec_vendor_file file = {.action = SPEC_REMOVE,
                                 .kind = policy != SPEC_POLICY_NONE ? SPEC_KIND_PYTHON
                                                                    : spec_kind_of(trunk),
                                 .policy = SPEC_POLICY_NONE,
                                 .trunk = trunk,
                                 .overlay = "spec.ini",
                                 .path = ini};
  return append(g, &file, err);
}

static int compare(const void *a, const void *b) {
  const spec_vendor_file *x = a, *y = b;
  int order = strcmp(x->trunk, y->trunk);
  return order != 0 ? order : strcmp(x->overlay, y->overlay);
}

int spec_vendor_files(spec_arena *arena, spec_vendor_file **out, size_t *count,
                      const spec_backend *layer, spec_err *err) {
  const struct {
    const char *overlay_dir, *trunk_dir;
    bool (*takes)(const char *path, spec_kind kind);
  } places[] = {
      {"spec_cpp", "", takes_spec_cpp},
      {"python/src", "python/src", takes_python_src},
      {"spec", "python", takes_spec},
  };
  gathering g = {.arena = arena, .layer = layer};
  spec_reporter silent = {.arena = arena};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < sizeof places / sizeof *places; i++) {
    g.overlay_dir = places[i].overlay_dir;
    g.trunk_dir = places[i].trunk_dir;
    g.takes = places[i].takes;
    rc = spec_overlay_walk(arena, layer->dir, g.overlay_dir, &silent, on_file, &g, err);
  }
  for (size_t i = 0; rc == 0 && i < layer->setting_count; i++)
    if (strcmp(layer->settings[i].section, "remove") == 0)
      rc = add_removal(&g, layer->settings[i].value, err);
  if (rc == 0 && silent.failed)
    rc = spec_fail_memory(err);
  if (rc != 0)
    return rc;
  if (g.count > 0)
    qsort(g.files, g.count, sizeof *g.files, compare);
  *out = g.files;
  *count = g.count;
  return SPEC_OK;
}
