/* counterpart.c */
#include "core/counterpart.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include "core/overlay.h"
#include "core/policy.h"
#include <string.h>

static bool has_ignored_folder(const char *path) {
  for (const char *part = path, *slash; (slash = strchr(part, '/')) != NULL; part = slash + 1) {
    static const char *const names[] = {"__pycache__", ".git"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strlen(names[i]) == (size_t)(slash - part) &&
          strncmp(part, names[i], (size_t)(slash - part)) == 0)
        return true;
  }
  return false;
}

/* A file of the package: everything below python/triton. */
static int place_in_package(spec_counterpart *out, spec_arena *arena, const spec_backend *backend,
                            spec_err *err) {
  bool is_module = strcmp(spec_path_ext(out->package), ".py") == 0;
  out->kind = SPEC_KIND_PYTHON;
  out->form = is_module ? SPEC_COUNTERPART_ANY : SPEC_COUNTERPART_COPY;
  if (strcmp(out->package, "triton/__init__.py") == 0)
    out->form = SPEC_COUNTERPART_PATCH; /* the file of that name holds the backend's hooks */
  out->policy = spec_policy_for(backend, out->package);
  if (out->policy == SPEC_POLICY_MERGE && !is_module)
    out->policy = SPEC_POLICY_WHOLE;
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
  const char *inner = spec_path_below(trunk, "python/triton");
  if (inner != NULL && *inner != '\0')
    c.package = spec_path_below(trunk, "python");
  if (!spec_overlay_is_carried(trunk))
    c.reason = "a name that cannot be passed through CMake and Ninja";
  else if (spec_kind_is_ignored(trunk) || has_ignored_folder(trunk))
    c.reason = "documentation, configuration or bytecode, which no build reads";
  else if (c.package == NULL)
    c.reason = reason_of_kind(c.kind, trunk);
  int rc = 0;
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
