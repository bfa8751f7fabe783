/* counterpart.c */
#include "core/counterpart.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include "core/overlay.h"
#include "core/policy.h"
#include <string.h>

/* Whether a folder above the file holds no override, as spec_kind_is_ignored_dir() has it. */
static int find_ignored_folder(bool *out, spec_arena *arena, const char *path, spec_err *err) {
  char *part = spec_arena_strdup(arena, path);
  *out = false;
  if (part == NULL)
    return spec_fail_memory(err);
  for (char *slash; !*out && (slash = strchr(part, '/')) != NULL; part = slash + 1) {
    *slash = '\0';
    *out = spec_kind_is_ignored_dir(part);
  }
  return SPEC_OK;
}

/* A file of the package: everything below python/triton. */
static int place_in_package(spec_counterpart *out, spec_arena *arena, const spec_backend *backend,
                            spec_err *err) {
  bool is_module = strcmp(spec_path_ext(out->package), ".py") == 0;
  out->kind = SPEC_KIND_PYTHON;
  out->form = is_module ? SPEC_COUNTERPART_ANY : SPEC_COUNTERPART_COPY;
  if (strcmp(out->package, "triton/__init__.py") == 0)
    out->form = SPEC_COUNTERPART_PATCH; /* the file of that name holds the backend's hooks */
  out->policy = spec_policy_of_file(spec_policy_for(backend, out->package), out->package);
  out->removable = true;
  if (spec_kind_patched(out->package) > 0) {
    out->reason = "a name that would be taken for a patch";
    return SPEC_OK;
  }
  out->overlay = spec_path_join(arena, "spec", out->package);
  return out->overlay == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static const char *reason_of_kind(spec_kind kind, const char *trunk) {
  if (kind == SPEC_KIND_OTHER)
    return "neither source, header, TableGen nor CMake file";
  if (kind == SPEC_KIND_PYTHON)
    return "Python outside of the package, python/triton";
  if (strcmp(trunk, "CMakeLists.txt") == 0)
    return "the top CMakeLists.txt is being read already when the overlay comes in";
  return NULL;
}

int spec_counterpart_of(spec_counterpart *out, spec_arena *arena, const spec_backend *backend,
                        const char *trunk, spec_err *err) {
  spec_counterpart c = {.kind = spec_kind_of(trunk), .policy = SPEC_POLICY_NONE};
  bool is_ignored;
  int rc = find_ignored_folder(&is_ignored, arena, trunk, err);
  if (rc != 0)
    return rc;
  const char *inner = spec_path_below(trunk, "python/triton");
  if (inner != NULL && *inner != '\0')
    c.package = spec_path_below(trunk, "python");
  if (!spec_overlay_is_carried(trunk))
    c.reason = "a name that cannot be passed through CMake and Ninja";
  else if (spec_kind_is_ignored(trunk) || is_ignored)
    c.reason = "documentation, configuration or bytecode, which no build reads";
  else if (c.package == NULL)
    c.reason = reason_of_kind(c.kind, trunk);
  if (c.reason == NULL && c.package != NULL) {
    rc = place_in_package(&c, arena, backend, err);
  } else if (c.reason == NULL) {
    c.removable = c.kind == SPEC_KIND_SOURCE;
    c.overlay = spec_path_join(arena, "spec_cpp", trunk);
    rc = c.overlay == NULL ? spec_fail_memory(err) : SPEC_OK;
  }
  if (rc == 0)
    *out = c;
  return rc;
}
